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
	text := src.text
	for _, p := range src.processes {
		edited, err := p.without(text, src, hooks)
		if err != nil {
			return nil, err
		}
		text = edited
	}
	for _, event := range sorted(src.lists) {
		removed := func(handler any) bool {
			return slices.ContainsFunc(hooks, func(h *Hook) bool {
				return h.source == src && !h.Declined && !h.kept && h.Event == event && reflect.DeepEqual(h.handler, handler)
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

// Apply writes the pending hooks and, if move is set, removes the imported
// entries from the settings. If anything fails, it undoes all changes.
func (s System) Apply(p *Plan, move bool) (moved []install.Change, err error) {
	if move {
		moved, err = p.Moves()
		if err != nil {
			return nil, err
		}
	}
	var undo []func()
	defer func() {
		if err != nil {
			for _, step := range slices.Backward(undo) {
				step()
			}
		}
	}()
	for _, h := range p.Pending() {
		dir, mode := filepath.Dir(h.Folder), fs.FileMode(0o755)
		// A link could place a project's hooks outside of it.
		at := paths.Existing(h.Folder)
		if real := paths.Physical(at); h.Scope == Project && paths.Contains(s.Project, at) && !paths.Contains(paths.Physical(s.Project), real) {
			return nil, fmt.Errorf("%s is a link that leads out of the project, to %s", at, real)
		}
		if h.Replaces {
			var restore func()
			restore, err = h.replace()
			undo = append(undo, restore)
			if err != nil {
				return nil, err
			}
			continue
		}
		if h.source.mode&0o077 == 0 { // the settings are private: they may contain keys in variables
			mode = 0o700
		}
		var made []string
		made, err = install.MakeDirs(dir)
		undo = append(undo, func() { install.RemoveDirs(made) })
		if err == nil {
			err = state.WriteFolder(dir, h.Name, h.Files(), mode)
		}
		if err != nil {
			return nil, err
		}
		undo = append(undo, func() { _ = os.RemoveAll(h.Folder) })
	}
	for i := range moved {
		c := &moved[i]
		var target string
		now, mode, failed := readSized(c.Path, maxSettings)
		if failed != nil || !bytes.Equal(now, c.Old) {
			return nil, fmt.Errorf("%s changed meanwhile", c.Path)
		}
		target, err = paths.Real(c.Path)
		if err == nil {
			c.Backup, err = backUp(c.Path, c.Old, mode)
		}
		if err != nil {
			return nil, err
		}
		undo = append(undo, func() {
			if state.Write(target, c.Old, mode) == nil {
				_ = os.Remove(c.Backup)
			}
		})
		err = state.Write(target, c.New, mode)
		if err != nil {
			return nil, err
		}
	}
	return moved, nil
}

// replace writes the hook's files in the place of those that an earlier import wrote. restore writes
// these again.
func (h *Hook) replace() (restore func(), err error) {
	var old []func() error
	restore = func() {
		for _, write := range old {
			_ = write()
		}
	}
	for _, f := range h.Files() {
		path := filepath.Join(h.Folder, filepath.FromSlash(f.Path))
		text, mode, err := readRegular(path)
		if err == nil {
			old = append(old, func() error { return state.Write(path, text, mode) })
			err = state.Write(path, f.Data, mode)
		}
		if err != nil {
			return restore, fmt.Errorf("%s: %w", path, err)
		}
	}
	return restore, nil
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

// untracked returns an error if git tracks the file, because removing an entry
// from it would affect everybody who works on the project.
func untracked(path string) error {
	dir := filepath.Dir(path)
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) { // in no repository
			return nil
		}
		dir = filepath.Dir(dir)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	// A repository's own settings must not start a program.
	cmd := exec.CommandContext(ctx, "git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks",
		"ls-files", "--error-unmatch", "--", filepath.Base(path))
	cmd.Dir = filepath.Dir(path)
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return fmt.Errorf("%s is tracked by git; --move does not change it: remove the entries there by hand, for everyone who works on the project", path)
	case errors.As(err, &exit) && exit.ExitCode() == 1:
		return nil
	}
	return fmt.Errorf("%s: git does not say whether it is tracked, so --move does not change it: %w", path, err)
}
