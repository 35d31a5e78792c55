package discovery

import (
	"bytes"

	"github.com/agent-hooks/agent-hooks/spec"
)

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
