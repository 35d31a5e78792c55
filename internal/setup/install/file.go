package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/state"
)

// The maximum size of a settings file in bytes. The user's own may hold an agent's history (D134).
const (
	maxFile    = 64 << 20
	maxProject = 1 << 20
)

// file is a settings file as it was read.
type file struct {
	root   string // the project that it must not leave by a link; "" for none
	path   string // as the agent names it
	target string // the target of symbolic links
	text   []byte // nil if it does not exist
	mode   fs.FileMode
	exists bool
}

// readFile reads a settings file. A missing file is not an error. One of the project's must not leave
// it by a link, because a repository may contain one (D102).
func (s System) readFile(path string) (*file, error) {
	if s.ofProject(path) {
		return readFile(s.Project, path)
	}
	return readFile("", path)
}

// readFile reads a regular file of limited size that must not leave root by a link; "" for any file.
// It does not block on a FIFO or a device.
func readFile(root, path string) (*file, error) {
	f := &file{root: root, path: path, target: path, mode: 0o600}
	if root != "" {
		if physical := paths.Opened(path); !paths.Contains(paths.Physical(root), physical) {
			return nil, fmt.Errorf("%s is or goes through a link that leads out of the project, to %s", path, physical)
		}
	}
	target, err := paths.Real(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if link, err := os.Readlink(path); err == nil {
			return nil, fmt.Errorf("%s is a link to %s, which does not exist", path, link)
		}
		f.target = paths.Physical(path)
		return f, nil
	case err != nil:
		return nil, err
	}
	f.target = target
	most := int64(maxFile)
	if root != "" {
		most = maxProject
	}
	if root == "" {
		f.text, f.mode, err = paths.Read(target, most)
	} else {
		root = paths.Physical(root)
		rel, _ := filepath.Rel(root, target)
		f.text, f.mode, err = paths.ReadIn(root, rel, most)
	}
	switch {
	case errors.Is(err, paths.ErrNotRegular):
		return nil, fmt.Errorf("%s is not a regular file", path)
	case err != nil:
		return nil, err
	case int64(len(f.text)) > most:
		return nil, fmt.Errorf("%s is larger than %d MiB", path, most>>20)
	}
	f.exists = true
	return f, nil
}

// checkWritable returns why the file must not be replaced. It rejects a
// read-only file, which could be replaced but was made read-only deliberately.
func (f *file) checkWritable() error {
	if f.exists && f.mode&0o200 == 0 {
		return fmt.Errorf("%s is read-only; allow changes with: chmod u+w %s", f.path, posix.quote(f.path))
	}
	return nil
}

// write replaces the file with text atomically, and returns the directories
// that it created, outermost first. If anything fails, the old file remains.
func (f *file) write(text []byte, mode fs.FileMode) (made []string, err error) {
	made, err = MakeDirs(filepath.Dir(f.target))
	if err == nil {
		err = state.Write(f.target, text, mode)
	}
	return made, err
}

// MakeDirs creates a directory and its parents, and returns those that were missing, outermost first.
func MakeDirs(dir string) (made []string, err error) {
	there := paths.Existing(dir)
	for at := dir; at != there && at != filepath.Dir(at); at = filepath.Dir(at) {
		made = append(made, at)
	}
	slices.Reverse(made)
	return made, os.MkdirAll(dir, 0o755)
}

// Digest returns the SHA-256 of a text in hexadecimal.
func Digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// backUp writes the file's original content from before install next to the
// file, and returns the path. It does not overwrite a file of that name that is
// not ours.
func (f *file) backUp(text []byte, known string) (string, error) {
	for n := 0; ; n++ {
		name := f.path + ".agent-hooks.bak"
		if n > 0 {
			name = fmt.Sprintf("%s.agent-hooks.%d.bak", f.path, n)
		}
		old, err := readFile(f.root, name)
		if err != nil {
			return "", err
		}
		if old.exists && bytes.Equal(old.text, text) {
			return name, nil
		}
		if !old.exists || name == known {
			_, err = old.write(text, f.mode&0o600|0o200)
			return name, err
		}
	}
}
