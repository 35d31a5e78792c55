package discovery

import (
	"fmt"
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Runnable returns why the hook would be a failure on its event although its
// front matter is valid: an expression that does not compile, a file that other
// users can change (D39), or an entry point that cannot be started with the
// interpreters in path, the PATH variable. It starts no process.
func (h *Hook) Runnable(path string) error {
	if h.Trigger.IsTool() { // otherwise the matcher is ignored
		if _, err := matcher.Compile(h.Tool, h.Pattern); err != nil {
			return err
		}
	}
	for _, c := range h.When {
		if _, err := matcher.Compile("", c.Pattern); err != nil {
			return fmt.Errorf("metadata.when.%s: %w", c.Field, err)
		}
	}
	if err := h.Permissions(); err != nil {
		return err
	}
	if _, err := h.Entry(path); err != nil {
		return err
	}
	for _, d := range h.Startable(path) {
		return fmt.Errorf("%s: %s", shown.Path(d.Path), d.Message)
	}
	return nil
}

// Startable returns why the hook's existing script cannot be started: a missing
// #! line where one is needed, one that ends with a carriage return, or an
// interpreter that is not in path, the PATH variable (D11). A run detects this
// when it starts the script (D38).
func (h *Hook) Startable(path string) []spec.Diagnostic {
	if h.Answer != nil {
		return nil
	}
	s, err := h.script()
	if err != nil {
		return entryDiagnostic(err)
	}
	line, binary, err := s.shebang()
	if err != nil {
		return entryDiagnostic(err)
	}
	if binary {
		return nil
	}
	warns := func(d spec.Diagnostic) bool { return d.Severity != spec.Error }
	return slices.DeleteFunc(s.checkShebang(line, path), warns)
}
