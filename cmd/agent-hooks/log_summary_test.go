package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/runlog"
)

// TestSummaryKeepNonZeroCounts checks that every non-zero count is shown,
// however narrow the terminal is.
func TestSummaryKeepNonZeroCounts(t *testing.T) {
	ms, now := 100.0, time.Now()
	counts := []struct {
		title string
		of    func(*runlog.Hook) *int
	}{
		{"BLOCK", func(h *runlog.Hook) *int { return &h.Blocks }},
		{"FAIL", func(h *runlog.Hook) *int { return &h.Failures }},
		{"LATE", func(h *runlog.Hook) *int { return &h.Timeouts }},
		{"OPEN", func(h *runlog.Hook) *int { return &h.FailOpens }},
	}
	for which := 1; which < 1<<len(counts); which++ {
		if which>>1 == 0b100 {
			continue // a hook that did not fail cannot fail open
		}
		h := &runlog.Hook{Hook: "slow", Scope: "project", Exists: true, Runs: 1, LastFired: &now, P50: &ms, P95: &ms, Max: &ms}
		for i, c := range counts {
			*c.of(h) = which >> i & 1
		}
		for width := 20; width <= 120; width++ {
			page := summaryPage(width, h)
			for i, c := range counts {
				if which>>i&1 == 1 && !slices.Contains(strings.Fields(strings.ToUpper(page)), c.title) {
					t.Errorf("%d columns, %s is 1 and not shown:\n%s", width, c.title, page)
				}
			}
		}
	}
}

// TestSummaryAreATable checks that hooks with names of usual length fit in a
// table of 80 columns, whatever their counts.
func TestSummaryAreATable(t *testing.T) {
	ms, now := 60000.0, time.Now()
	for length := 1; length <= 26; length++ {
		h := &runlog.Hook{Hook: strings.Repeat("n", length), Scope: "project", Exists: true, LastFired: &now, P50: &ms, P95: &ms, Max: &ms,
			Runs: 9999, Blocks: 9999, Failures: 999, Timeouts: 999, FailOpens: 999}
		if page := summaryPage(80, h); strings.Count(page, "\n") != 2 || !strings.HasPrefix(page, "HOOK ") {
			t.Errorf("a name of %d columns: %s", length, page)
		}
	}
}

func summaryPage(width int, h *runlog.Hook) string {
	env := &Env{Stdout: &bytes.Buffer{}, Getenv: func(string) string { return "" }}
	return env.summaryTable([]*runlog.Hook{h}, "", width)
}
