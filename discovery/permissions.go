package discovery

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// maxLinks is the longest chain of symbolic links, as on Linux.
const maxLinks = 40

// PermissionError means that another user can change a hook (D39).
type PermissionError struct {
	Path   string // the path that can be changed
	Reason string // who can change it
	Fix    string // the command that fixes it
}

// Error returns a message with the path, the reason and the command.
func (e *PermissionError) Error() string {
	return fmt.Sprintf("%s %s; fix with: %s", shown.Path(e.Path), e.Reason, e.Fix)
}

// MaxChecked is the maximum number of files, links and directories in a hook's
// folder that a run checks (D39).
const MaxChecked = 256

// mostListed is the maximum where time does not matter.
const mostListed = 1 << 16

// Permissions checks that only the user and root can change h (D39): its folder
// with the parents up to .agents or agents, and all its contents, including
// subfolders. For a symbolic link it checks the folder that contains the link,
// and the target. An error is a *PermissionError, or the reason why the check
// failed. Access control lists are not checked, and nothing is checked on
// Windows. A reviewed copy is exempt, because only the user can write its
// store.
func (h *Hook) Permissions() error {
	s, _ := h.script()
	return h.permissions(s, mostListed)
}

// Unchecked reports whether h's folder has more than MaxChecked files, so that
// a run does not check all of them.
func (h *Hook) Unchecked() bool {
	if h.Reviewed {
		return false
	}
	w := walker{left: MaxChecked, check: func(string, fs.FileInfo) error { return nil }}
	_ = w.directory(h.Dir)
	return w.more
}

// permissions is Permissions for the given entry point, if any, and at most
// most files.
func (h *Hook) permissions(s script, most int) error {
	if h.Reviewed || !hasOwners {
		return nil
	}
	paths := guarded(h.Dir)
	if h.File != "" {
		paths = append(paths, h.File)
	}
	if s.path != "" {
		paths = append(paths, filepath.Dir(s.path), s.path)
	}
	if err := checkPaths(paths); err != nil {
		return err
	}
	w := walker{left: most, checked: paths, check: checkInfo}
	return w.directory(h.Dir)
}

// FilePermissions is like Permissions for another file: it checks the file and
// its folder, with the parents up to .agents or agents.
func FilePermissions(file string) error {
	return checkPaths(append(guarded(filepath.Dir(file)), file))
}

func checkPaths(paths []string) error {
	for _, path := range paths {
		if err := checkPath(path, maxLinks); err != nil {
			return err
		}
	}
	return nil
}

// guarded returns dir with its parents up to the nearest .agents or agents. If
// there is none, it returns dir and its parent: a user who can write to the
// parent can replace dir.
func guarded(dir string) []string {
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
		return unknown(path, err)
	}
	if info.Mode()&fs.ModeSymlink == 0 {
		return checkInfo(path, info)
	}
	target, err := follow(path)
	switch {
	case err != nil:
		return unknown(path, err)
	case links == 0:
		return unknown(path, errors.New("too many symbolic links"))
	}
	for _, guarding := range guarded(target)[1:] {
		if err := checkPath(guarding, links-1); err != nil {
			return err
		}
	}
	return checkPath(target, links-1)
}

// follow returns the target of one symbolic link, in a physical folder. The
// target may be another link.
func follow(link string) (string, error) {
	target, err := os.Readlink(link)
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(target) {
		// Not joined: after a link, ".." does not mean the lexical parent.
		target = filepath.Dir(link) + string(filepath.Separator) + target
	}
	parent, name := filepath.Split(target)
	if name == "" || name == "." || name == ".." {
		return filepath.EvalSymlinks(target)
	}
	parent, err = filepath.EvalSymlinks(parent)
	return filepath.Join(parent, name), err
}

func unknown(path string, err error) error {
	return fmt.Errorf("cannot determine who can change %s: %w", shown.Path(path), shown.Cause(err))
}

// owner is the information about who can change a file.
type owner struct {
	mode     fs.FileMode
	uid, gid uint32
	user     uint32 // the current user
}

// check applies D39 to one path.
func (o owner) check(path string) error {
	switch {
	case o.uid != o.user && o.uid != 0:
		return &PermissionError{path, fmt.Sprintf("belongs to user %d, who is neither you nor root", o.uid),
			fmt.Sprintf("chown %d %s", o.user, shellWord(path))}
	case o.mode&0o002 != 0:
		return &PermissionError{path, "can be changed by everyone", "chmod go-w " + shellWord(path)}
	case o.mode&0o020 != 0 && o.gid != o.uid:
		return &PermissionError{path, fmt.Sprintf("can be changed by group %d", o.gid), "chmod go-w " + shellWord(path)}
	}
	return nil
}

// shellWord quotes path for bash and zsh, on one line.
func shellWord(path string) string {
	if !strings.ContainsFunc(path, unsafe) {
		return path
	}
	if quoted := shown.Path(path); quoted != path {
		quoted = strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
		return "$'" + strings.ReplaceAll(quoted, "'", `\'`) + "'"
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

func unsafe(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("/._-+:@%,", r)
}
