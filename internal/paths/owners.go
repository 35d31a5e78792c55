// Package paths finds the one path of a file that has several, because of links and, on Windows,
// junctions, substituted drives, short names and names in another case; checks that only the user
// and root can change a file (D39), without access control lists; and reads files, not through
// links that leave a folder (D102).
package paths

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/shown"
)

const (
	// MaxLinks is the longest chain of symbolic links that is followed, as on Linux.
	MaxLinks = 40
	// MaxPath is the length in bytes of the longest path that is looked up. Systems open no
	// longer ones.
	MaxPath = 4096
)

// OwnerError means that another user can change a file.
type OwnerError struct {
	Path   string // the path that can be changed
	Reason string // who can change it
	Fix    string // the command that fixes it
}

// Error returns a message with the path, the reason and the command.
func (e *OwnerError) Error() string {
	return fmt.Sprintf("%s %s; fix with: %s", shown.Path(e.Path), e.Reason, e.Fix)
}

// CheckFile checks a file and its folder, with the folder's parents up to .agents or agents.
func CheckFile(file string) error {
	return Check(append(Guarded(filepath.Dir(file)), file)...)
}

// Check checks files. If one is a symbolic link, Check checks each link of the chain and the target,
// each with the folders that guard it. The error is an *OwnerError, or the reason why the check failed.
func Check(paths ...string) error {
	for _, path := range paths {
		if err := checkPath(path, MaxLinks); err != nil {
			return err
		}
	}
	return nil
}

// CheckDirectory checks a directory itself, not its content. A missing directory is not an error.
func CheckDirectory(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case os.IsNotExist(err):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	}
	return CheckInfo(dir, info)
}

// Guarded returns dir with its parents up to the nearest .agents or agents. If
// there is none, it returns dir and its parent: a user who can write to the
// parent can replace dir.
func Guarded(dir string) []string {
	var dirs []string
	for at := dir; ; at = filepath.Dir(at) {
		dirs = append(dirs, at)
		if base := filepath.Base(at); base == ".agents" || base == "agents" {
			return dirs
		}
		if at == filepath.Dir(at) {
			return dirs[:min(len(dirs), 2)]
		}
	}
}

// checkPath checks the file at path. If it is a symbolic link, checkPath checks
// each link of the chain and the target, each with the folders that guard it.
// links is the remaining number of links that may be followed.
func checkPath(path string, links int) error {
	info, err := os.Lstat(path)
	if err != nil {
		return UnknownOwner(path, err)
	}
	if info.Mode()&fs.ModeSymlink == 0 {
		return CheckInfo(path, info)
	}
	target, err := Follow(path)
	switch {
	case err != nil:
		return UnknownOwner(path, err)
	case links == 0:
		return UnknownOwner(path, errLinks)
	}
	for _, guarding := range Guarded(target)[1:] {
		if err := checkPath(guarding, links-1); err != nil {
			return err
		}
	}
	return checkPath(target, links-1)
}

// Follow returns the target of one symbolic link, in a physical folder. The
// target may be another link.
func Follow(link string) (string, error) {
	target, err := os.Readlink(link)
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(target) {
		// filepath.Join would remove "..", which after a link is not the lexical parent.
		target = filepath.Dir(link) + string(filepath.Separator) + target
	}
	parent, name := filepath.Split(target)
	parent, err = Real(parent)
	return filepath.Join(parent, name), err
}

// UnknownOwner returns the error for a file whose owner cannot be determined.
func UnknownOwner(path string, err error) error {
	return fmt.Errorf("cannot determine who can change %s: %w", shown.Path(path), shown.Cause(err))
}

// owner describes who can change a file.
type owner struct {
	mode     fs.FileMode
	uid, gid uint32
	user     uint32 // the current user
}

// check returns an error if others may change one path (D39).
func (o owner) check(path string) error {
	switch {
	case o.uid != o.user && o.uid != 0:
		return &OwnerError{path, fmt.Sprintf("belongs to user %d, who is neither you nor root", o.uid),
			fmt.Sprintf("chown %d %s", o.user, ShellWord(path))}
	case o.mode&0o002 != 0:
		return &OwnerError{path, "can be changed by everyone", "chmod go-w " + ShellWord(path)}
	case o.mode&0o020 != 0 && o.gid != o.uid:
		return &OwnerError{path, fmt.Sprintf("can be changed by group %d", o.gid), "chmod go-w " + ShellWord(path)}
	}
	return nil
}

// ShellWord quotes path for bash and zsh, on one line.
func ShellWord(path string) string {
	if !strings.ContainsFunc(path, isSpecial) {
		return path
	}
	if quoted := shown.Path(path); quoted != path {
		quoted = strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
		return "$'" + strings.ReplaceAll(quoted, "'", `\'`) + "'"
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

func isSpecial(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("/._-+:@%,", r)
}
