package main

import (
	"testing"

	"github.com/agent-hooks/agent-hooks/spec"
)

func TestOnEventText(t *testing.T) {
	for _, test := range []struct {
		n, all int
		want   string
	}{
		{0, 0, "none of them on pre-session yet"},
		{0, 3, "none of them on pre-session yet"},
		{1, 1, "it is on pre-session; when it changes, it runs on the event"},
		{1, 3, "1 of them on pre-session; when it changes, it runs on the event"},
		{2, 3, "2 of them on pre-session; each that changes runs on the event"},
		{3, 3, "all of them on pre-session; each that changes runs on the event"},
	} {
		if got := onEventText(test.n, test.all, spec.PreSession); got != test.want {
			t.Errorf("%d of %d: %q, want %q", test.n, test.all, got, test.want)
		}
	}
}
