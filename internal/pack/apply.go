package pack

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"github.com/agent-hooks/agent-hooks/internal/atomicfile"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// Change is a change of one hook.
type Change struct {
	Name   string
	Folder *trust.Folder // nil to remove the hook
	Was    string        // the digest of the folder when the user agreed; "" if there was none
	Entry  Hook          // of the lock
}

// tempPrefix begins the names of the directories in which folders are written and to which they
// are moved, next to the directory of hooks.
const tempPrefix = ".agent-hooks-pack-"

// Apply makes changes. Each hook is replaced in one step where the system can do that; after a
// crash, each is the old or the new one, and the next Apply puts back an old one that is missing.
// Two calls at once are made one after the other, and the second fails if the first has changed
// one of its hooks. done are the changes that were made, all unless there is an error.
func (p Place) Apply(changes []Change) (done []Change, err error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	unlock, err := p.lockState()
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := os.MkdirAll(p.Hooks, 0o755); err != nil {
		return nil, fmt.Errorf("write %s: %w", shown.Path(p.Hooks), shown.Cause(err))
	}
	if err := p.recover(); err != nil {
		return nil, err
	}
	lock, err := p.Lock()
	if err != nil {
		return nil, err
	}
	if err := p.unchanged(lock, changes); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp(filepath.Dir(p.Hooks), tempPrefix)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", shown.Path(filepath.Dir(p.Hooks)), shown.Cause(err))
	}
	defer os.RemoveAll(temp)
	done, err = p.move(temp, changes)
	return done, errors.Join(err, p.writeLock(lock, done))
}

// lockState waits until no other process applies changes, and keeps others from it.
func (p Place) lockState() (unlock func(), err error) {
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
// had moved away.
func (p Place) recover() error {
	left, err := filepath.Glob(filepath.Join(filepath.Dir(p.Hooks), tempPrefix+"*"))
	if err != nil {
		return err
	}
	for _, temp := range left {
		moved, _ := os.ReadDir(filepath.Join(temp, "old"))
		for _, e := range moved {
			to := filepath.Join(p.Hooks, e.Name())
			if _, err := os.Lstat(to); e.IsDir() && errors.Is(err, fs.ErrNotExist) {
				if err := os.Rename(filepath.Join(temp, "old", e.Name()), to); err != nil {
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

// unchanged returns an error if a hook is not as it was when the user agreed.
func (p Place) unchanged(lock *Lock, changes []Change) error {
	for _, c := range changes {
		executable := lock.Hooks[c.Name].Executable
		if c.Folder != nil && c.Was == c.Entry.Digest { // only the lock changes
			executable = c.Entry.Executable
		}
		now, err := p.Installed(c.Name, executable)
		if err != nil {
			return fmt.Errorf("hook %s: %w", c.Name, err)
		}
		digest := ""
		if now != nil {
			digest = now.Digest()
		}
		if digest != c.Was {
			return fmt.Errorf("hook %s has changed meanwhile; nothing was written: run the command again", c.Name)
		}
	}
	return nil
}

// move makes the changes of folders.
func (p Place) move(temp string, changes []Change) (done []Change, err error) {
	fresh, old := filepath.Join(temp, "new"), filepath.Join(temp, "old")
	if err := errors.Join(os.Mkdir(fresh, 0o755), os.Mkdir(old, 0o755)); err != nil {
		return nil, err
	}
	for _, c := range changes {
		if c.Folder != nil && c.Was != c.Entry.Digest {
			if err := writeFolder(filepath.Join(fresh, c.Name), c.Folder); err != nil {
				return nil, fmt.Errorf("write hook %s: %w", c.Name, shown.Cause(err))
			}
		}
	}
	for _, c := range changes {
		at := filepath.Join(p.Hooks, c.Name)
		switch {
		case c.Folder == nil && c.Was == "":
		case c.Folder == nil:
			err = os.Rename(at, filepath.Join(old, c.Name))
		case c.Was == c.Entry.Digest:
		case c.Was == "":
			err = os.Rename(filepath.Join(fresh, c.Name), at)
		default:
			err = swap(filepath.Join(fresh, c.Name), at, filepath.Join(old, c.Name))
		}
		if err != nil {
			return done, fmt.Errorf("write hook %s: %w", c.Name, shown.Cause(err))
		}
		done = append(done, c)
	}
	return done, atomicfile.SyncDirectory(p.Hooks)
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

func (p Place) writeLock(lock *Lock, done []Change) error {
	if len(done) == 0 {
		return nil
	}
	before := maps.Clone(lock.Hooks)
	for _, c := range done {
		if c.Folder == nil {
			delete(lock.Hooks, c.Name)
			continue
		}
		lock.Hooks[c.Name] = c.Entry
	}
	if len(lock.Hooks) == 0 && len(before) > 0 {
		return os.Remove(p.LockPath())
	}
	text, err := lock.encode()
	if err != nil {
		return err
	}
	if err := atomicfile.Write(p.LockPath(), text, 0o644); err != nil {
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
