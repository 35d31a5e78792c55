package scaffold

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// Write writes the folder of a hook atomically: it creates the folder next to the directory of
// hooks, where nothing searches for hooks, and then renames it. An existing folder is not
// replaced. The directory of hooks is created if it does not exist.
func Write(hooks, name string, files []File) error {
	if err := os.MkdirAll(hooks, 0o755); err != nil {
		return err
	}
	return writeFolder(hooks, name, files)
}

func writeFolder(hooks, name string, files []File) error {
	physical, err := paths.Real(hooks)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp(filepath.Dir(physical), ".new-")
	if err != nil {
		return notWritten(filepath.Dir(hooks), err)
	}
	defer os.RemoveAll(temp)
	folder := filepath.Join(temp, name)
	for _, f := range files {
		if err := writeFile(folder, f); err != nil {
			return notWritten(hooks, err)
		}
	}
	target := filepath.Join(physical, name)
	if err := os.Rename(folder, target); err != nil {
		if _, there := os.Lstat(target); there == nil {
			return fmt.Errorf("%s already exists, and nothing is overwritten", filepath.Join(hooks, name))
		}
		return notWritten(hooks, err)
	}
	return nil
}

// notWritten explains why a folder cannot be created, without the path of the temporary folder.
func notWritten(hooks string, err error) error {
	return fmt.Errorf("nothing can be written in %s: %w", hooks, shown.Cause(err))
}

func writeFile(folder string, f File) error {
	path := filepath.Join(folder, filepath.FromSlash(f.Path))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if f.Executable {
		mode = 0o755
	}
	return os.WriteFile(path, f.Data, mode)
}
