package cases

import (
	"context"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// TestWriteExecutable executes files right after they are written, while other processes start.
func TestWriteExecutable(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an executable file can be open for writing there")
	}
	dir := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	var others sync.WaitGroup
	for range 2 {
		others.Go(func() {
			for ctx.Err() == nil {
				_ = osexec.Command("/bin/sh", "-c", ":").Run()
			}
		})
	}
	text := []byte("#!/bin/sh\nexit 0\n" + string(make([]byte, 1<<20)))
	for i := range 20 {
		path := filepath.Join(dir, "run"+string(rune('A'+i)))
		if err := writeExecutable(func() error { return os.WriteFile(path, text, 0o755) }); err != nil {
			t.Fatal(err)
		}
		if err := osexec.Command(path).Run(); err != nil {
			t.Errorf("run %d: %v", i, err)
		}
	}
	stop()
	others.Wait()
}
