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
func replaceDurations(text string) string {
	text = regexp.MustCompile(`\bin \d+\.\d s`).ReplaceAllLiteralString(text, "in 0.1 s")
	text = regexp.MustCompile(`\bin \d+ ms`).ReplaceAllLiteralString(text, "in 58 ms")
	durations := []int{41, 38, 36, 44, 39}
	i := -1
	return regexp.MustCompile(` {2,}\d+ ms`).ReplaceAllStringFunc(text, func(cell string) string {
		i++
		return fmt.Sprintf("%*d ms", len(cell)-len(" ms"), durations[i%len(durations)])
	})
}
