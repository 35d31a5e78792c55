package trust

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/state"
)

// Write writes the folder, read-only, below parent, which must exist and must not contain it
// yet. It returns after everything has been flushed to disk.
func (f *Folder) Write(parent string) error {
	if err := f.write(filepath.Join(parent, f.Name), true); err != nil {
		return fmt.Errorf("copy the folder: %w", err)
	}
	return nil
}

// WriteOpen is Write for a folder that the user may change: the umask determines its permissions.
func (f *Folder) WriteOpen(parent string) error {
	return f.write(filepath.Join(parent, f.Name), false)
}

func (f *Folder) write(root string, sealed bool) error {
	mode := fs.FileMode(0o777)
	if sealed {
		mode = 0o700
	}
	if err := os.Mkdir(root, mode); err != nil {
		return err
	}
	dirs := []string{root}
	for _, file := range f.Files {
		for i, r := range file.Path {
			if r != '/' {
				continue
			}
			dir := filepath.Join(root, filepath.FromSlash(file.Path[:i]))
			if slices.Contains(dirs, dir) {
				continue
			}
			if err := os.Mkdir(dir, mode); err != nil {
				return err
			}
			dirs = append(dirs, dir)
		}
		if err := file.write(filepath.Join(root, filepath.FromSlash(file.Path)), sealed); err != nil {
			return err
		}
	}
	for _, dir := range slices.Backward(dirs) {
		if err := state.SyncDirectory(dir); err != nil {
			return err
		}
		if sealed { // so that hooks do not write to their reviewed copies
			if err := os.Chmod(dir, 0o500); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f File) write(to string, sealed bool) error {
	if f.Link != "" {
		return os.Symlink(filepath.FromSlash(f.Link), to)
	}
	mode := fs.FileMode(0o666)
	if f.Executable {
		mode = 0o777
	}
	if sealed {
		mode &= 0o500
	}
	return writeNew(to, f.Data, mode, sealed)
}

// writeNew writes a file that must not exist yet, and flushes it to disk. An exact mode does not
// depend on the umask.
func writeNew(to string, data []byte, mode fs.FileMode, exact bool) error {
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode|0o200)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil && exact {
		err = file.Chmod(mode)
	}
	if err == nil {
		err = file.Sync()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	return err
}

// Discard removes a tree, including its read-only directories. A missing tree is not an error.
func Discard(dir string) error {
	if root, err := os.OpenRoot(dir); err == nil { // so that nobody can lead it elsewhere by a link
		_ = fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				_ = root.Chmod(p, 0o700)
			}
			return nil
		})
		root.Close()
	}
	return os.RemoveAll(dir)
}

const scratchPrefix = "agent-hooks-pack-"

// Scratch creates a temporary directory, in the system's directory for them if in is "". It removes
// those that killed runs left there more than a day ago.
func Scratch(in string) (dir string, err error) {
	old, _ := filepath.Glob(filepath.Join(cmp.Or(in, os.TempDir()), scratchPrefix+"*"))
	for _, left := range old {
		if info, err := os.Lstat(left); err == nil && info.IsDir() && time.Since(info.ModTime()) > 24*time.Hour {
			_ = Discard(left)
		}
	}
	return os.MkdirTemp(in, scratchPrefix)
}
