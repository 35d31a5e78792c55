package examples_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/examples"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// The names of the sets whose decisions testdata has.
const (
	commands = "block-dangerous-commands"
	secrets  = "protect-secrets"
)

// guards are examples that answer without a script, as hooks of a user with an empty project.
type guards struct {
	hooks *agenthooks.Hooks
}

func loadGuards(t *testing.T, names []string) guards {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the tables have paths of Unix")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home, config := filepath.Join(dir, "home"), filepath.Join(dir, "config")
	project := filepath.Join(home, "code", "app")
	if err := os.MkdirAll(filepath.Join(project, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := os.CopyFS(filepath.Join(config, "agents", "hooks", name), os.DirFS(filepath.Join(hooksDir, name))); err != nil {
			t.Fatal(err)
		}
	}
	return guards{agenthooks.Load(agenthooks.Options{
		Project: project, Dir: project, ConfigDir: config, StateDir: t.TempDir(), NoConfig: true,
		Environ: []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")},
	})}
}

// stops returns the names of the guards that do not let an event pass.
func (g guards) stops(t *testing.T, event []byte) (names []string) {
	t.Helper()
	parsed, _ := protocol.ParseEvent(spec.PreToolCall, event, "2026-01-02T03:04:05Z")
	for _, row := range g.hooks.Plan(parsed).Rows {
		if row.Runs && row.Passed == "" {
			names = append(names, row.Hook.Name)
		}
	}
	return names
}

// check checks whether at least one of the guards stops each event.
func check[T any](t *testing.T, g guards, stop bool, inputs []T, event func(T) []byte) {
	t.Helper()
	for _, in := range inputs {
		if names := g.stops(t, event(in)); (len(names) > 0) != stop {
			t.Errorf("%.200s: stopped by %q, want %t", encode(t, in), names, stop)
		}
	}
}

// decisions reads a table of commands in testdata, by what the guards decide.
func decisions(t *testing.T, name string) map[string][]string {
	t.Helper()
	table := map[string][]string{}
	for line := range strings.Lines(string(read(t, filepath.Join("testdata", name+".txt")))) {
		if line = strings.TrimSuffix(line, "\n"); line == "" || line[0] == '#' {
			continue
		}
		decision, command, ok := strings.Cut(line, "  ")
		if !ok || decision != "deny" && decision != "pass" {
			t.Fatalf("%s.txt: %q is neither deny nor pass and a command", name, line)
		}
		table[decision] = append(table[decision], strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "\r").Replace(command))
	}
	return table
}

// TestDecisions runs the guards of each set on the commands of its table.
func TestDecisions(t *testing.T) {
	t.Parallel()
	shell := func(c string) []byte { return toolEvent(t, "Bash", map[string]any{"command": c}) }
	for _, set := range []string{commands, secrets} {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			g := loadGuards(t, examples.Successors(set))
			for decision, list := range decisions(t, set) {
				check(t, g, decision == "deny", list, shell)
			}
		})
	}
}

// Inputs of other forms than {"command": "…"}, and invalid events.
func TestDangerousEvents(t *testing.T) {
	t.Parallel()
	g := loadGuards(t, examples.Successors(commands))
	whole := func(e string) []byte { return []byte(e) }
	check(t, g, true, []string{
		`{"tool_name": "Bash", "tool_input": {"cmd": "rm -rf /"}}`, `{"tool_name": "run_command", "tool_input": {"CommandLine": "rm -rf /"}}`,
		`{"tool_name": "Bash", "tool_input": {"commands": ["ls", "rm -rf /"]}}`, `{"tool_name": "Bash", "tool_input": {"command": ["rm", "-rf", "/"]}}`,
		`{"tool_name": "Bash", "tool_input": {"command": ["bash", "-lc", "rm -rf /"]}}`, `{"tool_name": "Bash", "tool_input": "{\"command\": \"rm -rf /\"}"}`,
		`{"tool_name": "Bash", "tool_input": {"command": "rm -rf /", "command": "ls"}}`, `{"tool_name": "Bash", "tool_input": {"command": "ls", "command": "rm -rf /"}}`,
		`{"tool_name": "Bash", "tool_input": {"command": "rm -rf /"}, "tool_input": {"command": "ls"}}`, `{"tool_name": "mystery", "tool_input": {"cmdline": "rm -rf /"}}`,
		`{"tool_name": "Bash", "tool_input": {"line": "rm -rf /"}}`, `{"tool_name": "Bash", "tool_input": {"command": "rm -rf \ud800"}}`,
		"{\"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"rm -rf \xff\"}}", `{"tool_name": "Bash"}`, `[]`, `nonsense`,
	}, whole)
	check(t, g, false, []string{
		`{"tool_name": "Bash", "tool_input": {"restart": true}}`,
		`{"tool_name": "Bash", "tool_input": {"command": "ls", "description": "rm -rf the old one"}}`, `{"tool_name": "mcp__fs__read_file", "tool_input": {"path": "src"}}`,
	}, whole)
}

func TestSecretInputs(t *testing.T) {
	t.Parallel()
	g := loadGuards(t, examples.Successors(secrets))
	file := func(in map[string]any) []byte { return toolEvent(t, "Tool", in) }
	check(t, g, true, []map[string]any{
		{"file_path": ".env"}, {"filePath": "/x/.ENV.local"}, {"path": "../a/.ssh/config"}, {"TargetFile": "a/id_ed25519"}, {"paths": []string{"a", ".env"}},
		{"path": "file:///x/.env"}, {"command": []string{"cat", ".env"}}, {"edits": []any{map[string]any{"file_path": "k.pem"}}}, {"paths": []any{[]any{".env"}}},
		{"path": "~/.docker/config.json"}, {"args": `{"path": ".env"}`},
	}, file)
	check(t, g, false, []map[string]any{
		{"file_path": "a.go", "content": "cat .env\n*** Update File: .env"}, {"file_path": ".env.example"}, {"prompt": "read .env"}, {},
		{"url": "https://example.com/x"}, {"patchText": "*** Update File: a.go\n+.env"},
	}, file)
}
