package discovery

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Table sorts the hooks into the order in which they run (D7): managed hooks; then
// by priority, high to low; then the user's before the project's; then by name.
//
// A project's hook replaces the user's hook of the same name completely,
// whatever its trigger, but only if it is valid and can run (D6). Otherwise both
// stay: the project's is invalid or, if another user can change it, refused. A
// project's hook with the name of a protected user's hook is disabled. Table sets
// State, Cause, Replaces and ReplacedBy of the hooks, and has no other effect. path
// is the PATH variable, for the interpreters of replacing hooks; protected may be
// nil.
func (f Found) Table(path string, protected func(name string) bool) Table {
	table := build(f.User, f.Project, func(h *Hook) error { return h.usable(path) }, protected)
	slices.SortStableFunc(f.Managed, order)
	for _, h := range slices.Backward(f.Managed) { // before all others, whatever the priorities (D82)
		for _, event := range h.Events() {
			table[event] = slices.Insert(table[event], 0, h)
		}
	}
	return table
}

func build(user, project []*Hook, usable func(*Hook) error, protected func(name string) bool) Table {
	override(user, project, usable, protected)
	table := Table{}
	for _, hooks := range [][]*Hook{user, project} {
		for _, h := range hooks {
			for _, event := range h.Events() {
				table[event] = append(table[event], h)
			}
		}
	}
	for _, hooks := range table {
		slices.SortStableFunc(hooks, order)
	}
	return table
}

func order(a, b *Hook) int {
	switch {
	case a.Priority != b.Priority:
		return cmp.Compare(b.Priority, a.Priority)
	case a.Scope == b.Scope:
		return cmp.Compare(a.Folder, b.Folder)
	case a.Scope == UserScope:
		return -1
	}
	return 1
}

func override(user, project []*Hook, usable func(*Hook) error, protected func(name string) bool) {
	if len(user) == 0 || len(project) == 0 {
		return
	}
	users := namesOf(user)
	for _, h := range project {
		replaced := users[h.key()]
		if replaced == nil || h.State != Active {
			continue
		}
		if protected != nil && protected(h.key()) {
			h.State, h.Cause = Disabled, "the user's hooks.toml protects the hook of this name"
			continue
		}
		if err := usable(h); err != nil {
			h.refuse(err)
			continue
		}
		h.Replaces, replaced.ReplacedBy = replaced, h
		replaced.State = Overridden
		replaced.Cause = fmt.Sprintf("the project's hook in %s replaces it", shown.Path(h.Dir))
	}
}

// refuse marks h as a hook that usable has rejected.
func (h *Hook) refuse(err error) {
	h.invalidate(err.Error())
	var permission *paths.OwnerError
	if errors.As(err, &permission) {
		h.State = Refused
	}
}

// key returns the name by which a hook replaces and is replaced: the name of
// its folder, whatever its HOOK.md says (D85).
func (h *Hook) key() string {
	if isASCII(h.Folder) {
		return h.Folder
	}
	return norm.NFKC.String(h.Folder)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// folderNames maps each name to the first hook with it.
type folderNames map[string]*Hook

func namesOf(hooks []*Hook) folderNames {
	names := folderNames{}
	for _, h := range hooks {
		names.add(h)
	}
	return names
}

func (f folderNames) add(h *Hook) (first *Hook) {
	key := h.key()
	first = f[key]
	if first == nil {
		f[key] = h
	}
	return first
}

// warnAlike reports the later of two hooks with the same name in their HOOK.md,
// such as a backup copy: both run (D85).
func warnAlike(hooks []*Hook) {
	first := make(map[string]*Hook, len(hooks))
	for _, h := range hooks {
		if h.State != Active {
			continue
		}
		if other := first[h.Name]; other == nil {
			first[h.Name] = h
		} else if h.Name != h.Folder || other.Name != other.Folder {
			h.report(problem(h.File, "name-same", fmt.Sprintf("the hook in the folder %s has the same name %s, and both run; remove one of them, or correct the name",
				shown.Quote(other.Folder), shown.Quote(h.Name))))
			spec.SortDiagnostics(h.Diagnostics)
		}
	}
}
