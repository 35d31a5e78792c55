package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestStatsKeepWhatDidNotWork: however narrow the terminal is, each count that
// is not zero stays.
func TestStatsKeepWhatDidNotWork(t *testing.T) {
	ms, now := 100.0, time.Now()
	counts := []struct {
		title string
		of    func(*hookStats) *int
	}{
		{"BLOCKS", func(h *hookStats) *int { return &h.Blocks }},
		{"FAILURES", func(h *hookStats) *int { return &h.Failures }},
		{"TIMEOUTS", func(h *hookStats) *int { return &h.Timeouts }},
		{"FAIL-OPENS", func(h *hookStats) *int { return &h.FailOpens }},
	}
	for which := 1; which < 1<<len(counts); which++ {
		if which>>1 == 0b100 {
			continue // what did not fail did not fail open
		}
		h := &hookStats{Hook: "slow", Scope: "project", Exists: true, Runs: 1, LastFired: &now, P50: &ms, P95: &ms, Max: &ms}
		for i, c := range counts {
			*c.of(h) = which >> i & 1
		}
		for width := 20; width <= 120; width++ {
			var out bytes.Buffer
			s := statsText{env: &Env{Stdout: &out, Getenv: func(string) string { return "" }}, width: width}
			page := strings.Join(s.page([]*hookStats{h}), "")
			for i, c := range counts {
				if which>>i&1 == 1 && !strings.Contains(strings.ToUpper(page), c.title) {
					t.Errorf("%d columns, %s is 1 and not shown:\n%s", width, c.title, page)
				}
			}
		}
	}
}
