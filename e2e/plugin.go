package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/e2e/model"
)

// repository is the path of this repository in the cage, for scenarios that use it.
const repository = "/opt/agent-hooks/repository"

// pluginScenario installs the agent's plugin from this repository as a marketplace, instead of
// entries: without the program, with it, and with the entries of install, too (D84).
func pluginScenario() scenario {
	var script []model.Step
	for i := range pluginTurns {
		script = append(script, model.Step{Shell: "touch " + ranIn(i)}, model.Step{Say: "all done"})
	}
	return scenario{
		name: "plugin", claim: "the agent's plugin runs the hooks, and without the program says how to install it",
		hooks: []hook{{
			name: "guard", trigger: "pre-tool-call", front: shellMatcher,
			script: "echo run >> $LOG/guard; echo REASON-TOKEN >&2; exit 2",
		}},
		script: script, repository: true, commands: pluginCommands, judge: judgePlugin,
	}
}

// pluginTurns is the number of sessions.
const pluginTurns = 3

func pluginCommands(r run) []command {
	var list []command
	for i, args := range r.plugin {
		list = append(list, command{
			Name: fmt.Sprintf("plugin-%d", i+1), Args: append([]string{r.programPath(r.cache)}, args...), Env: r.env(r), Timeout: time.Minute,
		})
	}
	approve := func() {
		if r.approve != nil {
			list = append(list, r.approve(r)...)
		}
	}
	approve()
	without := r.start("turn-1", turn{prompt: defaultPrompt, hooks: r.printsHooks})
	without.Env = append(without.Env, "PATH="+strings.ReplaceAll(r.path(), filepath.Dir(installedProgram)+":", ""))
	list = append(list, without, r.ours("doctor-1", "doctor", r.name), r.start("turn-2", turn{prompt: defaultPrompt}), r.ours("install", "install", r.name))
	approve()
	return append(list, r.ours("doctor-2", "doctor", r.name), r.start("turn-3", turn{prompt: defaultPrompt}))
}

func judgePlugin(s seen) (string, string) {
	return yes, words("",
		faultIf(!s.left(ranIn(0)), "without the program, the tool did not run"),
		faultIf(s.printsHooks && !strings.Contains(s.output("turn-1"), "agent-hooks is not installed"), "without the program, its absence is not shown"),
		faultIf(s.left(ranIn(1)), "the tool ran despite the block"),
		faultIf(s.left(ranIn(2)), "the tool ran despite the blocks"),
		faultIf(strings.Count(readText(filepath.Join(s.log(), "guard")), "run") != 3, "the hook did not run once by the plugin, and twice with other entries"),
		faultIf(!strings.Contains(s.output("doctor-1"), "in the plugin agent-hooks"), "doctor does not find the plugin"),
		faultIf(!strings.Contains(s.output("doctor-2"), "every event fires twice"), "doctor does not report events that fire twice"),
	)
}
