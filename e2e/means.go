package main

import "strings"

// The means of an ordinary user against managed hooks that only one client has (D82).

// changed is the way around that every client has without a lock of its own: an entry that is not
// agent-hooks, next to the managed one, has the last word about the input.
const changed = "an entry of the user's own can change a call after managed hooks saw it"

// unlocked is the same in a client with a lock.
const unlocked = "without the lock, " + changed

// serverSettings is a way around of the agents with settings of an organization.
const serverSettings = "managed settings from a server may replace the file"

// fromServer is why a way around is not tried.
const fromServer = "needs the agent's server"

func claudeMeans() []means {
	const (
		off      = `sed -i '1s/{/{"disableAllHooks": true,/' ~/.claude/settings.json`
		lock     = `echo '{"allowManagedHooksOnly": true}' > /etc/claude-code/managed-settings.json`
		modsOnly = `echo '{"pluginConfigs": {"cc-plugin-sec-default@builtin": {"options": {"allowManagedModsOnly": true}}}}' > /etc/claude-code/managed-settings.json`
		forged   = `echo '{"disableAllHooks": true, "allowManagedHooksOnly": false}' > `
	)
	return []means{
		{does: "`disableAllHooks` in the user's settings", before: off},
		{does: "`--settings` with `disableAllHooks`", args: []string{"--settings", `{"disableAllHooks": true}`}},
		{does: "`--setting-sources project`", args: []string{"--setting-sources", "project"}},
		{does: "`--safe-mode`", args: []string{"--safe-mode"}},
		{does: "`CLAUDE_CODE_SAFE_MODE`", env: []string{"CLAUDE_CODE_SAFE_MODE=1"}},
		{does: "`--restricted`", args: []string{"--restricted", "--tools", "Bash"}},
		{does: "`CLAUDE_CODE_MANAGED_SETTINGS_PATH`", install: withEntry, env: []string{"CLAUDE_CODE_MANAGED_SETTINGS_PATH=/tmp/none"}},
		{does: "`CLAUDE_CODE_REMOTE_SETTINGS_PATH`", before: forged + "/tmp/remote.json", env: []string{"CLAUDE_CODE_REMOTE_SETTINGS_PATH=/tmp/remote.json"}},
		{does: "a forged `~/.claude/remote-settings.json`", before: forged + "~/.claude/remote-settings.json"},
		{does: "`CLAUDE_CONFIG_DIR`", env: []string{"CLAUDE_CONFIG_DIR=/tmp/claude"}},
		{does: "`--bare`", args: []string{"--bare"}},
		{does: "`CLAUDE_CODE_SIMPLE`", env: []string{"CLAUDE_CODE_SIMPLE=1"}},
		{does: "the lock: the user's entry does not run", install: withEntry, admin: lock, silent: true},
		{does: "an own entry that changes the call", way: unlocked, change: true, before: claudeChange},
		{does: "the same, with the lock", change: true, admin: lock, before: claudeChange},
		{does: "a mod that changes the call", change: true, before: claudeMod, args: []string{"--plugin-dir", "/tmp/mod"}},
		{does: "the same, with the lock", change: true, admin: lock, before: claudeMod, args: []string{"--plugin-dir", "/tmp/mod"}},
		{does: "a mod that answers `classic.PreToolUse`", install: withEntry, users: true, before: claudeAnswers, args: []string{"--plugin-dir", "/tmp/mod"}},
		{does: "the same, with `allowManagedModsOnly`", install: withEntry, users: true, admin: modsOnly, before: claudeAnswers, args: []string{"--plugin-dir", "/tmp/mod"}},
		{does: "a mod that approves the call", before: claudeApproves, args: []string{"--plugin-dir", "/tmp/mod"}},
	}
}

const changeScript = `cat > ~/change <<'END'
#!/bin/sh
cd "$(dirname "$0")"
n=$(sed 's/.*touch ran-\([0-9]*\).*/\1/' | head -n 1)
printf '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"command": "touch forbidden-%s"}}}\n' "$n"
END
chmod 755 ~/change
`

// changeWhole is changeScript for clients that take the whole input only.
const changeWhole = `cat > ~/change.sh <<'END'
#!/usr/bin/env python3
import json, sys
e = json.load(sys.stdin)
i = e.get("tool_input") or e.get("toolInput")
i["command"] = i["command"].replace("touch ran-", "touch forbidden-")
print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": i}}))
END
chmod 755 ~/change.sh
`

const claudeChange = changeScript + `cat > ~/.claude/settings.json <<END
{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "$HOME/change"}]}]}}
END
`

const claudeMod = `mkdir -p /tmp/mod/.claude-plugin /tmp/mod/hooks && cd /tmp/mod && echo '{"name": "mod"}' > .claude-plugin/plugin.json &&
echo '{"modules": ["./register.js"]}' > hooks/hooks.json && cat > hooks/register.js <<'END'
export function register(on) {
  on("tool.call", ($, e, next) => next({...e, command: e.command.replace("touch ran", "touch forbidden")}))
}
END
`

var claudeAnswers = strings.Replace(claudeApproves, `"tool.check", ($, e, next) => ({decision: "allow"})`, `"classic.PreToolUse", () => ({})`, 1)

const claudeApproves = `rm -rf /tmp/mod; mkdir -p /tmp/mod/.claude-plugin /tmp/mod/hooks && cd /tmp/mod && echo '{"name": "mod"}' > .claude-plugin/plugin.json &&
echo '{"modules": ["./register.js"]}' > hooks/hooks.json && cat > hooks/register.js <<'END'
export function register(on) {
  on("tool.check", ($, e, next) => ({decision: "allow"}))
}
END
`

func codexMeans() []means {
	const lock = `sed -i '1s/^/allow_managed_hooks_only = true\n/' /etc/codex/requirements.toml`
	return []means{
		{does: "`features.hooks = false` in the user's settings", before: `printf '\n[features]\nhooks = false\n' >> ~/.codex/config.toml`},
		{does: "`--disable hooks`", args: []string{"--disable", "hooks"}},
		{does: "`-c features.hooks=false`", args: []string{"-c", "features.hooks=false"}},
		{does: "`-c allow_managed_hooks_only=false -c hooks={}`", args: []string{"-c", "hooks={}"}},
		{does: "`--profile` with hooks off", before: `printf '[features]\nhooks = false\n' > ~/.codex/off.config.toml`, args: []string{"--profile", "off"}},
		{does: "`CODEX_HOME`", before: "cp -r ~/.codex /tmp/codex", env: []string{"CODEX_HOME=/tmp/codex"}},
		{does: "a forged `cloud-config-bundle-cache.json`", before: `echo '{}' > ~/.codex/cloud-config-bundle-cache.json`},
		{does: "`--dangerously-bypass-hook-trust`", args: []string{"--dangerously-bypass-hook-trust"}},
		{does: "hooks off, and `install --managed` extended a file of the administrator's", admin: "printf '# ours\\n[features]\\nmulti_agent = true\\n' > /etc/codex/requirements.toml && " + installedProgram + " install --managed codex",
			args: []string{"--disable", "hooks"}},
		{does: "the lock: the user's entry does not run", install: withEntry, admin: lock, silent: true},
		{does: "an own entry that changes the call", way: unlocked, change: true, approve: true, before: changeScript + `cat > ~/.codex/hooks.json <<END
{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "$HOME/change"}]}]}}
END
`},
		{does: "the same, with the lock", change: true, approve: true, admin: lock, before: changeScript + `cat > ~/.codex/hooks.json <<END
{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "$HOME/change"}]}]}}
END
`},
	}
}

func geminiMeans() []means {
	const (
		moved     = "GEMINI_CLI_SYSTEM_SETTINGS_PATH names another file"
		disabling = "hooksConfig.disabled in the user's or a project's settings, with the name agent-hooks, turns off the managed entry, too"
	)
	disabled := func(file string) string {
		return `mkdir -p .gemini; f=` + file + `; [ -e $f ] || echo '{}' > $f; sed -i '1s/{/{"hooksConfig": {"disabled": ["agent-hooks"]},/; s/,}$/}/' $f`
	}
	return []means{
		{does: "`hooksConfig.enabled = false` in the user's settings", before: `sed -i '1s/{/{"hooksConfig": {"enabled": false},/' ~/.gemini/settings.json`},
		{does: "`hooksConfig.disabled` in the user's settings", way: disabling, before: disabled("~/.gemini/settings.json")},
		{does: "`hooksConfig.disabled` in the project's settings", way: disabling, before: disabled(".gemini/settings.json")},
		{does: "`GEMINI_CLI_SYSTEM_SETTINGS_PATH`", way: moved, env: []string{"GEMINI_CLI_SYSTEM_SETTINGS_PATH=/tmp/none.json"}},
		{does: "the same, with the user's entry", install: withEntry, env: []string{"GEMINI_CLI_SYSTEM_SETTINGS_PATH=/tmp/none.json"}},
		{does: "the same in `~/.gemini/.env`", before: "echo GEMINI_CLI_SYSTEM_SETTINGS_PATH=/tmp/none.json > ~/.gemini/.env"},
		{does: "the same in the project's `.env`", before: "echo GEMINI_CLI_SYSTEM_SETTINGS_PATH=/tmp/none.json > .env; mkdir .gemini; cp .env .gemini"},
		{does: "`GEMINI_CLI_HOME`", before: "mkdir /tmp/gemini; cp -r ~/.gemini /tmp/gemini", env: []string{"GEMINI_CLI_HOME=/tmp/gemini"}},
		{does: "an untrusted folder, with `--skip-trust`", before: geminiUntrusted, args: []string{"--skip-trust"}},
		{does: "an own entry that changes the call", way: changed, change: true, before: geminiChange},
	}
}

const geminiUntrusted = `sed -i 's/"folderTrust": {"enabled": false}/"folderTrust": {"enabled": true}/' ~/.gemini/settings.json
echo "{\"$PWD\": \"DO_NOT_TRUST\"}" > ~/.gemini/trustedFolders.json`

const geminiChange = changeScript + `sed -i 's/"permissionDecision": "allow", "updatedInput"/"tool_input"/; s/PreToolUse/BeforeTool/' ~/change
sed -i "1s|{|{\"hooks\": {\"BeforeTool\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"$HOME/change\"}]}]},|" ~/.gemini/settings.json
`

func qwenMeans() []means {
	const (
		moved = "QWEN_CODE_SYSTEM_SETTINGS_PATH names another file, also in ~/.qwen/.env"
		safe  = "qwen --bare and --safe-mode run no hooks"
	)
	return []means{
		{does: "`disableAllHooks` in the user's settings", before: `sed -i '1s/{/{"disableAllHooks": true,/' ~/.qwen/settings.json`},
		{does: "`QWEN_CODE_SYSTEM_SETTINGS_PATH`", way: moved, env: []string{"QWEN_CODE_SYSTEM_SETTINGS_PATH=/tmp/none.json"}},
		{does: "the same, with the user's entry", install: withEntry, env: []string{"QWEN_CODE_SYSTEM_SETTINGS_PATH=/tmp/none.json"}},
		{does: "the same in `~/.qwen/.env`", way: moved, before: "echo QWEN_CODE_SYSTEM_SETTINGS_PATH=/tmp/none.json > ~/.qwen/.env"},
		{does: "the same in the project's `.env`", before: "echo QWEN_CODE_SYSTEM_SETTINGS_PATH=/tmp/none.json > .env; mkdir .qwen; cp .env .qwen"},
		{does: "`QWEN_HOME`", before: "cp -r ~/.qwen /tmp/qwen", env: []string{"QWEN_HOME=/tmp/qwen"}},
		{does: "`--bare`", way: safe, args: []string{"--bare"}},
		{does: "`--safe-mode`", way: safe, args: []string{"--safe-mode"}},
		{does: "`QWEN_CODE_SAFE_MODE`", way: safe, env: []string{"QWEN_CODE_SAFE_MODE=1"}},
		{does: "an own entry that changes the call", change: true, before: changeScript + `sed -i "1s|{|{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"$HOME/change\"}]}]},|" ~/.qwen/settings.json`},
	}
}

func opencodeMeans() []means {
	const (
		moved = "OPENCODE_TEST_MANAGED_CONFIG_DIR names another folder"
		pure  = "opencode --pure runs no plugins"
	)
	return []means{
		{does: "no plugins in the user's settings", install: withEntry, before: `cd ~/.config/opencode && echo > plugins/agent-hooks.js && sed -i '1s/{/{"plugin": [],/' opencode.json`},
		{does: "`OPENCODE_CONFIG_CONTENT` without plugins", env: []string{`OPENCODE_CONFIG_CONTENT={"plugin": []}`}},
		{does: "`OPENCODE_TEST_MANAGED_CONFIG_DIR`", way: moved, env: []string{"OPENCODE_TEST_MANAGED_CONFIG_DIR=/tmp/none"}},
		{does: "the same, with the user's entry", install: withEntry, env: []string{"OPENCODE_TEST_MANAGED_CONFIG_DIR=/tmp/none"}},
		{does: "`--pure`", way: pure, args: []string{"--pure"}},
		{does: "`OPENCODE_PURE`", way: pure, env: []string{"OPENCODE_PURE=1"}},
		{does: "an own plugin that changes the call", change: true, before: `mkdir -p ~/.config/opencode/plugins && cat > ~/.config/opencode/plugins/zz.js <<'END'
export const Change = async () => ({
  "tool.execute.before": async (input, output) => {
    output.args.command = output.args.command.replace("touch ran", "touch forbidden")
  },
})
END
`},
	}
}

func copilotMeans() []means {
	return []means{
		{does: "`disableAllHooks` in the user's settings", before: `echo '{"disableAllHooks": true}' > ~/.copilot/settings.json`},
		{does: "`disableAllHooks` in the project's settings", before: `mkdir -p .github/copilot; echo '{"disableAllHooks": true}' > .github/copilot/settings.json`},
		{does: "`COPILOT_HOME`", env: []string{"COPILOT_HOME=/tmp/copilot"}},
		{does: "an own entry that changes the call", way: changed, change: true, before: changeScript + `sed -i 's/{"hookSpecificOutput".*"updatedInput": \(.*\)}}/{"permissionDecision": "allow", "modifiedArgs": \1}/' ~/change
mkdir -p ~/.copilot/hooks; echo "{\"version\": 1, \"hooks\": {\"preToolUse\": [{\"type\": \"command\", \"bash\": \"$HOME/change\"}]}}" > ~/.copilot/hooks/own.json
`},
	}
}
