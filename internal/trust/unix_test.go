//go:build unix

package trust

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestReadRejectsFIFO(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "guard")
	put(t, dir, "HOOK.md=x")
	if err := unix.Mkfifo(filepath.Join(dir, "run"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), `"run" is neither a file nor a directory`) {
		t.Errorf("a FIFO in it: %v", err)
	}
	if _, err := Read(filepath.Join(dir, "run")); err == nil {
		t.Error("a FIFO in its place was read")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := (&reader{bytes: 1}).file(root, "run"); err == nil {
		t.Error("a FIFO that has replaced a file was read")
	}
}

// A sparse file does not make Read allocate memory for its size.
func TestReadRejectsSparseFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "guard")
	put(t, dir, "HOOK.md=x")
	if err := os.Truncate(filepath.Join(dir, "HOOK.md"), 1<<42); err != nil {
		t.Skipf("a sparse file of that size cannot be created: %v", err)
	}
	if _, err := Read(dir); !errors.Is(err, errTooLarge) {
		t.Errorf("got %v, want %v", err, errTooLarge)
	}
}

// The limit applies to a file that contains more than its size, such as one that grows.
func TestReadStopsAtLimit(t *testing.T) {
	root, err := os.OpenRoot("/proc/self")
	if err != nil {
		t.Skipf("there is no /proc: %v", err)
	}
	defer root.Close()
	if err := (&reader{bytes: 1}).file(root, "status"); !errors.Is(err, errTooLarge) {
		t.Errorf("got %v, want %v", err, errTooLarge)
	}
}

func TestOpenRejectsStoresOfOthers(t *testing.T) {
	tests := []struct {
		name        string
		store       os.FileMode
		parent      os.FileMode
		storeOwner  int
		parentOwner int
		want        string
	}{
		{"well", 0o700, 0o755, -1, -1, ""},
		{"everyone may write", 0o777, 0o755, -1, -1, "is open to others"},
		{"everyone may read", 0o755, 0o755, -1, -1, "is open to others"},
		{"everyone may replace it", 0o700, 0o777, -1, -1, "others can write"},
		{"another's", 0o700, 0o755, 4711, -1, "belongs to user 4711"},
		{"in another's", 0o700, 0o755, -1, 4711, "directory of user 4711"},
	}
	for _, test := range tests {
		parent := filepath.Join(t.TempDir(), "state")
		dir := filepath.Join(parent, "trust")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for path, mode := range map[string]os.FileMode{dir: test.store, parent: test.parent} {
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
		}
		if test.storeOwner+test.parentOwner > 0 && os.Geteuid() != 0 {
			continue // only root can change the owner of files
		}
		if os.Geteuid() == 0 && (os.Chown(dir, test.storeOwner, -1) != nil || os.Chown(parent, test.parentOwner, -1) != nil) {
			t.Fatal("chown")
		}
		_, err := Open(dir)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
		if c := NewCheck(Options{Store: dir}); (c.err == nil) != (test.want == "") {
			t.Errorf("%s: NewCheck returned %v", test.name, c.err)
		}
	}
}
