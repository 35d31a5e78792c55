package main

import "fmt"

func pi() client {
	return client{
		name: "pi", packages: []string{"@earendil-works/pi-coding-agent@1.6.0"}, program: "pi",
		hookFile:   ".pi/agent/extensions/raw.js",
		permitsAll: true,
		unmanaged:  true,
		quiet:      true,
		headless:   map[string]string{"subagent": "it has no subagents of its own"},
		modes:      map[string][]string{autoMode: {}},
		files: func(run) map[string]string {
			return map[string]string{
				".pi/agent/models.json": fmt.Sprintf(`{"providers": {"scripted": {"baseUrl": "%s/v1", "api": "openai-completions", "apiKey": "dummy", "models": [{"id": "scripted"}]}}}`, modelURL),
			}
		},
		env: func(run) []string { return []string{"PI_OFFLINE=1", "PI_TELEMETRY=0"} },
		args: func(_ run, t turn) []string {
			args := []string{"--provider", "scripted", "--model", "scripted", "--approve"}
			if t.goesOn {
				args = append(args, "--continue")
			}
			return append(args, "-p", t.prompt)
		},
		raw: func(_ run, event, command string) string { return fmt.Sprintf(piRaw, event, command) },
	}
}

const piRaw = `import { spawnSync } from "node:child_process"
export default function (pi) {
  pi.on(%q, (event) => {
    const r = spawnSync("sh", ["-c", %q], { input: JSON.stringify(event), encoding: "utf8" })
    if (r.status === 2) return { block: true, reason: r.stderr }
  })
}
`
