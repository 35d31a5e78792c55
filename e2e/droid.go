package main

import "fmt"

func droid() client {
	return client{
		name: "factory-droid", packages: []string{"droid@0.215.0"}, program: "droid",
		hookFile:  ".factory/settings.json",
		unmanaged: true,
		quiet:     true,
		headless: map[string]string{
			"context-prompt": "`droid exec` reports no prompts to hooks",
			"prompt-block":   "`droid exec` reports no prompts to hooks",
			"from-blade":     "`droid exec` reports no prompts to hooks",
			"from-jcli":      "`droid exec` reports no prompts to hooks",
		},
		modes: map[string][]string{planMode: {"--use-spec"}, autoMode: {"--skip-permissions-unsafe"}},
		files: func(run) map[string]string {
			return map[string]string{".factory/settings.json": droidSettings("")}
		},
		env: func(run) []string { return []string{"FACTORY_API_KEY=fk-dummy", "FACTORY_DISABLE_AUTO_UPDATE=1"} },
		args: func(r run, t turn) []string {
			args := []string{"exec", "-m", "custom:scripted"}
			if t.mode != "" {
				args = append(args, r.modes[t.mode]...)
			} else if r.grant {
				args = append(args, "--auto", "high")
			}
			return append(args, t.prompt)
		},
		raw: func(_ run, event, command string) string {
			return droidSettings(fmt.Sprintf(`"hooks": {%q: [{"hooks": [{"type": "command", "command": %q}]}]},`, event, command))
		},
	}
}

func droidSettings(hooks string) string {
	return fmt.Sprintf(`{
  %s
  "customModels": [{"model": "scripted", "id": "custom:scripted", "displayName": "scripted", "baseUrl": "%s/v1", "apiKey": "dummy",
    "provider": "generic-chat-completion-api", "maxOutputTokens": 4000}],
  "sessionDefaultSettings": {"model": "custom:scripted"},
  "enableDroidShield": false
}
`, hooks, modelURL)
}
