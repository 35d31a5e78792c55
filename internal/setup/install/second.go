package install

import (
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
)

// secondTier returns the clients whose adapters follow the documentation and
// were not run. The tables in package agent name the sources.
func secondTier() []*Client {
	return []*Client{
		kimiCLI(), factoryDroid(), kiro(), cline(), goose(), crush(), amp(), pi(), hermes(), kilo(),
		junie(), auggie(), grok(), qoder(), openHands(), windsurf(),
	}
}

func kimiCLI() *Client {
	return &Client{
		Name: "kimi-cli", Title: "Kimi CLI", Programs: []string{"kimi-cli"}, Folders: []string{"~/.kimi"},
		Windows: cmdExe,
		Places: []Place{{Scope: "user", Path: "~/.kimi/config.toml",
			Layout: settings.Layout{Format: settings.TOML, Root: []string{"hooks"}, Flat: true}, Handler: kimiEntry}},
		Strict: strict{Events: []string{"PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "Stop", "StopFailure", "SessionStart", "SessionEnd",
			"SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "Notification"}},
		Steps: []Step{{"", restart}},
	}
}

// factoryDroid reads hooks.json keyed by event, and settings.json only if
// there is no hooks.json; some builds read only settings.json.
func factoryDroid() *Client {
	places := func(scope, dir string) []Place {
		has := func(look func(string) any) bool { return look(dir+"hooks.json") != nil }
		wrapped := func(look func(string) any) bool {
			_, ok := settings.At(look(dir+"hooks.json"), "hooks")
			return ok
		}
		bare := func(look func(string) any) bool { return has(look) && !wrapped(look) }
		return []Place{
			{Scope: scope, Path: dir + "settings.json", Layout: nested("hooks"), Handler: claudeEntry, When: not(has)},
			{Scope: scope, Path: dir + "hooks.json", Layout: nested("hooks"), Handler: claudeEntry, When: wrapped},
			{Scope: scope, Path: dir + "hooks.json", Layout: nested(), Handler: claudeEntry, When: bare},
		}
	}
	return &Client{
		Reviews: true,
		Name:    "factory-droid", Title: "Factory Droid", Programs: []string{"droid"}, Folders: []string{"~/.factory"},
		Headless: "exec",
		Windows:  cmdExe,
		Places:   append(places("user", "~/.factory/"), places("project", ".factory/")...),
		Steps:    []Step{{"", "review the change in Droid with /hooks"}, {"", "check that hooks fire: some builds read only settings.json"}},
	}
}

func kiro() *Client {
	entry := "name=$name trigger=$event matcher=.* action.type=command action.command=$command timeout=$s enabled=true"
	layout := settings.Layout{Format: settings.JSON, Root: []string{"hooks"}, Flat: true, Top: settings.Object{{Key: "version", Value: "v1"}}}
	return &Client{
		Name: "kiro", Title: "Kiro", Programs: []string{"kiro-cli", "kiro"}, Folders: []string{"~/.kiro"},
		Windows: powerShell,
		Places:  both(".kiro/hooks/agent-hooks.json", Place{Layout: layout, Handler: entry}),
		Steps: []Step{
			{"", "CLI 2.x reads hooks only from its agents' files, and did not block when it was tested"},
			{"project", "trust this workspace in Kiro"},
		},
	}
}

// cline runs files named after the event. VS Code stops them after 30 s.
func cline() *Client {
	script := func(scope, path string) Place {
		return Place{Scope: scope, Path: path, Content: clineScript, Mode: 0o755}
	}
	return &Client{
		Name: "cline", Title: "Cline", Programs: []string{"cline"}, Folders: []string{"~/.cline", "~/Documents/Cline"},
		Windows: powerShell,
		Places:  []Place{script("user", "~/Documents/Cline/Hooks/$event"), script("user", "~/.cline/hooks/$event"), script("project", ".clinerules/hooks/$event")},
		Steps: []Step{
			{"", "switch on Enable Hooks in Cline's settings"},
			{"", "with the providers claude-code and openai-codex, Cline runs no hooks for the provider's own tools"},
		},
	}
}

// goose reads hooks only from a plugin.
func goose() *Client {
	places := func(scope, dir string) []Place {
		return []Place{
			{Scope: scope, Path: dir + "plugin.json", Content: goosePlugin},
			{Scope: scope, Path: dir + "hooks/hooks.json", Layout: nested("hooks"), Handler: "type=command command=$bash timeout=$s"},
		}
	}
	return &Client{
		Name: "goose", Title: "Goose", Programs: []string{"goose"}, Folders: []string{"~/.config/goose"},
		Places:     append(places("user", "~/.agents/plugins/agent-hooks/"), places("project", ".agents/plugins/agent-hooks/")...),
		FailClosed: "on_failure=block", FailOn: "PreToolUse",
		Steps: []Step{{"", restart}},
	}
}

// crush runs commands in its own POSIX shell, also on Windows.
func crush() *Client {
	entry := "name=agent-hooks command=$bash timeout=$s"
	return &Client{
		Name: "crush", Title: "Crush", Programs: []string{"crush"}, Folders: []string{"~/.config/crush"},
		Places: []Place{
			{Scope: "user", Path: "~/.config/crush/crush.json", Layout: flat(nil, "hooks"), Handler: entry},
			{Scope: "project", Path: "crush.json", Layout: flat(nil, "hooks"), Handler: entry, When: func(look func(string) any) bool { return look(".crush.json") == nil }},
			{Scope: "project", Path: ".crush.json", Layout: flat(nil, "hooks"), Handler: entry, When: func(look func(string) any) bool { return look(".crush.json") != nil }},
		},
		Steps: []Step{{"", restart}},
	}
}

func amp() *Client {
	return &Client{
		Name: "amp", Title: "Amp", Programs: []string{"amp"}, Folders: []string{"~/.config/amp"},
		Places: []Place{
			{Scope: "user", Path: "~/.config/amp/plugins/agent-hooks.js", Content: ampPlugin},
			{Scope: "project", Path: ".amp/plugins/agent-hooks.js", Content: ampPlugin},
		},
		FailClosed: inPlugin,
		Steps:      []Step{{"", "restart Amp, or run its command plugins: reload; older builds need PLUGINS=all"}},
	}
}

func pi() *Client {
	return &Client{
		Name: "pi", Title: "Pi", Programs: []string{"pi"}, Folders: []string{"~/.pi"},
		Places: []Place{
			{Scope: "user", Path: "~/.pi/agent/extensions/agent-hooks.js", Content: piPlugin},
			{Scope: "project", Path: ".pi/extensions/agent-hooks.js", Content: piPlugin},
		},
		FailClosed: inPlugin,
		Steps:      []Step{{"", "restart Pi, or run /reload"}, {"project", "trust this project in Pi"}},
	}
}

// hermes requires consent for each event and command line, so these never
// change.
func hermes() *Client {
	return &Client{
		Reviews: true,
		Name:    "hermes", Title: "Hermes Agent", Programs: []string{"hermes"}, Folders: []string{"~/.hermes"},
		Places: []Place{{Scope: "user", Path: "~/.hermes/config.yaml", Home: "HERMES_HOME",
			Layout: settings.Layout{Format: settings.YAML, Root: []string{"hooks"}}, Handler: "command=$bash timeout=$s"}},
		FailClosed: "fail_closed=true", FailOn: "pre_tool_call",
		Steps:    []Step{{"", "start Hermes at a terminal and allow each hook, or run it once with --accept-hooks"}},
		Switches: []Switch{{Variable: "HERMES_SAFE_MODE"}},
	}
}

func kilo() *Client {
	return &Client{
		Name: "kilo", Title: "Kilo", Programs: []string{"kilo"}, Folders: []string{"~/.config/kilo"},
		Places: []Place{
			{Scope: "user", Path: "~/.config/kilo/plugin/agent-hooks.js", Content: kiloPlugin},
			{Scope: "project", Path: ".kilo/plugin/agent-hooks.js", Content: kiloPlugin},
		},
		FailClosed: inPlugin,
		Steps:      []Step{{"", restart}},
	}
}

func junie() *Client {
	return &Client{
		Name: "junie", Title: "Junie", Programs: []string{"junie"}, Folders: []string{"~/.junie"},
		Windows: cmdExe,
		Places:  []Place{{Scope: "user", Path: "~/.junie/config.json", Layout: nested("hooks"), Handler: claudeEntry}},
		Steps:   []Step{{"", restart}},
	}
}

// auggie runs only script files.
func auggie() *Client {
	places := func(scope, dir string) []Place {
		return []Place{
			{Scope: scope, Path: dir + "agent-hooks.sh", Content: auggieScript, Mode: 0o755},
			{Scope: scope, Path: dir + "settings.json", Layout: nested("hooks"), Handler: "type=command command=$script timeout=$ms"},
		}
	}
	return &Client{
		Name: "auggie", Title: "Auggie", Programs: []string{"auggie"}, Folders: []string{"~/.augment"},
		Places: append(places("user", "~/.augment/"), places("project", ".augment/")...),
		Steps:  []Step{{"", restart}},
		Since:  map[string]string{"PromptSubmit": "0.27.0"},
	}
}

func grok() *Client {
	return &Client{
		Name: "grok", Title: "Grok Build", Programs: []string{"grok"}, Folders: []string{"~/.grok"},
		Windows: cmdExe,
		Places:  both(".grok/hooks/agent-hooks.json", Place{Layout: nested("hooks"), Handler: claudeEntry}),
		Strict:  strict{NoMark: true},
		Steps:   []Step{{"", restart}, {"project", "trust this project's hooks in Grok with /hooks-trust"}},
		Reads:   []string{"claude-code", "cursor"},
	}
}

func qoder() *Client {
	return &Client{
		Name: "qoder", Title: "Qoder", Programs: []string{"qodercli", "qoder"}, Folders: []string{"~/.qoder"},
		Windows: cmdExe,
		Places:  both(".qoder/settings.json", Place{Layout: nested("hooks"), Handler: claudeEntry}),
		Steps:   []Step{{"", restart}},
	}
}

// openHands reads a bare map of events, or one within "hooks".
func openHands() *Client {
	places := func(scope, path string) []Place {
		wrapped := func(look func(string) any) bool {
			_, ok := settings.At(look(path), "hooks")
			return ok
		}
		return []Place{
			{Scope: scope, Path: path, Layout: nested("hooks"), Handler: claudeEntry, When: wrapped},
			{Scope: scope, Path: path, Layout: nested(), Handler: claudeEntry, When: not(wrapped)},
		}
	}
	return &Client{
		Name: "openhands", Title: "OpenHands", Programs: []string{"openhands"}, Folders: []string{"~/.openhands"},
		Places: append(places("user", "~/.openhands/hooks.json"), places("project", ".openhands/hooks.json")...),
		Steps:  []Step{{"", restart}},
	}
}

func windsurf() *Client {
	entry := "command=$bash powershell=$powershell show_output=false"
	return &Client{
		Name: "windsurf", Title: "Windsurf (legacy)", Programs: []string{"windsurf"}, Folders: []string{"~/.codeium/windsurf"},
		Places: []Place{
			{Scope: "user", Path: "~/.codeium/windsurf/hooks.json", Layout: flat(nil, "hooks"), Handler: entry},
			{Scope: "user", Path: "~/.codeium/hooks.json", Layout: flat(nil, "hooks"), Handler: entry}, // the path of its JetBrains plugin
			{Scope: "project", Path: ".windsurf/hooks.json", Layout: flat(nil, "hooks"), Handler: entry},
		},
		Steps: []Step{{"", "from version 3.9.19 on, the desktop app runs Devin instead: agent-hooks install devin"}},
	}
}
