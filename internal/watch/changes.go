package watch

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// hookKey is what tells hooks apart over time.
type hookKey struct {
	scope  discovery.Scope
	folder string
}

func byKey(table discovery.Table) map[hookKey]*discovery.Hook {
	hooks := map[hookKey]*discovery.Hook{}
	for _, row := range table {
		for _, h := range row {
			hooks[hookKey{h.Scope, h.Folder}] = h
		}
	}
	return hooks
}

// versions are the good versions of hooks: as they were read, before any
// hooks.toml was applied to them.
type versions struct {
	good map[hookKey]*discovery.Hook // the last one of each hook
	seen map[hookKey]*discovery.Hook // those that may be needed yet
	kept map[hookKey]bool            // the hooks in whose place one stands
	held map[hookKey]bool            // those in whose place none may stand
}

// keep returns the last good version of a hook whose HOOK.md is invalid, if
// there is one, and remembers the others. It is Rules.Keep.
func (v *versions) keep(h *discovery.Hook) *discovery.Hook {
	key := hookKey{h.Scope, h.Folder}
	wrong, broken := wrongIn(h)
	last := v.good[key]
	switch {
	case h.Reviewed: // whoever keeps copies sees to them
		return h
	case !broken:
		read := *h
		v.seen[key] = &read
		return h
	case last == nil:
		return h
	}
	v.seen[key] = last
	if h.File == "" { // its folder cannot be entered, so no version can run
		return h
	}
	if h.State == discovery.Untrusted {
		v.held[key] = true
		return h
	}
	v.kept[key] = true
	return standIn(last, h, wrong)
}

// begin forgets what stood in, before all hooks are read.
func (v *versions) begin() {
	v.seen, v.kept, v.held = map[hookKey]*discovery.Hook{}, map[hookKey]bool{}, map[hookKey]bool{}
}

// end forgets the hooks whose folders are gone: a HOOK.md may come back.
func (v *versions) end() {
	for key, h := range v.good {
		if _, seen := v.seen[key]; seen {
			continue
		}
		if info, err := os.Stat(h.Dir); err == nil && info.IsDir() {
			v.seen[key] = h
		}
	}
	v.good = v.seen
}

// wrongIn returns the first thing for which the HOOK.md of h cannot be used. That
// the scripts cannot is nothing of it: a version that cannot run is no better.
func wrongIn(h *discovery.Hook) (d spec.Diagnostic, broken bool) {
	for _, d := range h.Diagnostics {
		if d.Fatal() {
			return d, true
		}
	}
	if _, err := matcher.Compile(h.Tool, h.Pattern); err != nil {
		return spec.Diagnostic{Path: h.File, Severity: spec.Error, Code: "pattern", Message: err.Error()}, true
	}
	return d, false
}

// standIn is h, which was good, in the place of its broken version.
func standIn(h, broken *discovery.Hook, wrong spec.Diagnostic) *discovery.Hook {
	kept := *h
	kept.State, kept.Cause = discovery.Active, ""
	kept.Diagnostics = broken.Diagnostics
	if !slices.Contains(kept.Diagnostics, wrong) {
		kept.Diagnostics = append(slices.Clip(kept.Diagnostics), wrong)
	}
	kept.Notice = "its HOOK.md is invalid, so its last good version stays: " + wrong.Message
	return &kept
}

// differences tells what is new in hooks and on disk.
func (w *watcher) differences(hooks map[hookKey]*discovery.Hook, now survey) []HookChange {
	var changes []HookChange
	for key, before := range w.hooks {
		if hooks[key] == nil {
			changes = append(changes, HookChange{Before: before})
		}
	}
	for key, after := range hooks {
		c := HookChange{Before: w.hooks[key], After: after, Kept: w.versions.kept[key]}
		c.Dropped = w.kept[key] && w.versions.held[key]
		if c.Before != nil {
			dir := source(after)
			left := slices.Concat(w.seen.left[dir], now.left[dir])
			c.Files = slices.DeleteFunc(changedFiles(w.seen.hooks[dir], now.hooks[dir]), func(file string) bool { return leavesOut(left, file) })
		}
		if c.Before == nil || len(c.Files) > 0 || !sameHook(c.Before, after) {
			changes = append(changes, c)
		}
	}
	slices.SortFunc(changes, func(a, b HookChange) int {
		return cmp.Or(cmp.Compare(a.step(), b.step()), bySource(a.Hook(), b.Hook()))
	})
	return changes
}

// step puts what was removed before what may have come in its place.
func (c HookChange) step() int {
	if c.After == nil {
		return 0
	}
	return 1
}

// Hook returns the hook as it is or, if it was removed, as it was.
func (c HookChange) Hook() *discovery.Hook { return cmp.Or(c.After, c.Before) }

func bySource(a, b *discovery.Hook) int {
	return cmp.Or(cmp.Compare(b.Scope, a.Scope), cmp.Compare(a.Folder, b.Folder))
}

// source is the folder that its author edits.
func source(h *discovery.Hook) string { return cmp.Or(h.Origin, h.Dir) }

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

// sameHook reports whether h and o mean the same, whatever is in their folders.
func sameHook(h, o *discovery.Hook) bool {
	a, b := *h, *o
	a.Replaces, a.ReplacedBy, b.Replaces, b.ReplacedBy = nil, nil, nil, nil
	return (h.Replaces == nil) == (o.Replaces == nil) && reflect.DeepEqual(a, b)
}

func sameDiagnostics(a, b []spec.Diagnostic) bool { return slices.Equal(a, b) }
