package agenthooks_test

import (
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// embedder is a minimal coding agent with hooks.
const embedder = `package main

import (
	"context"
	"fmt"
	"os"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

func main() {
	hooks := agenthooks.Load(agenthooks.Options{Project: os.Args[1], Agent: agenthooks.Agent{Name: "embedder"}, TrustProject: true, AccountHome: os.Getenv("HOME")})
	call := []byte(` + "`" + `{"tool_name": "bash", "tool_input": {"command": "rm -rf /"}}` + "`" + `)
	event, _ := protocol.ParseEvent(spec.PreToolCall, call, time.Now().UTC().Format(time.RFC3339))
	report := hooks.Plan(event).Run(context.Background(), agenthooks.RunOptions{})
	fmt.Println(report.Blocked, report.BlockedBy, report.Answer.Reason)
}
`

// TestEmbedder builds an agent in its own module and checks that it applies its
// user's hooks.toml and trust, and writes the run log (D70).
func TestEmbedder(t *testing.T) {
	s := newScratch(t)
	program := buildEmbedder(t)
	home := t.TempDir()
	users := filepath.Join(home, ".config", "agents")
	run := func() string {
		t.Helper()
		cmd := osexec.Command(program, s.project)
		cmd.Dir, cmd.Env = t.TempDir(), []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	expect := func(what, want string) {
		t.Helper()
		if got := run(); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	s.hook("theirs", "echo unreviewed >&2; exit 2")
	expect("a project's hook", "true theirs unreviewed")
	s.must(writeHook(filepath.Join(users, "hooks"), "mine", "echo no >&2; exit 2", "priority: 500"))
	expect("the user's hook", "true mine no")
	toml := filepath.Join(users, "hooks.toml")
	s.must(os.WriteFile(toml, []byte("[[hooks.disable]]\nname = \"mine\"\n"), 0o644))
	expect("disabled", "true theirs unreviewed")
	s.must(os.WriteFile(toml, []byte("[hooks]\nrequire-trust = true\n[[hooks.disable]]\nname = \"mine\"\n"), 0o644))
	expect("trust required", "false")
	log, err := os.ReadFile(filepath.Join(home, ".local", "state", "agent-hooks", "runs.jsonl"))
	if err != nil || strings.Count(string(log), `"agent":"embedder"`) != 3 {
		t.Errorf("the run log: %v\n%s", err, log)
	}
}

// buildEmbedder builds the agent, with dependencies only from the module cache.
func buildEmbedder(t *testing.T) string {
	t.Helper()
	needsGo(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	text := strings.Replace(string(mod), "module "+module, "module example.org/embedder", 1) +
		"\nrequire " + module + " v0.0.0\nreplace " + module + " => " + here + "\n"
	for name, content := range map[string]string{"main.go": embedder, "go.mod": text, "go.sum": string(sums)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "embedder")
	cmd := osexec.Command("go", "build", "-mod=mod", "-o", program, ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOPROXY=off", "GOFLAGS=", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}
