//go:build unix

package exec

import (
	"context"
	"os/exec"
	"testing"
	"time"
)

// BenchmarkRun measures running a process that does nothing, and writing an
// event to it.
func BenchmarkRun(b *testing.B) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		b.Skipf("a program that the test needs is missing: %v", err)
	}
	for _, c := range []struct {
		name, script string
		input        int64
	}{{"nothing", "exit 0", 0}, {"1MiB", "exec cat >/dev/null", 1 << 20}} {
		command := Command{
			Path: sh, Args: []string{sh, "-c", c.script}, Stdin: zeros(c.input), Timeout: time.Minute,
			MaxStdout: 1 << 20, MaxStderr: 1 << 20,
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if r := Run(context.Background(), command); r.Err != nil || r.Status != 0 {
					b.Fatalf("%+v", r)
				}
			}
		})
	}
}
