package agenthooks_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// exampleProject creates a project with a guard and an async hook.
func exampleProject() (dir string, remove func()) {
	dir, err := os.MkdirTemp("", "project")
	if err != nil {
		log.Fatal(err)
	}
	hooks := filepath.Join(dir, ".agents", "hooks")
	for name, parts := range map[string][2]string{
		"no-rm": {"matcher:\n  tool: Shell\n  pattern: '^rm '", `echo "rm is not allowed here" >&2; exit 2`},
		"later": {"async: true", "exit 0"},
	} {
		if err := writeHook(hooks, name, parts[1], parts[0]); err != nil {
			log.Fatal(err)
		}
	}
	return dir, func() { os.RemoveAll(dir) }
}

// An agent runs the hooks before it calls a tool.
func Example() {
	project, remove := exampleProject()
	defer remove()

	hooks := agenthooks.Load(agenthooks.Options{
		Project:  project,
		Agent:    agenthooks.Agent{Name: "my-agent"},
		Isolated: true, // in this example; an agent honors its user's hooks.toml
	})
	call := []byte(`{"tool_name": "bash", "tool_input": {"command": "rm -rf /"}}`)
	event, warnings := protocol.ParseEvent(spec.PreToolCall, call, "2026-01-02T03:04:05Z")
	report := hooks.Plan(event).Run(context.Background(), agenthooks.RunOptions{})
	for _, w := range append(warnings, report.Warnings...) {
		fmt.Println("warning:", w)
	}
	input := event.ToolInput()
	if changed := report.Answer.ModifiedInput; changed != nil {
		input = changed
	}
	switch {
	case report.Blocked:
		fmt.Printf("%s: %s\n", report.BlockedBy, report.Answer.Reason)
	case report.Answer.Decision == protocol.Ask:
		fmt.Printf("execute the tool with %s only if the user agrees: %s\n", input, report.Answer.Reason)
	default:
		fmt.Printf("execute the tool with %s\n", input)
	}
	// Output:
	// no-rm: rm is not allowed here
}

// A plan shows which hooks would run, and why the others would not, without
// running anything.
func ExampleHooks_Plan() {
	project, remove := exampleProject()
	defer remove()

	hooks := agenthooks.Load(agenthooks.Options{Project: project, Isolated: true})
	call := []byte(`{"tool_name": "bash", "tool_input": {"command": "ls"}}`)
	event, warnings := protocol.ParseEvent(spec.PreToolCall, call, "2026-01-02T03:04:05Z")
	for _, w := range warnings {
		fmt.Println("warning:", w)
	}
	for _, row := range hooks.Plan(event).Rows {
		if row.Runs {
			fmt.Println(row.Hook.Name, "runs")
		} else {
			fmt.Println(row.Hook.Name, "does not run:", row.Failed, "saw", row.Saw)
		}
	}
	// Output:
	// later runs
	// no-rm does not run: pattern saw {"command": "ls"}
}

// An agent that honors its user's guards sets only its project and its name:
// Load finds the user's hooks, hooks.toml and reviewed hooks through the
// environment. This example sets another home directory.
func ExampleLoad() {
	project, remove := exampleProject()
	defer remove()
	home := filepath.Join(project, "home")
	user := filepath.Join(home, ".config", "agents")
	if err := writeHook(filepath.Join(user, "hooks"), "my-guard", "exit 0"); err != nil {
		log.Fatal(err)
	}
	config := "[hooks]\nrequire-trust = true\n" // the user has not reviewed the project's no-rm
	if err := os.WriteFile(filepath.Join(user, "hooks.toml"), []byte(config), 0o644); err != nil {
		log.Fatal(err)
	}

	hooks := agenthooks.Load(agenthooks.Options{Project: project, Agent: agenthooks.Agent{Name: "my-agent"}, Environ: append(os.Environ(), "HOME="+home, "USERPROFILE="+home), AccountHome: home})
	call := []byte(`{"tool_name": "bash", "tool_input": {"command": "rm -rf /"}}`)
	event, warnings := protocol.ParseEvent(spec.PreToolCall, call, "2026-01-02T03:04:05Z")
	for _, w := range warnings {
		fmt.Println("warning:", w)
	}
	report := hooks.Plan(event).Run(context.Background(), agenthooks.RunOptions{})
	for _, h := range report.Hooks {
		fmt.Printf("%s: %s\n", h.Hook, h.Outcome)
	}
	// Output:
	// my-guard: none
	// later: not-concerned
	// no-rm: not-concerned
}

// A canceled run is reported as blocked.
func ExamplePlan_Run_cancel() {
	project, remove := exampleProject()
	defer remove()
	if err := writeHook(filepath.Join(project, ".agents", "hooks"), "slow", "sleep 60"); err != nil {
		log.Fatal(err)
	}

	hooks := agenthooks.Load(agenthooks.Options{Project: project, Isolated: true})
	call := []byte(`{"tool_name": "bash", "tool_input": {"command": "ls"}}`)
	event, warnings := protocol.ParseEvent(spec.PreToolCall, call, "2026-01-02T03:04:05Z")
	for _, w := range warnings {
		fmt.Println("warning:", w)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	report := hooks.Plan(event).Run(ctx, agenthooks.RunOptions{})
	fmt.Println("canceled:", report.Canceled)
	fmt.Println("blocked:", report.Blocked)
	// Output:
	// canceled: true
	// blocked: true
}

// An agent describes the active hooks in its system prompt.
func ExampleHooks_Prompt() {
	project, remove := exampleProject()
	defer remove()

	hooks := agenthooks.Load(agenthooks.Options{Project: project, Isolated: true})
	prompt, _ := hooks.Prompt()
	for _, h := range prompt {
		fmt.Println(h.Name, "runs on", h.Trigger)
	}
	fmt.Println(strings.HasPrefix(prompt.String(), "<available_hooks>\n<hook>\n<name>\n"))
	// Output:
	// later runs on pre-tool-call
	// no-rm runs on pre-tool-call
	// true
}
