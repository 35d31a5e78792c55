package pack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
)

// tempPrefix begins the names of the directories in which folders are written and to which they
// are moved, next to the directory of hooks.
const tempPrefix = ".agent-hooks-pack-"

// Apply makes all of the changes or, after an error, none, and records the review of a project's
// hooks. Each hook is replaced in one step where the system can do that; after a crash, each is the
// old or the new one, and the next Apply puts back an old one that is missing. Two calls at once are
// made one after the other, and the second fails if the first has changed one of its hooks.
func (p *Place) Apply(changes []*Change) error {
	if len(p.follow) == 0 && !slices.ContainsFunc(changes, func(c *Change) bool { return !c.Current || !p.lock.Hooks[c.Name].Equal(c.Locked) }) {
		return nil
	}
	if !filepath.IsAbs(p.State) {
		return errors.New("there is no directory for the program's state: HOME is not set")
	}
	if err := os.MkdirAll(p.State, 0o700); err != nil {
		return err
	}
	held, err := state.Lock(filepath.Join(p.State, "packs.lock"))
	if err != nil {
		return err
	}
	defer held.Close()
	lock, err := p.readLock()
	if err != nil {
		return err
	}
	if _, missing := os.Stat(p.Hooks); missing != nil {
		err := os.MkdirAll(p.Hooks, 0o755)
		if err == nil && p.Scope == discovery.ManagedScope {
			err = errors.Join(os.Chmod(filepath.Dir(p.Hooks), 0o755), os.Chmod(p.Hooks, 0o755))
		}
		if err != nil {
			return fmt.Errorf("write %s: %w", shown.Path(p.Hooks), shown.Cause(err))
		}
	}
	if err := p.recover(); err != nil {
		return err
	}
	for _, c := range changes { // still as they were when the user agreed
		now, state, err := p.compare(lock, c.Name, c.Locked.Executable)
		digest := ""
		if now != nil {
			digest = now.Digest()
		}
		switch {
		case state == Unread:
			return fmt.Errorf("hook %s: %w", c.Name, err)
		case digest != c.Was:
			return fmt.Errorf("hook %s has changed meanwhile; nothing was written: run the command again", c.Name)
		}
	}
	if err := p.write(lock, changes); err != nil {
		return err
	}
	return errors.Join(p.review(changes), p.trials(changes))
}

// trials makes the hooks.toml next to the hooks say which of them only observe, and until when.
func (p *Place) trials(changes []*Change) error {
	if p.Scope == discovery.ProjectScope {
		return nil
	}
	path := filepath.Join(filepath.Dir(p.Hooks), config.Name)
	text, mode, err := paths.Read(path, spec.MaxConfigFile)
	if errors.Is(err, fs.ErrNotExist) {
		mode, err = 0o644, nil
	}
	changed := string(text)
	for _, c := range changes {
		end := c.Locked.trial()
		if c.Folder == nil || !end.After(time.Now()) {
			end = time.Time{}
		}
		if !c.Current && err == nil && (!end.IsZero() || p.lock.Hooks[c.Name].Observe != "") {
			changed, err = config.Trial(changed, c.Name, end)
		}
	}
	if err == nil && changed != string(text) {
		err = state.Write(path, []byte(changed), mode)
	}
	if err != nil {
		return fmt.Errorf("%s: %w; the hooks decide", shown.Path(path), err)
	}
	return nil
}

// open makes a managed hook readable for every user and writable only for root, whatever root's umask is.
func (p *Place) open(dir string) error {
	if p.Scope != discovery.ManagedScope {
		return nil
	}
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if d.IsDir() || info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		return os.Chmod(path, mode)
	})
}

// review records which hooks of a project the user has reviewed, and ends the review of those that
// were removed, so that they are not reported as missing.
func (p *Place) review(changes []*Change) (err error) {
	if p.Reviews == nil {
		return nil
	}
	var reviewed []*trust.Folder
	for _, c := range changes {
		if c.Folder == nil {
			revoked := p.Reviews.Revoke(p.Reviews.Trusted(p.root(), p.Home, func(name string) bool { return name == c.Name }))
			err = errors.Join(err, revoked)
		} else if !c.Current {
			reviewed = append(reviewed, c.Folder)
		}
	}
	if len(reviewed) > 0 {
		added := p.Reviews.Add(p.root(), false, reviewed, time.Now())
		err = errors.Join(err, added)
	}
	return err
}

// recover removes the directories of processes that were killed, and puts back hooks that they
// had moved away. A project could contain a link in their place.
func (p *Place) recover() error {
	entries, err := os.ReadDir(filepath.Dir(p.Hooks))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), tempPrefix) {
			continue
		}
		temp := filepath.Join(filepath.Dir(p.Hooks), e.Name())
		old := filepath.Join(temp, "old")
		var moved []fs.DirEntry
		if info, err := os.Lstat(old); err == nil && info.IsDir() && e.IsDir() {
			moved, _ = os.ReadDir(old)
		}
		for _, hook := range moved {
			to := filepath.Join(p.Hooks, hook.Name())
			if _, err := os.Lstat(to); hook.IsDir() && errors.Is(err, fs.ErrNotExist) {
				if err := os.Rename(filepath.Join(old, hook.Name()), to); err != nil {
					return err
				}
			}
		}
		if err := os.RemoveAll(temp); err != nil {
			return err
		}
	}
	return nil
}

// write makes the changes of folders and then of the lock. After an error, it undoes them.
func (p *Place) write(lock *Lock, changes []*Change) (err error) {
	temp, err := os.MkdirTemp(filepath.Dir(p.Hooks), tempPrefix)
	if err != nil {
		return fmt.Errorf("write %s: %w", shown.Path(filepath.Dir(p.Hooks)), shown.Cause(err))
	}
	defer os.RemoveAll(temp)
	fresh, old := filepath.Join(temp, "new"), filepath.Join(temp, "old")
	if err := errors.Join(os.Mkdir(fresh, 0o755), os.Mkdir(old, 0o755)); err != nil {
		return err
	}
	for _, c := range changes {
		if c.Folder != nil && c.Was != c.Locked.Digest {
			if err := c.Folder.WriteOpen(fresh); err != nil {
				return fmt.Errorf("write hook %s: %w", c.Name, shown.Cause(err))
			}
			if err := p.open(filepath.Join(fresh, c.Name)); err != nil {
				return err
			}
		}
	}
	for i, c := range changes {
		if err := c.move(fresh, old, c.Was != "", c.Folder != nil); err != nil {
			return errors.Join(fmt.Errorf("write hook %s: %w", c.Name, shown.Cause(err)), undo(changes[:i], fresh, old))
		}
	}
	if err := errors.Join(state.Sync([]string{p.Hooks}), p.writeLock(lock, changes, temp)); err != nil {
		return errors.Join(err, undo(changes, fresh, old))
	}
	return nil
}

// undo undoes the moves, the last one first.
func undo(changes []*Change, fresh, old string) (err error) {
	for _, c := range slices.Backward(changes) {
		err = errors.Join(err, c.move(old, fresh, c.Folder != nil, c.Was != ""))
	}
	return err
}

// move moves the hook's folder to the directory to, if it had one, and the one in the directory
// from to its place, if it has one afterwards.
func (c *Change) move(from, to string, had, has bool) error {
	from, at, to := filepath.Join(from, c.Name), filepath.Join(c.Place.Hooks, c.Name), filepath.Join(to, c.Name)
	switch {
	case c.Was == c.Locked.Digest:
		return nil
	case had && has && exchange(from, at) == nil: // a guard is never missing
		return os.Rename(from, to)
	case had && has:
		return swapByRenaming(from, at, to)
	case had:
		return os.Rename(at, to)
	}
	return os.Rename(from, at)
}

// swapByRenaming replaces the folder at with the folder fresh, in two steps. The old one is moved
// to old.
func swapByRenaming(fresh, at, old string) error {
	if err := os.Rename(at, old); err != nil {
		return err
	}
	err := os.Rename(fresh, at)
	if err != nil {
		err = errors.Join(err, os.Rename(old, at))
	}
	return err
}

// writeLock replaces the lock with one with the changes, which it writes in the directory temp.
func (p *Place) writeLock(lock *Lock, changes []*Change, temp string) error {
	lock.update(changes, p.follow)
	if len(lock.Hooks)+len(lock.Packs) == 0 {
		err := os.Remove(p.LockPath())
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	}
	text, err := lock.encode()
	if err == nil {
		err = state.Write(filepath.Join(temp, LockName), text, 0o644)
	}
	if err == nil {
		err = os.Rename(filepath.Join(temp, LockName), p.LockPath())
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", shown.Path(p.LockPath()), shown.Cause(err))
	}
	return nil
}
