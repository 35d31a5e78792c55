package agent

import "time"

// kilo loads OpenCode's plugins from its own folders.
var kilo = Agent{
	Name: "kilo", Title: "Kilo",
	Live: true, Version: "7.7.7", Date: "2026-11-24", Source: "@kilocode/cli; OpenCode's plugin API; the running client",
	FixedDir: true, Programs: []string{"kilo"},
	TimeoutUnit: time.Millisecond,
	Settings:    []Settings{{Path: "~/.config/kilo/plugin/agent-hooks.js", Plugin: openCodePlugin}, {Path: ".kilo/plugin/agent-hooks.js", Plugin: openCodePlugin}},
	Setup:       Setup{Traces: []Trace{{"~/.local/share/kilo/*.db*", ""}, {"~/.local/share/kilo/storage", ""}}, Folders: []string{"~/.config/kilo"}, Headless: "run", Steps: []Step{{"", restart}}},
	NameKey:     "hook_event_name",
	Fields:      openCodeFields, Tools: openCodeTools, Keys: openCodeKeys, events: openCodeEvents,
	Judging: Judging{Also: pluginAlso, Schema: pluginSchema}, Base: openCodeBase,
	mcp: openCodeMCP, classify: openCodeSession,
	Quirks: []Quirk{
		{1, "OpenCode's folders are not read, so that the plugin must be installed separately", "reports of 2026-11", "deny"},
	},
}
