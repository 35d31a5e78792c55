package main

import (
	"fmt"
	"slices"
)

func kimiCode() client {
	return client{
		name: "kimi-code", packages: []string{"@moonshot-ai/kimi-code@2.1.0"}, program: "kimi",
		permitsAll: true,
		userOnly:   true,
		unmanaged:  true,
		headless:   map[string]string{"examples": noSessionEnd, "left": "it shows no message of a hook that ends with 0"},
		hookFile:   ".kimi-code/config.toml",
		files:      func(run) map[string]string { return map[string]string{".kimi-code/config.toml": kimiSettings} },
		env: func(run) []string {
			return []string{"KIMI_DISABLE_TELEMETRY=1", "KIMI_CODE_NO_AUTO_UPDATE=1", "KIMI_DISABLE_CRON=1"}
		},
		modes: map[string][]string{planMode: {}, autoMode: {}},
		args: func(r run, t turn) []string {
			args := slices.Clone(r.modes[t.mode])
			if t.goesOn {
				args = append(args, "-c")
			}
			return append(args, "-p", t.prompt)
		},
		raw: func(_ run, event, command string) string {
			return kimiSettings + fmt.Sprintf("\n[[hooks]]\nevent = %q\ncommand = %q\n", event, command)
		},
	}
}

const kimiSettings = `# a comment that must stay
default_model = "scripted"
telemetry = false

[providers.scripted]
type = "openai"
base_url = "` + modelURL + `/v1"
api_key = "dummy"

[models.scripted]
provider = "scripted"
model = "scripted"
max_context_size = 100000
`
