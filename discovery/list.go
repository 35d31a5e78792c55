package discovery

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// maxUnknown is the number of untrusted folders that are examined.
const maxUnknown = 256

// list opens a directory and lists its folders and links in byte order. It lists
// only the first maxUnknown of those that r does not know, and counts the others.
// After an error it also returns the names listed so far.
func (r reader) list(dir string) (opened *directory, folders []string, skipped int, err error) {
	opened, err = open(dir)
	if err != nil {
		return nil, nil, 0, err
	}
	const batch = 4096
	first := firstNames{limit: maxUnknown}
	for err == nil {
		var entries []fs.DirEntry
		entries, err = opened.ReadDir(batch)
		for _, entry := range entries {
			switch {
			case !entry.IsDir() && entry.Type()&fs.ModeSymlink == 0:
			case r.known == nil || r.known(entry.Name()):
				folders = append(folders, entry.Name())
			default:
				first.add(entry.Name())
			}
		}
		if err == nil && len(entries) == batch && !r.until.IsZero() && time.Now().After(r.until) {
			err = errors.New("listing it took too long; the rest is not read")
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	folders = append(folders, first.names...)
	slices.SortFunc(folders, strings.Compare)
	return opened, folders, first.left, err
}

// firstNames keeps the first names in byte order and counts the others.
type firstNames struct {
	names []string
	limit int
	left  int
}

func (f *firstNames) add(name string) {
	at, _ := slices.BinarySearch(f.names, name)
	if len(f.names) == f.limit {
		f.left++
		if at == f.limit {
			return
		}
		f.names = f.names[:f.limit-1]
	}
	f.names = slices.Insert(f.names, at, name)
}

// withSeparator returns a directory's path with a trailing separator.
func withSeparator(dir string) string {
	if os.IsPathSeparator(dir[len(dir)-1]) {
		return dir
	}
	return dir + string(filepath.Separator)
}
