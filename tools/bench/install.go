package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Peers that are installed from a registry, each into its own directory.

// lefthook runs without npm's wrapper in Node.
func (b *bench) lefthook(p project) (process, error) {
	dir, err := b.repository("lefthook", "lefthook.yml", "pre-tool-call:\n  jobs:\n    - run: "+p.firstScript()+"\n")
	if err != nil {
		return process{}, err
	}
	if err := npmInstall(dir, "lefthook"); err != nil {
		return process{}, err
	}
	programs, err := filepath.Glob(filepath.Join(dir, "node_modules", "lefthook-*", "bin", "lefthook"))
	if err != nil || len(programs) != 1 {
		return process{}, fmt.Errorf("%w: npm brought %d programs for this system", errNotHere, len(programs))
	}
	return b.process(dir, b.event, program{programs[0]}, "run", "pre-tool-call"), nil
}

func (b *bench) husky(p project) (process, error) {
	dir, err := b.repository("husky", ".husky/pre-commit", p.firstScript()+"\n")
	if err != nil {
		return process{}, err
	}
	if err := npmInstall(dir, "husky"); err != nil {
		return process{}, err
	}
	if err := install(dir, "npm", "exec", "--no", "husky"); err != nil {
		return process{}, err
	}
	return b.process(dir, b.event, program{filepath.Join(dir, ".husky", "_", "pre-commit")}), nil
}

// cchook runs hooks for Claude Code, so its event is in that agent's format.
func (b *bench) cchook(p project) (process, error) {
	config := "PreToolUse:\n  - matcher: Bash\n    conditions:\n      - type: command_contains\n        value: git push\n    actions:\n      - type: command\n        command: " + p.firstScript() + "\n"
	dir, err := b.repository("cchook", "config.yaml", config)
	if err != nil {
		return process{}, err
	}
	event := filepath.Join(dir, "event.json")
	text := `{"session_id": "bench", "cwd": "/", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push origin main"}}`
	if err := os.WriteFile(event, []byte(text), 0o644); err != nil {
		return process{}, err
	}
	if err := install(dir, "env", "GOBIN="+dir, "go", "install", "github.com/syou6162/cchook@latest"); err != nil {
		return process{}, err
	}
	return b.process(dir, event, program{filepath.Join(dir, "cchook")}, "-config", filepath.Join(dir, "config.yaml"), "-event", "PreToolUse"), nil
}

// repository creates a Git repository with one file and no commits.
func (b *bench) repository(name, file, text string) (string, error) {
	dir := filepath.Join(b.dir, name)
	file = filepath.Join(dir, file)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
		return "", err
	}
	return dir, install(dir, "git", "init", "--quiet")
}

func npmInstall(dir, name string) error {
	return install(dir, "npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", dir, name)
}

// install runs a command that installs a peer. Its errors are printed on the terminal, not on
// the page.
func install(dir string, argv ...string) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	fmt.Fprintf(os.Stderr, "bench: %s: %v\n%s", strings.Join(argv, " "), err, out)
	return fmt.Errorf("%w: it cannot be installed here", errNotHere)
}
