package config

import (
	"strings"
	"testing"
	"time"
)

func TestEndings(t *testing.T) {
	soon := time.Date(2099, 1, 2, 3, 4, 5, 600, time.UTC)
	paused, err := Pause("", "a", soon)
	if again, err2 := Pause(paused, "a", soon); err != nil || err2 != nil || again != paused {
		t.Errorf("%q %v; again %q %v", paused, err, again, err2)
	}
	for _, text := range []string{strings.ReplaceAll(paused, "\n", "\r\n"), "[[hooks.disable]]\nname = \"a\"\n"} {
		for _, until := range []time.Time{soon.Add(-time.Hour), {}} {
			if got, err := Pause(text, "a", until); err == nil {
				t.Errorf("%q: the earlier entry still counts: %q", text, got)
			}
		}
	}
	trial, _ := Trial("[hooks.defaults]\n", "a", soon)
	for added, want := range map[string]string{
		"":                             "[hooks.defaults]\n",
		"# x\non-failure = \"deny\"\n": "[hooks.defaults]\n\n[[hooks.override]] # agent-hooks add: a trial\nname = \"a\"\n# x\non-failure = \"deny\"\n",
		"\n[hooks]\n":                  "[hooks.defaults]\n\n[hooks]\n",
	} {
		if got, err := Trial(trial+added, "a", time.Time{}); err != nil || got != want {
			t.Errorf("%q: %q %v", added, got, err)
		}
	}
}
