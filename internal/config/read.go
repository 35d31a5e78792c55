package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Read reads the hooks.toml next to a hooks directory. It returns nil if there is none. For a
// file that cannot be read, or that others can change (D39), it returns a File with a
// diagnostic and without values, which is strict if it is the user's.
func Read(hooks string, scope discovery.Scope) *File {
	if hooks == "" {
		return nil
	}
	return ReadFile(filepath.Join(filepath.Dir(hooks), Name), scope)
}

// ReadUnowned is Read for a project's file that only counts as it was reviewed: others may be able to
// change it (D133).
func ReadUnowned(hooks string) *File {
	if hooks == "" {
		return nil
	}
	return readFile(filepath.Join(filepath.Dir(hooks), Name), discovery.ProjectScope, func(string) error { return nil })
}

// ReadFile is Read for the file itself.
func ReadFile(path string, scope discovery.Scope) *File {
	check := paths.CheckFile
	if scope == discovery.ManagedScope {
		check = func(path string) error { return paths.CheckRoot(path) }
	}
	return readFile(path, scope, check)
}

func readFile(path string, scope discovery.Scope, check func(path string) error) *File {
	if isAbsent(path) {
		return nil
	}
	err := inside(path, scope)
	var source []byte
	if err == nil {
		source, _, err = paths.Read(path, spec.MaxConfigFile)
	}
	if err == nil {
		err = check(path) // anyone who can change the file can disable guards, as with a HOOK.md
	}
	switch {
	case err == nil:
		return Parse(source, path, scope)
	case isAbsent(path): // meanwhile
		return nil
	}
	r := newReader(path, scope, nil)
	r.unusable(message(err))
	return r.file
}

var errOutside = errors.New("a symbolic link that leads out of the project")

// inside rejects a project's file that is a link to a file outside the project, because
// diagnostics would show parts of that file.
func inside(path string, scope discovery.Scope) error {
	if scope != discovery.ProjectScope {
		return nil
	}
	physical, err := paths.Real(path)
	if err != nil {
		return err
	}
	agents := filepath.Dir(path)
	for _, dir := range []string{agents, filepath.Dir(agents)} {
		dir, err := paths.Real(dir)
		if err != nil {
			return err
		}
		if rel, err := filepath.Rel(dir, physical); err == nil && filepath.IsLocal(rel) {
			return nil
		}
	}
	return errOutside
}

// isAbsent reports whether path does not exist. A dangling link exists.
func isAbsent(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

func message(err error) string {
	var refused *paths.OwnerError
	var path *fs.PathError
	switch {
	case errors.As(err, &refused):
		return refused.Error()
	case errors.Is(err, paths.ErrNotRegular), errors.Is(err, errOutside):
		return err.Error()
	case errors.Is(err, fs.ErrNotExist):
		return "a symbolic link leads nowhere"
	case errors.As(err, &path):
		err = path.Err
	}
	return fmt.Sprintf("cannot be read: %v", err)
}
