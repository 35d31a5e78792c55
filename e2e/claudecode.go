package main

import "fmt"

func claudeCode() client {
	return client{
		name: "claude-code", packages: []string{"@anthropic-ai/claude-code@2.1.332"}, program: "claude",
		hookFile:    ".claude/settings.json",
		quiet:       true,
		printsHooks: true,
		means:       claudeMeans(),
		untried:     map[string]string{serverSettings: fromServer},
		modes: map[string][]string{
			textMode:  {"--allowedTools", "Bash"},
			planMode:  {"--permission-mode", "plan"},
			autoMode:  {"--dangerously-skip-permissions"},
			judgeMode: {"--permission-mode", "auto"},
		},
		plugin: [][]string{{"plugin", "marketplace", "add", repository}, {"plugin", "install", "agent-hooks@agent-hooks"}},
		files: func(r run) map[string]string {
			return map[string]string{
				".claude.json": fmt.Sprintf(`{"hasCompletedOnboarding": true, "projects": {%q: {"hasTrustDialogAccepted": true}}}`, r.work()),
				".claude/settings.json": `{
  "cleanupPeriodDays": 30,
	"hooks": {
		"Notification": [{"hooks": [{"type": "command", "command": "true"}]}]
	},
  "includeCoAuthoredBy": false
}
`,
			}
		},
		env: func(run) []string {
			return []string{
				"ANTHROPIC_BASE_URL=" + modelURL, "ANTHROPIC_API_KEY=dummy", "DISABLE_TELEMETRY=1",
				"DISABLE_ERROR_REPORTING=1", "IS_SANDBOX=1", "DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
			}
		},
		args: func(r run, t turn) []string {
			args := []string{"-p", "--model", "claude-sonnet-4-5", t.prompt}
			if t.goesOn {
				args = append(args, "--continue")
			}
			if t.hooks {
				args = append(args, "--output-format", "stream-json", "--verbose", "--include-hook-events")
			}
			if t.mode != "" {
				args = append(args, r.modes[t.mode]...)
			} else if r.grant {
				args = append(args, "--allowedTools", "Bash,Read,Write,Edit,Agent,Task,mcp__"+noteServer)
			}
			return args
		},
		raw: func(_ run, event, command string) string {
			return fmt.Sprintf(`{"hooks": {%q: [{"hooks": [{"type": "command", "command": %q}]}]}}`, event, command)
		},
	}
}
