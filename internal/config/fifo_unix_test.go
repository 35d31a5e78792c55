//go:build unix

package config

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/agent-hooks/agent-hooks/discovery"
)

// A FIFO must not hang a run.
func TestReadFIFO(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skipf("a FIFO cannot be created: %v", err)
	}
	f := ReadFile(path, discovery.ProjectScope)
	if f == nil || len(f.Diagnostics) != 1 || f.Diagnostics[0].Code != "config-file" {
		t.Errorf("%+v", f)
	}
}
