package main

import "fmt"

func geminiCLI() client {
	return client{
		name: "gemini-cli", packages: []string{"@google/gemini-cli@0.61.0"}, program: "gemini",
		hookFile: ".gemini/settings.json",
		plugin:   [][]string{{"extensions", "install", repository + "/plugins/gemini-cli", "--consent"}},
		means:    geminiMeans(),
		untried:  map[string]string{"in an untrusted folder, it runs no hooks": "without a terminal, it does not start in one"},
		files: func(r run) map[string]string {
			files := map[string]string{".gemini/settings.json": fmt.Sprintf(geminiSettings, "")}
			if !r.grant {
				files[".gemini/policies/ask.toml"] = geminiAsks
			}
			return files
		},
		env: func(run) []string {
			return []string{"GEMINI_API_KEY=dummy", "GOOGLE_GEMINI_BASE_URL=" + modelURL, "GEMINI_CLI_NO_RELAUNCH=true"}
		},
		modes: map[string][]string{planMode: {"--approval-mode=plan"}, autoMode: {"--yolo"}},
		args: func(r run, t turn) []string {
			args := []string{"-m", "gemini-2.5-pro"}
			if t.mode != "" {
				args = append(args, r.modes[t.mode]...)
			} else {
				args = append(args, "--approval-mode=yolo")
			}
			if t.goesOn {
				args = append(args, "--resume", "latest")
			}
			return append(args, "-p", t.prompt)
		},
		headless: map[string]string{"live": "without a terminal, its default mode offers no shell tool, and the scripted model calls no other"},
		raw: func(_ run, event, command string) string {
			return fmt.Sprintf(geminiSettings, fmt.Sprintf(`"hooks": {%q: [{"hooks": [{"type": "command", "command": %q}]}]},`, event, command))
		},
	}
}

// geminiAsks makes Gemini ask before it runs a command. In its default mode, it does not offer
// the tool without a terminal.
const geminiAsks = `[[rule]]
toolName = "run_shell_command"
decision = "ask_user"
priority = 999
`

const geminiSettings = `{
  // a comment that must stay
  "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}},%s
  "privacy": {"usageStatisticsEnabled": false},
  "telemetry": {"enabled": false},
  "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false}
}
`
