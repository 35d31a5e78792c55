package agent

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

var antigravity = Agent{
	Name: "antigravity", Aliases: []string{"agy"}, Title: "Antigravity",
	Version: "1.2.9", Date: "2026-11-28",
	Source:         "antigravity.google/docs/hooks, as third parties read it in 2026-10; measurements of 1.1.2 to 1.2.9 by third parties; the program cannot be had from a package registry",
	Programs:       []string{"agy", "antigravity"},
	DefaultTimeout: 30 * time.Second,
	Settings: []Settings{
		{Path: "~/.gemini/config/hooks.json", Layout: &antigravityLayout, Entry: commandEntry},
		{Path: ".agents/hooks.json", Layout: &antigravityLayout, Entry: commandEntry},
	},
	Setup: Setup{
		Folders: []string{"~/.gemini/antigravity", "~/.gemini/config", "~/.antigravity"}, Headless: "-p", Windows: CmdExe,
		Flaws:    Flaws{File: Comment | TrailingComma | ByteMark | UnknownTop | UnknownType, NoTop: []string{"hooks", "enabled"}, Types: []string{"command", "prompt"}},
		Steps:    []Step{{"", "check what it loaded with: agy -p \"/hooks\" --output-format json"}, {"project", "trust this folder in Antigravity"}},
		Switches: []Switch{{Paths: []string{"~/.gemini/config/hooks.json", ".agents/hooks.json"}, Keys: []string{"agent-hooks", "enabled"}, Bad: false}},
		Trust:    antigravityPlaces,
		Listed:   antigravityListed,
	},
	Proof: []Evidence{{Has("conversationId", "toolCall"), Lacks("hook_event_name")}, {Has("conversationId", "workspacePaths"), Lacks("hook_event_name")}},
	Fields: []Field{
		{Path: "conversationId", Name: "session_id"},
		{Path: "workspacePaths.0", Name: "work_dir"},
		{Path: "transcriptPath", Name: "transcript_path"},
		{Path: "toolCall.name", Name: "tool_name"},
		{Path: "toolCall.args", Name: "tool_input"}, {Path: "modelName", Name: "model"},
	},
	Tools: []Tool{
		{"run_command", "Shell"}, {"view_file", "ReadFile"}, {"write_to_file", "WriteFile"}, {"replace_file_content", "EditFile"},
		{"multi_replace_file_content", "EditFile"}, {"find_by_name", "Glob"}, {"grep_search", "Grep"}, {"list_dir", "LS"},
		{"read_url_content", "FetchURL"}, {"search_web", "SearchWeb"}, {"invoke_subagent", "Task"}, {"ask_question", "AskUser"},
	},
	Keys: []Key{
		{"CommandLine", "command", ""}, {"TargetFile", "file_path", ""}, {"AbsolutePath", "file_path", ""}, {"DirectoryPath", "file_paths", ""},
		{"SearchDirectory", "file_paths", ""}, {"SearchPath", "file_paths", ""}, {"CodeContent", "content", ""},
		{"TargetContent", "old_string", ""}, {"ReplacementContent", "new_string", ""}, {"Url", "url", ""}, {"Query", "query", ""},
		{"query", "query", ""},
	},
	Judging: Judging{
		Also:    []Forms{{Ask: Form{Set("decision", "ask"), Var("reason", Reason)}}, {Ask: Form{Set("decision", "force_ask"), Var("reason", Reason)}}, {Context: Form{Var("injectSteps.0.userMessage", Context)}}},
		Schema:  []Schema{{"*", []Value{texts("reason")}}, {"PreToolUse", []Value{{Paths: []string{"decision"}, Words: []string{"allow", "deny", "ask", "force_ask"}, Required: true}}}},
		Status2: "PreToolUse", Closed: "PreToolUse", Strict: "PreToolUse", NoObjection: true,
	},
	settle: antigravityAnswer,
	Base:   Form{Var("conversationId", SessionID), Var("workspacePaths.0", ProjectDir), Var("transcriptPath", TranscriptPath)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "PreToolUse", Silent: `{"decision":"ask"}`, Deny: denyTop,
				Note: "a question is sent as a deny: ask is the permissions' normal course, and nobody has seen that force_ask waits for a person when permissions are skipped"},
			{Name: "PostToolUse", Silent: "{}", Note: "carries no result"},
			{Name: "PreInvocation", Means: on(spec.PreLLMCall), Silent: "{}", Context: Form{Var("injectSteps.0.ephemeralMessage", Context)}, Note: "carries no prompt"},
			{Name: "PostInvocation", Means: on(spec.PostLLMCall), Silent: "{}", Note: "terminationBehavior ends the loop; whether the answer's calls run before is not documented, so it is not sent"},
			{Name: "Stop", Silent: "{}", Deny: Form{Set("decision", "continue"), Var("reason", Reason)}},
			{Name: "SessionStart", Since: "1.1.27", Silent: "{}", Unregistered: true, Note: "exists from 1.1.27"},
		}
	},
	Quirks: []Quirk{
		{1, "PreToolUse has no silent form: an empty answer denies, and allow permitted the call in 1.1.12 and 1.2.3, so no opinion is decision ask, which leaves it to the permissions", "reports of 2026-08 and 2026-09", "none"},
		{2, "payloads do not name their event; the command line does", "the documentation", "deny"},
		{3, "a malformed decision or a status other than 0 denies, so that every answer is JSON at status 0", "the documentation", "stop-deny"},
		{4, "decision continue blocks a stop", "the documentation", "stop-deny"},
		{5, "the input cannot be changed", "reports of 2026-11", "modify"},
	},
}

var antigravityLayout = Layout{
	Root: []string{"agent-hooks"}, Grouped: true, Group: Form{Set("matcher", ".*")},
	Plain: []string{"PreInvocation", "PostInvocation", "Stop", "SessionStart"},
}

// antigravityAnswer takes ask without a reason as no opinion.
func antigravityAnswer(j *judgment, a protocol.Answer) protocol.Answer {
	if a.Decision == protocol.Ask && a.Reason == "" && !strings.Contains(j.stdout, "force_ask") {
		a.Decision = ""
	}
	return a
}

// antigravityPlaces names files that only some reports say are loaded. install writes
// the ones on which all agree.
func antigravityPlaces(m *Machine, _ []Entry) (found []Finding) {
	for _, path := range []string{"~/.gemini/antigravity-cli/hooks.json", ".agent/hooks.json", "_agents/hooks.json", "_agent/hooks.json"} {
		if text := m.Read(path, ""); bytes.Contains(text, []byte("agent-hooks")) {
			found = append(found, Finding{Level: Warning, Text: path + " calls agent-hooks, too: where Antigravity loads it, every event fires twice", Fix: "remove its entries"})
		} else if text != nil {
			found = append(found, Finding{Level: Note, Text: "reports disagree whether Antigravity loads " + path + "; it can list what it loaded: agy -p \"/hooks\""})
		}
	}
	return found
}

// antigravityListed searches for the entries in the output of agy's /hooks, which
// calls no model. The output format is not documented, so only the command lines
// count.
func antigravityListed(m *Machine, entries []Entry) ([]Finding, error) {
	var out []byte
	err := m.Talk([]string{"-p", "/hooks", "--output-format", "json"}, "", func(line []byte) bool {
		out = append(append(out, line...), '\n')
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("%s -p /hooks: %w", m.Program, err)
	}
	missing := 0
	for _, e := range entries {
		if !bytes.Contains(out, bytes.Trim(rawjson.AppendText(nil, e.Line), `"`)) {
			missing++
		}
	}
	if missing == 0 {
		return nil, nil
	}
	return []Finding{{Level: Broken, Text: fmt.Sprintf("%d of %d entries are not in the list of %s -p /hooks, so it does not run them", missing, len(entries), m.Program)}}, nil
}
