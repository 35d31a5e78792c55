package main

import "fmt"

func copilot() client {
	return client{
		name: "copilot", packages: []string{"@github/copilot@1.0.102"}, program: "copilot",
		means:    copilotMeans(),
		hookFile: ".copilot/hooks/raw.json",
		quiet:    true,
		files: func(run) map[string]string {
			return map[string]string{".copilot/config.json": "{}"}
		},
		env: func(run) []string {
			return []string{
				"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=" + modelURL + "/v1", "COPILOT_MODEL=scripted",
				"COPILOT_PROVIDER_MAX_PROMPT_TOKENS=100000", "COPILOT_PROVIDER_MAX_OUTPUT_TOKENS=4000", "COPILOT_AUTO_UPDATE=false",
			}
		},
		modes: map[string][]string{planMode: {"--plan"}, autoMode: {"--yolo"}},
		args: func(r run, t turn) []string {
			args := []string{"--no-color", "-p", t.prompt}
			if t.mode != "" {
				args = append(args, r.modes[t.mode]...)
			} else if r.grant {
				args = append(args, "--allow-all-tools")
			}
			if t.goesOn { // the folder is trusted then
				args = append(args, "--continue")
			} else {
				args = append(args, "--trust-folder")
			}
			return args
		},
		raw: func(_ run, event, command string) string {
			return fmt.Sprintf(`{"version": 1, "hooks": {%q: [{"type": "command", "bash": %q}]}}`, event, command)
		},
	}
}
