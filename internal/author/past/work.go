package past

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/author/trial"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// maxProjects limits the number of directories whose hooks a worker keeps.
const maxProjects = 256

// worker replays one file after another.
type worker struct {
	*run
	scratch *trial.Scratch // nil until a hook's process starts
	loaded  map[string]*loaded
}

// loaded holds the hooks for the calls in one directory.
type loaded struct {
	hooks *agenthooks.Hooks // that are installed
	with  *agenthooks.Hooks // of Options.With; nil: none
}

func (w *worker) close() {
	if w.scratch != nil {
		_ = w.scratch.Remove()
	}
}

// read replays the calls of one transcript.
func (w *worker) read(f file) error {
	var failed error
	opened, err := f.open()
	if err != nil {
		w.tally.skip(f.agent, "not readable")
		return nil
	}
	defer opened.Close()
	yield := func(c pastCall) {
		if failed == nil && w.ctx.Err() == nil {
			failed = w.call(f, c)
		}
	}
	read := func(line []byte) error { return readEvent(line, yield) }
	if f.agent != Events {
		read = newReader(f.agent, filepath.ToSlash(f.path), f.aside(), yield).read
	}
	err = eachLine(counted{opened, &w.bytes}, maxLine, func(line []byte) bool {
		if read(line) != nil {
			w.tally.count(f.agent, func(a *Agent) { a.Broken++ })
		}
		return failed == nil && w.ctx.Err() == nil
	}, func() { w.tally.count(f.agent, func(a *Agent) { a.TooLong++ }) })
	if err != nil {
		w.tally.skip(f.agent, "not readable to the end")
	}
	w.tally.count(f.agent, func(a *Agent) { a.Files++ })
	return failed
}

// call counts a call and, if it is new and was asked for, runs the hooks on it.
func (w *worker) call(f file, c pastCall) error {
	at, err := time.Parse(time.RFC3339, c.time)
	if err != nil {
		at = f.info.ModTime()
	}
	if at.Before(w.Since) || w.Project != "" && (c.dir == "" || !paths.Contains(w.Project, c.dir)) {
		return nil
	}
	id := callID(f.agent, &c)
	if c.id != "" && !w.tally.isNew(id) {
		w.tally.count(f.agent, func(a *Agent) { a.Repeated++ })
		return nil
	}
	incomplete := func(why string) error {
		w.tally.count(f.agent, func(a *Agent) { a.Incomplete[why]++ })
		return nil
	}
	switch {
	case c.unseen:
		w.tally.count(f.agent, func(a *Agent) { a.Unseen++ })
		return nil
	case c.incomplete != "":
		return incomplete(c.incomplete)
	case !strings.HasPrefix(id, w.Call):
		return nil
	}
	now := at.UTC().Format(time.RFC3339)
	event, payload := (*protocol.Event)(nil), c.payload
	if f.agent == Events {
		event, _ = protocol.ParseEvent(spec.PreToolCall, payload, now)
	} else {
		call, err := f.agent.Decode(payload, string(spec.PreToolCall))
		if err != nil {
			return incomplete("not decodable")
		}
		event, _ = call.Parse(spec.PreToolCall, now)
		payload = call.Object()
	}
	o := &one{agent: f.agent, id: id, payload: payload, event: event, dir: c.dir, at: at, session: f.agent.Name + "\x00" + c.session}
	w.tally.counted(o)
	if w.Call != "" {
		o.found = &Found{ID: id, Agent: f.agent, Payload: c.payload, Dir: c.dir, At: at}
		w.tally.do(func() { w.tally.asked = append(w.tally.asked, o.found) })
	}
	return w.replay(o)
}

// one is one call that is being replayed.
type one struct {
	agent   *agent.Agent
	id      string // in full
	found   *Found // nil unless the call was asked for
	payload []byte // as an event of the format
	event   *protocol.Event
	dir     string
	at      time.Time
	session string // of the agent
}

// replay runs each hook that matches alone on the event as it is.
func (w *worker) replay(c *one) error {
	p := w.load(c.dir)
	was, err := w.verdicts(c, p.hooks, nil, false)
	if err != nil || p.with == nil {
		return err
	}
	is, err := w.verdicts(c, p.with, was, true)
	if err != nil {
		return err
	}
	w.tally.compare(c, was, is)
	return nil
}

// load returns the hooks for a directory.
func (w *worker) load(dir string) *loaded {
	if p := w.loaded[dir]; p != nil {
		return p
	}
	if len(w.loaded) >= maxProjects {
		clear(w.loaded)
	}
	from := dir
	if info, err := os.Stat(dir); !filepath.IsAbs(dir) || err != nil || !info.IsDir() {
		from = "" // only the user's hooks are left
		w.tally.do(func() { w.tally.dirs[dir] = struct{}{} })
	}
	p := &loaded{hooks: w.Load(from)}
	w.register(p.hooks.Table, false)
	if w.With != nil {
		p.with = p.hooks.WithTable(w.With)
		w.register(w.With, true)
	}
	w.loaded[dir] = p
	return p
}

// register counts the hooks that could match a call, so that the summary also names those that match
// none.
func (w *worker) register(table discovery.Table, tried bool) {
	for _, h := range table[spec.PreToolCall] {
		if w.isLeftOut(h) || h.State == discovery.Overridden || h.State == discovery.Disabled || h.State == discovery.Missing {
			continue
		}
		why := w.notRun(&agenthooks.Row{Hook: h}, tried)
		if h.State == discovery.Untrusted {
			why = "you have not reviewed it"
		}
		if why != "" {
			w.tally.notRun(h, tried, why, 0)
		} else {
			w.tally.do(func() { w.tally.hook(h, tried) })
		}
	}
}

// isLeftOut reports whether another hook was asked for.
func (w *worker) isLeftOut(h *discovery.Hook) bool {
	return w.Hook != "" && h.Shown() != w.Hook && h.Folder != w.Hook
}

// verdicts runs the hooks of one table. If they are tried, that is not installed, before are the
// verdicts of the installed hooks, of which those with the names of other hooks are kept.
func (w *worker) verdicts(c *one, hooks *agenthooks.Hooks, before []Given, tried bool) ([]Given, error) {
	var all []Given
	if tried {
		names := map[string]bool{}
		for _, h := range hooks.Table[spec.PreToolCall] {
			names[h.Folder] = true
		}
		all = slices.DeleteFunc(slices.Clone(before), func(g Given) bool { return names[g.Hook.Folder] })
	}
	plan := hooks.Plan(c.event)
	for _, row := range plan.Rows {
		if !row.Runs && row.Failure == nil || w.isLeftOut(row.Hook) {
			continue
		}
		if why := w.notRun(row, tried); why != "" {
			w.tally.notRun(row.Hook, tried, why, 1)
			continue
		}
		h, err := w.runOne(c, hooks, plan.Only(row))
		if err != nil {
			return nil, err
		}
		if w.ctx.Err() != nil {
			return all, nil
		}
		g := given(row.Hook, h, tried)
		if c.found != nil {
			c.found.Verdicts = append(c.found.Verdicts, g)
		}
		all = append(all, g)
		w.tally.add(c, g)
	}
	return all, nil
}

// notRun returns why a hook does not run on past calls; "" if it does.
func (w *worker) notRun(row *agenthooks.Row, tried bool) string {
	h := row.Hook
	switch {
	case isConstant(h) || row.Failure != nil:
		return ""
	case tried:
		return "it has a script that you have not reviewed"
	case h.Async:
		return "it is async"
	case h.Pure || w.AllHooks:
		return ""
	}
	return "it may read more than the event, or change something"
}

// runOne runs the plan of one hook. A process runs in empty directories; the event is moved
// there too, unless the hook reads only the event.
func (w *worker) runOne(c *one, hooks *agenthooks.Hooks, plan *agenthooks.Plan) (*agenthooks.HookReport, error) {
	row := plan.Rows[0]
	if isConstant(row.Hook) || row.Failure != nil {
		return plan.Run(w.ctx, agenthooks.RunOptions{Ask: agenthooks.Express, Modify: agenthooks.Express}).Hooks[0], nil
	}
	if w.scratch == nil {
		scratch, err := trial.NewScratch()
		if err != nil {
			return nil, fmt.Errorf("replay: %w", err)
		}
		w.scratch = scratch
	}
	alone := hooks.WithEnviron(w.scratch.Environ(w.Environ))
	moved := alone.PlanOf(c.event, row.Hook)
	if !moved.Rows[0].Runs {
		return plan.Run(w.ctx, agenthooks.RunOptions{Ask: agenthooks.Express, Modify: agenthooks.Express}).Hooks[0], nil // it reports why the hook cannot start
	}
	if row.Hook.Pure {
		moved = moved.Moved(moved.Event, w.scratch.Work)
	} else {
		moved = w.scratch.Move(moved, w.Home, hooks.Project.Root)
	}
	report := moved.Run(w.ctx, agenthooks.RunOptions{Ask: agenthooks.Express, Modify: agenthooks.Express}).Hooks[0]
	return report, w.scratch.Empty()
}

// isConstant reports whether a hook answers without a process.
func isConstant(h *discovery.Hook) bool { return h.Answer != nil }

// Given is what one hook does to a call.
type Given struct {
	Hook     *discovery.Hook
	With     bool   // the hook is one of Options.With
	Decision string // deny, ask, allow or none
	Input    []byte // that it asks for instead; nil: none
	Failed   bool   // the decision is not its own
	Cause    string // of the failure

	effect effect
	reason string
}

// HasEffect reports whether the hook did anything to the call.
func (g *Given) HasEffect() bool { return g.effect != none }

// effect is what a hook does to a call, from the least to the most restrictive.
type effect int

const (
	none effect = iota
	allowed
	changed
	asked
	denied
	failed // and the call went on
)

// String returns the effect as a Group names it.
func (e effect) String() string {
	return [...]string{none: "no opinion", allowed: "allowed", changed: "changed", asked: "asked", denied: "denied", failed: "failed"}[e]
}

// given returns what a hook's report says. What a hook that is only observed would have done counts.
func given(hook *discovery.Hook, h *agenthooks.HookReport, with bool) Given {
	g := Given{Hook: hook, With: with, Decision: cmp.Or(string(h.Answer.Decision), "none"), Input: h.Answer.ModifiedInput, reason: h.Answer.Reason}
	g.Failed = h.Outcome == agenthooks.Failed || h.Outcome == agenthooks.TimedOut
	if g.Failed {
		g.Cause, g.reason = h.Cause, h.Cause
	}
	switch {
	case g.Decision == "deny" || h.Would == "deny" || h.Outcome == agenthooks.OutcomeDeny:
		g.effect, g.Decision = denied, "deny"
	case g.Decision == "ask" || h.Would == "ask":
		g.effect, g.Decision = asked, "ask"
	case g.Failed:
		g.effect = failed
	case h.Answer.ModifiedInput != nil || h.Would == "change":
		g.effect = changed
	case g.Decision == "allow" || h.Would == "allow":
		g.effect, g.Decision = allowed, "allow"
	}
	g.reason = bounded(strings.TrimSpace(g.reason))
	return g
}
