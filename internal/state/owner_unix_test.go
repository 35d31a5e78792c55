//go:build unix

package state

import (
	"os"
	"path/filepath"
	"testing"
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
