package trust

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Folder is what a hook's folder held at the moment when it was read.
type Folder struct {
	Name  string // of the folder
	Files []File // in byte order of their paths
}

// File is a regular file or a symbolic link in a Folder.
type File struct {
	Path       string // below the folder, with slashes
	Executable bool   // somebody may execute it; never on Windows
	Link       string // where a link leads, with slashes; "" for a file
	Data       []byte // of a file
}

// Read reads a hook's folder into memory. It is an error if there is anything
// but regular files, directories and links that stay inside, or more than
// MaxEntries or MaxSize. Caches of interpreters and of file managers
// (__pycache__, .DS_Store) and empty directories are left out, here and
// therefore in what runs.
//
// Each file is opened once, so that what is hashed, shown and written
// elsewhere is the same, whoever changes the folder meanwhile.
func Read(dir string) (*Folder, error) { return readWithin(dir, MaxSize) }

// errTooLarge says that a folder holds more bytes than the reader may read.
var errTooLarge = errors.New("more than 16 MiB")

// readWithin is Read for at most the given number of bytes.
func readWithin(dir string, most int) (*Folder, error) {
	// The slash makes the system refuse what is no directory, rather than
	// wait for the other end of a FIFO.
	root, err := os.OpenRoot(dir + string(filepath.Separator))
	if err != nil {
		return nil, fmt.Errorf("read the folder: %w", bare(err))
	}
	defer root.Close()
	r := reader{entries: MaxEntries, bytes: most}
	if err := r.directory(root, "."); err != nil {
		return nil, err
	}
	slices.SortFunc(r.files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return &Folder{Name: filepath.Base(dir), Files: r.files}, nil
}

// reader reads a folder within limits. It opens each directory from the one
// around it, because a path is resolved one directory at a time.
type reader struct {
	entries int // how many more there may be
	bytes   int
	files   []File
}

// directory reads a directory, whose path in the folder is dir.
func (r *reader) directory(root *os.Root, dir string) error {
	f, err := root.OpenFile(".", os.O_RDONLY|noWait|onlyDirectory, 0)
	if err != nil {
		return fmt.Errorf("read %q: %w", dir, bare(err))
	}
	entries, err := f.ReadDir(r.entries + 1)
	f.Close()
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read %q: %w", dir, bare(err))
	}
	for _, e := range entries {
		if isCache(e) {
			continue
		}
		if r.entries--; r.entries < 0 {
			return fmt.Errorf("more than %d files", MaxEntries)
		}
		if err := r.entry(root, path.Join(dir, e.Name()), e.Type()); err != nil {
			return err
		}
	}
	return nil
}

// isCache reports whether an entry comes and goes without the author.
func isCache(e fs.DirEntry) bool {
	return e.Name() == "__pycache__" && e.IsDir() || e.Name() == ".DS_Store" && e.Type().IsRegular()
}

// entry reads one entry of root, whose path in the folder is name.
func (r *reader) entry(root *os.Root, name string, kind fs.FileMode) error {
	switch {
	case kind.IsDir():
		below, err := root.OpenRoot(path.Base(name))
		if err != nil {
			return fmt.Errorf("read %q: %w", name, bare(err))
		}
		defer below.Close()
		return r.directory(below, name)
	case kind&fs.ModeSymlink != 0:
		return r.link(root, name)
	case kind.IsRegular():
		return r.file(root, name)
	}
	return fmt.Errorf("%q is neither a file nor a directory", name)
}

func (r *reader) link(root *os.Root, name string) error {
	target, err := root.Readlink(path.Base(name))
	if err != nil {
		return fmt.Errorf("read the link %q: %w", name, bare(err))
	}
	if !staysInside(name, target) {
		return fmt.Errorf("%q is a link out of the folder, to %q", name, target)
	}
	r.files = append(r.files, File{Path: name, Link: filepath.ToSlash(target)})
	return nil
}

// staysInside reports whether a link cannot leave the folder, whatever the
// links are that it leads over: it climbs first, as far as the link lies deep
// at most, and only descends from there.
func staysInside(name, target string) bool {
	if target == "" || filepath.IsAbs(target) || filepath.VolumeName(target) != "" {
		return false
	}
	depth, descends := strings.Count(name, "/"), false
	for part := range strings.SplitSeq(filepath.ToSlash(target), "/") {
		switch part {
		case ".":
		case "..":
			if depth--; descends || depth < 0 {
				return false
			}
		case "":
			// A leading slash is absolute, or relative to a drive.
			if !descends {
				return false
			}
		default:
			descends = true
		}
	}
	return true
}

func (r *reader) file(root *os.Root, name string) error {
	f, err := root.OpenFile(path.Base(name), os.O_RDONLY|noWait, 0)
	if err != nil {
		return fmt.Errorf("read %q: %w", name, bare(err))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("read %q: %w", name, bare(err))
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%q is neither a file nor a directory", name)
	}
	if info.Size() > int64(r.bytes) {
		return errTooLarge
	}
	var b bytes.Buffer
	b.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := b.ReadFrom(io.LimitReader(f, int64(r.bytes)+1)); err != nil {
		return fmt.Errorf("read %q: %w", name, bare(err))
	}
	if r.bytes -= b.Len(); r.bytes < 0 {
		return errTooLarge
	}
	r.files = append(r.files, File{Path: name, Executable: executable(info), Data: b.Bytes()})
	return nil
}

// bare is the reason inside a path error, whose message names the path.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Digest returns the folder's SHA-256 in hexadecimal: over its name and, file
// by file, the kind, path and contents. Lengths stand before what they bound,
// so that no two folders read alike.
func (f *Folder) Digest() string {
	h := sha256.New()
	fmt.Fprintf(h, "agent-hooks folder 1\n%d %s\n", len(f.Name), f.Name)
	for _, file := range f.Files {
		fmt.Fprintf(h, "%s %d %s %d\n", file.kind(), len(file.Path), file.Path, len(file.content()))
		h.Write(file.content())
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (f File) kind() string {
	switch {
	case f.Link != "":
		return "link"
	case f.Executable:
		return "executable"
	}
	return "file"
}

func (f File) content() []byte {
	if f.Link != "" {
		return []byte(f.Link)
	}
	return f.Data
}

// Find returns the file with this path, with which it is false if there is
// none.
func (f *Folder) Find(name string) (File, bool) {
	i, found := slices.BinarySearchFunc(f.Files, name, func(file File, name string) int { return cmp.Compare(file.Path, name) })
	if !found {
		return File{}, false
	}
	return f.Files[i], true
}

// Same reports whether two files are the same but for their paths.
func (f File) Same(g File) bool {
	return f.kind() == g.kind() && bytes.Equal(f.content(), g.content())
}
