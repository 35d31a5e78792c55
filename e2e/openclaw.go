package main

import "fmt"

func openclaw() client {
	return client{
		name: "openclaw", packages: []string{"openclaw@2026.9.6"}, program: "openclaw",
		hookFile:  ".openclaw/extensions/raw/index.js",
		userOnly:  true,
		unmanaged: true,
		quiet:     true,
		modes:     map[string][]string{autoMode: {}},
		headless: map[string]string{
			"examples":        noSessionEnd,
			"context-session": "only its gateway reports the start of a session",
			"subagent":        "subagents run in its gateway only, where a guard was seen to block one",
			"from-blade":      "only its gateway reports the start of a session",
			"gate":            "a refused stop is ignored after a call that may have changed something",
		},
		files: func(r run) map[string]string {
			return map[string]string{".openclaw/openclaw.json": openclawConfig(r)}
		},
		env: func(run) []string { return []string{"OPENCLAW_NO_UPDATE_CHECK=1"} },
		args: func(_ run, t turn) []string {
			return []string{"agent", "--local", "--agent", "main", "--message", t.prompt}
		},
		raw: func(_ run, event, command string) string { return fmt.Sprintf(openclawRaw, event, command) },
	}
}

func openclawConfig(r run) string {
	exec := `{"mode": "full"}`
	if !r.grant {
		exec = `{"mode": "ask"}`
	}
	return fmt.Sprintf(`{
  "agents": {"defaults": {"model": "scripted/scripted", "workspace": %q}},
  "tools": {"exec": %s, "toolSearch": {"enabled": false}},
  "plugins": {"entries": {"agent-hooks": {"enabled": true, "hooks": {"allowConversationAccess": true}}}},
  "models": {"providers": {"scripted": {
    "baseUrl": "%s/v1", "apiKey": "dummy", "api": "openai-completions",
    "models": [{"id": "scripted", "name": "scripted", "contextWindow": 100000, "maxTokens": 4000, "input": ["text"], "reasoning": false}]
  }}}
}
`, r.work(), exec, modelURL)
}

const openclawRaw = `import { spawnSync } from "node:child_process"
export default {
  id: "raw",
  register(api) {
    api.on(%q, (event, ctx) => {
      const r = spawnSync("sh", ["-c", %q], { input: JSON.stringify({ event, ctx }), encoding: "utf8" })
      if (r.status === 2) throw new Error(r.stderr)
    })
  },
}
`
