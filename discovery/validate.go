package discovery

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

// whole reads an entire HOOK.md and finds all of its problems.
var whole = depth{
	func(file io.Reader, _ int64, _ []byte) ([]byte, error) {
		return readRest(file, nil, spec.MaxHookFile+1)
	},
	func(_ *manifest.Parser, source []byte, folder string) (manifest.Hook, []spec.Diagnostic) {
		return manifest.Check(source, folder)
	},
}

// Validate reads h again and returns all its problems, sorted, with absolute
// paths. It checks its HOOK.md with manifest.Check, its entry point (D11) with
// the interpreters in path, the PATH variable, and who can change it (D39). It
// runs bash to check the syntax of shell scripts, and starts no other process.
func (h *Hook) Validate(path string) []spec.Diagnostic {
	r := reader{depth: whole, scope: h.Scope}
	again, err := r.readAt(h.Dir)
	diagnostics := again.Diagnostics
	for _, d := range h.Diagnostics {
		if d.Code == "name-taken" || d.Code == "name-same" { // found only by reading the whole scope
			diagnostics = append(diagnostics, d)
		}
	}
	if err == nil && again.File != "" {
		diagnostics = append(diagnostics, again.twoFiles()...)
		notYAML := slices.ContainsFunc(diagnostics, func(d spec.Diagnostic) bool { return d.Code == "yaml" })
		if again.HasScript() || !notYAML { // otherwise it may have an answer
			diagnostics = append(diagnostics, again.checkEntry(path)...)
		}
		diagnostics = append(diagnostics, again.checkPermissions()...)
	}
	spec.SortDiagnostics(diagnostics)
	return diagnostics
}

// twoFiles reports a hook.md next to the HOOK.md that is a different file.
func (h *Hook) twoFiles() []spec.Diagnostic {
	other := filepath.Join(h.Dir, "hook.md")
	if _, err := os.Lstat(other); err != nil {
		return nil
	}
	first, err1 := os.Stat(h.File)
	second, err2 := os.Stat(other)
	if err1 == nil && err2 == nil && os.SameFile(first, second) {
		return nil // a link, or a file system that ignores case
	}
	return []spec.Diagnostic{problem(other, "two-files", "not read, because HOOK.md also exists; remove one of them")}
}

func (h *Hook) checkPermissions() []spec.Diagnostic {
	if err := h.Permissions(); err != nil {
		return []spec.Diagnostic{permissionsProblem(h.Dir, err)}
	}
	if why := h.Unchecked(); why != "" {
		return []spec.Diagnostic{problem(h.Dir, "many-files", why)}
	}
	return nil
}

// permissionsProblem returns the diagnostic for a file in dir that others can change.
func permissionsProblem(dir string, err error) spec.Diagnostic {
	var refused *paths.OwnerError
	if errors.As(err, &refused) {
		return problem(refused.Path, "permissions", refused.Reason+"; fix with: "+refused.Fix)
	}
	return problem(dir, "permissions", err.Error())
}

// checkEntry returns the problems of the entry point.
func (h *Hook) checkEntry(path string) []spec.Diagnostic {
	switch {
	case h.Answer != nil && h.HasScript(): // (D77)
		return []spec.Diagnostic{problem(filepath.Join(h.Dir, "scripts"), "answer", "scripts next to metadata.answer, which never run; remove them, or the answer")}
	case h.Answer != nil:
		return nil
	}
	s, err := h.script()
	if err != nil {
		return entryDiagnostic(err)
	}
	if _, err := s.argv(path); err != nil {
		return entryDiagnostic(err)
	}
	line, binary, err := s.shebang()
	if err != nil {
		return entryDiagnostic(err)
	}
	if binary {
		return nil
	}
	var diagnostics []spec.Diagnostic
	if hasExecuteBit && !s.executable {
		diagnostics = append(diagnostics, problem(s.path, "entry-bit", "not executable; chmod +x "+paths.ShellWord(s.path)))
	}
	lines := s.codeLines()
	return slices.Concat(diagnostics, s.checkShebang(line, path), s.checkLanguage(lines, h.Protocol), s.checkSlips(lines, h), h.checkIsolation(), s.checkSyntax(line))
}

func entryDiagnostic(err error) []spec.Diagnostic {
	e := &entryError{"entry-point", "", err.Error()}
	errors.As(err, &e)
	if e.code == "entry-crlf" {
		return []spec.Diagnostic{problemAt(e.path, 1, e.code, strings.TrimLeft(e.said, ": "))}
	}
	return []spec.Diagnostic{problem(e.path, e.code, strings.TrimLeft(e.said, ": "))}
}

// checkShebang returns the problems of the #! line.
func (s script) checkShebang(line, path string) []spec.Diagnostic {
	switch {
	case line == "":
		return []spec.Diagnostic{problem(s.path, "entry-shebang", "no #! line; begin it with #!/bin/sh or similar")}
	case strings.HasSuffix(line, "\r"):
		return []spec.Diagnostic{problemAt(s.path, 1, "entry-crlf", "the #! line ends with a carriage return; "+saveLF)}
	case hasExecuteBit && !s.interpreted(line, path): // otherwise argv has found the program
		program, _ := interpreter(line)
		return []spec.Diagnostic{problemAt(s.path, 1, "entry-interpreter", fmt.Sprintf("the interpreter %q is not installed", program))}
	}
	return nil
}
