package config

import (
	"strings"
	"testing"
	"time"
)

// TestEndings checks that a later pause or trial, and the end of one, replaces the entry that is there,
// as it was written or in another form, and nothing else.
func TestEndings(t *testing.T) {
	soon := time.Date(2099, 1, 2, 3, 4, 5, 600, time.UTC)
	const before = "# mine\n[hooks.defaults]\ntimeout = 10000 # ms\n"
	const after = "\n[[hooks.disable]]\nname = \"b\"\nuntil = 2099-01-01\n"
	for name, change := range map[string]func(text, name string, until time.Time) (string, error){"pause": Pause, "trial": Trial} {
		written, err := change(before, "a", soon)
		if err != nil {
			t.Fatal(name, err)
		}
		if again, err := change(written, "a", soon); err != nil || again != written {
			t.Errorf("%s: again: %q %v", name, again, err)
		}
		forms := map[string]string{"CRLF": strings.ReplaceAll(written, "\n", "\r\n"), "BOM": "\ufeff" + written, "no newline": strings.TrimSuffix(written, "\n")}
		for form, change := range map[string][]string{
			"comments":  {" # agent-hooks pause", "", " # agent-hooks add: a trial", ""},
			"spaces":    {"[[hooks.", "  [[ hooks . ", " = ", "="},
			"quotes":    {"\"a\"", "'a'", "[[hooks.", "[[\"hooks\"."},
			"day":       {"2099-01-02T03:04:05Z", "2099-01-02"},
			"offset":    {"2099-01-02T03:04:05Z", "2099-01-02 05:04:05+02:00 # summer"},
			"aligned":   {"name = ", "name    = ", "until = ", "until   = "},
			"reordered": {"name = \"a\"\n", "", "05Z\n", "05Z\nname = \"a\"\n"},
		} {
			forms[form] = before + strings.NewReplacer(change...).Replace(written[len(before):])
		}
		for form, text := range forms {
			got, err := change(text+after, "a", time.Time{})
			if form == "no newline" {
				got, err = change(text, "a", time.Time{})
				got += after
			}
			if err != nil || strings.TrimPrefix(strings.ReplaceAll(got, "\r\n", "\n"), "\ufeff") != before+after {
				t.Errorf("%s, %s: its end leaves %q, %v", name, form, got, err)
			}
			later, err := change(text, "a", soon.Add(time.Hour))
			if err != nil || strings.Count(later, "until") != 1 || strings.HasPrefix(later, "\ufeff") != (form == "BOM") {
				t.Errorf("%s, %s: a later end: %q, %v", name, form, later, err)
			}
		}
		for _, text := range []string{"hooks = {disable = [{name = \"a\", until = 2099-01-01}], override = [{name = \"a\", observe = true, until = 2099-01-01}]}", "[hooks"} {
			for _, until := range []time.Time{soon, {}} {
				if got, err := change(text, "a", until); err == nil {
					t.Errorf("%s: %q: the entry still counts: %q", name, text, got)
				}
			}
		}
	}
	if got, err := Pause("[[hooks.disable]]\nname = \"a\"\n", "a", time.Time{}); err == nil {
		t.Errorf("another entry still counts: %q", got)
	}
	if got, err := Trial("[[hooks.override]]\nname = \"a\"\ntimeout = 500\n", "a", soon); err == nil {
		t.Errorf("another entry counts: %q", got)
	}
	trial, _ := Trial(before, "a", soon)
	added := trial + "# x\non-failure = \"deny\"\n"
	want := before + "\n[[hooks.override]] # agent-hooks add: a trial\nname = \"a\"\n# x\non-failure = \"deny\"\n"
	if got, err := Trial(added, "a", time.Time{}); err != nil || got != want {
		t.Errorf("what the user added: %q %v", got, err)
	}
}
