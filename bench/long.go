package main

import (
	"fmt"
	"strings"
	"time"
)

// longPatterns compares 1000 hooks with a short pattern to 1000 with a long
// one.
func (b *bench) longPatterns() (string, error) {
	const hooks = 1000
	kinds := []struct {
		name     string
		matching int
		pattern  func(i int) string
	}{
		{"short, none matches", 0, func(i int) string { return fmt.Sprintf(`terraform\s+apply-%d`, i) }},
		{"short, one matches", 1, func(i int) string { return fmt.Sprintf(`terraform\s+apply-%d`, i) }},
		{"long, none matches", 0, longPattern},
		{"long, one matches", 1, longPattern},
	}
	var runs []process
	var all []timed
	for k, kind := range kinds {
		p, err := b.project(fmt.Sprintf("long-%d", k), 0, kind.matching)
		if err != nil {
			return "", err
		}
		for i := range hooks - kind.matching {
			if err := p.hook(fmt.Sprintf("idle-%d", i), "pre-tool-call", "Shell", kind.pattern(i)); err != nil {
				return "", err
			}
		}
		run := b.run(p, b.event)
		if err := verify(run, kind.matching); err != nil {
			return "", err
		}
		runs, all = append(runs, run), append(all, run.time)
	}
	times, err := interleave(b.roundsFor(10*hooks, 0), all...)
	if err != nil {
		return "", err
	}
	return b.longTable(runs, times, func(i int) string { return kinds[i].name })
}

func (b *bench) longTable(runs []process, times [][]time.Duration, name func(int) string) (string, error) {
	t := table{head: []string{"patterns of 1000 hooks", "ms", "peak memory"}}
	for i, run := range runs {
		kib, _, err := b.usage(run)
		if err != nil {
			return "", err
		}
		t.add(name(i), ms(milliseconds(times[i])), mib(kib))
	}
	return t.String(), nil
}

// longPattern is an alternation of 60 expressions, which no other hook has.
func longPattern(hook int) string {
	var words []string
	for i := range 60 {
		words = append(words, fmt.Sprintf(`kubectl-%d-%d\s+delete\s+--force`, hook, i))
	}
	return strings.Join(words, "|")
}
