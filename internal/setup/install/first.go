package install

import (
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
)

// Layouts that several agents use.
func nested(root ...string) settings.Layout {
	return settings.Layout{Format: settings.JSON, Root: root, Nested: "hooks"}
}

func flat(version any, root ...string) settings.Layout {
	l := settings.Layout{Format: settings.JSON, Root: root}
	if version != nil {
		l.Top = settings.Object{{Key: "version", Value: version}}
	}
	return l
}

// both returns a place in the user's home, and the same one in a project. The
// variable that replaces a home directory does not apply to a project.
func both(path string, user Place) []Place {
	project := user
	user.Scope, user.Path = "user", "~/"+path
	project.Scope, project.Path, project.Home = "project", path, ""
	return []Place{user, project}
}

const (
	claudeEntry = "type=command command=$command timeout=$s"
	// A project's file is shared with Windows, where Codex runs a line of cmd.exe.
	sharedCodexEntry = "type=command command=$command commandWindows=$cmd timeout=$s"
	restart          = "restart running sessions: settings are read at the start"
)

// firstTier returns the clients of the first tier. The tables in package agent
// name the sources.
func firstTier() []*Client {
	return []*Client{
		claudeCode(), codex(), geminiCLI(), qwenCode(), kimiCode(), openCode(), cursor(),
		copilot(), vsCode(), antigravity(), devin(), jCLI(), settingsEngine(), blade(), picoclaw(),
	}
}

func claudeCode() *Client {
	return &Client{
		Name: "claude-code", Title: "Claude Code", Programs: []string{"claude"}, Folders: []string{"~/.claude"}, Verified: "2.1.329",
		Headless: "-p",
		Places:   both(".claude/settings.json", Place{Home: "CLAUDE_CONFIG_DIR", Layout: nested("hooks"), Handler: claudeEntry}),
		// A build rejects the whole settings file if it contains an unknown
		// event.
		Since: map[string]string{
			"SessionEnd": "1.0.85", "SubagentStart": "2.0.43", "PermissionRequest": "2.0.45", "PostToolUseFailure": "2.1.0",
			"TaskCompleted": "2.1.33", "PostCompact": "2.1.76", "StopFailure": "2.1.78",
		},
		FailClosed: "onFailure=block", FailSince: "2.1.295",
		Steps: []Step{{"", restart}, {"", "accept Claude Code's trust dialog in each folder: before that, interactive sessions run no hooks"}},
		Switches: []Switch{
			{Path: "~/.claude/settings.json", Home: "CLAUDE_CONFIG_DIR", Keys: []string{"disableAllHooks"}, Bad: true},
			{Path: ".claude/settings.json", Keys: []string{"disableAllHooks"}, Bad: true},
			{Path: ".claude/settings.local.json", Keys: []string{"disableAllHooks"}, Bad: true},
			{Path: "/etc/claude-code/managed-settings.json", Keys: []string{"allowManagedHooksOnly"}, Bad: true},
			{Path: "/etc/claude-code/managed-settings.json", Keys: []string{"disableAllHooks"}, Bad: true},
			{Path: "/Library/Application Support/ClaudeCode/managed-settings.json", Keys: []string{"allowManagedHooksOnly"}, Bad: true},
			{Path: "/Library/Application Support/ClaudeCode/managed-settings.json", Keys: []string{"disableAllHooks"}, Bad: true},
			{Variable: "CLAUDE_CODE_SIMPLE"},
		},
	}
}

func codex() *Client {
	return &Client{
		Name: "codex", Title: "Codex", Programs: []string{"codex"}, Folders: []string{"~/.codex"}, Verified: "0.169.0",
		Headless: "exec --skip-git-repo-check", listed: codexListed, Reviews: true,
		Windows: cmdExe,
		Places: []Place{
			{Scope: "user", Path: "~/.codex/hooks.json", Home: "CODEX_HOME", Layout: nested("hooks"), Handler: claudeEntry, When: not(tomlHooks("~/.codex/"))},
			{Scope: "user", Path: "~/.codex/config.toml", Home: "CODEX_HOME", Layout: settings.Layout{Format: settings.TOML, Root: []string{"hooks"}, Nested: "hooks"}, Handler: claudeEntry, When: tomlHooks("~/.codex/")},
			{Scope: "project", Path: ".codex/hooks.json", Layout: nested("hooks"), Handler: sharedCodexEntry, When: not(tomlHooks(".codex/"))},
			{Scope: "project", Path: ".codex/config.toml", Layout: settings.Layout{Format: settings.TOML, Root: []string{"hooks"}, Nested: "hooks"}, Handler: sharedCodexEntry, When: tomlHooks(".codex/")},
		},
		Strict: strict{JSON: true, NoMark: true, Top: []string{"description", "hooks"}, Types: []string{"command", "prompt", "agent", "mcp_tool"}},
		Steps: []Step{
			{"", "review the hooks in Codex with /hooks: it runs only hooks that you trusted there"},
			{"project", "trust this folder in Codex"},
			{"project", "its background server runs the hooks with the PATH that it was started with; where agent-hooks is installed later: codex app-server daemon restart"},
		},
		Switches: []Switch{
			{Path: "~/.codex/config.toml", Home: "CODEX_HOME", Keys: []string{"features", "hooks"}, Bad: false},
			{Path: "~/.codex/config.toml", Home: "CODEX_HOME", Keys: []string{"features", "codex_hooks"}, Bad: false},
			{Path: "/etc/codex/requirements.toml", Keys: []string{"allow_managed_hooks_only"}, Bad: true},
			{Path: "/etc/codex/requirements.toml", Keys: []string{"features", "hooks"}, Bad: false},
		},
	}
}

// tomlHooks reports whether a layer of Codex has its hooks in config.toml and
// none in hooks.json, because both in one layer cause a warning.
func tomlHooks(dir string) func(func(string) any) bool {
	return func(look func(string) any) bool {
		if look(dir+"hooks.json") != nil {
			return false
		}
		hooks, _ := settings.At(look(dir+"config.toml"), "hooks")
		events, _ := hooks.(map[string]any)
		for event := range events {
			if event != "state" {
				return true
			}
		}
		return false
	}
}

func not(when func(func(string) any) bool) func(func(string) any) bool {
	return func(look func(string) any) bool { return !when(look) }
}

func geminiCLI() *Client {
	entry := "name=agent-hooks type=command command=$command timeout=$ms"
	return &Client{
		Name: "gemini-cli", Title: "Gemini CLI", Programs: []string{"gemini"}, Folders: []string{"~/.gemini"}, Verified: "0.61.0",
		Headless: "-p",
		Windows:  powerShell,
		Places:   both(".gemini/settings.json", Place{Layout: nested("hooks"), Handler: entry}),
		Steps: []Step{
			{"", "trust each folder in Gemini CLI: in an untrusted one it runs no hooks, the user's included"},
		},
		Switches: []Switch{
			{Path: "~/.gemini/settings.json", Keys: []string{"hooksConfig", "enabled"}, Bad: false},
			{Path: "~/.gemini/settings.json", Keys: []string{"hooksConfig", "disabled"}, Bad: "agent-hooks"},
			{Path: ".gemini/settings.json", Keys: []string{"hooksConfig", "enabled"}, Bad: false},
			{Path: ".gemini/settings.json", Keys: []string{"hooksConfig", "disabled"}, Bad: "agent-hooks"},
			{Path: "/etc/gemini-cli/settings.json", Keys: []string{"hooksConfig", "enabled"}, Bad: false},
		},
	}
}

func qwenCode() *Client {
	// Values of 1000 and above are milliseconds in every version.
	entry := "type=command name=agent-hooks command=$command timeout=$ms"
	return &Client{
		Name: "qwen-code", Title: "Qwen Code", Programs: []string{"qwen"}, Folders: []string{"~/.qwen"}, Verified: "0.24.4",
		Headless: "-p",
		Windows:  cmdExe,
		Places:   both(".qwen/settings.json", Place{Layout: nested("hooks"), Handler: entry}),
		Steps:    []Step{{"", restart}, {"project", "trust this folder in Qwen Code"}},
		Switches: []Switch{
			{Path: "~/.qwen/settings.json", Keys: []string{"disableAllHooks"}, Bad: true},
			{Path: ".qwen/settings.json", Keys: []string{"disableAllHooks"}, Bad: true},
			{Path: "/etc/qwen-code/settings.json", Keys: []string{"disableAllHooks"}, Bad: true},
		},
	}
}

const kimiEntry = "event=$event command=$command timeout=$s"

// kimiCode writes to config.toml, with exactly the keys that Kimi Code
// supports. A plugin would be safer, but only Kimi Code itself can install one.
func kimiCode() *Client {
	return &Client{
		Name: "kimi-code", Title: "Kimi Code", Programs: []string{"kimi"}, Folders: []string{"~/.kimi-code"}, Verified: "2.1.0",
		Headless: "-p",
		Windows:  cmdExe,
		Places: []Place{{Scope: "user", Path: "~/.kimi-code/config.toml", Home: "KIMI_CODE_HOME",
			Layout: settings.Layout{Format: settings.TOML, Root: []string{"hooks"}, Flat: true}, Handler: kimiEntry}},
		Strict: strict{
			Keys: []string{"event", "matcher", "command", "timeout"},
			Events: []string{"PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionResult", "UserPromptSubmit", "UserPromptQueued", "TurnStarted",
				"Stop", "StopFailure", "Interrupt", "SessionStart", "SessionEnd", "SessionHeartbeat", "SubagentStart", "SubagentStop", "TaskStarted", "PreCompact", "PostCompact", "Notification"},
		},
		Steps: []Step{{"", restart}},
	}
}

func openCode() *Client {
	return &Client{
		Name: "opencode", Title: "OpenCode", Programs: []string{"opencode"}, Folders: []string{"~/.config/opencode"}, Verified: "1.18.33",
		Headless: "run",
		Places: []Place{
			{Scope: "user", Path: "~/.config/opencode/plugins/agent-hooks.js", Home: "OPENCODE_CONFIG_DIR:2", Content: openCodePlugin},
			{Scope: "project", Path: ".opencode/plugins/agent-hooks.js", Content: openCodePlugin},
		},
		FailClosed: inPlugin,
		Steps:      []Step{{"", restart}},
		Switches:   []Switch{{Variable: "OPENCODE_PURE"}},
	}
}

func cursor() *Client {
	entry := "command=$command timeout=$s"
	return &Client{
		Name: "cursor", Title: "Cursor", Programs: []string{"cursor-agent", "cursor"}, Folders: []string{"~/.cursor"},
		Headless:   "-p",
		Windows:    powerShell,
		Places:     both(".cursor/hooks.json", Place{Layout: flat(1, "hooks"), Handler: entry}),
		FailClosed: "failClosed=true",
		Instead: map[string]string{
			"preToolUse":  "beforeShellExecution beforeMCPExecution beforeReadFile",
			"postToolUse": "afterShellExecution afterMCPExecution afterFileEdit",
		},
		Since: map[string]string{
			"preToolUse": "2.4", "postToolUse": "2.4", "postToolUseFailure": "2.4", "subagentStart": "2.4", "subagentStop": "2.4",
			"sessionStart": "2.4", "sessionEnd": "2.4", "preCompact": "2.4",
		},
		Strict: strict{NoURL: true, Events: []string{"sessionStart", "sessionEnd", "preToolUse", "postToolUse", "postToolUseFailure", "subagentStart", "subagentStop",
			"beforeShellExecution", "afterShellExecution", "beforeMCPExecution", "afterMCPExecution", "beforeReadFile", "afterFileEdit", "beforeSubmitPrompt", "preCompact", "stop",
			"afterAgentResponse", "afterAgentThought", "beforeTabFileRead", "afterTabFileEdit", "workspaceOpen"}},
		Steps: []Step{{"project", "trust this workspace in Cursor"}},
		Reads: []string{"claude-code"},
	}
}

const copilotEntry = "type=command bash=$bash powershell=$powershell timeoutSec=$s"

func copilotPlaces() []Place {
	return []Place{
		{Scope: "user", Path: "~/.copilot/hooks/agent-hooks.json", Home: "COPILOT_HOME", Layout: flat(1, "hooks"), Handler: copilotEntry},
		{Scope: "project", Path: ".github/hooks/agent-hooks.json", Layout: flat(1, "hooks"), Handler: copilotEntry, Cloud: true},
	}
}

func copilot() *Client {
	return &Client{
		Name: "copilot", Title: "GitHub Copilot CLI and cloud agent", Programs: []string{"copilot"}, Folders: []string{"~/.copilot"},
		Headless: "-p",
		Places:   copilotPlaces(), EventArg: true,
		Steps: []Step{
			{"", restart},
			{"project", "trust this folder in Copilot CLI"},
			{"project", "on machines without agent-hooks its hooks do not run: install it there, the cloud agent's setup steps included"},
		},
		Switches: []Switch{
			{Path: "~/.copilot/settings.json", Home: "COPILOT_HOME", Keys: []string{"disableAllHooks"}, Bad: true},
			{Path: ".github/copilot/settings.json", Keys: []string{"disableAllHooks"}, Bad: true},
			{Path: ".github/copilot/settings.local.json", Keys: []string{"disableAllHooks"}, Bad: true},
		},
		Reads: []string{"claude-code:project"},
	}
}

// vsCode shares its files with Copilot; the payload distinguishes them.
func vsCode() *Client {
	return &Client{
		Name: "vscode", Title: "VS Code", Programs: []string{"code", "code-insiders"}, Folders: []string{"~/.vscode", "~/.config/Code", "~/Library/Application Support/Code", "~/AppData/Roaming/Code"},
		Places: copilotPlaces(), EventArg: true,
		Steps: []Step{
			{"", "keep chat.useHooks on in VS Code's settings"},
			{"", "the target of a session decides whose hooks run: Local and Copilot use these entries, Claude and Codex those of Claude Code and Codex (agent-hooks install claude-code codex)"},
			{"project", "trust this workspace in VS Code"},
			{"project", "on machines without agent-hooks its hooks do not run: install it there, the cloud agent's setup steps included"},
		},
		Switches: []Switch{
			{Path: "~/.config/Code/User/settings.json", Keys: []string{"chat.useHooks"}, Bad: false},
			{Path: "~/Library/Application Support/Code/User/settings.json", Keys: []string{"chat.useHooks"}, Bad: false},
			{Path: ".vscode/settings.json", Keys: []string{"chat.useHooks"}, Bad: false},
		},
		Reads: []string{"claude-code?chat.useClaudeHooks"},
	}
}

func antigravity() *Client {
	entry := "type=command command=$command timeout=$s"
	place := func(scope, path string) Place {
		return Place{Scope: scope, Path: path, Layout: nested("agent-hooks"), Handler: entry, Group: "matcher=.*",
			Plain: []string{"PreInvocation", "PostInvocation", "Stop", "SessionStart"}}
	}
	return &Client{
		Name: "antigravity", Title: "Antigravity", Programs: []string{"agy"}, Folders: []string{"~/.gemini/antigravity", "~/.gemini/config", "~/.antigravity"},
		Headless: "-p", listed: antigravityListed,
		Windows: cmdExe, EventArg: true,
		Places: []Place{place("user", "~/.gemini/config/hooks.json"), place("project", ".agents/hooks.json")},
		Since:  map[string]string{"SessionStart": "1.1.27"},
		Strict: strict{JSON: true, NoMark: true, NoTop: []string{"hooks", "enabled"}, Types: []string{"command", "prompt"}},
		Steps:  []Step{{"", "check what it loaded with: agy -p \"/hooks\" --output-format json"}},
		Switches: []Switch{
			{Path: "~/.gemini/config/hooks.json", Keys: []string{"agent-hooks", "enabled"}, Bad: false},
			{Path: ".agents/hooks.json", Keys: []string{"agent-hooks", "enabled"}, Bad: false},
		},
	}
}

func devin() *Client {
	return &Client{
		Name: "devin", Title: "Devin CLI", Programs: []string{"devin"}, Folders: []string{"~/.config/devin"},
		Headless: "-p",
		Windows:  cmdExe,
		Places: []Place{
			{Scope: "user", Path: "~/.config/devin/config.json", Layout: nested("hooks"), Handler: claudeEntry},
			{Scope: "project", Path: ".devin/hooks.v1.json", Layout: nested(), Handler: claudeEntry},
		},
		Strict: strict{Events: []string{"PreToolUse", "PostToolUse", "PermissionRequest", "UserPromptSubmit", "Stop", "PostCompaction", "SessionStart", "SessionEnd"}},
		Steps:  []Step{{"", restart}},
		Reads:  []string{"claude-code"},
	}
}

// jCLI stops the whole chain of an event after 30 s.
func jCLI() *Client {
	place := func(scope, path string) Place {
		return Place{Scope: scope, Path: path, Layout: settings.Layout{Format: settings.YAML}, Handler: "command=$bash timeout=$s on_error=skip"}
	}
	return &Client{
		Name: "j-cli", Title: "j-cli", Programs: []string{"j"}, Folders: []string{"~/.jdata/agent"},
		Places: []Place{place("user", "~/.jdata/agent/hooks.yaml"), place("project", ".jcli/hooks.yaml")},
		Steps:  []Step{{"", restart}},
	}
}

func settingsEngine() *Client {
	return &Client{
		Name: "settings-engine", Title: "the settings.json hook engine", Folders: []string{"~/.agent"},
		Places: both(".agent/settings.json", Place{Layout: nested("hooks"), Handler: claudeEntry}),
		Steps:  []Step{{"", restart}},
	}
}

// blade has no settings file: its hooks are an argument of createSession.
func blade() *Client {
	return &Client{
		Name: "blade", Title: "Blade Agent SDK",
		Snippet: "add this to the hooks of createSession, once per event: { matcher: '*', hooks: [{ type: 'command', command: %s, timeout: 600 }] }",
	}
}

func picoclaw() *Client {
	return &Client{
		Name: "picoclaw", Title: "PicoClaw", Programs: []string{"picoclaw"}, Folders: []string{"~/.picoclaw"}, Serve: true,
		Places: []Place{{Scope: "user", Path: "~/.picoclaw/config.json",
			Layout:  settings.Layout{Format: settings.JSON, Root: []string{"hooks", "processes"}, Key: "agent-hooks"},
			Handler: "enabled=true priority=$priority transport=stdio command=$words observe=list:turn_end intercept=list:before_llm,after_llm,before_tool,after_tool,approve_tool"}},
		Steps: []Step{{"", "restart the gateway, and raise hooks.defaults.interceptor_timeout_ms if hooks need longer"}},
		Switches: []Switch{
			{Path: "~/.picoclaw/config.json", Keys: []string{"hooks", "enabled"}, Bad: false},
		},
	}
}
