package main

import "fmt"

func cline() client {
	return client{
		name: "cline", packages: []string{"cline@3.0.65"}, program: "cline",
		hookFile:  ".cline/hooks/PreToolUse",
		unmanaged: true,
		quiet:     true,
		ends:      true,
		stop:      []string{"hub", "stop"},
		headless: map[string]string{
			"context-session": "its CLI does not wait for hooks of this event",
			"context-prompt":  "its CLI does not wait for hooks of this event",
			"prompt-block":    "its CLI does not wait for hooks of this event",
			"asked":           "a block ends the turn",
			"from-jcli":       "a block ends the turn",
			"from-picoclaw":   "a block ends the turn",
			"from-blade":      "a block ends the turn",
		},
		modes: map[string][]string{planMode: {"--plan"}, autoMode: {"--auto-approve", "true"}},
		files: func(run) map[string]string {
			return map[string]string{".cline/data/settings/providers.json": fmt.Sprintf(clineProviders, modelURL)}
		},
		env: func(run) []string { return []string{"CLINE_TELEMETRY_DISABLED=1", "CLINE_NO_AUTO_UPDATE=1"} },
		args: func(r run, t turn) []string {
			args := []string{"-P", "openai-compatible"}
			if t.mode != "" {
				args = append(args, r.modes[t.mode]...)
			} else {
				args = append(args, "--auto-approve", fmt.Sprint(r.grant))
			}
			return append(args, t.prompt)
		},
		raw: func(_ run, _, command string) string { return "#!/bin/sh\n" + command + "\n" },
	}
}

const clineProviders = `{
  "version": 1,
  "lastUsedProvider": "openai-compatible",
  "providers": {"openai-compatible": {
    "settings": {"provider": "openai-compatible", "apiKey": "dummy", "model": "scripted", "baseUrl": "%s/v1"},
    "updatedAt": "2026-11-24T00:00:00.000Z", "tokenSource": "manual"
  }}
}
`
