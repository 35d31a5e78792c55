package agent

import "github.com/agent-hooks/agent-hooks/spec"

var junie = Agent{
	Name: "junie", Title: "Junie",
	Version: "2026-11", Date: "2026-11-22", Source: "the Junie CLI documentation; reports by third parties",
	Programs: []string{"junie"},
	Settings: []Settings{
		{Scope: "user", Path: "~/.junie/config.json", Format: "json", Layout: &grouped, Entry: commandEntry},
	},
	Setup:   Setup{Folders: []string{"~/.junie"}, Windows: CmdExe, Steps: []Step{{"", restart}}},
	NameKey: "hook_event_name",
	Proof:   []Evidence{{Has("hook_event_name", "project_path")}},
	Fields:  []Field{{Path: "project_path", Name: "work_dir"}},
	Tools:   claudeTools, Keys: claudeKeys,
	Judging: Judging{Schema: []Schema{{"*", []Value{words("decision", "allow", "block", "deny", "approve", "ask"), texts("reason"), objects("updatedInput")}}}, Also: []Forms{{Deny: denyTop}}},
	Base:    Form{Var("session_id", SessionID), Var("cwd", WorkDir), Var("project_path", ProjectDir)},
	Events: []NativeEvent{
		{Name: "SessionStart", Spec: []spec.EventType{spec.PreSession}},
		{Name: "SessionEnd", Spec: []spec.EventType{spec.PostSession}},
		{Name: "UserPromptSubmit", Spec: []spec.EventType{spec.PreAgentTurn}, Exit2: true, Forms: Forms{Deny: blockTop}},
		{Name: "PreToolUse", Spec: []spec.EventType{spec.PreToolCall}, Exit2: true,
			Forms: Forms{Deny: blockTop, Input: Form{Grant("decision", "allow"), Var("updatedInput", Input)}}},
		{Name: "PermissionRequest", Spec: []spec.EventType{spec.PermissionRequest}, Exit2: true, Forms: Forms{Deny: blockTop, Ask: bySilence}},
		{Name: "Stop", Spec: []spec.EventType{spec.PreAgentTurnStop, spec.PostAgentTurnStop, spec.PostAgentTurn}, Exit2: true, Forms: Forms{Deny: blockTop}},
		{Name: "StopFailure", Spec: []spec.EventType{spec.PostAgentTurn}},
	},
	Quirks: []Quirk{
		{ID: "Q-junie-1", Text: "cwd is Junie's own folder; project_path names the project", Source: "reports of 2026-11", Fixture: "junie/deny.txt"},
	},
}
