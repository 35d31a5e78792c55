package agent

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

var codex = Agent{
	Name: "codex", Aliases: []string{"codex-cli"}, Title: "Codex",
	Live: true, Version: "0.171.0", Date: "2026-11-28",
	Source:         "developers.openai.com/codex/hooks; openai/codex codex-rs/hooks; the running client",
	OtherVariables: "CODEX_SANDBOX CODEX_SANDBOX_ CODEX_API_KEY",
	FixedDir:       true, Programs: []string{"codex"},
	DefaultTimeout: 600 * time.Second,
	Settings: []Settings{
		{Path: "~/.codex/hooks.json", Home: "CODEX_HOME", Layout: &grouped, Entry: commandEntry,
			When: func(look func(string) any) bool { return !inConfig(look, "~/.codex/") }},
		{Path: "~/.codex/config.toml", Home: "CODEX_HOME", Layout: &grouped, Entry: commandEntry,
			When: func(look func(string) any) bool { return inConfig(look, "~/.codex/") }},
		{Path: ".codex/hooks.json", Layout: &grouped, Entry: codexShared, When: func(look func(string) any) bool { return !inConfig(look, ".codex/") }},
		{Path: ".codex/config.toml", Layout: &grouped, Entry: codexShared, When: func(look func(string) any) bool { return inConfig(look, ".codex/") }},
		{Path: "/etc/codex/requirements.toml", Over: "~/.codex/cloud-config-bundle-cache.json", Layout: &groupedFeatures, Entry: commandEntry},
	},
	Setup: Setup{
		Traces:      []Trace{{"~/.codex/sessions", "CODEX_HOME"}},
		Matcher:     func(*NativeEvent) Matcher { return Matcher{All: []string{"*"}, List: "|", Split: "|"} },
		PluginFiles: []string{".codex-plugin/plugin.json"},
		Folders:     []string{"~/.codex"}, Headless: "exec --skip-git-repo-check", Reviews: true, Windows: CmdExe, LoginShell: true,
		Flaws: Flaws{
			File: Comment | TrailingComma | ByteMark | Repeated | UnknownTop | HooksForm | EventForm | GroupForm | HooksOfGroup | MatcherForm | HandlerForm |
				NoType | UnknownType | NoCommand | Timeout | TimeoutPart,
			Part: UnknownEvent | NoGroup | NoMember,
			Top:  []string{"description", "hooks"}, Types: []string{"command", "prompt", "agent", "mcp_tool"}, Tried: "0.171.0, 2026-11-28",
		},
		MCPFailure: "each failure of it lets the call run, also with onFailure, and a project's configuration can switch its server off",
		Managed: Managed{
			Lock: "allow_managed_hooks_only", LockIn: []string{"/etc/codex/requirements.toml"},
			Ways: []string{
				"managed settings from a server may replace the file", "text typed into a running process (write_stdin) reaches no hook",
				"without the lock, an entry of the user's own can change a call after managed hooks saw it",
			},
		},
		Unguarded: "what the model types into a running command (write_stdin) reaches no hook",
		Steps: []Step{
			{"", "review and trust the hooks when Codex asks at its next start, or with /hooks: it runs no others"},
			{"project", "trust this folder in Codex"},
			{"project", "its background server runs the hooks with the PATH that it was started with; where agent-hooks is installed later: codex app-server daemon restart"},
		},
		Switches: []Switch{
			{Paths: []string{"~/.codex/config.toml", "/etc/codex/requirements.toml"}, Home: "CODEX_HOME", Keys: []string{"features", "hooks"}, Bad: false},
			{Paths: []string{"~/.codex/config.toml"}, Home: "CODEX_HOME", Keys: []string{"features", "codex_hooks"}, Bad: false},
			{Paths: []string{"/etc/codex/requirements.toml"}, Keys: []string{"allow_managed_hooks_only"}, Bad: true},
		},
		Trust: codexTrust, Listed: codexListed, Plugins: codexPlugins,
	},
	NameKey: "hook_event_name", Blocks: BlockByStatus,
	Proof: []Evidence{
		{Has("hook_event_name", "session_id", "turn_id", "model"), Lacks("cursor_version", "timestamp")},
		{Is("hook_event_name", "SessionStart"), Has("session_id", "model", "permission_mode", "source", "transcript_path"), Lacks("cursor_version", "timestamp")},
	},
	Fields: claudeFields,
	Tools: []Tool{
		{"Bash", "Shell"}, {"exec_command", "Shell"}, {"write_stdin", "Shell"}, {"apply_patch", "EditFile"}, {"spawn_agent", "Task"}, {"update_plan", "TodoWrite"},
		{"request_user_input", "AskUser"}, {"view_image", "ReadFile"},
	},
	Keys: []Key{
		{"command", "command", "Shell"}, {"cmd", "command", "Shell"}, {"chars", "command", "Shell"}, {"path", "file_path", ""},
	},
	patches:  "command",
	response: textResponse,
	Judging: Judging{
		ReplacesInput: true,
		Also:          []Forms{{Deny: blockTop}, {Stop: stopBare}},
		NeedsReason:   true, NeedsName: true, Plain: "SessionStart UserPromptSubmit SubagentStart",
		Schema: []Schema{{"*", []Value{words("decision", "block", "approve", "allow", "deny"), texts("reason"), bools("continue"), texts("stopReason", "systemMessage"), bools("suppressOutput"), words("hso.permissionDecision", "allow", "deny", "ask"), texts("hso.permissionDecisionReason", "hso.additionalContext"), objects("hso.updatedInput", "hso.decision"), words("hso.decision.behavior", "allow", "deny"), texts("hso.decision.message")}}},
		NoText: "Stop SubagentStop Interrupt", reject: codexReject,
	},
	Base:        Form{Var("session_id", SessionID), Var("transcript_path", TranscriptPath), Var("cwd", WorkDir), Set("permission_mode", "default"), Var("model", Model), Var("turn_id", TurnID)},
	Environment: Form{Var("PLUGIN_ROOT", HookDir), Var("CLAUDE_PLUGIN_ROOT", HookDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "SessionStart", Context: hsoContext, Message: systemMessage},
			{Name: "SessionEnd", MaxTimeout: 3 * time.Second},
			{Name: "UserPromptSubmit", Exit2: true, Deny: blockTop, Context: hsoContext, Message: systemMessage},
			{Name: "PreToolUse", Exit2: true, Deny: hsoDeny, Input: Form{Grant("hso.permissionDecision", "allow"), Var("hso.updatedInput", Input)}, Context: hsoContext,
				Message: systemMessage, Note: "ask runs the tool, so it becomes a deny; a changed input is only possible together with an allow"},
			{Name: "PermissionRequest", Exit2: true, Deny: hsoRefuse, Ask: bySilence, Allow: hsoPermit, Message: systemMessage},
			{Name: "PostToolUse", Exit2: true, Deny: blockTop, Context: hsoContext, Message: systemMessage, Output: blockOutput, Stop: stopTop,
				Note: "failed Bash calls also arrive here, and nothing marks them as failed; it does not fire for a patch that a shell command applies from a here-document"},
			{Name: "SubagentStart", Context: hsoContext, Message: systemMessage},
			{Name: "SubagentStop", Exit2: true, Deny: blockTop, Message: systemMessage, Stop: stopTop},
			{Name: "Stop", Exit2: true, Deny: blockTop, Message: systemMessage, Stop: stopTop, Note: "the client has no limit of its own; stop-limit bounds the loop"},
			{Name: "PreCompact", Deny: stopTop, Message: systemMessage, Stop: stopTop},
			{Name: "PostCompact", Message: systemMessage, Stop: stopTop},
			{Name: "Interrupt", Means: on(spec.PostAgentTurn), MaxTimeout: 3 * time.Second, Message: systemMessage},
			{Name: "PreModelRequest", Unregistered: true},
			{Name: "PostModelRequest", Unregistered: true},
		}
	},
	Quirks: []Quirk{
		{1, "an unknown or unsupported key makes the answer fail and the tool run, so a deny is exit status 2", "the documentation", "deny"},
		{2, "exit status 2 without a reason on stderr lets the tool run", "the running client", "deny"},
		{3, "ask fails open, so it becomes a deny", "the running client", "ask"},
		{4, "updatedInput is valid only with allow, which also grants the call", "the running client", "modify-allow"},
		{5, "allow without updatedInput is an error and is not sent", "the documentation", "allow"},
		{6, "hooks run in a login shell, whose profile may print before the answer and allow the call; exit status 2 still blocks",
			"reports of 2026-11, the running client", "deny-message"},
		{7, "apply_patch names its files only in the headers of the patch", "the documentation", "patch"},
		{9, "apply_patch with a here-document is a Bash call: guards of EditFile match it, and file_paths lists the patch's files", "the running client", "patch-heredoc"},
		{8, "hookSpecificOutput is forbidden on Stop and SubagentStop", "the documentation", "stop-context"},
		{10, "with a plugin.json of Agent Plugins 1.0 in its root, a plugin runs no hooks, also if extensions or com.openai/ has them; so ours has none", "seen in 0.169.0", "none"},
	},
}

// What Codex rejects in an answer.
const (
	codexKeys    = "continue stopReason suppressOutput systemMessage decision reason hookSpecificOutput" // any other
	codexHSOKeys = "hookEventName permissionDecision permissionDecisionReason updatedInput additionalContext decision"
)

var codexRejects = []Form{
	{JSON("suppressOutput", "true")}, {Set("decision", "approve")}, {Set("decision", "allow")}, {Set("decision", "deny")}, {Set("hso.permissionDecision", "ask")},
}

// codexReject rejects an answer with an unknown or an unsupported key, or with a
// decision without a reason.
func codexReject(r *formReader) error {
	for _, f := range codexRejects {
		if _, rejected := r.match(f); rejected {
			return fmt.Errorf("%s rejects an answer with %s", r.agent.Title, f[0])
		}
	}
	if _, stops := r.match(stopBare); stops && r.row.Stop == nil {
		return fmt.Errorf("%s rejects continue on %s", r.agent.Title, r.row.Name)
	}
	if err := r.onlyKeys(r.object, codexKeys); err != nil {
		return err
	}
	for _, inner := range descend(r.object, "hookSpecificOutput") {
		if err := r.onlyKeys(inner, codexHSOKeys); isObject(inner) && err != nil {
			return err
		}
	}
	if a := r.read(); (a.Decision == protocol.Deny || a.Decision == protocol.Ask) && a.Reason == "" && r.mismatch() == "" {
		return fmt.Errorf("%s ignores a decision without a reason", r.agent.Title)
	}
	return nil
}

// A project's file is shared with Windows, where Codex runs a line of cmd.exe.
var codexShared = Form{Set("type", "command"), Var("command", CommandLine), Var("commandWindows", CmdLine), Var("timeout", Seconds)}

// inConfig reports whether a layer of Codex has its hooks in config.toml and none
// in hooks.json, because both in one layer cause a warning.
func inConfig(look func(string) any, dir string) bool {
	if look(dir+"hooks.json") != nil {
		return false
	}
	events, _ := valueAt(look(dir+"config.toml"), "hooks").(map[string]any)
	for event := range events {
		if event != "state" {
			return true
		}
	}
	return false
}

// codexTrust reports the entries that Codex skips because they were never
// trusted there, have changed since, or were disabled.
func codexTrust(m *Machine, entries []Entry) []Finding {
	states, _ := valueAt(m.Decoded("~/.codex/config.toml", "CODEX_HOME"), "hooks", "state").(map[string]any)
	skipped := skippedHooks{total: len(entries)}
	for _, e := range entries {
		state := codexState(m, states, e)
		hash, current := valueAt(state, "trusted_hash"), codexHash(m, e)
		switch {
		case hash == nil:
			skipped.untrusted++
		case current != "" && hash != current:
			skipped.modified++
		case valueAt(state, "enabled") == false:
			skipped.disabled++
		}
	}
	return skipped.findings()
}

// skippedHooks counts the entries that Codex does not run.
type skippedHooks struct{ total, missing, untrusted, modified, disabled int }

func (s skippedHooks) findings() []Finding {
	const review = "review them in Codex with /hooks"
	var found []Finding
	add := func(n int, what, fix string) {
		if n > 0 {
			text := fmt.Sprintf("%d of %d entries %s, which skips them silently", n, s.total, what)
			found = append(found, Finding{Level: Broken, Text: text, Fix: fix, Step: fix == review})
		}
	}
	add(s.missing, "were not loaded by Codex", "look for an error in Codex's settings")
	add(s.untrusted, "are not trusted in Codex", review)
	add(s.modified, "changed since they were trusted in Codex", review)
	add(s.disabled, "are switched off in Codex", "switch them on in Codex with /hooks")
	return found
}

// codexKey returns the end of the keys under which Codex knows an entry:
// :EVENT:GROUP:HANDLER.
func codexKey(e Entry) string { return fmt.Sprintf(":%s:%d:%d", snakeCase(e.Event), e.Group, e.Index) }

// codexState returns what Codex recorded about an entry. The key begins with the
// file's path as Codex found it, or with the plugin.
func codexState(m *Machine, states map[string]any, e Entry) any {
	if e.Plugin != "" { // Codex also compares the plugin's other files: only its own list shows that (doctor --live)
		return states[e.Plugin+":hooks/hooks.json"+codexKey(e)]
	}
	if state, ok := states[e.Path+codexKey(e)]; ok {
		return state
	}
	return states[m.Real(e.Path)+codexKey(e)]
}

// codexHash returns the hash that Codex computes for an entry: the SHA-256 of
// its event, matcher and handler as canonical JSON (observed in 0.169.0). It is
// "" for an entry with members that install does not write.
func codexHash(m *Machine, e Entry) string {
	group, _ := elementAt(valueAt(m.Decoded(e.Path, ""), "hooks", e.Event), e.Group).(map[string]any)
	handler, _ := elementAt(group["hooks"], e.Index).(map[string]any)
	normal := map[string]any{"async": false}
	for key, value := range handler {
		switch key {
		case "type", "command", "timeout", "async", "statusMessage":
			normal[key] = value
		case "commandWindows": // it replaces the command there
		default:
			return ""
		}
	}
	if line, ok := handler["commandWindows"]; ok && m.GOOS == "windows" {
		normal["command"] = line
	}
	identity := map[string]any{"event_name": snakeCase(e.Event), "hooks": []any{normal}}
	switch matcher, ok := group["matcher"]; e.Event {
	case "UserPromptSubmit", "Stop", "Interrupt": // events without a matcher
	default:
		if ok {
			identity["matcher"] = matcher
		}
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if handler == nil || enc.Encode(identity) != nil {
		return ""
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256(bytes.TrimSuffix(text.Bytes(), []byte("\n"))))
}

func elementAt(list any, i int) any {
	if elements, ok := list.([]any); ok && i < len(elements) {
		return elements[i]
	}
	return nil
}

// codexListed compares the entries with the list of codex app-server, with one
// JSON object per line.
func codexListed(m *Machine, entries []Entry) ([]Finding, error) {
	hooks, err := codexHooks(m)
	if err != nil {
		return nil, err
	}
	skipped := skippedHooks{total: len(entries)}
	for _, e := range entries {
		i := slices.IndexFunc(hooks, func(h codexHook) bool { return strings.HasSuffix(h.Key, codexKey(e)) && h.Command == e.Line })
		switch {
		case i < 0:
			skipped.missing++
		case hooks[i].TrustStatus == "modified":
			skipped.modified++
		case hooks[i].TrustStatus != "trusted" && hooks[i].TrustStatus != "managed":
			skipped.untrusted++
		case hooks[i].Enabled != nil && !*hooks[i].Enabled:
			skipped.disabled++
		}
	}
	return skipped.findings(), nil
}

// codexHook is one hook in Codex's own list.
type codexHook struct {
	Key         string `json:"key"`
	Command     string `json:"command"`
	Enabled     *bool  `json:"enabled"`
	TrustStatus string `json:"trustStatus"`
}

func codexHooks(m *Machine) (hooks []codexHook, err error) {
	request := `{"id":1,"method":"initialize","params":{"clientInfo":{"name":"agent-hooks","version":"1"}}}` + "\n" + `{"method":"initialized"}` + "\n" +
		`{"id":2,"method":"hooks/list","params":{"cwds":[` + string(rawjson.AppendText(nil, m.Dir)) + "]}}\n"
	failure := errors.New("hooks/list: no answer")
	err = m.Talk([]string{"app-server"}, request, func(line []byte) bool {
		var message struct {
			ID     any             `json:"id"`
			Error  json.RawMessage `json:"error"`
			Result struct {
				Data []struct {
					Hooks []codexHook `json:"hooks"`
				} `json:"data"`
			} `json:"result"`
		}
		if json.Unmarshal(line, &message) != nil || message.ID != 2.0 {
			return true
		}
		failure = nil
		if message.Error != nil {
			failure = fmt.Errorf("hooks/list: %s", message.Error)
		}
		for _, d := range message.Result.Data {
			hooks = append(hooks, d.Hooks...)
		}
		return false
	})
	return hooks, errors.Join(failure, err)
}

// codexPlugins returns the plugins that Codex has switched on.
func codexPlugins(m *Machine) []Plugin {
	const home = "CODEX_HOME"
	var all []Plugin
	plugins, _ := valueAt(m.Decoded("~/.codex/config.toml", home), "plugins").(map[string]any)
	for _, id := range slices.Sorted(maps.Keys(plugins)) {
		name, market, _ := strings.Cut(id, "@")
		newest := m.Newest("~/.codex/plugins/cache/"+filepath.Base(market)+"/"+filepath.Base(name), home)
		if newest != "" && valueAt(plugins[id], "enabled") != false {
			all = append(all, Plugin{id, newest, "codex plugin marketplace upgrade && codex plugin add " + id, "codex plugin remove " + id, ""})
		}
	}
	return all
}

func snakeCase(name string) string {
	var b strings.Builder
	for i, r := range name {
		if r >= 'A' && r <= 'Z' && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}
