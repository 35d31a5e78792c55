package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/e2e/model"
	"github.com/agent-hooks/agent-hooks/examples"
	"github.com/agent-hooks/agent-hooks/internal/agent"
)

// scenario is one conversation that tests one ability of the hooks in each client.
type scenario struct {
	name    string
	claim   string // its description in the table
	hooks   []hook
	script  []model.Step // default: call the shell tool, then answer with a text
	turns   []turn       // default: one
	ask     bool         // the client's own settings do not allow the tool
	files   map[string]string
	setup   bool       // setup instead of install
	imports [][]string // arguments of import, in the work folder, before install
	project []hook     // in the project's folder
	managed []hook     // in /etc, which is then the run's own
	trust   bool       // the user reviews these before the first turn
	remove  bool       // uninstall at the end
	live    bool       // doctor --live starts the client
	// repository makes this repository visible, for clients with a plugin.
	repository bool
	native     native // instead of install
	// commands returns the commands of the run, instead of the usual ones.
	commands func(r run) []command
	// can reports whether the agent has the ability according to its table, which must be
	// correct. nil: every agent must have it.
	can func(a *agent.Agent) bool
	// judge returns the client's ability in one or two words for the table, and the fault, or
	// "".
	judge func(s seen) (ability, fault string)
}

// native is a hook entry in the client's own format, to observe the client without agent-hooks.
type native struct{ event, command string }

// hook is one hook folder. In its script, $LOG is the run's log folder.
type hook struct {
	name    string
	folder  string // default: its name
	trigger string
	example string // the name of an example that is copied; then nothing else is set
	front   string // additional lines of the front matter
	script  string // "": none, because the HOOK.md has the answer
}

func (h hook) write(folder, log string) error {
	if h.example != "" {
		for _, f := range examples.Files(h.example) {
			if err := writeFile(filepath.Join(folder, h.example, f.Path), string(f.Data), 0o600); err != nil {
				return err
			}
		}
		return nil
	}
	front := fmt.Sprintf("---\nname: %s\ndescription: A hook of the end-to-end tests.\ntrigger: %s\n%s---\n", h.name, h.trigger, h.front)
	folder = filepath.Join(folder, cmp.Or(h.folder, h.name))
	if err := writeFile(filepath.Join(folder, "HOOK.md"), front, 0o600); err != nil {
		return err
	}
	if h.script == "" {
		return nil
	}
	script := fmt.Sprintf("#!/bin/bash\nLOG=%s\n%s\n", log, h.script)
	return writeFile(filepath.Join(folder, "scripts", "run"), script, 0o700)
}

// The model's commands create these files in the work folder.
const (
	ranFile     = "ran"
	changedFile = "changed"
)

// conversation returns the default script of the model.
func conversation() []model.Step {
	return []model.Step{{Shell: "printf 'from-the-%s' tool | tee " + ranFile}, {Say: "all done"}}
}

const (
	shellMatcher  = "matcher:\n  tool: Shell\n"
	changeCommand = `"modified_input": {"command": "echo changed-by-hook | tee ` + changedFile + `"}`
)

func answering(json string) string { return "cat > /dev/null\necho '" + json + "'" }

// observer returns a hook that logs each event with its payload and makes no decision.
func observer(event string) hook {
	return hook{
		name: "observe-" + event, trigger: event,
		script: `(cat; echo) >> "$LOG/events.jsonl"`,
	}
}

func events() []string {
	return []string{
		"pre-session", "post-session", "pre-agent-turn", "post-agent-turn", "pre-agent-turn-stop",
		"post-agent-turn-stop", "pre-tool-call", "post-tool-call", "post-tool-call-failure",
		"pre-subagent", "post-subagent", "pre-context-compact", "post-context-compact",
	}
}

func observers() []hook {
	var hooks []hook
	for _, e := range events() {
		hooks = append(hooks, observer(e))
	}
	return hooks
}

// words joins the strings that are not empty.
func words(list ...string) string {
	var kept []string
	for _, w := range list {
		if w != "" {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, ", ")
}
