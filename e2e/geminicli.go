package main

import "fmt"

func geminiCLI() client {
	return client{
		name: "gemini-cli", packages: []string{"@google/gemini-cli@0.61.0"}, program: "gemini",
		hookFile: ".gemini/settings.json",
		files: func(run) map[string]string {
			return map[string]string{".gemini/settings.json": fmt.Sprintf(geminiSettings, "")}
		},
		env: func(run) []string {
			return []string{"GEMINI_API_KEY=dummy", "GOOGLE_GEMINI_BASE_URL=" + modelURL, "GEMINI_CLI_NO_RELAUNCH=true"}
		},
		args: func(r run, t turn) []string {
			args := []string{"-m", "gemini-2.5-pro"}
			if r.grant {
				args = append(args, "--approval-mode=yolo")
			}
			if t.goesOn {
				args = append(args, "--resume", "latest")
			}
			return append(args, "-p", t.prompt)
		},
		raw: func(_ run, event, command string) string {
			return fmt.Sprintf(geminiSettings, fmt.Sprintf(`"hooks": {%q: [{"hooks": [{"type": "command", "command": %q}]}]},`, event, command))
		},
	}
}

const geminiSettings = `{
  // a comment that must stay
  "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}},%s
  "privacy": {"usageStatisticsEnabled": false},
  "telemetry": {"enabled": false},
  "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false}
}
`
