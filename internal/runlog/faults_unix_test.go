//go:build unix

package runlog

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestAppendNeverWaits checks that a FIFO instead of the log does not block, without a reader
// or with one that does not read.
func TestAppendNeverWaits(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, fileName)
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"no reader", "a reader"} {
		ended := make(chan error, 1)
		go func() { ended <- Append(dir, Entry{Hook: "h"}) }()
		select {
		case err := <-ended:
			if err == nil {
				t.Errorf("%s: no error", name)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: it waits", name)
		}
		f, err := os.OpenFile(fifo, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
	}
}

func TestAppendFollowsNoLink(t *testing.T) {
	dir, target := t.TempDir(), filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(target, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(dir, fileName)); err != nil {
		t.Fatal(err)
	}
	if err := Append(dir, Entry{Hook: "h"}); err == nil {
		t.Error("no error")
	}
	if info, _ := os.Stat(target); info.Size() != 0 {
		t.Error("the link's target was written")
	}
}

// TestAppendWithoutRoom checks that a partial line, written on a full disk, does not affect the
// following lines.
func TestAppendWithoutRoom(t *testing.T) {
	dir := t.TempDir()
	limited := writer(t, dir, 0, 100)
	limited.Args = []string{"/bin/sh", "-c", `ulimit -f 1; exec "$0"`, os.Args[0]}
	limited.Path, limited.Stderr = "/bin/sh", nil
	if err := limited.Run(); err == nil || limited.ProcessState.ExitCode() != 1 {
		t.Fatalf("it ended with %v, want an error", err)
	}
	if err := Append(dir, Entry{Time: time.Now(), Hook: "after"}); err != nil {
		t.Fatal(err)
	}
	names, skipped := readAll(t, dir)
	if len(names) < 2 || names[len(names)-1] != "after" || skipped != 1 {
		t.Errorf("got %q, %d skipped", names, skipped)
	}
}

func TestAppendToAReadOnlyDirectory(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write anywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if err := Append(dir, Entry{Hook: "h"}); err == nil {
		t.Error("no error")
	}
}

// TestSystem checks the line in the system's log, and that no socket, one without a reader and a
// full one are not waited for.
func TestSystem(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "log")
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
	if err == nil {
		err = unix.Bind(fd, &unix.SockaddrUnix{Name: socket})
	}
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	at := time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)
	send([]string{socket + "-missing", socket}, at, []byte(`{"hook":"h"}`))
	got := make([]byte, 1000)
	n, _, err := unix.Recvfrom(fd, got, unix.MSG_DONTWAIT)
	if want := fmt.Sprintf(`<85>Jan  2 03:04:05 agent-hooks[%d]: {"hook":"h"}`, os.Getpid()); err != nil || string(got[:n]) != want {
		t.Errorf("got %q, %v, want %q", got[:n], err, want)
	}
	began := time.Now()
	for range 2000 { // more than any queue has room for
		send([]string{socket}, at, got)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("a full log took %v", took)
	}
}
