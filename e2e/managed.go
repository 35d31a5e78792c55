package main

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/e2e/cage"
	"github.com/agent-hooks/agent-hooks/e2e/model"
	"github.com/agent-hooks/agent-hooks/internal/agent"
)

// ordinaryUser is the account of the clients in scenarios with managed hooks, which root owns.
const ordinaryUser = 54321

// managedScenario has the administrator's hooks in /etc/agents/hooks, and the agent's managed
// settings that install --managed writes (D82). Then an ordinary user tries to get past them, in one
// session for each of the client's means.
func managedScenario() scenario {
	return scenario{
		name: "managed", claim: "an administrator's hook blocks and runs once, whatever an ordinary user does, except as below",
		managed: []hook{
			{name: "count", trigger: "pre-tool-call", front: shellMatcher + "priority: 900\n", script: `cat > /dev/null; echo run >> "$LOG/count"`},
			{name: "guard", trigger: "pre-tool-call", front: managedGuard},
		},
		hooks:    []hook{{name: "mine", trigger: "pre-agent-turn", script: `cat > /dev/null; echo mine >> "$LOG/count"`}},
		commands: managedCommands, judge: judgeManaged,
		can: func(a *agent.Agent) bool {
			return slices.ContainsFunc(a.Settings, func(s agent.Settings) bool { return s.Scope() == "managed" })
		},
	}
}

const managedGuard = "matcher:\n  tool: Shell\n  pattern: forbidden\n" + `metadata:
  answer:
    decision: deny
    reason: REASON-TOKEN
`

// means is what an ordinary user does to get past a managed hook, in a session of its own.
type means struct {
	does    string   // for the table
	way     string   // the way around that the agent's table has for it; "": it is closed
	admin   string   // a shell command of the administrator's before it
	install []string // the user's entry, with these options; nil: the user has none
	before  string   // a shell command of the user's before it
	approve bool     // the client asks the user to approve hooks that before wrote
	env     []string
	args    []string
	change  bool // the user's own entry changes a harmless command to a forbidden one
	users   bool // the user's hook runs, too
	silent  bool // the user's hook must not run
}

var withEntry = []string{}

// allMeans returns the means in a client. In one without managed settings, the user needs an entry.
func (c client) allMeans() []means {
	all := []means{
		{does: "nothing, with `install --managed` only"},
		{does: "`install`, too", install: withEntry, users: true},
		{does: "hooks of the same name that allow, in their folder and the project's, with a `hooks.toml` that disables, observes and excepts", install: withEntry, before: replaceManaged},
		{does: "`AGENT_HOOKS_*` variables", install: withEntry, env: []string{
			"AGENT_HOOKS_CONFIG_DIR=/tmp", "AGENT_HOOKS_PROGRAM=/bin/true", "AGENT_HOOKS_DEPTH=0", "AGENT_HOOKS_AGENT=none", "AGENT_HOOKS_PROJECT_DIR=/tmp",
		}},
		{does: "`install --config-dir` of another folder", install: []string{"--config-dir", "/tmp/none"}},
	}
	if c.unmanaged {
		all[0] = means{does: "removes the user's entry", way: "the user's entry"}
	}
	return append(all, c.means...)
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

// The administrator's files are saved before the first session, and restored before each.
const (
	saveEtc    = "mkdir -p /tmp/saved && cp -a /etc/. /tmp/saved"
	restoreEtc = `for d in agents claude-code codex gemini-cli qwen-code opencode github-copilot crush; do
rm -rf /etc/$d; [ ! -e /tmp/saved/$d ] || cp -a /tmp/saved/$d /etc; done`
	saveHome    = "cp -a ~ /tmp/home"
	restoreHome = `find ~ . -mindepth 1 ! -name 'ran-*' ! -name 'forbidden-*' -delete; cp -a /tmp/home/. ~`
)

// forbidden is the file that the guard's command creates in a session, and harmless one that it lets
// pass.
func forbidden(session int) string { return fmt.Sprintf("forbidden-%d", session) }
func harmless(session int) string  { return fmt.Sprintf("%s-%d", ranFile, session) }

func managedCommands(r run) []command {
	var list []command
	if !r.unmanaged {
		list = append(list, asRoot(r.ours("install", "install", "--managed", r.name)))
	}
	list = append(list, asRoot(shell("save", saveEtc)), shell("save", saveHome))
	for i, m := range r.allMeans() {
		if !r.ended(m).Ended {
			list = append(list, r.session(i, m)...)
		}
	}
	if !r.unmanaged {
		list = append(list, asRoot(shell("restore", restoreEtc)), r.ours("doctor", "doctor", "--managed", r.name))
	}
	return list
}

func asRoot(c command) command {
	c.Root = true
	return c
}

// session returns the commands of one of the means.
func (r run) session(i int, m means) []command {
	list := []command{asRoot(shell("restore", restoreEtc)), shell("restore", restoreHome)}
	add := func(c command) { list = append(list, c) }
	if m.admin != "" {
		add(asRoot(shell(fmt.Sprintf("admin-%d", i), m.admin)))
	}
	if m.install != nil {
		add(r.ours("install", append([]string{"install", r.name}, m.install...)...))
	}
	if m.before != "" {
		before := shell(fmt.Sprintf("before-%d", i), m.before)
		before.Env = r.env(r)
		add(before)
	}
	if r.approve != nil && (m.install != nil || m.approve) {
		list = append(list, r.approve(r)...)
	}
	called := forbidden(i)
	if m.change {
		called = harmless(i)
	}
	start := r.start(fmt.Sprintf("turn-%d", i), turn{prompt: defaultPrompt})
	start.Timeout = 10 * time.Minute // a session that does not end would count as closed
	start.Script = []model.Step{{Shell: "touch " + called}, {Say: "all done"}}
	start.Env, start.Args = append(start.Env, m.env...), append(start.Args, m.args...)
	add(shell("mark", fmt.Sprintf("echo turn %d >> %s/count", i, r.log())))
	add(start)
	return list
}

// attempt is what happened in the session of one of the means.
type attempt struct {
	Does  string
	Open  bool // the tool ran
	Runs  int  // of the managed hook
	Mine  int  // of the user's hook
	Ended bool // in time
}

// attempts returns the results of the means that were tried, and of the others the earlier ones.
func (s seen) attempts() (list []attempt) {
	if s.User == 0 {
		return nil
	}
	ended := map[string]bool{}
	for _, o := range s.outcomes {
		ended[o.Name] = !o.TimedOut
	}
	runs := map[string]string{}
	for part := range strings.SplitSeq(readText(filepath.Join(s.log(), "count")), "turn ") {
		i, text, _ := strings.Cut(part, "\n")
		runs[i] = text
	}
	for i, m := range s.allMeans() {
		if a := s.ended(m); a.Ended {
			list = append(list, a)
			continue
		}
		text := runs[fmt.Sprint(i)]
		list = append(list, attempt{m.does, s.left(forbidden(i)), strings.Count(text, "run"), strings.Count(text, "mine"), ended[fmt.Sprintf("turn-%d", i)]})
	}
	return list
}

// ended returns the earlier result of one of the means, if its session ended.
func (r run) ended(m means) attempt {
	for _, a := range r.earlier {
		if a.Does == m.does && a.Ended {
			return a
		}
	}
	return attempt{}
}

// faultOf returns what contradicts the agent's table in the attempts with a client.
func (c client) faultOf(list []attempt) (fault string) {
	tried := map[string]bool{}
	for i, m := range c.allMeans() {
		if i >= len(list) || list[i].Does != m.does {
			return "the means have changed since: run it again"
		}
		a := list[i]
		tried[m.way] = tried[m.way] || a.Ended
		if !a.Ended {
			fault = words(fault, m.does+": did not end")
			continue
		}
		for _, f := range []string{
			faultIf(a.Open && m.way == "", "the tool ran"),
			faultIf(!a.Open && m.way != "", "the tool did not run"),
			faultIf(a.Open && !m.change && a.Runs > 0, "the tool ran although the managed hook ran"),
			faultIf(!a.Open && a.Runs != 1 && !(m.change && a.Runs > 0), fmt.Sprintf("the managed hook ran %d times", a.Runs)),
			faultIf(m.users && a.Mine != 1 && c.headless["prompt-block"] == "", fmt.Sprintf("the user's hook ran %d times", a.Mine)),
			faultIf(m.silent && a.Mine != 0, "the user's hook ran despite the lock"),
		} {
			if f != "" {
				fault = words(fault, m.does+": "+f)
			}
		}
	}
	for _, way := range agent.Find(c.name).Setup.Managed.Ways {
		fault = words(fault, faultIf(!tried[way] && c.untried[way] == "", "not tried: "+way))
	}
	return fault
}

func judgeManaged(s seen) (string, string) {
	ability := yes
	if s.unmanaged {
		ability = "by the user's entry"
	}
	return ability, words(
		faultIf(!s.unmanaged && !strings.Contains(s.output("doctor"), "entry present"), "doctor does not find the managed entry"),
		faultIf(len(s.earlier) == 0 && !s.ends && !s.everReached("REASON-TOKEN"), "the reason does not reach the model"))
}

const attemptsHead = `
## An ordinary user and a managed hook

In each session, root owns a [managed](../admin.md) hook that denies a command, and agent-hooks' entry in the agent's managed settings.
An ordinary user, with another user id, tries one of these. *Closed*: the hook ran once, and the command did not run. *Open*: it did.

| agent | closed | open | not tried |
|---|---|---|---|
`

// attemptsTable formats what ordinary users tried.
func attemptsTable(list []client, results []result) string {
	var b strings.Builder
	b.WriteString(attemptsHead)
	for _, c := range list {
		r, found := find(results, c.name, "managed")
		if !found {
			continue
		}
		var closed, open, untried []string
		for _, a := range r.Attempts {
			if !a.Ended {
				untried = append(untried, a.Does+" (did not end)")
			} else if a.Open {
				open = append(open, a.Does)
			} else {
				closed = append(closed, a.Does)
			}
		}
		for _, way := range slices.Sorted(maps.Keys(c.untried)) {
			untried = append(untried, way+" ("+c.untried[way]+")")
		}
		if fault := c.faultOf(r.Attempts); fault != "" {
			open = append(open, "FAULT: "+fault)
		}
		fmt.Fprintf(&b, "| %s %s | %s | %s | %s |\n", c.name, c.version(), strings.Join(closed, "; "), strings.Join(open, "; "), strings.Join(untried, "; "))
	}
	return b.String()
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
	return exec.Command("chmod", "-R", "u=rwX,go=rX", filepath.Join(r.etc(), "agents")).Run()
}

// giveAway makes the ordinary user the owner of the run's folders.
func (r run) giveAway() error {
	for _, folder := range []string{r.home(), r.work(), r.log()} {
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Lchown(path, ordinaryUser, ordinaryUser)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ownEtc returns the mount of the run's /etc.
func (r run) ownEtc() cage.Moved { return cage.Moved{From: r.etc(), To: "/etc", Writable: true} }
