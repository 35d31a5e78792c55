package runlog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/windows"
)

// appending is the byte of the lock file that is locked while a line is appended. A rotation locks the
// first one, so that appending does not wait for it, nor prevents it.
const appending = 1

// appendWait is the longest time that an append waits for others. Lines that are added at the same
// time may overwrite each other: a position at the end is not part of a write on every file system.
const appendWait = 2 * time.Second

// openAppend opens a file for appending and creates it if it does not exist. It does not follow a
// link.
func openAppend(path string) (*os.File, error) {
	return open(path, windows.FILE_APPEND_DATA|windows.FILE_READ_ATTRIBUTES|windows.SYNCHRONIZE, windows.OPEN_ALWAYS, windows.FILE_FLAG_OPEN_REPARSE_POINT)
}

func openRead(path string) (*os.File, error) {
	return open(path, windows.GENERIC_READ, windows.OPEN_EXISTING, 0)
}

// open opens a file in a way that it can be renamed meanwhile, as a rotation does.
func open(path string, access, create, flags uint32) (*os.File, error) {
	name, err := windows.UTF16PtrFromString(path)
	var h windows.Handle
	if err == nil {
		h, err = windows.CreateFile(name, access, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE,
			nil, create, flags|windows.FILE_ATTRIBUTE_NORMAL|windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}

func openLock(dir string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
}

// exclude excludes other appends to the files in dir until release is called.
func exclude(dir string) (release func()) {
	f, err := openLock(dir)
	if err != nil {
		return func() {}
	}
	locked := func() bool {
		const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
		return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{Offset: appending}) == nil
	}
	for wait, until := time.Millisecond, time.Now().Add(appendWait); !locked() && time.Now().Before(until); {
		time.Sleep(wait)
		wait = min(2*wait, 20*time.Millisecond)
	}
	return func() { f.Close() } // unlocks
}

// moveOver renames a file, also to the name of an existing one that a reader has open, which keeps
// its name until it is closed: so it gets another one first.
func moveOver(from, to string) error {
	err := os.Rename(from, to)
	if info, statErr := os.Lstat(to); !errors.Is(err, fs.ErrPermission) || statErr != nil || !info.Mode().IsRegular() {
		return err
	}
	aside := fmt.Sprintf("%s.%x", to, time.Now().UnixNano())
	if err := os.Rename(to, aside); err != nil {
		return err
	}
	os.Remove(aside)
	return os.Rename(from, to)
}
