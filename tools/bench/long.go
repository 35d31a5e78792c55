package main

import (
	"fmt"
	"strings"
	"time"
)

// longPatterns compares 1000 hooks with short patterns to 1000 hooks with long ones.
func (b *bench) longPatterns() (string, error) {
	kinds := []struct {
		name     string
		matching int
		pattern  func(hook int) string
	}{
		{"short, none matches", 0, shortPattern},
		{"short, one matches", 1, shortPattern},
		{"long, none matches", 0, longPattern},
		{"long, one matches", 1, longPattern},
	}
	var runs []process
	var all []timed
	for i, kind := range kinds {
		p, err := b.searching(fmt.Sprintf("long-%d", i), 1000, kind.matching, kind.pattern)
		if err != nil {
			return "", err
		}
		run := b.run(p, b.event)
		runs, all = append(runs, run), append(all, run.time)
	}
	times, err := interleave(b.roundsFor(10000, 0), all...)
	if err != nil {
		return "", err
	}
	return b.longTable(runs, times, func(i int) string { return kinds[i].name })
}

// searching creates a project of hooks with different patterns.
func (b *bench) searching(name string, hooks, matching int, pattern func(hook int) string) (project, error) {
	p, err := b.project(name, 0, matching)
	if err != nil {
		return p, err
	}
	for i := range hooks - matching {
		if err := p.hook(fmt.Sprintf("idle-%d", i), "pre-tool-call", "Shell", pattern(i)); err != nil {
			return p, err
		}
	}
	return p, verify(b.run(p, b.event), matching)
}

func (b *bench) longTable(runs []process, times [][]time.Duration, name func(int) string) (string, error) {
	t := table{head: []string{"patterns of 1000 hooks", "ms", "peak memory"}}
	for i, run := range runs {
		own, _, err := b.usage(run)
		if err != nil {
			return "", err
		}
		t.add(name(i), ms(milliseconds(times[i])), mib(own.kib))
	}
	return t.String(), nil
}

func shortPattern(hook int) string { return fmt.Sprintf(`terraform\s+apply-%d`, hook) }

// longPattern returns an alternation of 60 expressions that is unique to the hook.
func longPattern(hook int) string {
	var words []string
	for i := range 60 {
		words = append(words, fmt.Sprintf(`kubectl-%d-%d\s+delete\s+--force`, hook, i))
	}
	return strings.Join(words, "|")
}
