package main

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// steady replaces text that differs between runs: the home's path, times of day, which are
// equal within a stage, and measured durations.
func (s scratch) steady(stages []string, c command) string {
	var all strings.Builder
	at := time.Date(2026, 11, 20, 14, 26, 48, 0, time.UTC)
	for _, stage := range stages {
		all.WriteString(replaceClock(stage, at.Format(time.TimeOnly)))
		at = at.Add(9 * time.Second)
	}
	text := strings.ReplaceAll(all.String(), s.home, "~")
	if c.dated {
		text = regexp.MustCompile(`\b20\d\d-\d\d-\d\d\b`).ReplaceAllLiteralString(text, "2026-11-20")
	}
	if c.timed {
		text = replaceDurations(text)
	}
	return text
}

func replaceClock(text, clock string) string {
	return regexp.MustCompile(`\d\d:\d\d:\d\d`).ReplaceAllLiteralString(text, clock)
}

// replaceDurations keeps the width of a cell, including the spaces before it. The total time of
// several cases is a little more than in the cell below it.
func replaceDurations(text string) string {
	cells, totals := []int{41, 38, 36, 44, 39}, []int{44, 40, 39, 48, 41}
	text = regexp.MustCompile(`\bin \d+\.\d s`).ReplaceAllLiteralString(text, "in 0.1 s")
	text = replaceEach(text, `\bin \d+ ms`, func(i int, _ string) string { return fmt.Sprintf("in %d ms", totals[i%len(totals)]) })
	return replaceEach(text, ` {2,}\d+ ms`, func(i int, cell string) string {
		return fmt.Sprintf("%*d ms", len(cell)-len(" ms"), cells[i%len(cells)])
	})
}

// replaceEach replaces all matches of an expression, counted from 0.
func replaceEach(text, expression string, by func(i int, match string) string) string {
	i := -1
	return regexp.MustCompile(expression).ReplaceAllStringFunc(text, func(match string) string {
		i++
		return by(i, match)
	})
}
