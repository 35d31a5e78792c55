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

	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// Folder is the content of a hook's folder at the time when it was read.
type Folder struct {
	Name  string // of the folder
	Files []File // in byte order of their paths
}

// File is a regular file or a symbolic link in a Folder.
type File struct {
	Path       string // below the folder, with slashes
	Executable bool   // any execute bit is set; never on Windows
	Link       string // the target of a link, with slashes; "" for a file
	Data       []byte // of a file
}

// Read reads a hook's folder into memory. It returns an error if the folder contains anything
// except regular files, directories and links that stay inside, or exceeds MaxEntries or
// MaxSize. Caches of interpreters and of file managers (__pycache__, .DS_Store) and empty
// directories are omitted, and so they are missing from the copy that runs.
//
// Each file is opened once, so that the hashed, shown and copied content is the same even if
// the folder is changed meanwhile.
func Read(dir string) (*Folder, error) { return readWithin(dir, MaxSize) }

// errTooLarge means that a folder contains more bytes than the reader may read.
var errTooLarge = errors.New("more than 16 MiB")

// readWithin is Read for at most the given number of bytes.
func readWithin(dir string, limit int) (*Folder, error) {
	// With the slash, opening anything except a directory is an error. Without it, opening a
	// FIFO would block.
	root, err := os.OpenRoot(dir + string(filepath.Separator))
	if err != nil {
		return nil, fmt.Errorf("read the folder: %w", shown.Cause(err))
	}
	defer root.Close()
	r := reader{entries: MaxEntries, bytes: limit}
	if err := r.directory(root, "."); err != nil {
		return nil, err
	}
	slices.SortFunc(r.files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return &Folder{Name: filepath.Base(dir), Files: r.files}, nil
}

// reader reads a folder within limits. It opens each directory relative to its
// parent, so that os.Root does not resolve the whole path each time.
type reader struct {
	entries int // how many more are allowed
	bytes   int
	files   []File
}

// directory reads the directory root, whose path in the folder is dir.
func (r *reader) directory(root *os.Root, dir string) error {
	f, err := root.OpenFile(".", os.O_RDONLY|noWait|onlyDirectory, 0)
	if err != nil {
		return fmt.Errorf("read %q: %w", dir, shown.Cause(err))
	}
	entries, err := f.ReadDir(r.entries + 1)
	f.Close()
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read %q: %w", dir, shown.Cause(err))
	}
	for _, e := range entries {
		if IsCache(e.Name(), e.IsDir()) {
			continue
		}
		r.entries--
		if r.entries < 0 {
			return fmt.Errorf("more than %d files", MaxEntries)
		}
		if err := r.entry(root, path.Join(dir, e.Name()), e.Type()); err != nil {
			return err
		}
	}
	return nil
}

// IsCache reports whether an entry of a hook's folder is created by an interpreter or a file
// manager, not by the author. Such entries are not part of a Folder.
func IsCache(name string, directory bool) bool {
	return name == "__pycache__" && directory || name == ".DS_Store" && !directory
}

// entry reads one entry of root, whose path in the folder is name.
func (r *reader) entry(root *os.Root, name string, kind fs.FileMode) error {
	switch {
	case kind&fs.ModeIrregular != 0: // on Windows a junction, also if it claims to be a directory
		return notAFile(name)
	case kind.IsDir():
		below, err := root.OpenRoot(path.Base(name))
		if err != nil {
			return fmt.Errorf("read %q: %w", name, shown.Cause(err))
		}
		defer below.Close()
		return r.directory(below, name)
	case kind&fs.ModeSymlink != 0:
		return r.link(root, name)
	case kind.IsRegular():
		return r.file(root, name)
	}
	return notAFile(name)
}

func notAFile(name string) error { return fmt.Errorf("%q is neither a file nor a directory", name) }

func (r *reader) link(root *os.Root, name string) error {
	target, err := root.Readlink(path.Base(name))
	if err != nil {
		return fmt.Errorf("read the link %q: %w", name, shown.Cause(err))
	}
	if !staysInside(name, target) {
		return fmt.Errorf("%q is a link out of the folder, to %q", name, target)
	}
	r.files = append(r.files, File{Path: name, Link: filepath.ToSlash(target)})
	return nil
}

// staysInside reports whether a link cannot leave the folder, regardless of other links on its
// path: its target begins with at most as many ".." as the link's depth, and only descends
// after that.
func staysInside(name, target string) bool {
	if filepath.VolumeName(target) != "" {
		return false
	}
	depth, descends := strings.Count(name, "/"), false
	for part := range strings.SplitSeq(filepath.ToSlash(target), "/") {
		switch part {
		case ".":
		case "..":
			depth--
			if descends || depth < 0 {
				return false
			}
		case "":
			// A leading slash makes a path absolute, or relative to a drive.
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
		return fmt.Errorf("read %q: %w", name, shown.Cause(err))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("read %q: %w", name, shown.Cause(err))
	}
	if !info.Mode().IsRegular() {
		return notAFile(name)
	}
	if info.Size() > int64(r.bytes) {
		return errTooLarge
	}
	var b bytes.Buffer
	b.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := b.ReadFrom(io.LimitReader(f, int64(r.bytes)+1)); err != nil {
		return fmt.Errorf("read %q: %w", name, shown.Cause(err))
	}
	r.bytes -= b.Len()
	if r.bytes < 0 {
		return errTooLarge
	}
	r.files = append(r.files, File{Path: name, Executable: executable(info), Data: b.Bytes()})
	return nil
}

// Size returns the bytes of the folder's files.
func (f *Folder) Size() (n int) {
	for _, file := range f.Files {
		n += len(file.Data)
	}
	return n
}

// Digest returns the folder's SHA-256 in hexadecimal: over its name and the kind, path and
// contents of each file. Each part is preceded by its length, so that no two folders have the
// same encoding.
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

// Find returns the file with this path. The bool is false if there is none.
func (f *Folder) Find(name string) (File, bool) {
	i, found := slices.BinarySearchFunc(f.Files, name, func(file File, name string) int { return cmp.Compare(file.Path, name) })
	if !found {
		return File{}, false
	}
	return f.Files[i], true
}

// Same reports whether two files are equal except for their paths.
func (f File) Same(g File) bool {
	return f.kind() == g.kind() && bytes.Equal(f.content(), g.content())
}

// Digests returns a digest of names and of the content of folders. A folder that cannot be read,
// or is larger than 1 MiB, counts by its path only.
func Digests(dirs, names []string) string {
	h := sha256.New()
	for _, name := range names {
		fmt.Fprintf(h, "%q ", name)
	}
	for _, dir := range dirs {
		digest := ""
		if folder, err := readWithin(dir, smallFolder); err == nil {
			digest = folder.Digest()
		}
		fmt.Fprintf(h, "%q %s ", dir, digest)
	}
	return hex.EncodeToString(h.Sum(nil))
}
