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

// take reports changes and schedules the changed hooks. At the start, it only reports the
// existing hooks.
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

// validate returns the diagnostics of a changed hook.
func (w *watching) validate(change watch.HookChange) []spec.Diagnostic {
	if change.After == nil {
		return nil
	}
	return change.After.Validate(w.env.Getenv("PATH"))
}

// standing returns a text that is equal for equal states of a hook, regardless of changes in
// its files.
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

// schedule schedules a changed hook after its wait. Running and waiting attempts of the hook
// are repeated; waiting ones are not delayed further.
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

// undone returns the waiting and running attempts of a hook.
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

// drop stops the running and waiting attempts of a hook in all rounds but one.
func (w *watching) drop(key string, but *round) {
	if t := w.running[key]; t != nil && t.round != but {
		t.cancel()
		t.outdated = true
	}
	w.waiting = slices.DeleteFunc(w.waiting, func(t *attempt) bool { return t.key == key && t.round != but })
}

// concerns reports whether the event of watch is the trigger of the changed hook, or was
// before.
func (w *watching) concerns(change watch.HookChange) bool {
	if w.event == nil {
		return false
	}
	return change.After.Trigger == w.event.Type || change.Before != nil && change.Before.Trigger == w.event.Type
}

// onlyTests reports whether only the hook's cases have changed, which do not affect its run on
// the event.
func onlyTests(change watch.HookChange) bool {
	return len(change.Files) > 0 && !slices.ContainsFunc(change.Files, func(file string) bool { return !isOfCases(file) })
}

func isOfCases(file string) bool {
	return file == cases.Folder || strings.HasPrefix(file, cases.Folder+"/")
}

func keyOf(h *discovery.Hook) string { return string(h.Scope) + "/" + h.Folder }
