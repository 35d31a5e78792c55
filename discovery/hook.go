// Package discovery finds the hooks of a user and of a project on disk and
// puts them into the order in which they run (D1-D8): which folders are
// hooks, which of them are broken, which replaces which, what each one's
// entry point is, and whether others could have changed it (D11, D39).
//
// It reads front matter only and decides nothing about an event: what
// concerns an event is for the caller to select from the Table. It runs no
// hook; Validate asks bash about a script's syntax.
package discovery

import (
	"time"

	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Scope says whose hook it is (D1).
type Scope string

// The two scopes.
const (
	UserScope    Scope = "user"
	ProjectScope Scope = "project"
)

// State says whether a hook takes part (D5, D6, D39).
type State string

// The states of a hook.
const (
	Active     State = "active"
	Overridden State = "overridden" // a project's hook of the same name replaces it
	Invalid    State = "invalid"    // it cannot run: a failure on its event
	Refused    State = "refused"    // others can change it: a failure on its event
	Disabled   State = "disabled"   // a hooks.toml switches it off (D14)
	Untrusted  State = "untrusted"  // the user has not reviewed it, and trust is required (D40)
	Missing    State = "missing"    // the user has trusted it, and it is not found any more (D40)
)

// Hook is a hook on disk.
type Hook struct {
	manifest.Hook // what its HOOK.md says; Name is Folder if no name can be read

	Scope  Scope
	Folder string // the name of its directory
	Dir    string // its directory, absolute
	File   string // its HOOK.md, absolute; "" if it has none

	State State
	Cause string // why it is not active, one line

	// Observe says that the hook runs and is logged without effect (D76).
	Observe bool

	// Reviewed says that Dir is a copy that the user has reviewed, in a
	// store that only the user can write (D40); Origin is then the folder in
	// the project that it was copied from, else "".
	Reviewed bool
	Origin   string
	// Notice is what a run says of the hook although it runs, such as that a
	// newer version waits for trust; "" for nothing.
	Notice string
	// Late, if not nil, finds out the notice when the hook is about to run,
	// since that costs. It is not for several goroutines.
	Late func() string

	Replaces   *Hook // the user's hook that this one replaces
	ReplacedBy *Hook // the project's hook that replaces this one

	// Diagnostics tells what reading has found, sorted, with Path filled;
	// Validate finds more.
	Diagnostics []spec.Diagnostic

	skipped bool // only Name, from its folder, and Trigger are known (D74)
}

// Shown returns the hook's name as a message may show it: a broken hook's can
// hold anything, and is then quoted.
func (h *Hook) Shown() string { return shown.Path(h.Name) }

// Table holds the hooks of each event in their final order (D7), those of
// every state. The key "" holds the hooks whose trigger cannot be read.
type Table map[spec.EventType][]*Hook

// Dirs names the two directories that hold hooks, as UserHooks and
// FindProject return them; "" means that there is none.
type Dirs struct{ User, Project string }

// Rules are what decides about hooks besides their own folders. The zero Rules
// take every hook as it is.
type Rules struct {
	// Trust returns what runs in the place of a project's hook: the reviewed
	// copy, or the hook itself marked Untrusted (D40). nil: every hook is
	// trusted.
	Trust func(*Hook) *Hook
	// Missing returns hooks of the project that are not found although they
	// were trusted (D40). It is called after Trust was called for every hook;
	// nil: there are none.
	Missing func() []*Hook
	// Knows reports whether Trust may return a reviewed copy for a folder of
	// the project's hooks directory. Of the other folders, only the first few
	// are looked at, and no HOOK.md is parsed: anyone may have written any
	// number of them. nil: every folder is read.
	Knows func(hooks, folder string) bool
	// Until bounds the time of reading a project's hooks; folders that are
	// not read by then are reported. It is never more than spec.MaxLoad.
	Until time.Time
	// Only names the event that the table is for. Of a hook that certainly has
	// another trigger, only the name and the trigger are read, unless both
	// scopes have the name or Trust decides about it (D74). "": all are parsed.
	Only spec.EventType
	// Keep returns what is configured in the place of a hook, such as its last
	// good version while it is broken: see WatchOptions. It is asked once about
	// every hook; nil: each stays.
	Keep func(*Hook) *Hook
	// Configure applies the hooks.toml files to a hook (D14); nil: there are
	// none.
	Configure func(*Hook)
	// Protected reports whether no project may replace the user's hook of
	// that name (D6); nil: none is protected.
	Protected func(name string) bool
}

// invalidate marks h as one that cannot run, unless it is marked already.
func (h *Hook) invalidate(cause string) {
	if h.State == Active {
		h.State, h.Cause = Invalid, cause
	}
}

// report adds a diagnostic about path; a fatal one makes the hook invalid.
func (h *Hook) report(d spec.Diagnostic) {
	h.Diagnostics = append(h.Diagnostics, d)
	if d.Fatal() {
		h.invalidate(d.Message)
	}
}
