package runlog

import (
	"testing"
	"time"
)

// BenchmarkAppend measures the additional time for each hook in a run.
func BenchmarkAppend(b *testing.B) {
	dir := b.TempDir()
	e := Entry{Time: time.Now(), Hook: "no-force-push", Scope: "project", Event: "pre-tool-call", Outcome: "allow", DurationMS: 1.5, Project: "/home/me/project"}
	b.ReportAllocs()
	for b.Loop() {
		if err := Append(dir, e); err != nil {
			b.Fatal(err)
		}
	}
}
