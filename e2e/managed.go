package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/agent"
	"github.com/agent-hooks/agent-hooks/e2e/cage"
	"github.com/agent-hooks/agent-hooks/e2e/model"
)

// managedScenario has the administrator's hooks in /etc/agents/hooks, and the agent's managed
// settings that install --managed writes (D82). Then a user tries to get rid of them.
func managedScenario() scenario {
	var script []model.Step
	for i := range managedTurns() {
		script = append(script, model.Step{Shell: "touch " + ranIn(i)}, model.Step{Say: "all done"})
	}
	return scenario{
		name: "managed", claim: "an administrator's hook blocks and runs once, whatever the user's settings and variables are",
		managed: []hook{
			{name: "count", trigger: "pre-tool-call", front: shellMatcher + "priority: 900\n", script: `cat > /dev/null; echo run >> "$LOG/count"`},
			{name: "guard", trigger: "pre-tool-call", front: managedGuard},
		},
		hooks:  []hook{{name: "mine", trigger: "pre-agent-turn", script: `cat > /dev/null; echo mine >> "$LOG/count"`}},
		script: script, commands: managedCommands, judge: judgeManaged,
		can: func(a *agent.Agent) bool {
			return slices.ContainsFunc(a.Settings, func(s agent.Settings) bool { return s.Scope() == "managed" })
		},
	}
}

const managedGuard = shellMatcher + `metadata:
  answer:
    decision: deny
    reason: REASON-TOKEN
`

// managedTurn is one session.
type managedTurn struct {
	name   string
	before func(r run) []command
	env    []string
	// own means that only the agent's managed settings have an entry that runs.
	own   bool
	moved bool // the client's variables name other managed settings
	users bool // the user's hook runs too
}

func managedTurns() []managedTurn {
	install := func(args ...string) func(r run) []command {
		return func(r run) []command {
			list := []command{r.ours("install", append([]string{"install", r.name}, args...)...)}
			if r.approve != nil {
				list = append(list, r.approve(r)...)
			}
			return list
		}
	}
	return []managedTurn{
		{name: "the managed entry alone", own: true},
		{name: "with the user's entry", users: true, before: install()},
		{name: "with the user's hooks and hooks.toml", before: func(run) []command { return []command{shell("replace", replaceManaged)} }},
		{name: "with variables", env: []string{
			"AGENT_HOOKS_CONFIG_DIR=/tmp", "AGENT_HOOKS_PROGRAM=/bin/true", "AGENT_HOOKS_DEPTH=0", "AGENT_HOOKS_AGENT=none", "AGENT_HOOKS_PROJECT_DIR=/tmp",
		}},
		{name: "with managed settings elsewhere", moved: true},
		{name: "with --config-dir", before: install("--config-dir", "/tmp/none")},
		{name: "with hooks off in the user's settings", own: true, before: func(r run) []command {
			return []command{shell("off", r.hooksOff)}
		}},
		{name: "without the user's entry", own: true, before: func(r run) []command {
			return []command{r.ours("uninstall", "uninstall", r.name)}
		}},
	}
}

const replaceManaged = `cd ~/.config/agents && mkdir -p hooks/guard && printf -- '---
name: guard
description: Allows what the guard of the same name denies.
trigger: pre-tool-call
metadata:
  answer: {decision: allow}
---
' > hooks/guard/HOOK.md && printf '[hooks]
enabled = false
[[hooks.disable]]
name = "guard"
[[hooks.override]]
name = "guard"
unless = [".*"]
observe = true
' > hooks.toml && cp -r . "$OLDPWD/.agents"
`

func managedCommands(r run) []command {
	var list []command
	if !r.unmanaged {
		list = append(list, r.ours("install", "install", "--managed", r.name))
	}
	for i, t := range managedTurns() {
		if r.unmanaged && t.own {
			continue
		}
		if t.before != nil {
			list = append(list, t.before(r)...)
		}
		start := r.start(fmt.Sprintf("turn-%d", i+1), turn{prompt: defaultPrompt})
		start.Env = append(start.Env, t.env...)
		if t.moved {
			start.Env = append(start.Env, r.moved...)
		}
		list = append(list, shell("mark", fmt.Sprintf("echo turn %d >> %s/count", i, r.log())), start)
	}
	if !r.unmanaged {
		list = append(list, r.ours("doctor", "doctor", "--managed", r.name))
	}
	return list
}

func judgeManaged(s seen) (string, string) {
	ability, fault := yes, ""
	if s.unmanaged {
		ability = "by the user's entry"
	} else {
		fault = faultIf(!strings.Contains(s.output("doctor"), "entry present"), "doctor does not find the managed entry")
	}
	runs := strings.Split(readText(filepath.Join(s.log(), "count")), "turn ")
	for i, t := range managedTurns() {
		if s.unmanaged && t.own {
			continue
		}
		n, mine := 0, 0
		for _, part := range runs {
			if first, rest, _ := strings.Cut(part, "\n"); first == fmt.Sprint(i) {
				n, mine = strings.Count(rest, "run"), strings.Count(rest, "mine")
			}
		}
		fault = words(fault,
			faultIf(s.left(ranIn(i)), t.name+": the tool ran"),
			faultIf(t.users && mine != 1, fmt.Sprintf("%s: the user's hook ran %d times", t.name, mine)),
			faultIf(n != 1, fmt.Sprintf("%s: the managed hook ran %d times", t.name, n)))
	}
	return ability, words(fault, faultIf(!s.everReached("REASON-TOKEN"), "the reason does not reach the model"))
}

// etc is a folder that the run sees as /etc.
func (j job) etc() string { return filepath.Join(j.Folder, "etc") }

// fillEtc copies what programs need from the system's /etc, and writes managed hooks.
func (r run) fillEtc(hooks []hook) error {
	if err := os.MkdirAll(r.etc(), 0o755); err != nil {
		return err
	}
	for _, name := range []string{"alternatives", "group", "hosts", "ld.so.cache", "localtime", "nsswitch.conf", "ssl"} {
		if _, err := os.Lstat("/etc/" + name); err != nil {
			continue
		}
		if out, err := exec.Command("cp", "-R", "/etc/"+name, r.etc()).CombinedOutput(); err != nil && name != "ssl" { // it has private keys
			return fmt.Errorf("copy /etc/%s: %w: %s", name, err, out)
		}
	}
	for _, h := range hooks {
		if err := h.write(filepath.Join(r.etc(), "agents", "hooks"), r.log()); err != nil {
			return err
		}
	}
	return nil
}

// ownEtc returns the mount of the run's /etc.
func (r run) ownEtc() cage.Moved { return cage.Moved{From: r.etc(), To: "/etc", Writable: true} }
