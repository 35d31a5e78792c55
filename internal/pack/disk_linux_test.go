package pack

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// TestFullDisk checks that a disk that is full or read-only leaves the hooks and the lock as they
// were.
func TestFullDisk(t *testing.T) {
	const variable = "TEST_FULL_DISK"
	dir := os.Getenv(variable)
	if dir == "" {
		cmd := exec.Command("unshare", "-rm", "sh", "-c", `mount -t tmpfs -o size=256k tmpfs "$1" && exec "$0" -test.run=^TestFullDisk$`, os.Args[0], t.TempDir())
		cmd.Env = append(os.Environ(), variable+"="+cmd.Args[len(cmd.Args)-1])
		if out, err := cmd.CombinedOutput(); strings.Contains(string(out), "unshare failed") || strings.Contains(string(out), "mount") {
			t.Skipf("no namespace: %s", out)
		} else if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	p := &Place{Scope: discovery.UserScope, Hooks: dir + "/agents/hooks", State: dir + "/state", lock: &Lock{}}
	if err := p.apply(change("a", "", "1"), change("b", "", "1")); err != nil {
		t.Fatal(err)
	}
	large := change("b", "1", "2")
	large.Folder.Files = append(large.Folder.Files, trust.File{Path: "z", Data: make([]byte, 400<<10)})
	large.Locked.Digest = large.Folder.Digest()
	refuse := func(want string, changes ...*Change) {
		t.Helper()
		if err := p.apply(changes...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if got := p.state(t); got != "a=1 b=1" {
			t.Errorf("after %s: %s", want, got)
		}
	}
	refuse("no space left", change("a", "1", "2"), large)
	// Room for the hook, but not for the lock.
	full := change("b", "1", "2")
	full.Folder.Files = append(full.Folder.Files, trust.File{Path: "z", Data: make([]byte, 212<<10)})
	full.Locked.Digest = full.Folder.Digest()
	for i := range 200 {
		full.Locked.Executable = append(full.Locked.Executable, strings.Repeat("x", 200+i))
	}
	refuse("hooks.lock: no space left", change("a", "1", ""), full)
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	refuse("read-only file system", change("a", "1", "2"))
}
