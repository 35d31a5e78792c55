//go:build unix

package paths

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	long := strings.Repeat("0123456789", 1000)
	for name, text := range map[string]string{"empty": "", "short": "abc", "long": long} {
		if err := os.WriteFile(at(name), []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
		for _, limit := range []int64{0, 2, 3, 4, 9999, 10000, 10001} {
			got, mode, err := Read(at(name), limit)
			if want := text[:min(int64(len(text)), limit+1)]; string(got) != want || mode != 0o640 || err != nil {
				t.Errorf("%s, at most %d: %d bytes, %v, %v; want %d", name, limit, len(got), mode, err, len(want))
			}
		}
	}
	if err := syscall.Mkfifo(at("fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{at("fifo"), dir, os.DevNull} {
		if _, _, err := Read(path, 1); err != ErrNotRegular {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, _, err := Read(at("missing"), 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	if text, _, err := Read("/proc/self/status", 64<<10); err == nil && !strings.Contains(string(text), "\nvoluntary_ctxt_switches:") {
		t.Errorf("a file whose size is not known: %q", text)
	}
}
