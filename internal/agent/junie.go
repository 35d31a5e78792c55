package agent

var junie = Agent{
	Name: "junie", Title: "Junie",
	Version: "2026-11", Date: "2026-11-22", Source: "the Junie CLI documentation; reports by third parties",
	Programs: []string{"junie"},
	Settings: []Settings{{Path: "~/.junie/config.json", Layout: &grouped, Entry: commandEntry}},
	Setup:    Setup{Folders: []string{"~/.junie"}, Windows: CmdExe, Steps: []Step{{"", restart}}},
	NameKey:  "hook_event_name",
	Proof:    []Evidence{{Has("hook_event_name", "project_path")}},
	Fields:   []Field{{Path: "project_path", Name: "work_dir"}},
	Tools:    claudeTools, Keys: claudeKeys,
	Judging: Judging{Schema: []Schema{{"*", []Value{words("decision", "allow", "block", "deny", "approve", "ask"), texts("reason"), objects("updatedInput")}}}, Also: []Forms{{Deny: denyTop}}},
	Base:    Form{Var("session_id", SessionID), Var("cwd", WorkDir), Var("project_path", ProjectDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "SessionStart"}, {Name: "SessionEnd"},
			{Name: "UserPromptSubmit", Exit2: true, Deny: blockTop},
			{Name: "PreToolUse", Exit2: true, Deny: blockTop, Input: Form{Grant("decision", "allow"), Var("updatedInput", Input)}},
			{Name: "PermissionRequest", Exit2: true, Deny: blockTop, Ask: bySilence},
			{Name: "Stop", Exit2: true, Deny: blockTop},
			{Name: "StopFailure"},
		}
	},
	Quirks: []Quirk{
		{1, "cwd is Junie's own folder; project_path names the project", "reports of 2026-11", "deny"},
	},
}
