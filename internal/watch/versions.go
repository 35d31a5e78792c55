package watch

import (
	"cmp"
	"os"
	"slices"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// hookKey identifies a hook over time.
type hookKey struct {
	scope  discovery.Scope
	folder string
}

func keyOf(h *discovery.Hook) hookKey { return hookKey{h.Scope, h.Folder} }

func byKey(table discovery.Table) map[hookKey]*discovery.Hook {
	hooks := map[hookKey]*discovery.Hook{}
	for _, row := range table {
		for _, h := range row {
			hooks[keyOf(h)] = h
		}
	}
	return hooks
}

// versions contains the last valid versions of hooks, before any hooks.toml was applied to
// them.
type versions struct {
	good map[hookKey]*discovery.Hook // the last valid version of each hook
	seen map[hookKey]*discovery.Hook // the versions whose hooks still exist
	kept map[hookKey]bool            // the hooks replaced by their last valid version
	held map[hookKey]bool            // the invalid hooks that must not be replaced
}

// keep returns the last valid version of a hook whose HOOK.md is invalid, if there is one, and
// stores valid ones. It is Rules.Keep.
func (v *versions) keep(h *discovery.Hook) *discovery.Hook {
	key := keyOf(h)
	wrong, broken := wrongIn(h)
	last := v.good[key]
	switch {
	case h.Reviewed: // reviewed copies are not handled here
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
	return substitute(last, h, wrong)
}

// begin prepares v for reading all hooks again.
func (v *versions) begin() {
	v.seen, v.kept, v.held = map[hookKey]*discovery.Hook{}, map[hookKey]bool{}, map[hookKey]bool{}
}

// end removes the hooks whose folders no longer exist. A HOOK.md that is missing may be
// restored.
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

// wrongIn returns the first error because of which the HOOK.md of h cannot be used. Errors in
// scripts do not count: an older version could not run either.
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

// substitute returns h, the last valid version, as a replacement for broken.
func substitute(h, broken *discovery.Hook, wrong spec.Diagnostic) *discovery.Hook {
	kept := *h
	kept.State, kept.Cause = discovery.Active, ""
	kept.Diagnostics = broken.Diagnostics
	if !slices.Contains(kept.Diagnostics, wrong) {
		kept.Diagnostics = append(slices.Clip(kept.Diagnostics), wrong)
	}
	kept.Notice = "its HOOK.md is invalid, so its last good version stays: " + wrong.Message
	return &kept
}

// Origin returns the folder that the hook's author edits.
func Origin(h *discovery.Hook) string { return cmp.Or(h.Origin, h.Dir) }
