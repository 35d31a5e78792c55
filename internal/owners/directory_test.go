package owners_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/owners"
)

func TestCheckDirectory(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := owners.CheckDirectory(filepath.Join(dir, "missing")); err != nil {
		t.Errorf("a missing directory: %v", err)
	}
	if owners.CheckDirectory(file) == nil {
		t.Error("a file is accepted")
	}
	if runtime.GOOS == "windows" {
		return
	}
	for mode, accepted := range map[os.FileMode]bool{0o700: true, 0o755: true, 0o777: false, 0o757: false} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		if err := owners.CheckDirectory(dir); (err == nil) != accepted {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(dir, 12345, 0); err != nil {
			t.Fatal(err)
		}
		if owners.CheckDirectory(dir) == nil {
			t.Error("another user's directory is accepted")
		}
	}
}
