package agenthooks_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// BenchmarkLive measures loading and planning for one request to a server.
func BenchmarkLive(b *testing.B) {
	for _, n := range []int{1, 10, 100} {
		project := b.TempDir()
		for i := range n {
			err := writeHook(filepath.Join(project, ".agents", "hooks"), fmt.Sprintf("hook-%d", i), "exit 0", "matcher:", "  tool: Shell", `  pattern: terraform\s+(apply|destroy)`)
			if err != nil {
				b.Fatal(err)
			}
		}
		live := agenthooks.NewLive(agenthooks.Options{Project: project, Environ: []string{"PATH=" + os.Getenv("PATH")}, Isolated: true})
		time.Sleep(2100 * time.Millisecond) // until files count as unchanged
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				event, _ := protocol.ParseEvent(spec.PreToolCall, []byte(ls), "2026-01-02T03:04:05Z")
				live.Load(agenthooks.Options{Event: event}).Plan(event).Run(b.Context(), agenthooks.RunOptions{})
			}
		})
	}
}
