package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/e2e/cage"
	"github.com/agent-hooks/agent-hooks/e2e/model"
)

// turnTimeout is the maximum time of one start of a client. OpenCode needs 20 s on a busy
// machine.
const turnTimeout = 180 * time.Second

const defaultPrompt = model.Prompt + " please begin"

// result is one cell of the table.
type result struct {
	Client   string
	Version  string // of the client
	Scenario string
	Ability  string
	Fault    string
	Events   []string  // that were fired
	Attempts []attempt // of an ordinary user against managed hooks
	Day      time.Time

	folder  string
	seconds float64
}

// execute runs a scenario with a client in a separate folder.
func execute(ctx context.Context, cache string, c client, sc scenario, earlier []attempt) result {
	started := time.Now()
	res := result{Client: c.name, Version: c.version(), Scenario: sc.name, Day: started.UTC()}
	res.folder = filepath.Join(cache, "runs", c.name, sc.name)
	if sc.ask && c.permitsAll {
		res.Ability = "permits all"
		return res
	}
	if sc.turns != nil && sc.turns[0].mode != "" && c.modes[sc.turns[0].mode] == nil {
		res.Ability = "no such mode"
		return res
	}
	if sc.managed != nil && os.Getuid() != 0 {
		res.Ability = "needs root"
		return res
	}
	if sc.repository && c.plugin == nil {
		res.Ability = "no plugin"
		return res
	}
	if sc.commands != nil && sc.project != nil && c.userOnly {
		res.Ability = "no project settings"
		return res
	}
	r := newRun(cache, c, sc, res.folder)
	r.earlier = earlier
	s, err := conduct(ctx, r, sc)
	if err != nil {
		res.Fault = err.Error()
	} else {
		res.Ability, res.Fault = sc.judge(s)
		res.Fault = words(s.setUpFault(), res.Fault, sc.faultOfTable(c, res.Ability))
		res.Events, res.Attempts = s.fired(), s.attempts()
		if sc.managed != nil {
			res.Fault = words(res.Fault, c.faultOf(res.Attempts))
		}
	}
	res.seconds = time.Since(started).Seconds()
	return res
}

func newRun(cache string, c client, sc scenario, folder string) run {
	script := sc.script
	if script == nil {
		script = conversation()
	}
	r := run{client: c, cache: cache, grant: !sc.ask, job: job{Folder: folder, Script: script}}
	if sc.managed != nil {
		r.User = ordinaryUser
	}
	return r
}

func conduct(ctx context.Context, r run, sc scenario) (seen, error) {
	if err := os.RemoveAll(r.Folder); err != nil {
		return seen{}, err
	}
	if err := r.populate(ctx, sc); err != nil {
		return seen{}, err
	}
	if r.User != 0 {
		if err := r.giveAway(); err != nil {
			return seen{}, err
		}
	}
	before, err := snapshot(r.home())
	if err != nil {
		return seen{}, err
	}
	var moved []cage.Moved
	if sc.managed != nil {
		moved = append(moved, r.ownEtc())
	}
	moved = append(moved, cage.Moved{From: ourProgram(r.cache), To: installedProgram}, cage.Moved{From: r.accounts(), To: "/etc/passwd"})
	if sc.repository {
		root, err := moduleRoot(ctx)
		if err != nil {
			return seen{}, err
		}
		moved = append(moved, cage.Moved{From: root, To: repository})
	}
	r.Commands = r.commands(sc)
	outcomes, err := r.confined(ctx, cage.Cage{Visible: []string{filepath.Join(r.cache, "clients")}, Moved: moved}, r.path())
	if err != nil {
		return seen{}, err
	}
	var changed []string
	if sc.remove {
		if changed, err = before.differences(r.home()); err != nil {
			return seen{}, err
		}
	}
	return observe(r, outcomes, changed)
}

// populate fills the run's folders.
func (r run) populate(ctx context.Context, sc scenario) error {
	for _, folder := range []string{r.home(), r.work(), r.log(), r.rootHome()} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
	}
	if err := writeFile(r.accounts(), r.accountLines(), 0o644); err != nil {
		return err
	}
	if err := r.writeFiles(); err != nil {
		return err
	}
	for name, text := range r.flawed {
		if err := writeFile(filepath.Join(r.Folder, name), text, 0o600); err != nil {
			return err
		}
	}
	if n := sc.native; n.event != "" && r.flawed == nil {
		if err := writeFile(filepath.Join(r.home(), r.hookFile), r.raw(r, n.event, n.command), 0o600); err != nil {
			return err
		}
	}
	for name, given := range sc.files {
		text, err := content(ctx, given)
		if err != nil {
			return err
		}
		mode := os.FileMode(0o600)
		if strings.HasPrefix(text, "#!") {
			mode = 0o700
		}
		if err := writeFile(filepath.Join(r.home(), name), text, mode); err != nil {
			return err
		}
	}
	if sc.managed != nil {
		if err := r.fillEtc(sc.managed); err != nil {
			return err
		}
	}
	for folder, hooks := range map[string][]hook{
		filepath.Join(r.home(), ".config", "agents", "hooks"): sc.hooks,
		filepath.Join(r.work(), ".agents", "hooks"):           sc.project,
	} {
		for _, h := range hooks {
			if err := h.write(folder, r.log()); err != nil {
				return err
			}
		}
	}
	return nil
}

// commands returns the commands of the run's cage: install, the manual steps, the client's
// turns, uninstall.
func (r run) commands(sc scenario) []command {
	if sc.commands != nil {
		return sc.commands(r)
	}
	var list []command
	for _, args := range sc.imports {
		list = append(list, r.ours("import", append([]string{"import"}, args...)...))
	}
	switch {
	case sc.setup:
		list = append(list, r.ours("install", "setup", "--yes", r.name))
	case sc.native.event == "":
		list = append(list, r.ours("install", "install", r.name))
	}
	if sc.remove {
		return append(list, r.ours("uninstall", "uninstall", r.name))
	}
	if sc.trust {
		list = append(list, r.ours("review", "trust", "--yes"))
	}
	if r.approve != nil {
		list = append(list, r.approve(r)...)
	}
	if sc.live {
		doctor := r.ours("live", "doctor", "--live", r.name, "--start", "--wait", "90s")
		doctor.Env, doctor.Timeout = r.env(r), turnTimeout
		return append(list, doctor)
	}
	turns := sc.turns
	if turns == nil {
		turns = []turn{{prompt: defaultPrompt}}
	}
	for i, t := range turns {
		list = append(list, r.start(fmt.Sprintf("turn-%d", i+1), t))
	}
	return list
}

// ours returns a call of agent-hooks.
func (r run) ours(name string, args ...string) command {
	return command{Name: name, Args: append([]string{installedProgram}, args...), Timeout: 20 * time.Second}
}

// installedProgram is the path of the program in the cage. It is not in a cache, because
// install rejects such programs: caches are cleared.
const installedProgram = "/opt/agent-hooks/bin/agent-hooks"

func ourProgram(cache string) string { return filepath.Join(cache, "bin", "agent-hooks") }

// setUpFault returns the first error before the client's first turn.
func (s seen) setUpFault() string {
	for _, o := range s.outcomes {
		if slices.Contains([]string{"import", "install", "uninstall", "review"}, o.Name) && o.Status != 0 {
			return fmt.Sprintf("%s: status %d: %s%s", o.Name, o.Status, o.Stdout, o.Stderr)
		}
	}
	return ""
}

// contents are the files of a folder.
type contents map[string][]byte

func snapshot(folder string) (contents, error) {
	files := contents{}
	return files, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		files[path] = data
		return err
	})
}

// differences lists files that have changed or been removed since, and new files of ours
// outside our state directory. Other new files are allowed: a client that install starts to get
// its version may write its own.
func (c contents) differences(folder string) ([]string, error) {
	now, err := snapshot(folder)
	if err != nil {
		return nil, err
	}
	var list []string
	for path, data := range c {
		if current, found := now[path]; !found || !bytes.Equal(current, data) {
			list = append(list, path)
		}
	}
	state := filepath.Join(folder, ".local", "state") + string(filepath.Separator)
	for path, data := range now {
		_, old := c[path]
		ours := strings.Contains(path, "agent-hooks.") || bytes.Contains(data, []byte(installedProgram))
		if !old && ours && !strings.HasPrefix(path, state) {
			list = append(list, path)
		}
	}
	return list, nil
}
