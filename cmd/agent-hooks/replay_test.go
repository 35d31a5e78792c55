package main

import (
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/author/replay"
)

func TestProgressText(t *testing.T) {
	for _, test := range []struct {
		done, all int
		since     time.Duration
		want      string
	}{
		{0, 1000, time.Minute, "0 of 1000 events"},
		{10, 1000, 100 * time.Millisecond, "10 of 1000 events"},
		{250, 1000, 5 * time.Second, "250 of 1000 events, about 15 s left"},
		{1, 1000, 10 * time.Second, "1 of 1000 events, about 3 h left"},
		{100, 1000, 60 * time.Second, "100 of 1000 events, about 9 min left"},
		{999, 1000, 60 * time.Second, "999 of 1000 events, about 1 s left"},
		{1, 1, time.Minute, "1 of 1 event"},
	} {
		if got := progressText(test.done, test.all, test.since); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestReplaySummaryOfNothing(t *testing.T) {
	stopped, done := replay.Summary{Events: 3}, replay.Summary{Events: 3, Done: 3, Duration: 7}
	done.Counts = map[string]int{"none": 3}
	for want, s := range map[string]*replay.Summary{
		"stopped after 0 of 3 events": &stopped,
		"3 events in 7 ms: 3 none":    &done,
	} {
		if got := summaryLines(s)[0]; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
