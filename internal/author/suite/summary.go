package suite

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/term"
)

// Summary returns the result of a run on one line.
func Summary(t *Run) string {
	c := t.Count
	untested := untestedText(c)
	if c.Cases == 0 {
		return cmp.Or(untested, "no test cases")
	}
	parts := []string{fmt.Sprintf("%d passed", c.Passed)}
	for _, n := range []struct {
		n    int
		word string
	}{{c.Failed, "failed"}, {c.Broken, "broken"}, {c.Cases - c.Passed - c.Failed - c.Broken, "stopped"}} {
		if n.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.n, n.word))
		}
	}
	text := fmt.Sprintf("%s of %s: %s", term.Plural(c.Cases, "case"), term.Plural(c.Hooks, "hook"), strings.Join(parts, ", "))
	if untested != "" {
		text += "; " + untested
	}
	return fmt.Sprintf("%s, in %.1f s", text, time.Since(t.Began).Seconds())
}

// untestedText returns the number of hooks that make a run fail without a case; "" if there are
// none.
func untestedText(c Count) string {
	var parts []string
	if n := c.HooksFailed - c.Bare; n > 0 {
		parts = append(parts, term.Plural(n, "hook")+" cannot be tested")
	}
	if c.Bare > 0 {
		parts = append(parts, HaveNoCases(c.Bare))
	}
	return strings.Join(parts, ", ")
}

// HaveNoCases returns the number of hooks without cases as text.
func HaveNoCases(hooks int) string {
	if hooks == 1 {
		return "1 hook has no test cases"
	}
	return fmt.Sprintf("%d hooks have no test cases", hooks)
}
