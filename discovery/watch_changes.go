package discovery

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// hookKey is what tells hooks apart over time.
type hookKey struct {
	scope  Scope
	folder string
}

func byKey(table Table) map[hookKey]*Hook {
	hooks := map[hookKey]*Hook{}
	for _, row := range table {
		for _, h := range row {
			hooks[hookKey{h.Scope, h.Folder}] = h
		}
	}
	return hooks
}

// keep puts the last good version of each hook whose HOOK.md is invalid into
// its place in the table, and remembers the others.
func (w *watcher) keep(table Table) (kept map[hookKey]*Hook) {
	kept = map[hookKey]*Hook{}
	good := map[hookKey]*Hook{}
	hooks := byKey(table)
	for key, h := range hooks {
		wrong, broken := h.wrong()
		last := w.good[key]
		switch {
		case !broken && (h.State == Active || h.State == Overridden):
			good[key] = h
		case broken && last != nil && !last.Reviewed: // whoever keeps copies sees to them
			good[key] = last
			if h.State == Invalid || h.State == Active {
				kept[key] = last.standIn(h, wrong)
			}
		}
	}
	w.good = good
	for key, h := range kept {
		table.replace(hooks[key], h)
	}
	for key, h := range kept {
		if h.Scope == ProjectScope && w.good[key].Replaces != nil {
			table.override(h)
		}
	}
	return kept
}

// wrong returns the first thing for which the HOOK.md of h cannot be used. That
// the scripts cannot is nothing of it: a version that cannot run is no better.
func (h *Hook) wrong() (d spec.Diagnostic, broken bool) {
	for _, d := range h.Diagnostics {
		if d.Fatal() {
			return d, true
		}
	}
	if _, err := matcher.Compile(h.Tool, h.Pattern); err != nil {
		return problem(h.File, "pattern", err.Error()), true
	}
	return d, false
}

// standIn is h, which was good, in the place of its broken version.
func (h *Hook) standIn(broken *Hook, wrong spec.Diagnostic) *Hook {
	kept := *h
	kept.State, kept.Cause, kept.Replaces, kept.ReplacedBy = Active, "", nil, nil
	kept.Diagnostics = broken.Diagnostics
	if !slices.Contains(kept.Diagnostics, wrong) {
		kept.Diagnostics = append(slices.Clip(kept.Diagnostics), wrong)
	}
	kept.Notice = "its HOOK.md is invalid, so its last good version stays: " + wrong.Message
	return &kept
}

// replace puts h into its order in the place of old.
func (t Table) replace(old, h *Hook) {
	t[old.Trigger] = slices.DeleteFunc(slices.Clone(t[old.Trigger]), func(o *Hook) bool { return o == old })
	if len(t[old.Trigger]) == 0 {
		delete(t, old.Trigger)
	}
	t[h.Trigger] = append(slices.Clip(t[h.Trigger]), h)
	slices.SortStableFunc(t[h.Trigger], order)
}

// override lets h go on replacing the user's hook of its name, which it did
// when it was good, if it can run (D6).
func (t Table) override(h *Hook) {
	if _, err := h.script(); err != nil || h.Permissions() != nil {
		return
	}
	for _, row := range t {
		for _, user := range row {
			if user.Scope == UserScope && user.key() == h.key() {
				h.Replaces, user.ReplacedBy = user, h
				user.State, user.Cause = Overridden, fmt.Sprintf("the project's hook in %s replaces it", shown(h.Dir))
			}
		}
	}
}

// differences tells what is new in hooks and on disk.
func (w *watcher) differences(hooks, kept map[hookKey]*Hook, now survey) []HookChange {
	var changes []HookChange
	for key, before := range w.hooks {
		if hooks[key] == nil {
			changes = append(changes, HookChange{Before: before})
		}
	}
	for key, after := range hooks {
		c := HookChange{Before: w.hooks[key], After: after, Kept: kept[key] != nil}
		if c.Before != nil {
			c.Files = changedFiles(w.seen.hooks[after.source()], now.hooks[after.source()])
		}
		if c.Before == nil || len(c.Files) > 0 || !c.Before.same(after) {
			changes = append(changes, c)
		}
	}
	slices.SortFunc(changes, func(a, b HookChange) int { return bySource(a.Hook(), b.Hook()) })
	return changes
}

// Hook returns the hook as it is or, if it was removed, as it was.
func (c HookChange) Hook() *Hook { return cmp.Or(c.After, c.Before) }

func bySource(a, b *Hook) int {
	return cmp.Or(cmp.Compare(rank(a.Scope), rank(b.Scope)), cmp.Compare(a.Folder, b.Folder))
}

// source is the folder that its author edits.
func (h *Hook) source() string { return cmp.Or(h.Origin, h.Dir) }

// changedFiles compares two stamps of one folder.
func changedFiles(before, after stamps) []string {
	all := maps.Clone(before)
	if all == nil {
		all = stamps{}
	}
	maps.Copy(all, after)
	var files []string
	for path := range all {
		a, inBefore := before[path]
		b, inAfter := after[path]
		if inBefore != inAfter || !a.same(b) {
			files = append(files, filepath.ToSlash(path))
		}
	}
	slices.Sort(files)
	return files
}

// same reports whether h and o mean the same, whatever is in their folders.
func (h *Hook) same(o *Hook) bool {
	a, b := *h, *o
	a.Replaces, a.ReplacedBy, b.Replaces, b.ReplacedBy = nil, nil, nil, nil
	return (h.Replaces == nil) == (o.Replaces == nil) && reflect.DeepEqual(a, b)
}

func sameDiagnostics(a, b []spec.Diagnostic) bool { return slices.Equal(a, b) }
