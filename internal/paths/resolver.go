package paths

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

var errLinks = errors.New("too many symbolic links")

// Resolver resolves paths as the system does, and remembers what it has seen.
type Resolver struct {
	seen   map[string]file // by physical path
	bounds []fs.FileInfo   // directories that paths are compared with
}

// file is what is at a path.
type file struct {
	info   fs.FileInfo
	target string // of a link; "" if it is not one
	err    error
}

func (r *Resolver) at(name string) file {
	f, seen := r.seen[name]
	if !seen {
		f.info, f.err = os.Lstat(name)
		if f.err == nil && f.info.Mode()&fs.ModeSymlink != 0 {
			f.target, f.err = os.Readlink(name)
		}
		if r.seen == nil {
			r.seen = make(map[string]file, 16)
		}
		r.seen[name] = f
	}
	return f
}

// walk calls visit before each step from the root to an absolute path, links included, with what is
// there, and returns the physical path. It ends at an error. Elements need not exist.
func (r *Resolver) walk(path string, visit func(at string) error) (string, error) {
	const separator = string(filepath.Separator)
	volume := filepath.VolumeName(path)
	at, rest, links := volume+separator, path[len(volume):], 0
	if err := visit(at); err != nil {
		return "", err
	}
	for rest != "" {
		var element string
		element, rest, _ = strings.Cut(rest, separator)
		next := at + separator + element
		switch {
		case element == "" || element == ".":
			continue
		case element == "..":
			next = filepath.Dir(at)
		case os.IsPathSeparator(at[len(at)-1]):
			next = at + element
		}
		if err := visit(next); err != nil {
			return "", err
		}
		target := r.at(next).target
		if target == "" {
			at = next
			continue
		}
		links++
		if links > MaxLinks {
			return "", errLinks
		}
		rest = target + separator + rest
		if filepath.IsAbs(target) {
			volume = filepath.VolumeName(target)
			at, rest = volume+separator, rest[len(volume):]
			if err := visit(at); err != nil {
				return "", err
			}
		}
	}
	return at, nil
}

// Physical returns the physical form of an absolute path; "" if it is too long, or leads through
// /proc or /dev, whose links depend on the process that follows them.
func (r *Resolver) Physical(path string) string {
	if runtime.GOOS == "windows" {
		return Physical(path)
	}
	if len(path) > MaxPath {
		return ""
	}
	found, _ := r.walk(path, func(at string) error {
		if IsSpecial(at) {
			return fs.ErrInvalid
		}
		return nil
	})
	return found
}

// IsSpecial reports whether a path is /proc, /dev or below one of them.
func IsSpecial(path string) bool {
	return path == "/proc" || path == "/dev" || strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/dev/")
}

// Bound adds a directory for InBounds.
func (r *Resolver) Bound(dir string) {
	if info, err := os.Stat(dir); err == nil {
		r.bounds = append(r.bounds, info)
	}
}

// InBounds reports whether a physical path is one of the bounds, or below one, under another name:
// mounts, macOS's firmlinks and file systems that ignore case give a directory several.
func (r *Resolver) InBounds(physical string) bool {
	if len(r.bounds) == 0 {
		return false
	}
	for at := physical; at != filepath.Dir(at); at = filepath.Dir(at) {
		info := r.at(at).info
		if info != nil && slices.ContainsFunc(r.bounds, func(bound fs.FileInfo) bool { return os.SameFile(bound, info) }) {
			return true
		}
	}
	return false
}

// eachPhysical calls check with each file on the way to path as the system resolves it, links
// included, the last one last.
func eachPhysical(path string, check func(path string, info fs.FileInfo) error) error {
	var r Resolver
	_, err := r.walk(path, func(at string) error {
		if f := r.at(at); f.err != nil {
			return UnknownOwner(at, f.err)
		}
		return check(at, r.at(at).info)
	})
	if err == errLinks {
		return UnknownOwner(path, err)
	}
	return err
}
