package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/e2e/model"
	"github.com/agent-hooks/agent-hooks/internal/agent"
)

// left is a scenario with what remains of agent-hooks (D84): its program moved, as an upgrade may do, was
// installed again, was removed while the entries fail closed, and its entries were removed.
func left() scenario {
	return scenario{
		name: "left", claim: "without the program, each call runs without an error, the session says it once, and `install` repairs it",
		hooks:    []hook{{name: "guard", trigger: "pre-tool-call", front: shellMatcher, script: "echo REASON-TOKEN >&2; exit 2"}},
		commands: leftCommands, judge: judgeLeft,
	}
}

// leftTurns are the sessions, each after some commands in which NAME is the agent.
func leftTurns() []leftTurn {
	return []leftTurn{
		{before: []string{"mkdir a b; cp " + installedProgram + " a/agent-hooks; a/agent-hooks install NAME --program $PWD/a/agent-hooks"}, blocks: true},
		{before: []string{"mv a/agent-hooks b/agent-hooks"}, says: "is gone"},
		{before: []string{"b/agent-hooks install NAME --program $PWD/b/agent-hooks"}, blocks: true},
		{before: []string{"b/agent-hooks install NAME --program $PWD/b/agent-hooks --fail-closed", "mv b/agent-hooks a/agent-hooks"}, blocks: true},
		{before: []string{"a/agent-hooks uninstall NAME"}},
	}
}

type leftTurn struct {
	before []string
	blocks bool
	says   string
}

func leftCommands(r run) []command {
	var list []command
	for i, t := range leftTurns() {
		for j, text := range t.before {
			list = append(list, command{Name: fmt.Sprintf("before-%d-%d", i+1, j), Dir: r.home(), Timeout: turnTimeout,
				Args: []string{"/bin/sh", "-c", strings.ReplaceAll(text, "NAME", r.name)}})
			if r.approve != nil && strings.Contains(text, " install ") {
				list = append(list, r.approve(r)...)
			}
		}
		if t.says != "" {
			list = append(list, r.ours("doctor", "doctor", r.name))
		}
		start := r.start(fmt.Sprintf("turn-%d", i+1), turn{prompt: defaultPrompt, hooks: t.says != ""})
		start.Script = []model.Step{{Shell: "touch " + ranIn(i)}, {Shell: "touch " + ranIn(i) + "-again"}, {Say: "all done"}}
		list = append(list, start)
		if r.stop != nil {
			list = append(list, command{Name: "stop", Args: append([]string{r.programPath(r.cache)}, r.stop...), Timeout: turnTimeout})
		}
	}
	return list
}

func judgeLeft(s seen) (string, string) {
	ability, fault := yes, ""
	for i, t := range leftTurns() {
		name := fmt.Sprintf("turn-%d", i+1)
		output := s.output(name)
		t.blocks = t.blocks && !strings.Contains(s.output(fmt.Sprintf("before-%d-0", i+1)), "--fail-closed has no effect")
		ran := s.left(ranIn(i)) && s.left(ranIn(i)+"-again")
		times := strings.Count(output, cmp.Or(t.says, "agent-hooks:")) // some agents print a message in several forms
		fault = words(fault,
			faultIf(t.blocks && s.left(ranIn(i)), name+": the tool ran despite the block"),
			faultIf(!t.blocks && !ran, name+": a tool did not run"),
			faultIf(!t.blocks && times > 4, fmt.Sprintf("%s: %d messages", name, times)),
			faultIf(!t.blocks && (strings.Contains(output, "agent-hooks: not found") || strings.Contains(output, "ENOENT")), name+": an error is shown"))
		if t.says != "" && times == 0 && !s.quiet {
			ability = words(yes, "not shown")
		}
	}
	return ability, words(fault, faultIf(!strings.Contains(s.output("doctor"), "is gone"), "doctor does not name the dead entries"))
}

// inert is a scenario in which an agent calls, loses its entries as by an update, and is used again
// (D150).
func inert() scenario {
	return scenario{
		name: "inert", claim: "`doctor` says when the agent called last, and that it was used since without calling",
		commands: inertCommands, judge: judgeInert, can: func(a *agent.Agent) bool { return a.Release != "" },
	}
}

func inertCommands(r run) []command {
	const before, calls = `tar -cf "$LOG/before.tar" .`, `touch -d "2 hours ago" .local/state/agent-hooks/calls/*`
	const restore = `grep -rlI "run --agent\|\"run\", \"--agent\"\|agent-hooks.sh" . --include="*.json" --include="*.toml" --include="*.js" --include="*.ts" --include="*.sh" |
grep -v "^./.local/state" | while read -r f; do rm "$f"; tar -xf "$LOG/before.tar" "$f" 2>/dev/null; done; true`
	at := func(name, text string) command {
		return command{Name: name, Dir: r.home(), Timeout: turnTimeout, Args: []string{"/bin/sh", "-c", strings.ReplaceAll(text, "$LOG", filepath.Join(r.Folder, "log"))}}
	}
	list := []command{at("before", before), r.ours("install", "install", r.name)}
	if r.approve != nil {
		list = append(list, r.approve(r)...)
	}
	begin := func(name string) command {
		c := r.start(name, turn{prompt: defaultPrompt})
		c.Script = conversation()
		return c
	}
	return append(list, begin("turn-1"), r.ours("doctor-1", "doctor", r.name), at("calls", calls), at("restore", restore), begin("turn-2"), r.ours("doctor-2", "doctor", r.name))
}

func judgeInert(s seen) (string, string) {
	first, second := s.output("doctor-1"), s.output("doctor-2")
	ability := "no version"
	if strings.Contains(first, "last called by "+agent.Find(s.name).Title+" "+s.version()) {
		ability = yes
	}
	return ability, words(
		faultIf(!strings.Contains(first, "last called by"), "the call is not noted"),
		faultIf(strings.Contains(first, "has not called"), "a warning too early"),
		faultIf(!strings.Contains(second, "has not called agent-hooks since"), "no warning"))
}

// asked is a scenario in which the model repeats a denied call (D152).
func asked() scenario {
	guard := hook{name: "guard", trigger: "pre-tool-call", front: shellMatcher, script: "grep -q 'touch " + ranFile + "' || exit 0; echo REASON-TOKEN >&2; exit 2"}
	again := model.Step{Shell: "touch " + ranFile}
	return scenario{
		name: "asked", claim: "the second denial of a call tells the model what to do instead, once",
		hooks: []hook{guard}, script: []model.Step{again, {Shell: "touch " + changedFile}, again, {Say: "all done"}},
		judge: func(s seen) (string, string) {
			told := len(s.reached("This was denied before"))
			ability := no
			if told == 1 {
				ability = yes
			}
			return ability, words(
				faultIf(s.left(ranFile), "the tool ran despite the block"),
				faultIf(!s.left(changedFile) && !s.ends, "another call did not run"),
				faultIf(told > 1, fmt.Sprintf("the model was told %d times", told)))
		},
	}
}
