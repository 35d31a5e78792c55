package agent

import "time"

var junie = Agent{
	Name: "junie", Title: "Junie",
	Version: "2026-10", Date: "2026-11-28", Source: "junie.jetbrains.com/docs/junie-cli-hooks.html, as third parties read it in 2026-10",
	PlainShell:     true,
	DefaultTimeout: 10 * time.Second,
	Programs:       []string{"junie"},
	Settings:       []Settings{{Path: "~/.junie/config.json", Layout: &grouped, Entry: commandEntry}},
	Setup:          Setup{Folders: []string{"~/.junie"}, Windows: CmdExe, Steps: []Step{{"", restart}, {"", "Junie in an IDE and over ACP runs no hooks: only its CLI does"}}},
	NameKey:        "hook_event_name",
	Proof:          []Evidence{{Has("hook_event_name", "project_path")}},
	Fields:         []Field{{Path: "project_path", Name: "work_dir"}},
	Tools:          claudeTools, Keys: claudeKeys,
	Judging: Judging{Schema: []Schema{{"*", []Value{words("decision", "allow", "block", "deny", "approve", "ask"), texts("reason", "additionalContext"), objects("updatedInput")}}}, Also: []Forms{{Deny: denyTop}}, Plain: "PreToolUse"},
	Base:    Form{Var("session_id", SessionID), Var("cwd", WorkDir), Var("project_path", ProjectDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "SessionStart"}, {Name: "SessionEnd", DefaultTimeout: 2 * time.Second, MaxTimeout: 10 * time.Second},
			{Name: "UserPromptSubmit", Subject: "-", Exit2: true, Deny: blockTop, Note: "not fired in batch mode"},
			{Name: "PreToolUse", Exit2: true, Deny: blockTop, Input: Form{Grant("decision", "allow"), Var("updatedInput", Input)}, Context: camelContext,
				Ask: Form{Set("decision", "ask"), Var("reason", Reason)}, Note: "ask waits for a person; whether batch mode has one is not known, so it is sent as a deny"},
			{Name: "PermissionRequest", Exit2: true, Deny: blockTop, Ask: bySilence},
			{Name: "Stop", Subject: "-", DefaultTimeout: 600 * time.Second, Exit2: true, Deny: blockTop, Stop: stopTop},
			{Name: "StopFailure", DefaultTimeout: 60 * time.Second},
		}
	},
	Quirks: []Quirk{
		{1, "cwd is Junie's own folder; project_path names the project", "reports of 2026-11", "deny"},
	},
}
