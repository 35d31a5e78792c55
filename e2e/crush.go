package main

import "fmt"

// crush's package downloads the program from github.com.
func crush() client {
	return client{
		name: "crush", packages: []string{"@charmland/crush@0.90.0"}, program: "crush",
		hookFile:   ".config/crush/crush.json",
		permitsAll: true,
		quiet:      true,
		means:      crushMeans(),
		headless:   map[string]string{"prompt-block": "it has no event for a prompt", "examples": "it has no event after a tool or a session"},
		files:      func(run) map[string]string { return map[string]string{".config/crush/crush.json": crushSettings("")} },
		env:        func(run) []string { return []string{"CRUSH_DISABLE_METRICS=1", "DO_NOT_TRACK=1"} },
		modes:      map[string][]string{autoMode: {}},
		args: func(_ run, t turn) []string {
			args := []string{"run", "--quiet"}
			if t.goesOn {
				args = append(args, "--continue")
			}
			return append(args, t.prompt)
		},
		raw: func(_ run, event, command string) string {
			return crushSettings(fmt.Sprintf(`, "hooks": {%q: [{"command": %q}]}`, event, command))
		},
	}
}

func crushSettings(more string) string {
	return fmt.Sprintf(`{
  "options": {"disable_provider_auto_update": true, "disable_default_providers": true, "disable_metrics": true},
  "models": {"large": {"provider": "scripted", "model": "scripted"}, "small": {"provider": "scripted", "model": "scripted"}},
  "providers": {"scripted": {"type": "openai-compat", "base_url": "%s/v1", "api_key": "dummy", "models": [{"id": "scripted", "name": "scripted", "context_window": 100000, "default_max_tokens": 1000}]}}%s
}
`, modelURL, more)
}

func crushMeans() []means {
	own := func(hooks string) string { return `sed -i '1s|{|{"hooks": ` + hooks + `,|' ~/.config/crush/crush.json` }
	return []means{
		{does: "`CRUSH_GLOBAL_CONFIG`", before: "cp -r ~/.config/crush /tmp/crush", env: []string{"CRUSH_GLOBAL_CONFIG=/tmp/crush"}},
		{does: "`hooks: null` in the user's settings", before: own("null")},
		{does: "an empty list of hooks in the user's settings", before: own(`{"PreToolUse": []}`)},
		{does: "`hooks: null` in the project's settings", before: `echo '{"hooks": {"PreToolUse": null}}' > crush.json`},
		{does: "an own entry that changes the call", way: changed, change: true, before: changeScript + own(`{"PreToolUse": [{"command": "'"$HOME"'/change"}]}`)},
	}
}
