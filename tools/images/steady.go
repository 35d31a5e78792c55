package main

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// steady replaces what is another in each run: the home's path, times of day,
// which are the same within a stage, and, where they were measured, durations.
func (s scratch) steady(stages []string, timed bool) string {
	var all strings.Builder
	at := time.Date(2026, 11, 20, 14, 26, 48, 0, time.UTC)
	for _, stage := range stages {
		all.WriteString(replaceClock(stage, at.Format(time.TimeOnly)))
		at = at.Add(9 * time.Second)
	}
	text := strings.ReplaceAll(all.String(), s.home, "~")
	if timed {
		text = replaceDurations(text)
	}
	return text
}

func replaceClock(text, clock string) string {
	return regexp.MustCompile(`\d\d:\d\d:\d\d`).ReplaceAllLiteralString(text, clock)
}

// replaceDurations keeps the width of a cell, the blanks before it included.
// What some cases took together is a little more than the cell below it says.
func replaceDurations(text string) string {
	cells, totals := []int{41, 38, 36, 44, 39}, []int{44, 40, 39, 48, 41}
	text = regexp.MustCompile(`\bin \d+\.\d s`).ReplaceAllLiteralString(text, "in 0.1 s")
	text = replaceEach(text, `\bin \d+ ms`, func(i int, _ string) string { return fmt.Sprintf("in %d ms", totals[i%len(totals)]) })
	return replaceEach(text, ` {2,}\d+ ms`, func(i int, cell string) string {
		return fmt.Sprintf("%*d ms", len(cell)-len(" ms"), cells[i%len(cells)])
	})
}

// replaceEach replaces all that an expression matches, counted from 0.
func replaceEach(text, expression string, by func(i int, match string) string) string {
	i := -1
	return regexp.MustCompile(expression).ReplaceAllStringFunc(text, func(match string) string {
		i++
		return by(i, match)
	})
}
