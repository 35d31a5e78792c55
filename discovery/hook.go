// Package discovery finds the hooks of a user and of a project on disk and
// sorts them into the order in which they run (D1-D8). It determines which
// folders are hooks, which hooks are invalid, which one replaces another, the
// entry point of each, and whether other users could have changed it (D11,
// D39).
//
// It reads only front matter and decides nothing about an event: the caller
// selects the hooks for an event from the Table. It runs no hooks; Validate
// runs bash to check a script's syntax.
package discovery

import (
	"time"

	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Scope states to whom a hook belongs (D1, D82).
type Scope string

// The scopes.
const (
	ManagedScope Scope = "managed" // the machine's administrator
	UserScope    Scope = "user"
	ProjectScope Scope = "project"
)

// State states whether a hook takes part in runs (D5, D6, D39).
type State string

// The states of a hook.
const (
	Active     State = "active"
	Overridden State = "overridden" // a project's hook of the same name replaces it
	Invalid    State = "invalid"    // it cannot run: a failure on its event
	Refused    State = "refused"    // others can change it: a failure on its event
	Disabled   State = "disabled"   // a hooks.toml disables it (D14)
	Untrusted  State = "untrusted"  // the user has not reviewed it, and trust is required (D40)
	Missing    State = "missing"    // the user has trusted it, and it no longer exists (D40)
)

// Hook is a hook on disk.
type Hook struct {
	manifest.Hook // the content of its HOOK.md; Name is Folder if no name can be read

	Scope  Scope
	Folder string // the name of its directory, by which the hook is known (D85)
	Dir    string // its directory, absolute
	File   string // its HOOK.md, absolute; "" if it has none

	State State
	Cause string // why it is not active, as one line

	// Observe means that the hook runs and is logged without effect (D76).
	Observe bool

	// Reviewed means that Dir is a copy that the user has reviewed, in a store
	// that only the user can write (D40). Origin is then the folder in the
	// project that it was copied from, otherwise "".
	Reviewed bool
	Origin   string
	// Notice is a message to print about a hook that runs, such as that a newer
	// version waits for trust; "" for none.
	Notice string
	// Late, if not nil, computes the notice where it is needed, because that is
	// expensive. It must be safe for concurrent use. Use News.
	Late func() string

	Replaces   *Hook // the user's hook that this one replaces
	ReplacedBy *Hook // the project's hook that replaces this one

	// Diagnostics are the problems found by reading, sorted, with Path set.
	// Validate finds more.
	Diagnostics []spec.Diagnostic
	// Wrong is the diagnostic that makes the hook Invalid; nil if nothing in
	// its HOOK.md does.
	Wrong *spec.Diagnostic

	skipped bool // only Name (the folder's) and Trigger are set (D74)
}

// News returns the notice as of now.
func (h *Hook) News() string {
	if h.Notice == "" && h.Late != nil {
		return h.Late()
	}
	return h.Notice
}

// Shown returns the name of the hook's folder for a message (D85). It may
// contain any characters, and is then quoted.
func (h *Hook) Shown() string { return shown.Path(h.Folder) }

// OtherName returns the name in the HOOK.md, for a message, if it differs from
// the folder's; otherwise "".
func (h *Hook) OtherName() string {
	if h.Name == h.Folder || h.Name == h.key() {
		return ""
	}
	return shown.Path(h.Name)
}

// Table maps each event to its hooks in their final order (D7), including those
// that do not run. The key "" holds the hooks whose trigger cannot be read.
type Table map[spec.EventType][]*Hook

// Dirs are the directories of the administrator's, the user's and the project's
// hooks; "" means none.
type Dirs struct{ Managed, User, Project string }

// Rules are the conditions on hooks from outside their own folders. The zero
// Rules accept every hook unchanged.
type Rules struct {
	// Trust returns the hook to run instead of a project's hook: the reviewed
	// copy, or the hook itself marked Untrusted (D40). nil means that every
	// hook is trusted.
	Trust func(*Hook) *Hook
	// Missing returns hooks of the project that were trusted and no longer
	// exist (D40). It is called after Trust was called for every hook. nil
	// means that there are none.
	Missing func() []*Hook
	// Knows reports whether Trust may return a reviewed copy for a folder of
	// the project's hooks directory. Only the first few of the other folders
	// are examined, and no HOOK.md is parsed, because a project may have any
	// number of folders. nil means that every folder is read.
	Knows func(hooks, folder string) bool
	// Reviewed reports whether Trust certainly returns a reviewed copy, or refuses
	// the hook, whatever the folder's HOOK.md contains. If Only is set, the file
	// then only has to exist. nil means that no folder is such.
	Reviewed func(hooks, folder string) bool
	// Until limits the time for reading a project's hooks. Folders not read by
	// then are reported. The limit is never more than spec.MaxLoad.
	Until time.Time
	// Only is the event that the table is for. If a hook certainly has another
	// trigger, only its name and trigger are read, unless both scopes have the
	// name or Trust decides about it (D74). "" means that all hooks are parsed.
	Only spec.EventType
	// Keep returns the hook to configure instead of a given one, such as its
	// last good version while it is invalid. It is called once for every hook.
	// nil means no replacement.
	Keep func(*Hook) *Hook
	// Configure applies the hooks.toml files to a hook (D14). nil means that
	// there are none.
	Configure func(*Hook)
	// ConfigureManaged is Configure for managed hooks, to which nothing else of
	// the Rules but Only applies (D82).
	ConfigureManaged func(*Hook)
	// Protected reports whether projects are forbidden to replace the user's
	// hook called name (D6). nil means that none is protected.
	Protected func(name string) bool
}

// invalidate marks h as a hook that cannot run, unless it is already marked.
func (h *Hook) invalidate(cause string) {
	if h.State == Active {
		h.State, h.Cause = Invalid, cause
	}
}

// report adds a diagnostic about path. A fatal one makes the hook invalid.
func (h *Hook) report(d spec.Diagnostic) {
	h.Diagnostics = append(h.Diagnostics, d)
	if d.Fatal() && h.State == Active {
		h.invalidate(d.Message)
		h.Wrong = &d
	}
}
