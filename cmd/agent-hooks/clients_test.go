package main

import (
	"bytes"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestClients runs the clients of examples/clients against a server.
func TestClients(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]func(*testing.T, string) []string{"client.py": pythonClient, "client.ts": typescriptClient} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source, err := filepath.Abs(filepath.Join("..", "..", "examples", "clients", name))
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(source)
			if err != nil || bytes.Count(text, []byte("\n")) > 40 {
				t.Errorf("%d lines, %v", bytes.Count(text, []byte("\n")), err)
			}
			args := command(t, source)
			program, err := osexec.LookPath("agent-hooks")
			if err != nil {
				t.Fatal(err)
			}
			s := newServed(t)
			s.hook("guard", "echo no >&2; exit 2", "matcher: {pattern: '^rm '}")
			for command, want := range map[string]string{"rm -rf /": "blocked: no\n", "ls": "go on\n"} {
				cmd := osexec.Command(args[0], append(args[1:], program)...)
				cmd.Dir, cmd.Env = s.project, append(s.cmd.Env, "NODE_NO_WARNINGS=1")
				cmd.Stdin = strings.NewReader(`{"tool_name": "bash", "tool_input": {"command": "` + command + `"}}`)
				out, err := cmd.CombinedOutput()
				if err != nil || string(out) != want {
					t.Errorf("%s: %q, %v", command, out, err)
				}
			}
		})
	}
}

func pythonClient(t *testing.T, source string) []string {
	python, err := osexec.LookPath("python3")
	if err != nil {
		skipOrFail(t, "python3 is not installed")
	}
	return []string{python, "-I", source}
}

// typescriptClient runs the client with a Node that strips types, or without
// them if the typescript package is installed.
func typescriptClient(t *testing.T, source string) []string {
	node, err := osexec.LookPath("node")
	if err != nil {
		skipOrFail(t, "node is not installed")
	}
	probe := filepath.Join(t.TempDir(), "probe.ts")
	if err := os.WriteFile(probe, []byte("const x: number = 1;\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{nil, {"--experimental-strip-types"}} {
		if osexec.Command(node, append(flags, probe)...).Run() == nil {
			return append(append([]string{node}, flags...), source)
		}
	}
	target := filepath.Join(t.TempDir(), "client.mjs")
	transpile := osexec.Command(node, "-e", `const ts = require("typescript"), fs = require("fs"), [from, to] = process.argv.slice(1);
fs.writeFileSync(to, ts.transpileModule(fs.readFileSync(from, "utf8"), {compilerOptions: {target: "es2022", module: "esnext"}}).outputText)`, source, target)
	root, _ := osexec.Command("npm", "root", "-g").Output()
	transpile.Env = append(os.Environ(), "NODE_PATH="+os.Getenv("NODE_PATH")+string(filepath.ListSeparator)+strings.TrimSpace(string(root)))
	if err := transpile.Run(); err != nil {
		skipOrFail(t, "this node does not strip types, and the package typescript is not installed: npm install -g typescript")
	}
	return []string{node, target}
}
