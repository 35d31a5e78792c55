package agent

import (
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

var cline = Agent{
	Name: "cline", Title: "Cline",
	Live: true, Version: "3.0.65", Date: "2026-11-24", Source: "cline/cline source, 2026-08-22; the running CLI",
	Programs:   []string{"cline"},
	MaxTimeout: 30 * time.Second,
	// VS Code stops a script after 30 s.
	Settings: []Settings{
		{Path: "~/Documents/Cline/Hooks", Script: true, PerEvent: true}, // the CLI reads ~/.cline/hooks, too, and would run both
		{Path: ".clinerules/hooks", Script: true, PerEvent: true},
	},
	Setup: Setup{
		Traces:  []Trace{{"~/.cline/data/sessions", ""}},
		Folders: []string{"~/.cline", "~/Documents/Cline"}, Headless: "--timeout 120", Unguarded: "with the providers claude-code and openai-codex, the provider's own tools reach no hook", Windows: PowerShell,
		Steps: []Step{
			{"", "switch on Enable Hooks in Cline's settings"},
		},
	},
	Release: "clineVersion",
	NameKey: "hookName",
	Proof:   []Evidence{{Has("hookName", "clineVersion")}},
	Fields: []Field{
		{Path: "taskId", Name: "session_id"},
		{Path: "workspaceRoots.0", Name: "work_dir"},
		{Path: "tool_call.name", Name: "tool_name"}, {Path: "tool_result.name", Name: "tool_name"},
		{Path: "preToolUse.toolName", Name: "tool_name"}, {Path: "postToolUse.toolName", Name: "tool_name"},
		{Path: "tool_call.input", Name: "tool_input"}, {Path: "tool_result.input", Name: "tool_input"},
		{Path: "preToolUse.parameters", Name: "tool_input"}, {Path: "postToolUse.parameters", Name: "tool_input"},
		{Path: "tool_call.id", Name: "tool_use_id"}, {Path: "tool_result.id", Name: "tool_use_id"},
		{Path: "tool_result.output", Name: "tool_output"}, {Path: "postToolUse.result", Name: "tool_output"},
		{Path: "tool_result.error", Name: "tool_error", Kind: Error},
		{Path: "tool_result.durationMs", Name: "duration_ms"}, {Path: "postToolUse.executionTimeMs", Name: "duration_ms"},
		{Path: "userPromptSubmit.prompt", Name: "prompt"},
	},
	Tools: []Tool{
		{"execute_command", "Shell"}, {"run_commands", "Shell"}, {"read_file", "ReadFile"}, {"read_files", "ReadFile"},
		{"write_to_file", "WriteFile"}, {"replace_in_file", "EditFile"}, {"editor", "EditFile"}, {"apply_patch", "EditFile"},
		{"list_files", "Glob"}, {"search_files", "Grep"}, {"search_codebase", "Grep"}, {"web_fetch", "FetchURL"}, {"fetch_web_content", "FetchURL"},
		{"web_search", "SearchWeb"}, {"use_subagents", "Task"}, {"spawn_agent", "Task"}, {"team_run_task", "Task"}, {"focus_chain", "TodoWrite"}, {"ask_followup_question", "AskUser"},
		{"ask_question", "AskUser"}, {"use_skill", "Skill"}, {"skills", "Skill"},
	},
	Keys: []Key{
		{"command", "command", "Shell"}, {"commands", "command", "Shell"}, {"path", "file_path", "ReadFile WriteFile EditFile"},
		{"paths", "file_paths", ""}, {"files", "file_paths", ""}, {"path", "file_paths", ""}, {"file_path", "file_path", ""},
		{"new_text", "new_string", ""}, {"old_text", "old_string", ""},
	},
	mcp: clineMCP,
	Judging: Judging{
		Also:      []Forms{{Context: Form{Var("context", Context)}, Input: Form{Var("overrideInput", Input)}}, {Deny: Form{JSON("cancel", "true")}}},
		Schema:    []Schema{{"*", []Value{bools("cancel"), texts("errorMessage", "contextModification", "context"), objects("overrideInput")}}},
		AnyStatus: true, Status2JSON: true,
	},
	Base: Form{Set("clineVersion", "3.0.65"), Var("timestamp", Timestamp), Var("taskId", SessionID), Var("workspaceRoots.0", ProjectDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "TaskStart", Means: on(spec.PreSession), Silent: "{}", Context: clineContext},
			{Name: "TaskResume", Means: on(spec.PreSession), Silent: "{}", Context: clineContext},
			{Name: "UserPromptSubmit", Silent: "{}", Deny: clineCancel, Context: clineContext, Note: "runs detached in the CLI, where nothing can be blocked"},
			{Name: "PreToolUse", Silent: "{}", Deny: clineCancel, Context: clineContext,
				Note: "a deny stops the whole run, and no hook runs for tools of some providers"},
			{Name: "PostToolUse", Failed: spec.PostToolCallFailure, Silent: "{}", Deny: Form{Var("contextModification", Reason)}, Context: clineContext},
			{Name: "TaskComplete", Means: on(spec.PostAgentTurn), Silent: "{}"},
			{Name: "TaskError", Means: on(spec.PostAgentTurn), Silent: "{}"},
			{Name: "TaskCancel", Means: on(spec.PostAgentTurn), Silent: "{}"},
			{Name: "SessionShutdown", Means: on(spec.PostSession), Silent: "{}"},
			{Name: "PreCompact", Silent: "{}", Unregistered: true},
			{Name: "Notification", Silent: "{}"},
			// Names in the CLI's payloads; its files have the names above.
			{Name: "tool_call", Means: on(spec.PreToolCall), Silent: "{}", Unregistered: true, Deny: clineCancel, Input: Form{Var("overrideInput", Input)},
				Context: clineContext},
			{Name: "tool_result", Means: on(spec.PostToolCall), Failed: spec.PostToolCallFailure, Silent: "{}", Unregistered: true,
				Deny: Form{Var("contextModification", Reason)}, Context: clineContext},
			{Name: "prompt_submit", Means: on(spec.PreAgentTurn), Silent: "{}", Unregistered: true},
			{Name: "agent_start", Means: on(spec.PreSession), Silent: "{}", Unregistered: true},
			{Name: "agent_resume", Means: on(spec.PreSession), Silent: "{}", Unregistered: true},
			{Name: "agent_end", Means: on(spec.PostAgentTurn), Silent: "{}", Unregistered: true},
			{Name: "agent_abort", Means: on(spec.PostAgentTurn), Silent: "{}", Unregistered: true},
			{Name: "agent_error", Means: on(spec.PostAgentTurn), Silent: "{}", Unregistered: true},
			{Name: "session_shutdown", Means: on(spec.PostSession), Silent: "{}", Unregistered: true},
		}
	},
	Quirks: []Quirk{
		{1, "exit statuses are ignored; cancel stops the whole run", "the documentation", "deny"},
		{3, "only the CLI, whose payload says tool_call, takes a changed input", "the source", "modify-allow-cli"},
		{2, "the CLI's payloads and files use different names for events", "the documentation", "deny"},
	},
}

var (
	clineCancel  = Form{JSON("cancel", "true"), Var("errorMessage", Reason)}
	clineContext = Form{Var("contextModification", Context)}
)

// clineMCP parses SERVER__TOOL.
func clineMCP(name string, _ *Call) string {
	server, tool, ok := strings.Cut(name, "__")
	if !ok || server == "mcp" || server == "" || tool == "" {
		return ""
	}
	return "mcp__" + server + "__" + tool
}
