package importer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
	"github.com/agent-hooks/agent-hooks/internal/state"
)

// Moves returns the changes of the settings files that remove the imported
// entries. It rejects files that git tracks.
func (p *Plan) Moves() ([]install.Change, error) {
	var changes []install.Change
	for _, src := range p.sources {
		text, err := src.without(p.Hooks)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", src.path, err)
		}
		if bytes.Equal(text, src.text) {
			continue
		}
		if err := untracked(src.path); err != nil {
			return nil, err
		}
		changes = append(changes, install.Change{Path: src.path, Old: src.text, New: text})
	}
	return changes, nil
}

// without returns the text of a file without the entries of hooks.
func (src *source) without(hooks []*Hook) ([]byte, error) {
	if src.processes != nil {
		return src.withoutProcesses(hooks)
	}
	text := src.text
	for _, event := range sorted(src.lists) {
		removed := func(handler any) bool {
			return slices.ContainsFunc(hooks, func(h *Hook) bool {
				return h.source == src && !h.Declined && h.Event == event && reflect.DeepEqual(h.handler, handler)
			})
		}
		layout := settings.Layout{Format: src.format, Root: src.lists[event], Flat: true, Nested: "hooks"}
		edited, err := layout.Apply(text, nil, removed, nil)
		if err != nil {
			return nil, err
		}
		text = edited
	}
	return text, nil
}

// change is what an import has changed so far.
type change struct {
	folders, dirs []string
	files         []install.Change // settings from which entries were removed
}

// Apply writes the pending hooks and, if move is set, removes the imported
// entries from the settings. If anything fails, it undoes all changes.
func (s System) Apply(p *Plan, move bool) (moved []install.Change, err error) {
	if move {
		moved, err = p.Moves()
		if err != nil {
			return nil, err
		}
	}
	var done change
	defer func() {
		if err != nil {
			done.revert()
		}
	}()
	for _, h := range p.Pending() {
		err = s.write(h, &done)
		if err != nil {
			return nil, err
		}
	}
	for i := range moved {
		err = done.edit(p, &moved[i])
		if err != nil {
			return nil, err
		}
	}
	return moved, nil
}

// write writes a hook's folder atomically.
func (s System) write(h *Hook, done *change) error {
	dir := filepath.Dir(h.Folder)
	if err := s.checkTarget(h); err != nil {
		return err
	}
	made, err := install.MakeDirs(dir)
	done.dirs = append(done.dirs, made...)
	if err != nil {
		return err
	}
	if err := state.WriteFolder(dir, h.Name, h.Files(), h.folderMode()); err != nil {
		return err
	}
	done.folders = append(done.folders, h.Folder)
	return nil
}

// Files returns the files of the hook.
func (h *Hook) Files() []state.File {
	prompt := h.Prompt
	if prompt != "" {
		prompt = strings.TrimSuffix(prompt, "\n") + "\n"
	}
	files := []state.File{{Path: "HOOK.md", Data: []byte(h.Manifest)}, {Path: "scripts/run", Data: []byte(h.Script), Executable: true}, {Path: PromptFile, Data: []byte(prompt)}}
	return slices.DeleteFunc(files, func(f state.File) bool { return len(f.Data) == 0 })
}

// folderMode returns the mode of the hook's folder: private if the settings file
// is, because it may contain keys in variables.
func (h *Hook) folderMode() fs.FileMode {
	if h.source.mode&0o077 == 0 {
		return 0o700
	}
	return 0o755
}

// checkTarget returns an error if a link would place a project's hooks outside
// the project.
func (s System) checkTarget(h *Hook) error {
	if h.Scope != Project {
		return nil
	}
	root, err := paths.Real(s.Project)
	if err != nil {
		return err
	}
	for dir := filepath.Dir(h.Folder); paths.Contains(s.Project, dir); dir = filepath.Dir(dir) {
		real, err := paths.Real(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if !paths.Contains(root, real) {
			return fmt.Errorf("%s is a link that leads out of the project, to %s", dir, real)
		}
		break
	}
	return nil
}

// edit backs up a settings file and removes the entries.
func (done *change) edit(p *Plan, c *install.Change) error {
	i := slices.IndexFunc(p.sources, func(src *source) bool { return src.path == c.Path })
	src := p.sources[i]
	now, mode, err := readRegular(c.Path)
	if err != nil || !bytes.Equal(now, c.Old) {
		return fmt.Errorf("%s changed meanwhile", c.Path)
	}
	c.Backup, err = backUp(c.Path, src.text, mode)
	if err != nil {
		return err
	}
	target, err := paths.Real(c.Path)
	if err != nil {
		return err
	}
	done.files = append(done.files, *c)
	return state.Write(target, c.New, mode)
}

// backUp writes the old text to a new file next to the original.
func backUp(path string, text []byte, mode fs.FileMode) (string, error) {
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s.before-import.%d.bak", path, n)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode|0o200)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(text)
		return name, errors.Join(err, f.Close())
	}
}

// revert restores the settings and removes the folders.
func (done change) revert() {
	for _, c := range done.files {
		target, err := paths.Real(c.Path)
		if err != nil {
			continue
		}
		if info, err := os.Stat(target); err == nil && state.Write(target, c.Old, info.Mode().Perm()) == nil {
			_ = os.Remove(c.Backup)
		}
	}
	for _, folder := range done.folders {
		_ = os.RemoveAll(folder)
	}
	for _, dir := range slices.Backward(done.dirs) {
		_ = state.RemoveEmpty(dir) // fails if other files are in it
	}
}

// untracked returns an error if git tracks the file, because removing an entry
// from it would affect everybody who works on the project.
func untracked(path string) error {
	if !inRepository(path) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	// A repository's own settings must not start a program.
	cmd := exec.CommandContext(ctx, "git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks",
		"ls-files", "--error-unmatch", "--", filepath.Base(path))
	cmd.Dir = filepath.Dir(path)
	err := cmd.Run()
	if err == nil {
		return fmt.Errorf("%s is tracked by git; --move does not change it: remove the entries there by hand, for everyone who works on the project", path)
	}
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 1 {
		return nil
	}
	return fmt.Errorf("%s: git does not say whether it is tracked, so --move does not change it: %w", path, err)
}

// inRepository reports whether a directory above path has a .git.
func inRepository(path string) bool {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}
