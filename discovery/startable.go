package discovery

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Runnable returns why the hook would be a failure on its event although its
// front matter holds: an expression that does not compile, what others can
// change (D39), an entry point that cannot be started, with the interpreters
// in path, the PATH variable. It starts nothing.
func (h *Hook) Runnable(path string) error {
	if h.Trigger.IsTool() { // elsewhere the matcher is ignored
		if _, err := matcher.Compile(h.Tool, h.Pattern); err != nil {
			return err
		}
	}
	for _, c := range h.When {
		if _, err := matcher.Compile("", c.Pattern); err != nil {
			return fmt.Errorf("metadata.when.%s: %w", c.Field, err)
		}
	}
	if _, refused, err := h.Ready(path); refused != nil || err != nil {
		return cmp.Or(refused, err)
	}
	if err := h.Permissions(); err != nil {
		return err
	}
	for _, d := range h.Startable(path) {
		return fmt.Errorf("%s: %s", shown.Path(d.Path), d.Message)
	}
	return nil
}

// Startable returns why the hook's script cannot be started although it is
// there: no #! line where one is needed, one that ends with a carriage
// return, an interpreter that is not in path, the PATH variable (D11). A run
// finds that out by starting it (D38).
func (h *Hook) Startable(path string) []spec.Diagnostic {
	s, err := h.script()
	if err != nil {
		return entryDiagnostic(err)
	}
	head, err := s.head()
	if err != nil {
		return entryDiagnostic(err)
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return nil // a binary: the system knows better
	}
	var errors []spec.Diagnostic
	for _, d := range s.checkShebang(shebangIn(head), path) {
		if d.Severity == spec.Error {
			errors = append(errors, d)
		}
	}
	return errors
}
