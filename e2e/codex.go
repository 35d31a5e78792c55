package main

import (
	"fmt"
	"time"
)

func codex() client {
	return client{
		name: "codex", packages: []string{"@openai/codex@0.171.0"}, program: "codex",
		loginShell: true,
		quiet:      true,
		means:      codexMeans(),
		untried: map[string]string{
			serverSettings: fromServer,
			"text typed into a running process (write_stdin) reaches no hook": "seen in the scenario typed",
		},
		plugin:   [][]string{{"plugin", "marketplace", "add", repository}, {"plugin", "add", "agent-hooks@agent-hooks"}},
		hookFile: ".codex/hooks.json",
		modes:    map[string][]string{planMode: {"app-server"}, autoMode: {"--dangerously-bypass-approvals-and-sandbox"}, judgeMode: {"--approve-for-me"}},
		files:    func(r run) map[string]string { return map[string]string{".codex/config.toml": codexConfig(r)} },
		env:      func(run) []string { return []string{"SCRIPTED_KEY=dummy"} },
		args: func(r run, t turn) []string {
			if t.mode == planMode {
				return r.modes[planMode]
			}
			args := []string{"exec", "--skip-git-repo-check"}
			if t.goesOn {
				args = append(args, "resume", "--last")
			}
			return append(append(args, r.modes[t.mode]...), t.prompt)
		},
		raw: func(_ run, event, command string) string {
			return fmt.Sprintf(`{"hooks": {%q: [{"hooks": [{"type": "command", "command": %q}]}]}}`, event, command)
		},
		approve: func(r run) []command {
			return []command{{
				Name: "trust", TrustHook: true, Timeout: 30 * time.Second,
				Args: []string{r.programPath(r.cache), "app-server"}, Env: []string{"SCRIPTED_KEY=dummy"},
			}}
		},
	}
}

const codexModel = "gpt-5.5"

// codexConfig has comments and an unusual order, which uninstall must preserve. The model is one
// that Codex knows, because it offers others no tool for writing files, and one that calls each
// tool itself instead of in a program.
func codexConfig(r run) string {
	approval, sandbox := "on-request", "read-only"
	if r.grant {
		approval, sandbox = "never", "danger-full-access"
	}
	return fmt.Sprintf(`# scripted model
model = "`+codexModel+`"
model_provider = "scripted"
approval_policy = %q   # headless
sandbox_mode = %q
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "%s/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[feedback]
enabled = false

[otel]
exporter = "none"

[projects.%q]
trust_level = "trusted"
`, approval, sandbox, modelURL, r.work())
}
