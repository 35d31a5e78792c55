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

	"github.com/agent-hooks/agent-hooks/internal/atomicfile"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// tempPrefix begins the names of the directories in which folders are written and to which they
// are moved, next to the directory of hooks.
const tempPrefix = ".agent-hooks-pack-"

// Apply makes all of the changes or, after an error, none, and records the review of a project's
// hooks. Each hook is replaced in one step where the system can do that; after a crash, each is the
// old or the new one, and the next Apply puts back an old one that is missing. Two calls at once are
// made one after the other, and the second fails if the first has changed one of its hooks.
func (p *Place) Apply(changes []*Change) error {
	if !slices.ContainsFunc(changes, func(c *Change) bool { return !c.Current || !p.lock.Hooks[c.Name].Equal(c.Locked) }) {
		return nil
	}
	unlock, err := p.lockState()
	if err != nil {
		return err
	}
	defer unlock()
	lock, err := p.readLock()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(p.Hooks, 0o755); err != nil {
		return fmt.Errorf("write %s: %w", shown.Path(p.Hooks), shown.Cause(err))
	}
	if err := p.recover(); err != nil {
		return err
	}
	if err := p.unchanged(lock, changes); err != nil {
		return err
	}
	if err := p.write(lock, changes); err != nil {
		return err
	}
	return p.review(changes)
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
			_, revoked := p.Reviews.Revoke(p.Reviews.Trusted(p.root(), p.Home, func(name string) bool { return name == c.Name }))
			err = errors.Join(err, revoked)
		} else if !c.Current {
			reviewed = append(reviewed, c.Folder)
		}
	}
	if len(reviewed) > 0 {
		_, _, added := p.Reviews.Add(p.root(), false, reviewed, time.Now())
		err = errors.Join(err, added)
	}
	return err
}

// lockState waits until no other process applies changes, and keeps others from it.
func (p *Place) lockState() (unlock func(), err error) {
	if !filepath.IsAbs(p.State) {
		return nil, errors.New("there is no directory for the program's state: HOME is not set")
	}
	if err := os.MkdirAll(p.State, 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(p.State, "packs.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lockFile(f); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

// recover removes the directories of processes that were killed, and puts back hooks that they
// had moved away. A project could contain a link in their place.
func (p *Place) recover() error {
	entries, err := os.ReadDir(filepath.Dir(p.Hooks))
	if err != nil {
		return shown.Cause(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), tempPrefix) {
			continue
		}
		temp := filepath.Join(filepath.Dir(p.Hooks), e.Name())
		if err := p.putBack(filepath.Join(temp, "old")); err != nil {
			return err
		}
		if err := os.RemoveAll(temp); err != nil {
			return shown.Cause(err)
		}
	}
	return nil
}

// putBack moves hooks that are missing back from the directory old.
func (p *Place) putBack(old string) error {
	if !isDirectory(filepath.Dir(old)) || !isDirectory(old) {
		return nil
	}
	moved, _ := os.ReadDir(old)
	for _, e := range moved {
		to := filepath.Join(p.Hooks, e.Name())
		if _, err := os.Lstat(to); e.IsDir() && errors.Is(err, fs.ErrNotExist) {
			if err := os.Rename(filepath.Join(old, e.Name()), to); err != nil {
				return shown.Cause(err)
			}
		}
	}
	return nil
}

// isDirectory reports whether a path is that of a directory, and not of a link to one.
func isDirectory(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// unchanged returns an error if a hook is not as it was when the user agreed.
func (p *Place) unchanged(lock *Lock, changes []*Change) error {
	for _, c := range changes {
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
		if c.Folder != nil && c.moves() {
			if err := writeFolder(filepath.Join(fresh, c.Name), c.Folder); err != nil {
				return fmt.Errorf("write hook %s: %w", c.Name, shown.Cause(err))
			}
		}
	}
	for i, c := range changes {
		if err := c.move(fresh, old); err != nil {
			return errors.Join(fmt.Errorf("write hook %s: %w", c.Name, shown.Cause(err)), undo(changes[:i], fresh, old))
		}
	}
	if err := errors.Join(atomicfile.SyncDirectory(p.Hooks), p.writeLock(lock, changes)); err != nil {
		return errors.Join(err, undo(changes, fresh, old))
	}
	return nil
}

// move moves the hook's folder from the directory fresh, and the old one to the directory old.
func (c *Change) move(fresh, old string) error {
	at, fresh, old := filepath.Join(c.Place.Hooks, c.Name), filepath.Join(fresh, c.Name), filepath.Join(old, c.Name)
	switch {
	case !c.moves():
		return nil
	case c.Folder == nil:
		return os.Rename(at, old)
	case c.Was == "":
		return os.Rename(fresh, at)
	}
	return swap(fresh, at, old)
}

// undo undoes the moves, the last one first.
func undo(changes []*Change, fresh, old string) (err error) {
	for _, c := range slices.Backward(changes) {
		at, fresh, old := filepath.Join(c.Place.Hooks, c.Name), filepath.Join(fresh, c.Name), filepath.Join(old, c.Name)
		switch {
		case !c.moves():
		case c.Folder == nil:
			err = errors.Join(err, os.Rename(old, at))
		case c.Was == "":
			err = errors.Join(err, os.Rename(at, fresh))
		default:
			err = errors.Join(err, swap(old, at, fresh))
		}
	}
	return err
}

// swap replaces the folder at with the folder fresh, and moves the old one to old: in one step
// where the file system can exchange two names, so that a guard is never missing.
func swap(fresh, at, old string) error {
	if exchange(fresh, at) == nil {
		return os.Rename(fresh, old)
	}
	return swapByRenaming(fresh, at, old)
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

func (p *Place) writeLock(lock *Lock, changes []*Change) error {
	for _, c := range changes {
		if c.Folder == nil {
			delete(lock.Hooks, c.Name)
		} else {
			lock.Hooks[c.Name] = c.Locked
		}
	}
	if len(lock.Hooks) == 0 {
		if err := os.Remove(p.LockPath()); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	text, err := lock.encode()
	if err == nil {
		err = atomicfile.Write(p.LockPath(), text, 0o644)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", shown.Path(p.LockPath()), shown.Cause(err))
	}
	return nil
}

// writeFolder writes a folder that must not exist yet, and flushes it to disk.
func writeFolder(dir string, f *trust.Folder) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	for _, file := range f.Files {
		to := filepath.Join(dir, filepath.FromSlash(file.Path))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if file.Executable {
			mode = 0o755
		}
		if err := writeFile(to, file.Data, mode); err != nil {
			return err
		}
	}
	return atomicfile.SyncDirectory(dir)
}

func writeFile(to string, data []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}
