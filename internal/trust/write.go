package trust

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/atomicfile"
)

// Write writes the folder, read-only, below parent, which must exist and must not contain it
// yet. It returns after everything has been flushed to disk.
func (f *Folder) Write(parent string) error {
	if err := f.write(filepath.Join(parent, f.Name)); err != nil {
		return fmt.Errorf("copy the folder: %w", err)
	}
	return nil
}

func (f *Folder) write(root string) error {
	if err := os.Mkdir(root, 0o700); err != nil {
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
			if err := os.Mkdir(dir, 0o700); err != nil {
				return err
			}
			dirs = append(dirs, dir)
		}
		if err := file.write(filepath.Join(root, filepath.FromSlash(file.Path))); err != nil {
			return err
		}
	}
	for _, dir := range slices.Backward(dirs) {
		if err := seal(dir); err != nil {
			return err
		}
	}
	return nil
}

func (f File) write(to string) error {
	if f.Link != "" {
		return os.Symlink(filepath.FromSlash(f.Link), to)
	}
	mode := fs.FileMode(0o400)
	if f.Executable {
		mode = 0o500
	}
	return writeNew(to, f.Data, mode)
}

// writeNew writes a file that must not exist yet, and flushes it to disk.
func writeNew(to string, data []byte, mode fs.FileMode) error {
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil {
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

// seal makes a directory read-only, so that hooks do not write to their reviewed copies.
func seal(dir string) error {
	if err := atomicfile.SyncDirectory(dir); err != nil {
		return err
	}
	return os.Chmod(dir, 0o500)
}

// Discard removes a tree, including its read-only directories. A missing tree is not an error.
func Discard(dir string) error {
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(p, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}
