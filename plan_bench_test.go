package agenthooks_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// BenchmarkHooks measures what a run does with 100 hooks before it starts one:
// reading them and planning.
func BenchmarkHooks(b *testing.B) {
	project := b.TempDir()
	for i := range 100 {
		tool := [...]string{"WriteFile|EditFile", "Shell"}[i%2]
		err := writeHook(filepath.Join(project, ".agents", "hooks"), fmt.Sprintf("hook-%d", i), "exit 0", "matcher:", "  tool: "+tool, `  pattern: terraform\s+(apply|destroy)`)
		if err != nil {
			b.Fatal(err)
		}
	}
	options := agenthooks.Options{
		Project:  project,
		Environ:  []string{"PATH=" + os.Getenv("PATH")},
		Isolated: true,
	}
	b.Run("load/100", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			agenthooks.Load(options)
		}
	})
	hooks := agenthooks.Load(options)
	b.Run("plan/100", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			event, _ := protocol.ParseEvent(spec.PreToolCall, []byte(ls), "2026-01-02T03:04:05Z")
			if plan := hooks.Plan(event); len(plan.Rows) != 100 {
				b.Fatalf("%d rows", len(plan.Rows))
			}
		}
	})
}
