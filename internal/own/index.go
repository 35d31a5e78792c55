package own

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxIndex is the size in bytes of the largest index of git that is read.
const maxIndex = 64 << 20

// index is git's list of the files of a repository. The zero index lists nothing.
type index struct {
	root   string // of the work tree
	data   []byte
	unread bool // it may list anything
}

// indexFor returns the index of the repository in whose work tree a path is.
func indexFor(path string) index {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		git := filepath.Join(dir, ".git")
		info, err := os.Stat(git)
		switch {
		case err == nil && info.IsDir():
			return readIndex(dir, git)
		case err == nil: // of a worktree or a submodule
			text, err := os.ReadFile(git)
			to, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
			if err != nil || !ok {
				return index{root: dir, unread: true}
			}
			if !filepath.IsAbs(to) {
				to = filepath.Join(dir, to)
			}
			return readIndex(dir, to)
		case filepath.Dir(dir) == dir:
			return index{}
		}
	}
}

// readIndex reads an index. Version 4 shortens names, and a split index has them elsewhere.
func readIndex(root, git string) index {
	file := filepath.Join(git, "index")
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return index{}
	}
	unread := index{root: root, unread: true}
	shared, _ := filepath.Glob(filepath.Join(git, "sharedindex.*"))
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxIndex || len(shared) > 0 {
		return unread
	}
	data, err := os.ReadFile(file)
	if err != nil || len(data) < 12 || string(data[:4]) != "DIRC" || binary.BigEndian.Uint32(data[4:]) > 3 {
		return unread
	}
	return index{root: root, data: data}
}

// lists reports whether the index has a file, or a file below a folder. An entry has, before its
// name, the name's length in the lower 12 bits of two bytes, and in version 3 perhaps two more.
func (x index) lists(path string) bool {
	if x.root == "" {
		return false
	}
	name, err := filepath.Rel(x.root, path)
	if x.unread || err != nil {
		return true
	}
	text := []byte(filepath.ToSlash(name))
	for from := 0; ; {
		at := bytes.Index(x.data[from:], text)
		if at < 0 {
			return false
		}
		at += from
		from = at + 1
		end := bytes.IndexByte(x.data[at:], 0)
		next := at + len(text)
		if at < 4 || end < 0 || next >= len(x.data) || x.data[next] != 0 && x.data[next] != '/' {
			continue
		}
		length := func(at int) int { return int(binary.BigEndian.Uint16(x.data[at:]) & 0xfff) }
		if size := min(end, 0xfff); length(at-2) == size || length(at-4) == size {
			return true
		}
	}
}
