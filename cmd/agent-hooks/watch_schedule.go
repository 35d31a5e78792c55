package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/cases"
	"github.com/agent-hooks/agent-hooks/internal/watch"
	"github.com/agent-hooks/agent-hooks/spec"
)

// take tells what has changed and lets the changed hooks run; at first, it only
// tells what is there.
func (w *watching) take(c reloaded, first bool) {
	if first {
		w.tellFirst(c)
	}
	w.tellWarnings(c)
	for _, change := range c.Hooks {
		key, wrong := keyOf(change.Hook()), w.validate(change)
		stands := standing(change, wrong)
		before := w.stands[key]
		w.stands[key] = stands
		if first {
			w.tellChange(change, wrong, true)
			continue
		}
		wait := w.paceOf(key).Judge(change, time.Now())
		if wait.Quiet = wait.Quiet && stands == before; !wait.Quiet {
			w.tellChange(change, wrong, false)
		}
		if wait.Pause > 0 && !wait.Known {
			w.tellPause(change.Hook())
		}
		w.schedule(c, change, wait)
	}
}

// validate finds what is wrong with a changed hook.
func (w *watching) validate(change watch.HookChange) []spec.Diagnostic {
	if change.After == nil {
		return nil
	}
	return change.After.Validate(w.env.Getenv("PATH"))
}

// standing is the same if the same holds of a changed hook, whatever has changed
// in its files.
func standing(change watch.HookChange, wrong []spec.Diagnostic) string {
	if change.After == nil {
		return ""
	}
	h := change.After
	return fmt.Sprintf("%s %q %q %t %t %v", h.State, h.Cause, h.Notice, change.Kept, change.Dropped, wrong)
}

func (w *watching) paceOf(key string) *watch.Pace {
	if w.paces[key] == nil {
		w.paces[key] = &watch.Pace{}
	}
	return w.paces[key]
}

// schedule lets a changed hook run when its wait is over. What of it runs
// already, or waits, is then done again, and what waits not later than it would.
func (w *watching) schedule(c reloaded, change watch.HookChange, wait watch.Wait) {
	hook := change.Hook()
	key := keyOf(hook)
	round := &round{due: time.Now().Add(wait.Pause), quiet: wait.Quiet}
	onEvent, ofCases := !onlyTests(change), slices.ContainsFunc(change.Files, isOfCases)
	for _, t := range w.undone(key) {
		if !t.round.begun && t.round.due.Before(round.due) {
			round.due = t.round.due
		}
		round.quiet = round.quiet && t.round.quiet
		onEvent, ofCases = onEvent || t.onEvent, ofCases || t.asked
	}
	if change.After == nil {
		w.drop(key, nil)
		return
	}
	w.waiting = slices.DeleteFunc(w.waiting, func(t *attempt) bool { return t.key == key && !t.round.begun })
	add := func(t *attempt) {
		t.key, t.name, t.round = key, hook.Shown(), round
		w.waiting = append(w.waiting, t)
	}
	if onEvent && w.concerns(change) {
		add(w.onEvent(hook, c.hooks))
	}
	if hook.State != discovery.Invalid && hook.State != discovery.Refused && hook.State != discovery.Untrusted {
		add(w.onCases(hook, change.Kept, ofCases))
	}
}

// undone returns what of a hook waits or runs.
func (w *watching) undone(key string) (undone []*attempt) {
	if t := w.running[key]; t != nil && !t.outdated {
		undone = append(undone, t)
	}
	for _, t := range w.waiting {
		if t.key == key {
			undone = append(undone, t)
		}
	}
	return undone
}

// drop stops what of a hook runs or waits in other rounds than one.
func (w *watching) drop(key string, but *round) {
	if t := w.running[key]; t != nil && t.round != but {
		t.cancel()
		t.outdated = true
	}
	w.waiting = slices.DeleteFunc(w.waiting, func(t *attempt) bool { return t.key == key && t.round != but })
}

// concerns reports whether the event that watch is given is that of the changed
// hook, or was.
func (w *watching) concerns(change watch.HookChange) bool {
	if w.event == nil {
		return false
	}
	return change.After.Trigger == w.event.Type || change.Before != nil && change.Before.Trigger == w.event.Type
}

// onlyTests reports whether nothing but the hook's cases has changed, of which
// the event knows nothing.
func onlyTests(change watch.HookChange) bool {
	return len(change.Files) > 0 && !slices.ContainsFunc(change.Files, func(file string) bool { return !isOfCases(file) })
}

func isOfCases(file string) bool {
	return file == cases.Folder || strings.HasPrefix(file, cases.Folder+"/")
}

func keyOf(h *discovery.Hook) string { return string(h.Scope) + "/" + h.Folder }
