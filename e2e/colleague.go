package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/e2e/model"
	"github.com/agent-hooks/agent-hooks/internal/agent"
)

// colleague is a scenario with somebody who gets a repository with hooks, and with entries in the
// project's settings, that somebody else wrote (D84, D83): without the program, with it, after a
// review of the hooks, and after a reviewed hook changed.
func colleague() scenario {
	var script []model.Step
	for i := range colleagueTurns() {
		script = append(script, model.Step{Shell: "touch " + ranIn(i)}, model.Step{Say: "all done"})
	}
	return scenario{
		name: "colleague", claim: "a project's settings work without the program, and its hooks after a review",
		project: []hook{{name: "guard", trigger: "pre-tool-call", script: "echo REASON-TOKEN >&2; exit 2"}},
		script:  script, commands: colleagueCommands, judge: judgeColleague, can: reviewed,
	}
}

// colleagueTurn is one session of the colleague.
type colleagueTurn struct {
	without bool   // the program is not installed
	before  string // a shell command
	review  bool
	blocks  bool
	message string // in the answer to the start of the session
}

func colleagueTurns() []colleagueTurn {
	return []colleagueTurn{
		{without: true, message: "agent-hooks is not installed"},
		{message: "1 hook of this project does not run until you have reviewed it: guard"},
		{review: true, blocks: true},
		{
			before: "printf '#!/bin/sh\\nexit 0\\n' > .agents/hooks/guard/scripts/run",
			blocks: true, message: "1 hook changed since you reviewed it, and the reviewed version runs: guard",
		},
	}
}

func ranIn(turn int) string { return fmt.Sprintf("%s-%d", ranFile, turn+1) }

func colleagueCommands(r run) []command {
	author := r.ours("install", "install", r.name, "--scope", "project")
	author.Env = []string{"HOME=" + filepath.Join(r.Folder, "log")}
	list := []command{shell("init", "git init -q"), author}
	if r.approve != nil {
		list = append(list, r.approve(r)...)
	}
	for i, t := range colleagueTurns() {
		if t.review {
			list = append(list, r.ours("review", "trust", "--yes"))
		}
		if t.before != "" {
			list = append(list, shell("change", t.before))
		}
		start := r.start(fmt.Sprintf("turn-%d", i+1), turn{prompt: defaultPrompt})
		if t.without {
			start.Env = append(start.Env, "PATH="+strings.ReplaceAll(r.path(), filepath.Dir(installedProgram)+":", ""))
		}
		list = append(list, start)
		if r.stop != nil {
			list = append(list, command{Name: "stop", Args: append([]string{r.programPath(r.cache)}, r.stop...), Timeout: turnTimeout})
		}
	}
	return list
}

// reviewed reports whether a project's hooks need a review. A cloud agent runs them without.
func reviewed(a *agent.Agent) bool {
	return !slices.ContainsFunc(a.Settings, func(s agent.Settings) bool { return s.Cloud })
}

// scripted reports whether an agent's entries are scripts, which are silent without the program.
func scripted(a *agent.Agent) bool {
	return slices.ContainsFunc(a.Settings, func(s agent.Settings) bool { return s.Script })
}

func judgeColleague(s seen) (string, string) {
	ability, fault := yes, ""
	turns := colleagueTurns()
	if !reviewed(agent.Find(s.name)) {
		ability, turns[1].blocks, turns[3].blocks = "without a review", true, false
	}
	for i, t := range turns {
		name := fmt.Sprintf("turn-%d", i+1)
		fault = words(fault,
			faultIf(t.blocks && s.left(ranIn(i)), name+": the tool ran despite the block"),
			faultIf(!t.blocks && !s.left(ranIn(i)), name+": the tool did not run"),
			faultIf(!s.quiet && !(t.without && scripted(agent.Find(s.name))) && !strings.Contains(s.output(name), t.message), name+": not shown: "+t.message))
	}
	return ability, fault
}

func shell(name, text string) command {
	return command{Name: name, Args: []string{"/bin/sh", "-c", text}, Timeout: turnTimeout}
}
