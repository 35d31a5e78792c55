package discovery

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Load reads the hooks of both directories, applies the rules and builds the
// Table, in the order of D6: validity, trust, configuration, override. path is
// the PATH variable, in which the interpreters of replacing hooks are looked
// for. The diagnostics are those of the directories themselves.
func Load(d Dirs, path string, r Rules) (Table, []spec.Diagnostic) {
	user, diagnostics := ReadScope(d.User, UserScope)
	project, more := ReadScope(d.Project, ProjectScope)
	if r.Trust != nil {
		for i, h := range project {
			project[i] = r.Trust(h)
		}
	}
	if r.Configure != nil {
		for _, h := range append(user[:len(user):len(user)], project...) {
			r.Configure(h)
		}
	}
	table := Build(user, project, func(h *Hook) error { return h.usable(path) }, r.Protected)
	return table, append(diagnostics, more...)
}

// usable is what a hook must also be to replace another, beside valid (D6).
func (h *Hook) usable(path string) error {
	if _, err := matcher.Compile(h.Tool, h.Pattern); err != nil {
		return err
	}
	if _, err := h.Entry(path); err != nil {
		return err
	}
	return h.Permissions()
}

// ReadScope reads the hooks in dir, in byte order of their folders' names
// (D3). A dir that does not exist, or "", has none. The diagnostics tell of
// what is no hook but may be meant as one: dir itself when it cannot be read,
// links that lead nowhere, folders without a HOOK.md (a warning).
func ReadScope(dir string, scope Scope) ([]*Hook, []spec.Diagnostic) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir) // sorted
	var diagnostics []spec.Diagnostic
	if err != nil {
		diagnostics = scopeProblem(dir, err)
	}
	var hooks []*Hook
	taken := folderNames{}
	for _, entry := range entries {
		h, err := readEntry(dir, entry, scope)
		switch {
		case err == nil:
			taken.take(h)
			hooks = append(hooks, h)
		case errors.Is(err, errEmpty) && entry.Name()[0] != '.':
			// No hook's name begins with a dot; .git and the like may.
			diagnostics = append(diagnostics, h.Diagnostics...)
		}
	}
	return hooks, diagnostics
}

// readEntry reads what may be a hook. The error, with which it is none, is
// errEmpty, errNoFolder or errGone (D3).
func readEntry(dir string, entry fs.DirEntry, scope Scope) (*Hook, error) {
	if !entry.IsDir() && entry.Type()&fs.ModeSymlink == 0 {
		return nil, errNoFolder
	}
	return read(filepath.Join(dir, entry.Name()), scope, front)
}

// scopeProblem says why a directory of hooks cannot be listed; one that does
// not exist is no problem.
func scopeProblem(dir string, err error) []spec.Diagnostic {
	if errors.Is(err, fs.ErrNotExist) {
		if link := danglingPart(dir); link != "" {
			return []spec.Diagnostic{problem(link, "link", "a symbolic link that leads nowhere")}
		}
		return nil
	}
	return []spec.Diagnostic{problem(dir, codeOf(err), fmt.Sprintf("the hooks in it cannot be listed: %v", cause(err)))}
}

// danglingPart returns the symbolic link on the way to path that leads
// nowhere, "" if there is none: what is simply not there is no problem.
func danglingPart(path string) string {
	for at := path; ; at = filepath.Dir(at) {
		if dangling(at) != nil {
			return at
		}
		if _, err := os.Lstat(at); err == nil || at == filepath.Dir(at) {
			return ""
		}
	}
}
