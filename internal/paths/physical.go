package paths

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// Contains reports whether path is dir or below it. Both are absolute.
func Contains(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// Physical resolves the symbolic links in an absolute path. The last elements
// of the path, and the targets of links, need not exist. A ".." is removed with the
// element before it.
func Physical(path string) string { return physical(filepath.Clean(path), MaxLinks) }

// Opened is Physical for the path that the system opens: a ".." after a link leaves
// the link's target.
func Opened(path string) string { return physical(path, MaxLinks) }

func physical(path string, links int) string {
	if !filepath.IsAbs(path) {
		return path
	}
	if found, err := Real(path); err == nil { // usually it exists
		return found
	}
	dir := Existing(path)
	if next := firstBelow(dir, path); next != dir {
		if found, err := Real(next); err == nil {
			return filepath.Join(found, path[len(next):])
		}
		if target, err := os.Readlink(next); err == nil && links > 0 { // a dangling link
			if !filepath.IsAbs(target) {
				target = filepath.Join(dir, target)
			}
			return filepath.Join(physical(filepath.Clean(target), links-1), path[len(next):])
		}
	}
	found, err := Real(dir)
	if err != nil {
		return path
	}
	return filepath.Join(found, path[len(dir):])
}

// firstBelow returns the path of the first name below dir in path, which begins
// with dir; dir if there is none.
func firstBelow(dir, path string) string {
	rest := strings.TrimLeft(path[len(dir):], string(filepath.Separator))
	name, _, _ := strings.Cut(rest, string(filepath.Separator))
	return path[:len(path)-len(rest)+len(name)]
}

// Existing returns the nearest directory at or above dir, a clean absolute path,
// that exists. Its time is linear in the length of dir, which an event chooses: it
// goes down from the root to the first missing name.
func Existing(dir string) string {
	root := filepath.VolumeName(dir) + string(filepath.Separator)
	found := root
	for end := len(root); end < min(len(dir), MaxPath); {
		next := strings.IndexByte(dir[end:], filepath.Separator)
		if next < 0 {
			next = len(dir) - end
		}
		if !IsFolder(dir[:end+next]) {
			break
		}
		found = dir[:end+next]
		end += next + 1
	}
	return found
}

// IsFolder reports whether path is a directory, or a link to one.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Dangling returns an error if path is a dangling symbolic link.
func Dangling(path string) error {
	info, err := os.Lstat(path)
	if err != nil || !IsDangling(path, info) {
		return nil
	}
	return fmt.Errorf("%s is a symbolic link that leads nowhere", shown.Path(path))
}

// IsDangling is like Dangling for a path whose info is known.
func IsDangling(path string, info fs.FileInfo) bool {
	if info.Mode()&fs.ModeSymlink == 0 {
		return false
	}
	_, err := os.Stat(path)
	return err != nil
}
