package pack

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// content is the tree of a source: a commit, or a folder.
type content interface {
	root() entry
	list(folder entry) ([]entry, error)
	read(file entry, limit int64) ([]byte, error)
	commit() string // "" for a folder
	close()
}

// entry is an entry of a directory of a source.
type entry struct {
	name       string
	kind       kind
	executable bool
	id         string // of the object, or the path of the file
}

// kind is the kind of an entry.
type kind string

const (
	isFolder kind = "a folder"
	isFile   kind = "a file"
	isLink   kind = "a link"
	isModule kind = "a submodule"
	isOther  kind = "neither a file nor a directory"
)

// find returns the entry at a path with slashes, which no link leads to; ok is false if there is
// none.
func find(c content, at string) (found entry, ok bool, err error) {
	found = c.root()
	if at == "." {
		return found, true, nil
	}
	for part := range strings.SplitSeq(at, "/") {
		if found.kind != isFolder {
			return entry{}, false, nil
		}
		entries, err := c.list(found)
		if err != nil {
			return entry{}, false, err
		}
		i := slices.IndexFunc(entries, func(e entry) bool { return e.name == part })
		if i < 0 {
			return entry{}, false, nil
		}
		found = entries[i]
	}
	return found, true, nil
}

// hasHook reports whether a folder has a HOOK.md.
func hasHook(c content, folder entry) (bool, error) {
	entries, err := c.list(folder)
	return slices.ContainsFunc(entries, func(e entry) bool { return e.name == "HOOK.md" && e.kind == isFile }), err
}

// walk reads the files of a hook's folder.
type walk struct {
	content
	folder  *trust.Folder
	bytes   int64 // how many more are allowed
	entries int
	links   bool // links are allowed
}

// readFolder reads a hook's folder.
func readFolder(c content, dir entry, name string, links bool) (*trust.Folder, error) {
	w := &walk{content: c, folder: &trust.Folder{Name: name}, bytes: trust.MaxSize, entries: trust.MaxEntries, links: links}
	err := w.directory(dir, "")
	return w.folder, err
}

func (w *walk) directory(dir entry, at string) error {
	entries, err := w.list(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if trust.IsCache(e.name, e.kind == isFolder) {
			continue
		}
		w.entries--
		if w.entries < 0 {
			return fmt.Errorf("more than %d files", trust.MaxEntries)
		}
		if err := checkPart(e.name); err != nil { // before the name is used in any way
			return err
		}
		path := path.Join(at, e.name)
		if e.kind == isFolder {
			if err := w.directory(e, path); err != nil {
				return err
			}
			continue
		}
		if e.kind != isFile && (e.kind != isLink || !w.links) {
			return fmt.Errorf("%q is %s", path, e.kind)
		}
		data, err := w.read(e, w.bytes)
		if err != nil {
			return fmt.Errorf("%q: %w", path, err)
		}
		w.bytes -= int64(len(data))
		file := trust.File{Path: path, Executable: e.executable, Data: data}
		if e.kind == isLink {
			file = trust.File{Path: path, Link: string(data)}
		}
		w.folder.Files = append(w.folder.Files, file)
	}
	return nil
}

// folderContent is a source that is a folder. Nothing is read through links below it.
type folderContent struct{ dir string }

func (c folderContent) root() entry    { return entry{kind: isFolder, id: c.dir} }
func (c folderContent) commit() string { return "" }
func (c folderContent) close()         {}

// list returns the entries of a directory. A work tree's .git is not part of the source.
func (c folderContent) list(folder entry) (entries []entry, err error) {
	read, err := os.ReadDir(folder.id)
	if err != nil {
		return nil, shown.Cause(err)
	}
	for _, e := range read {
		info, err := e.Info()
		if err != nil || folder.id == c.dir && e.Name() == ".git" {
			continue
		}
		one := entry{name: e.Name(), kind: isOther, executable: info.Mode()&0o111 != 0, id: filepath.Join(folder.id, e.Name())}
		switch mode := info.Mode(); {
		case mode&fs.ModeIrregular != 0: // on Windows a junction, also if it claims to be a directory
		case mode.IsDir():
			one.kind = isFolder
		case mode.IsRegular():
			one.kind = isFile
		case mode&fs.ModeSymlink != 0:
			one.kind = isLink
		}
		entries = append(entries, one)
	}
	return entries, nil
}

func (c folderContent) read(file entry, limit int64) ([]byte, error) {
	data, _, err := paths.Read(file.id, limit)
	if err == nil && int64(len(data)) > limit {
		err = errTooLarge()
	}
	return data, err
}
