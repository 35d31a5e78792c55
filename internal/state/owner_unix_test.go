//go:build unix

package state

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestWriteKeepsOwnerAndGroup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	for _, ids := range [][2]int{{os.Getuid(), 4711}, {4711, os.Getgid()}, {4711, 4712}} {
		if err := os.WriteFile(path, nil, 0o640); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(path, ids[0], ids[1]); err != nil {
			t.Skipf("the owner cannot be changed: %v", err)
		}
		if err := Write(path, []byte("x"), 0o640); err != nil {
			t.Fatal(err)
		}
		if is := owner(path); int(is.Uid) != ids[0] || int(is.Gid) != ids[1] {
			t.Errorf("%d, %d, want %v", is.Uid, is.Gid, ids)
		}
	}
}

// TestDiscard checks that what cannot be removed is an error: a review would stay.
func TestDiscard(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root removes everything")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "record")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	if err := Discard(path); err == nil {
		t.Error("a file in a read-only directory: no error")
	}
}

// TestCounterForeign checks that what somebody put in the place of the counter's files neither blocks
// nor makes it write or remove a file elsewhere: a model may write there.
func TestCounterForeign(t *testing.T) {
	elsewhere := t.TempDir()
	kept := filepath.Join(elsewhere, "old")
	if err := os.WriteFile(kept, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(kept, time.Time{}, time.Now().Add(-2*maxAge)); err != nil {
		t.Fatal(err)
	}
	fifo := filepath.Join(elsewhere, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	use := func(c Counter) {
		_, _ = c.Add("gate")
		c.Returned("reason")
		_ = c.Repeats(func() string { return "reason" })
		c.Reset()
		c.ResetSession()
	}
	for _, target := range []string{elsewhere, kept, fifo} {
		for _, name := range []string{"", "session", "session/agent", "session/agent/gate", "session/reason"} {
			for _, link := range []bool{true, false} {
				dir := t.TempDir()
				full := NewCounter(dir, "s", "a")
				path := map[string]string{"": full.root, "session": full.session, "session/agent": filepath.Join(full.session, full.agent),
					"session/agent/gate": filepath.Join(full.session, full.agent, nameOf("gate")), "session/reason": filepath.Join(full.session, reasonFile)}[name]
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				var err error
				if link {
					err = os.Symlink(target, path)
				} else if target == fifo {
					err = syscall.Mkfifo(path, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
				done := make(chan bool)
				go func() { use(NewCounter(dir, "s", "a")); close(done) }()
				select {
				case <-done:
				case <-time.After(10 * time.Second):
					t.Fatalf("%q in the place of %q blocks", target, name)
				}
				if text, err := os.ReadFile(kept); err != nil || string(text) != "kept" {
					t.Fatalf("a link in the place of %q: %q, %v", name, text, err)
				}
			}
		}
	}
}
