package state

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// File is one file of a hook's folder.
type File struct {
	Path       string // relative to the folder, with slashes
	Data       []byte
	Executable bool
}

// WriteFolder writes the folder of a hook atomically: it creates the folder next to the directory of
// hooks, where nothing searches for hooks, and then renames it. An existing folder is not
// replaced. The directory of hooks is created if it does not exist.
func WriteFolder(hooks, name string, files []File, mode fs.FileMode) error {
	if err := os.MkdirAll(hooks, 0o755); err != nil {
		return err
	}
	physical, err := paths.Real(hooks)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp(filepath.Dir(physical), ".new-")
	if err != nil {
		return notWritten(filepath.Dir(hooks), err)
	}
	defer os.RemoveAll(temp)
	folder, target := filepath.Join(temp, name), filepath.Join(physical, name)
	err = os.Mkdir(folder, mode)
	for _, f := range files {
		path, mode := filepath.Join(folder, filepath.FromSlash(f.Path)), fs.FileMode(0o644)
		if f.Executable {
			mode = 0o755
		}
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o755)
		}
		if err == nil {
			err = os.WriteFile(path, f.Data, mode)
		}
	}
	if err == nil {
		err = os.Rename(folder, target)
	}
	if _, there := os.Lstat(target); err != nil && there == nil {
		return fmt.Errorf("%s already exists, and nothing is overwritten", filepath.Join(hooks, name))
	}
	if err != nil {
		return notWritten(hooks, err)
	}
	return nil
}

// notWritten explains why a folder cannot be created, without the path of the temporary folder.
func notWritten(hooks string, err error) error {
	return fmt.Errorf("nothing can be written in %s: %w", hooks, shown.Cause(err))
}

// RemoveEmpty removes an empty directory, but not a link to one: it is the user's, and what it leads to
// may be in use.
func RemoveEmpty(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a directory", dir)
	}
	return os.Remove(dir)
}

// Discard removes a tree, including its read-only directories. A missing tree is not an error.
func Discard(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	if info, missing := os.Lstat(dir); missing != nil || !info.IsDir() {
		return err
	}
	if root, err := os.OpenRoot(dir); err == nil { // so that nobody can lead it elsewhere by a link
		_ = fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
			if d != nil && d.IsDir() {
				_ = root.Chmod(p, 0o700)
			}
			return nil
		})
		root.Close()
	}
	return os.RemoveAll(dir)
}
