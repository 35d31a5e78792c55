package discovery

import (
	"errors"

	"github.com/agent-hooks/agent-hooks/spec"
)

// Entry is how a hook is started (D11).
type Entry struct {
	Script string   // the entry point, absolute
	Argv   []string // what to execute; Argv[0] is the program, absolute
}

// Entry finds h's entry point (D11) and, if the script needs one, its
// interpreter in the absolute folders of path, the PATH variable.
func (h *Hook) Entry(path string) (Entry, error) {
	return Entry{}, errors.New("no entry point")
}

// PermissionError says that others can change a hook (D39).
type PermissionError struct {
	Path   string // what they can change
	Reason string // how
	Mend   string // the command that mends it
}

func (e *PermissionError) Error() string { return e.Path + " " + e.Reason + "; " + e.Mend }

// Permissions checks that only the user and root can change h (D39). An
// error is a *PermissionError, or says why it cannot be found out.
func (h *Hook) Permissions() error { return nil }

// Validate returns everything that is wrong with h.
func (h *Hook) Validate(path string) []spec.Diagnostic { return h.Diagnostics }
