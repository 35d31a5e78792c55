//go:build unix

package record

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestWaitsForNothing checks that a FIFO instead of the directory or of a record does not
// block.
func TestWaitsForNothing(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan [2]error)
	go func() {
		_, err := ReadFile(fifo)
		ended <- [2]error{Store{Dir: fifo}.Add(time.Now(), nil), err}
	}()
	select {
	case errs := <-ended:
		if errs[0] == nil || errs[1] == nil {
			t.Errorf("got %v", errs)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it waits")
	}
}

// TestNoRoom checks that no partial record is left on a full disk.
func TestNoRoom(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	if err := errors.Join(Store{Dir: dir}.CheckWrite(), Store{Dir: path}.CheckWrite()); err != nil {
		t.Fatal(err)
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	small := limit
	small.Cur = 1000
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		t.Skipf("the limit cannot be set: %v", err)
	}
	err := writeNew(path, make([]byte, 5000))
	there, absent := Store{Dir: dir}.CheckWrite(), Store{Dir: path}.CheckWrite()
	if restored := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); restored != nil {
		t.Fatal(restored)
	}
	if err == nil || there == nil || absent == nil {
		t.Errorf("no error: %v, %v, %v", err, there, absent)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%s is left", left[0].Name())
	}
}

// TestCheckWrite checks that CheckWrite reports the errors of Add, and leaves no files.
func TestCheckWrite(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"closed", "open"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(root, "closed"), 0o500); err != nil {
		t.Fatal(err)
	}
	for dir, good := range map[string]bool{"open": true, "open/a/b": true, "file": false, "file/a": false, "file/a/b": false, "closed": false, "closed/a": false, "closed/a/b": false} {
		if os.Geteuid() == 0 && strings.HasPrefix(dir, "closed") {
			continue // root ignores permissions
		}
		s := Store{Dir: filepath.Join(root, filepath.FromSlash(dir))}
		if err := s.CheckWrite(); (err == nil) != good {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if left, _ := os.ReadDir(filepath.Join(root, "open")); len(left) > 0 {
		t.Errorf("%s is left", left[0].Name())
	}
	for _, dir := range []string{"/proc/events", "/proc/self/events/x"} {
		if err := (Store{Dir: dir}).CheckWrite(); err == nil || !strings.HasPrefix(err.Error(), dir+" cannot be made in ") {
			if _, there := os.Stat("/proc/self"); there == nil {
				t.Errorf("%s can be created: %v", dir, err)
			}
		}
	}
}
