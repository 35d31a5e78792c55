package agent

import "github.com/agent-hooks/agent-hooks/spec"

var droid = Agent{
	Name: "factory-droid", Aliases: []string{"droid"}, Title: "Factory Droid",
	Live: true, Version: "0.215.0", Date: "2026-11-24", Source: "docs.factory.com/harness/hooks, as third parties read it in 2026-10; the running client",
	Variables:      []string{"FACTORY_PROJECT_DIR"},
	OtherVariables: "FACTORY_HOME_ FACTORY_API_KEY",
	Programs:       []string{"droid"},
	// It reads settings.json only if there is no hooks.json; some builds read only
	// settings.json.
	Settings: []Settings{
		{Path: "~/.factory/hooks.json", Layout: &groupedOrTop, Entry: commandEntry,
			When: func(look func(string) any) bool { return look("~/.factory/hooks.json") != nil }},
		{Path: "~/.factory/settings.json", Layout: &grouped, Entry: commandEntry,
			When: func(look func(string) any) bool { return look("~/.factory/hooks.json") == nil }},
		{Path: ".factory/hooks.json", Layout: &groupedOrTop, Entry: commandEntry, When: func(look func(string) any) bool { return look(".factory/hooks.json") != nil }},
		{Path: ".factory/settings.json", Layout: &grouped, Entry: commandEntry, When: func(look func(string) any) bool { return look(".factory/hooks.json") == nil }},
	},
	Setup: Setup{
		Traces:  []Trace{{"~/.factory/sessions", ""}},
		Matcher: barMatcher, PluginFiles: []string{".factory-plugin/plugin.json"},
		Folders: []string{"~/.factory"}, Headless: "exec", Unguarded: "its subagents run in a daemon that needs an account, and were not tried", Reviews: true, Windows: CmdExe,
		Steps:    []Step{{"", "review the change in Droid with /hooks"}, {"", "check that hooks fire: some builds read only settings.json"}},
		Switches: []Switch{{Paths: []string{"~/.factory/settings.json", ".factory/settings.json"}, Keys: []string{"hooksDisabled"}, Bad: true}},
	},
	NameKey: "hook_event_name",
	Proof:   []Evidence{{Has("hook_event_name", "session_id"), Is("permission_mode", "off", "spec", "auto-low", "auto-medium", "auto-high")}},
	Fields:  claudeFields,
	Tools: []Tool{
		{"Execute", "Shell"}, {"Read", "ReadFile"}, {"Create", "WriteFile"}, {"Edit", "EditFile"}, {"ApplyPatch", "EditFile"},
		{"Glob", "Glob"}, {"Grep", "Grep"}, {"LS", "LS"}, {"FetchUrl", "FetchURL"}, {"WebSearch", "SearchWeb"}, {"Task", "Task"},
		{"TodoWrite", "TodoWrite"},
	},
	Keys:        claudeKeys,
	Judging:     Judging{Also: claudeAlso, Schema: claudeSchema, AnyStatus: true, Plain: claudePlain},
	Base:        Form{Var("session_id", SessionID), Var("transcript_path", TranscriptPath), Var("cwd", WorkDir), Set("permission_mode", "off")},
	Environment: Form{Var("FACTORY_PROJECT_DIR", ProjectDir), Var("DROID_PLUGIN_ROOT", HookDir), Var("CLAUDE_PROJECT_DIR", ProjectDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "SessionStart", Context: hsoContext, Message: systemMessage},
			{Name: "SessionEnd"},
			{Name: "UserPromptSubmit", Exit2: true, Deny: blockTop, Context: hsoContext, Message: systemMessage, Stop: stopTop},
			{Name: "PreToolUse", Subagent: spec.PreSubagent, Exit2: true, Deny: hsoDeny, Allow: hsoAllow, Input: hsoInput, Message: systemMessage, Stop: stopTop},
			{Name: "PostToolUse", Exit2: true, Deny: blockTop, Context: hsoContext, Message: systemMessage, Stop: stopTop},
			{Name: "Stop", Exit2: true, Deny: blockTop, Message: systemMessage},
			{Name: "SubagentStop", Exit2: true, Deny: blockTop, Message: systemMessage},
			{Name: "PreCompact", Message: systemMessage},
			{Name: "Notification"},
		}
	},
	Quirks: []Quirk{
		{1, "there is no event for the start of a subagent; PreToolUse of Task is used instead", "the documentation", "task"},
	},
}
