package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/agents"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/internal/setup/importer"
	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
	"github.com/agent-hooks/agent-hooks/testdata/events"
)

// TestImportedSpellings imports an entry for each event that an agent has under several names, and
// for each that other agents' events of the same trigger are not. It checks that the hook runs, and
// blocks if its agent would, when its own and six other agents call.
func TestImportedSpellings(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no sh")
	}
	callers := []string{"claude-code", "codex", "gemini-cli", "cursor", "qwen-code", "kimi-code"}
	tested := 0
	for _, a := range agent.All() {
		if !slices.ContainsFunc(a.Settings, func(s agent.Settings) bool { return s.Layout != nil && s.Layout.Key == "" }) || a.Converses {
			continue
		}
		for _, row := range a.Rows() {
			if len(row.Spec()) == 0 || row.NotImported != "" || row.Tool != "" || strings.Contains(strings.ToLower(row.Name), "mcp") || a.EventFor(row.Spec()[0]).Name == row.Name {
				continue
			}
			tested++
			hooks := imported(t, a, row.Name)
			for _, name := range append(callers, a.Name) {
				caller := agent.Find(name)
				sent := caller.EventFor(row.Spec()[0])
				if a.Separate(row.Name) {
					sent = caller.InSettings(row.Name)
				}
				if sent == nil || a.Separate(row.Name) && caller.NameField() != a.NameField() {
					continue
				}
				report := called(t, hooks, caller, sent, row.Spec()[0])
				judged, _, _ := a.Judge(row, "h", protocol.Exit{Status: 2, Stderr: []byte("no")}, true)
				if len(report.Hooks) != 1 || report.Hooks[0].Runs != 1 {
					t.Errorf("%s: %s: not run for %s of %s: %+v %q", a.Name, row.Name, sent.Name, name, report.Hooks, report.Warnings)
				} else if report.Answer.Decision != judged.Decision {
					t.Errorf("%s: %s: %q for %s of %s, want %q: %q", a.Name, row.Name, report.Answer.Decision, sent.Name, name, judged.Decision, report.Warnings)
				}
			}
		}
	}
	if tested < 40 {
		t.Errorf("only %d events", tested)
	}
}

// imported returns the options with which the hook of an entry for an event of an agent is loaded.
// The entry blocks.
func imported(t *testing.T, a *agent.Agent, event string) agenthooks.Options {
	t.Helper()
	dir := t.TempDir()
	project := filepath.Join(dir, "project")
	entry := `{"type": "command", "command": "echo no >&2; exit 2"}`
	file, text := "settings.json", fmt.Sprintf(`{"version": 1, "hooks": {%q: [%s]}}`, event, entry)
	switch layout := layoutOf(a); {
	case layout.Grouped:
		text = fmt.Sprintf(`{"hooks": {%q: [{"hooks": [%s]}]}}`, event, entry)
	case layout.Flat:
		text = fmt.Sprintf(`{"hooks": [{%q: %q, %s]}`, a.EventKey(), event, entry[1:])
	}
	for path, content := range map[string]string{filepath.Join(project, ".git", "HEAD"): "ref: refs/heads/main\n", filepath.Join(project, file): text} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := importer.System{
		System:    install.System{Home: filepath.Join(dir, "home"), Project: project, StateDir: filepath.Join(dir, "state"), GOOS: "linux", Getenv: func(string) string { return "" }},
		UserHooks: filepath.Join(dir, "home", ".config", "agents", "hooks"),
	}
	plan, err := s.Read(importer.Selection{Agent: a, Scope: importer.User, Files: []string{filepath.Join(project, file)}})
	if err == nil {
		_, err = s.Apply(plan, false)
	}
	if err != nil || len(plan.Hooks) != 1 {
		t.Fatalf("%s: %s: %v: %+v", a.Name, text, err, plan)
	}
	return agenthooks.Options{
		Project: project, Environ: []string{"HOME=" + s.Home, "PATH=" + os.Getenv("PATH")}, AccountHome: s.Home, StateDir: filepath.Join(dir, "state"),
		Scripts: agents.Script, NoLog: true,
	}
}

func layoutOf(a *agent.Agent) *agent.Layout {
	i := slices.IndexFunc(a.Settings, func(s agent.Settings) bool { return s.Layout != nil })
	return a.Settings[i].Layout
}

// called returns the report for a sample of an event that an agent sends.
func called(t *testing.T, o agenthooks.Options, caller *agent.Agent, sent *agent.NativeEvent, event spec.EventType) *agenthooks.Report {
	t.Helper()
	sample, err := events.Sample(string(event))
	if err != nil {
		t.Fatal(err)
	}
	own, _ := protocol.ParseEvent(event, sample, "2026-01-01T00:00:00Z")
	payload := caller.Foreign(own, nil, script.Hook{Project: o.Project, WorkDir: o.Project, Event: sent.Name}).Stdin
	call, err := caller.Decode(payload, sent.Name)
	if err != nil {
		t.Fatal(err)
	}
	e, _ := call.Parse(event, "2026-01-01T00:00:00Z")
	o.Agent, o.Event = agents.Named(caller.Name), e
	return agenthooks.Load(o).Plan(e).Run(t.Context(), agenthooks.RunOptions{Caller: call, Ask: agenthooks.Express, Modify: agenthooks.Express})
}
