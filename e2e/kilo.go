package main

import (
	"os"
	"path/filepath"
	"strings"
)

// kilo is built from OpenCode, with folders and variables of its own.
func kilo() client {
	c := opencode()
	c.name, c.packages, c.program = "kilo", []string{"@kilocode/cli@7.7.7"}, "kilo"
	c.hookFile = ".config/kilo/plugin/raw.js"
	c.unmanaged, c.means = true, nil
	renamed := strings.NewReplacer("OPENCODE", "KILO", "opencode", "kilo")
	env := c.env
	c.files = func(r run) map[string]string {
		const installed = `{"dependencies": {"@kilocode/plugin": "7.7.7"}}`
		files := map[string]string{".config/kilo/kilo.json": opencodeConfig(r)}
		for _, folder := range kiloFolders {
			files[folder+"/package.json"] = installed
			files[folder+"/package-lock.json"] = `{"lockfileVersion": 3, "packages": {"": ` + installed + `}}`
		}
		return files
	}
	c.env = func(r run) []string { return strings.Split(renamed.Replace(strings.Join(env(r), " ")), " ") }
	// The package for plugins would be installed at each start, which takes a minute offline; only
	// plugins in TypeScript need it.
	c.prepare = func(r run) error {
		for _, folder := range kiloFolders {
			if err := os.Mkdir(filepath.Join(r.home(), folder, "node_modules"), 0o755); err != nil {
				return err
			}
		}
		return nil
	}
	return c
}

// kiloFolders are those of the user's and the project's settings, from the home folder.
var kiloFolders = [...]string{".config/kilo", "../work/.kilo"}
