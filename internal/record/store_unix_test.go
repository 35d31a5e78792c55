//go:build unix

package record

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestWaitsForNothing: a FIFO in the place of the directory, or of a record.
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

// TestNoRoom: what could not be written as a whole is not there.
func TestNoRoom(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	small := limit
	small.Cur = 1000
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		t.Skip(err)
	}
	err := writeNew(path, make([]byte, 5000))
	if restored := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); restored != nil {
		t.Fatal(restored)
	}
	if err == nil {
		t.Error("no error")
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%s is left", left[0].Name())
	}
}
