package main

import (
	"fmt"
	"slices"

	"github.com/agent-hooks/agent-hooks/e2e/model"
)

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
			"from-blade":      "only its gateway reports the start of a session",
			"gate":            "a refused stop is ignored after a call that may have changed something",
		},
		files: func(r run) map[string]string {
			return map[string]string{".openclaw/openclaw.json": openclawConfig(r)}
		},
		env: func(run) []string { return []string{"OPENCLAW_NO_UPDATE_CHECK=1"} },
		approve: func(r run) []command {
			if !hasSubagent(r.Script) {
				return nil
			}
			gateway := shell("gateway", r.programPath(r.cache)+` gateway run > "$HOME/gateway.log" 2>&1 &
timeout 90 bash -c 'until (echo > /dev/tcp/127.0.0.1/18789) 2> /dev/null; do sleep 0.5; done'`)
			gateway.Env = r.env(r)
			return []command{gateway}
		},
		args: func(r run, t turn) []string {
			args := []string{"agent", "--agent", "main", "--message", t.prompt}
			if !hasSubagent(r.Script) { // which run in its gateway only
				args = append(args, "--local")
			}
			return args
		},
		raw: func(_ run, event, command string) string { return fmt.Sprintf(openclawRaw, event, command) },
	}
}

func hasSubagent(script []model.Step) bool {
	return slices.ContainsFunc(script, func(s model.Step) bool { return s.Subagent != nil })
}

func openclawConfig(r run) string {
	exec := `{"mode": "full"}`
	if !r.grant {
		exec = `{"mode": "ask"}`
	}
	return fmt.Sprintf(`{
  "gateway": {"mode": "local", "port": 18789, "auth": {"mode": "token", "token": "dummy"}},
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
