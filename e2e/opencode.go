package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func opencode() client {
	return client{
		name: "opencode", packages: []string{"opencode-ai@1.18.33", "@opencode-ai/plugin@1.18.33"}, program: "opencode",
		hookFile: ".config/opencode/plugins/raw.js",
		means:    opencodeMeans(),
		files: func(r run) map[string]string {
			return map[string]string{
				".config/opencode/opencode.json": opencodeConfig(r),
				".config/opencode/package.json":  `{"dependencies": {"@opencode-ai/plugin": "1.18.33"}}`,
				".npmrc":                         "registry=" + modelURL + "\nfetch-retries=0\n",
			}
		},
		env: func(run) []string {
			return []string{
				"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1",
				"OPENCODE_DISABLE_SHARE=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1",
			}
		},
		modes: map[string][]string{planMode: {"--agent", "plan"}, autoMode: {"--auto"}},
		args: func(r run, t turn) []string {
			args := append([]string{"run"}, r.modes[t.mode]...)
			if t.goesOn {
				args = append(args, "--continue")
			}
			return append(args, t.prompt)
		},
		raw:     func(_ run, event, command string) string { return fmt.Sprintf(opencodeRaw, event, command) },
		prepare: linkOpencodePlugin,
		headless: map[string]string{
			"context-compact": "`opencode run` compacts only a long conversation",
			"gate":            "`opencode run` ends before the next prompt",
			"from-blade":      "`opencode run` ends before the next prompt",
			"version 2":       "the program could not be had; its part of the plugin was tested with a stand-in for the plugin API, after the published types",
		},
	}
}

const opencodeRaw = `import { spawnSync } from "node:child_process"
export const Raw = async () => ({
  %q: async (input, output) => {
    const r = spawnSync("sh", ["-c", %q], { input: JSON.stringify({ input, output }), encoding: "utf8" })
    if (r.status === 2) throw new Error(r.stderr)
  },
})
`

func opencodeConfig(r run) string {
	permission := "ask"
	if r.grant {
		permission = "allow"
	}
	return fmt.Sprintf(`{
  "$schema": "https://opencode.ai/config.json",
  "model": "scripted/scripted",
  "small_model": "scripted/scripted",
  "share": "disabled",
  "autoupdate": false,
  "permission": {"bash": %q},
  "provider": {
    "scripted": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "scripted",
      "options": {"baseURL": "%s/v1", "apiKey": "dummy"},
      "models": {"scripted": {"name": "scripted"}}
    }
  }
}
`, permission, modelURL)
}

// linkOpencodePlugin links the plugin package to the place where OpenCode would install it at
// each start, which takes over a minute offline.
func linkOpencodePlugin(r run) error {
	config := filepath.Join(r.home(), ".config", "opencode")
	lock, err := os.ReadFile(filepath.Join(r.folder(r.cache), "package-lock.json"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(config, "package-lock.json"), lock, 0o600); err != nil {
		return err
	}
	return os.Symlink(filepath.Join(r.folder(r.cache), "node_modules"), filepath.Join(config, "node_modules"))
}
