package trust

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/state"
)

// Write writes the folder, read-only, below parent, which must exist and must not contain it
// yet. Nothing is flushed to disk.
func (f *Folder) Write(parent string) error {
	if _, err := f.write(filepath.Join(parent, f.Name), true); err != nil {
		return fmt.Errorf("copy the folder: %w", err)
	}
	return nil
}

// WriteOpen is Write for a folder that the user may change: the umask determines its permissions, and
// everything is flushed to disk.
func (f *Folder) WriteOpen(parent string) error {
	written, err := f.write(filepath.Join(parent, f.Name), false)
	if err != nil {
		return err
	}
	return state.Sync(written)
}

// write returns the files and directories that it wrote.
func (f *Folder) write(root string, sealed bool) (written []string, err error) {
	mode := fs.FileMode(0o777)
	if sealed {
		mode = 0o700
	}
	if err := os.Mkdir(root, mode); err != nil {
		return nil, err
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
				return nil, err
			}
			dirs = append(dirs, dir)
		}
		to := filepath.Join(root, filepath.FromSlash(file.Path))
		if err := file.write(to, sealed); err != nil {
			return nil, err
		}
		if file.Link == "" {
			written = append(written, to)
		}
	}
	for _, dir := range slices.Backward(dirs) {
		if sealed { // so that hooks do not write to their reviewed copies
			if err := os.Chmod(dir, 0o500); err != nil {
				return nil, err
			}
		}
	}
	return append(written, dirs...), nil
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

// writeNew writes a file that must not exist yet. An exact mode does not depend on the umask. On
// Windows, where an open file is needed for that, it flushes the file to disk; elsewhere, state.Sync does.
func writeNew(to string, data []byte, mode fs.FileMode, exact bool) error {
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode|0o200)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil && exact {
		err = file.Chmod(mode)
	}
	if err == nil && runtime.GOOS == "windows" {
		err = file.Sync()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	return err
}

const scratchPrefix = "agent-hooks-pack-"

// Scratch creates a temporary directory, in the system's directory for them if in is "". It removes
// those that killed runs left there more than a day ago.
func Scratch(in string) (dir string, err error) {
	old, _ := filepath.Glob(filepath.Join(cmp.Or(in, os.TempDir()), scratchPrefix+"*"))
	for _, left := range old {
		if info, err := os.Lstat(left); err == nil && info.IsDir() && time.Since(info.ModTime()) > 24*time.Hour {
			_ = state.Discard(left)
		}
	}
	return os.MkdirTemp(in, scratchPrefix)
}
