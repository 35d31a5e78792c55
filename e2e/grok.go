package main

import "fmt"

func grok() client {
	return client{
		name: "grok", packages: []string{"@xai-official/grok@1.0.41"}, program: "grok",
		hookFile: ".grok/hooks/raw.json",
		means:    grokMeans(),
		untried:  map[string]string{unlocked: "its documentation; a change of an own entry was refused"},
		quiet:    true,
		files:    func(run) map[string]string { return map[string]string{".grok/config.toml": grokSettings} },
		env: func(run) []string {
			return []string{"XAI_API_KEY=dummy", "GROK_TURN_SUMMARY=0", "GROK_SESSION_RECAP=0", "GROK_DISABLE_AUTOUPDATER=1", "GROK_TELEMETRY_ENABLED=0"}
		},
		modes: map[string][]string{planMode: {"--permission-mode", "plan"}, autoMode: {"--permission-mode", "bypassPermissions"}, judgeMode: {"--permission-mode", "auto"}},
		args: func(r run, t turn) []string {
			args := []string{"--trust"}
			if t.mode != "" {
				args = append(args, r.modes[t.mode]...)
			} else if r.grant {
				args = append(args, "--always-approve")
			}
			if t.goesOn {
				args = append(args, "--continue")
			}
			return append(args, "-p", t.prompt)
		},
		raw: func(_ run, event, command string) string {
			return fmt.Sprintf(`{"hooks": {%q: [{"hooks": [{"type": "command", "command": %q}]}]}}`, event, command)
		},
	}
}

const grokSettings = `[models]
default = "scripted"

[model.scripted]
model = "scripted"
name = "scripted"
base_url = "` + modelURL + `/v1"
api_key = "dummy"
context_window = 100000
`

func grokMeans() []means {
	const lock = `grep -q allow_managed /etc/grok/requirements.toml || sed -i '1i allow_managed_hooks_only = true' /etc/grok/requirements.toml`
	return []means{
		{does: "hooks off in the user's settings", before: `printf '[hooks]\nPreToolUse = []\n' >> ~/.grok/config.toml`},
		{does: "`~/.grok/requirements.toml` without hooks", before: `echo '[hooks]' > ~/.grok/requirements.toml`},
		{does: "`GROK_HOME`", before: "cp -r ~/.grok /tmp/grok", env: []string{"GROK_HOME=/tmp/grok"}},
		{does: "the lock: the user's entry does not run", admin: lock, install: withEntry, silent: true},
	}
}
