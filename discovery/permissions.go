package discovery

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

// maxChecked is the maximum number of files, links and directories in a hook's
// folder that a run checks (D39).
const maxChecked = 256

// maxListed is the maximum where time does not matter.
const maxListed = 1 << 16

// Permissions checks that only the user and root, for a managed hook only root, can change h (D39, D82): its folder
// with the parents up to .agents or agents, and all its contents, including
// subfolders. For a symbolic link it checks the folder that contains the link,
// and the target. The error says who else can change it, or why the check
// failed. Access control lists are not checked, and nothing is checked on
// Windows. A reviewed copy is exempt, because only the user can write its
// store.
func (h *Hook) Permissions() error {
	s, _ := h.script()
	return h.permissions(s, maxListed)
}

// Unchecked returns why a run does not check all files of h: the folder has too
// many. It returns "" if a run checks all of them.
func (h *Hook) Unchecked() string {
	w := walker{left: maxChecked}
	if h.Reviewed || h.Scope == ManagedScope || w.directory(h.Dir) != nil || !w.more {
		return ""
	}
	return fmt.Sprintf("more than %d files; a run checks only the first %[1]d for who can change them", maxChecked)
}

// forTree lets the fix of a directory in .agents or agents also fix its content.
func forTree(err error, top string) error {
	var refused *paths.OwnerError
	if base := filepath.Base(top); !errors.As(err, &refused) || base != ".agents" && base != "agents" {
		return err
	}
	info, statErr := os.Lstat(refused.Path)
	below := refused.Path == top || strings.HasPrefix(refused.Path, withSeparator(top))
	if rest, ok := strings.CutPrefix(refused.Fix, "chmod "); ok && below && statErr == nil && info.IsDir() {
		return &paths.OwnerError{Path: refused.Path, Reason: refused.Reason, Fix: "chmod -R " + rest}
	}
	return err
}

// permissions is Permissions for the given entry point, if any, and at most
// limit files.
func (h *Hook) permissions(s script, limit int) error {
	if h.Reviewed || !paths.HasOwners && h.Scope != ManagedScope {
		return nil
	}
	if h.Scope == ManagedScope {
		if err := paths.CheckRoot(append([]string{h.Dir}, slices.DeleteFunc([]string{h.File, s.path}, func(path string) bool { return path == "" })...)...); err != nil {
			return err
		}
		w := walker{left: maxListed, root: true}
		return w.directory(h.Dir)
	}
	// From the top, so that a tree that others can write has the same error for
	// all of its hooks, with one command that fixes them all.
	checked := paths.Guarded(h.Dir)
	slices.Reverse(checked)
	top := checked[0]
	if h.File != "" {
		checked = append(checked, h.File)
	}
	if s.path != "" {
		checked = append(checked, filepath.Dir(s.path), s.path)
	}
	if err := paths.Check(checked...); err != nil {
		return forTree(err, top)
	}
	w := walker{left: limit, checked: checked}
	return w.directory(h.Dir)
}
