package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/term"
)

func summaryStyle(c testCount) string {
	if c.failures() > 0 {
		return term.Red
	}
	return term.Bold
}

func summaryText(t *testRun) string {
	c := t.count
	untested := untestedText(c)
	if c.cases == 0 {
		return cmp.Or(untested, "no test cases")
	}
	parts := []string{fmt.Sprintf("%d passed", c.passed)}
	for _, n := range []struct {
		n    int
		word string
	}{{c.failed, "failed"}, {c.broken, "broken"}, {c.cases - c.passed - c.failed - c.broken, "stopped"}} {
		if n.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.n, n.word))
		}
	}
	switch written := t.updated + t.partly; {
	case t.partly == 1:
		parts = append(parts, fmt.Sprintf("%d updated, of which 1 still fails", written))
	case t.partly > 1:
		parts = append(parts, fmt.Sprintf("%d updated, of which %d still fail", written, t.partly))
	case written > 0:
		parts = append(parts, fmt.Sprintf("%d updated", written))
	}
	text := fmt.Sprintf("%s of %s: %s", plural(c.cases, "case"), plural(c.hooks, "hook"), strings.Join(parts, ", "))
	if untested != "" {
		text += "; " + untested
	}
	return fmt.Sprintf("%s, in %.1f s", text, time.Since(t.began).Seconds())
}

// untestedText returns the number of hooks that make a run fail without a case; "" if there are
// none.
func untestedText(c testCount) string {
	var parts []string
	if n := c.hooksFailed - c.bare; n > 0 {
		parts = append(parts, plural(n, "hook")+" cannot be tested")
	}
	if c.bare > 0 {
		parts = append(parts, haveNoCases(c.bare))
	}
	return strings.Join(parts, ", ")
}

func haveNoCases(hooks int) string {
	if hooks == 1 {
		return "1 hook has no test cases"
	}
	return fmt.Sprintf("%d hooks have no test cases", hooks)
}
