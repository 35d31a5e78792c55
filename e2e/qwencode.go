package main

import "fmt"

func qwenCode() client {
	return client{
		name: "qwen-code", packages: []string{"@qwen-code/qwen-code@0.24.4"}, program: "qwen",
		quiet:    true,
		hookFile: ".qwen/settings.json",
		plugin:   [][]string{{"extensions", "install", repository + "/plugins/qwen-code", "--consent"}},
		means:    qwenMeans(),
		modes:    map[string][]string{planMode: {"--approval-mode=plan"}, autoMode: {"--yolo"}, judgeMode: {"--approval-mode=auto", "--allowed-tools", "run_shell_command,edit,write_file"}},
		files: func(run) map[string]string {
			return map[string]string{".qwen/settings.json": fmt.Sprintf(qwenSettings, "")}
		},
		env: func(run) []string {
			return []string{"OPENAI_API_KEY=dummy", "OPENAI_BASE_URL=" + modelURL + "/v1", "OPENAI_MODEL=scripted", "NO_UPDATE_NOTIFIER=1"}
		},
		args: func(r run, t turn) []string {
			var args []string
			if t.mode != "" {
				args = append(args, r.modes[t.mode]...)
			} else if r.grant {
				args = append(args, "--approval-mode=yolo")
			}
			if t.goesOn {
				args = append(args, "--continue")
			}
			return append(args, "-p", t.prompt)
		},
		headless: map[string]string{
			"live":     "without a terminal, its default mode offers no shell tool, and the scripted model calls no other",
			"examples": noSessionEnd,
		},
		raw: func(_ run, event, command string) string {
			return fmt.Sprintf(qwenSettings, fmt.Sprintf(`"hooks": {%q: [{"hooks": [{"type": "command", "command": %q}]}]},`, event, command))
		},
	}
}

const qwenSettings = `{
  // a comment that must stay
  "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": false}},%s
  "privacy": {"usageStatisticsEnabled": false},
  "telemetry": {"enabled": false},
  "general": {"enableAutoUpdate": false, "disableAutoUpdate": true, "disableUpdateNag": true}
}
`
