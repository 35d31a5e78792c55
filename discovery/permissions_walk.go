package discovery

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

// walker checks who can change the files in a hook's folder (D39).
type walker struct {
	left    int  // number of files still to be checked
	more    bool // there are more files
	checked []string
	root    bool     // only root may be able to change them (D82)
	linked  []string // directories that links point to
}

// directory checks all contents of dir, in byte order of the names.
func (w *walker) directory(dir string) error {
	entries, err := w.list(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if w.left == 0 {
			w.more = true
			return nil
		}
		w.left--
		path := withSeparator(dir) + e.Name()
		if err := w.entry(path, e); err != nil {
			return err
		}
	}
	return nil
}

// list returns the entries of a directory, at most one more than may be
// checked. A directory that has been removed meanwhile has none.
func (w *walker) list(dir string) ([]fs.DirEntry, error) {
	d, err := open(dir)
	if errors.Is(err, fs.ErrNotExist) || isNotFolder(err) {
		return nil, nil
	}
	if err != nil {
		return nil, paths.UnknownOwner(dir, err)
	}
	defer d.Close()
	entries, err := d.ReadDir(w.left + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, paths.UnknownOwner(dir, err)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

func (w *walker) entry(path string, e fs.DirEntry) error {
	if e.Type()&fs.ModeSymlink != 0 {
		return w.link(path)
	}
	if !slices.Contains(w.checked, path) {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		switch {
		case err != nil:
		case w.root:
			err = paths.CheckRootIn(path)
		default:
			err = paths.CheckInfo(path, info)
		}
		if err != nil {
			return err
		}
	}
	if e.IsDir() {
		return w.directory(path)
	}
	return nil
}

// link checks the target of a link, and all contents of the target if it is a
// directory. A dangling link is not checked, because it cannot be used.
func (w *walker) link(path string) error {
	check := paths.Check
	if w.root {
		check = paths.CheckRoot
	}
	if err := check(path); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	target, err := paths.Real(path)
	if err != nil || slices.Contains(w.linked, target) {
		return nil
	}
	w.linked = append(w.linked, target)
	return w.directory(target)
}
