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

// Limits bound what Read reads. The zero Limits read every hook.
type Limits struct {
	// Until limits the time for reading a project's hooks. Folders not read by
	// then are reported. The limit is never more than spec.MaxLoad.
	Until time.Time
	// Only is the event that the hooks are for. If a hook certainly has another
	// trigger, only its name and trigger are read, unless both scopes have the
	// name (D74). "" means that all hooks are parsed.
	Only spec.EventType
	// Review says that the project's hooks are about to be replaced by reviewed
	// copies (D40). nil means that they run as they are.
	Review *Review
}

// Review names the folders of a project of which there may be reviewed copies. Of
// any other folder, only the first few are examined, and no HOOK.md is parsed,
// because a project may have any number of folders.
type Review struct {
	Copies map[string]bool        // reviewed in this project: their HOOK.md only has to exist
	Others func() map[string]bool // reviewed anywhere; nil for none
}

// Found are the hooks that were read, before they are reviewed, configured and
// put in order.
type Found struct {
	Managed, User, Project []*Hook
	Diagnostics            []spec.Diagnostic // of the directories themselves
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
