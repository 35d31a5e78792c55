package main

import (
	"fmt"
	"strings"
)

// table is a Markdown table.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) String() string {
	var b strings.Builder
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line(t.head)
	b.WriteString("|" + strings.Repeat("---|", len(t.head)) + "\n")
	for _, row := range t.rows {
		line(row)
	}
	return b.String()
}

// against formats a measured value with its goal, an upper bound.
func against(value, goal float64, format string) string {
	text := fmt.Sprintf(format, value)
	switch {
	case goal == 0:
		return text
	case value <= goal, text == fmt.Sprintf(format, goal):
		return fmt.Sprintf("%s (goal "+format+")", text, goal)
	}
	return fmt.Sprintf("**%s** (goal "+format+")", text, goal)
}

// atLeast formats a measured value with its goal, a lower bound.
func atLeast(value, goal float64, format string) string {
	text := fmt.Sprintf(format, value)
	switch {
	case goal == 0:
		return text
	case value >= goal, text == fmt.Sprintf(format, goal):
		return fmt.Sprintf("%s (goal: at least "+format+")", text, goal)
	}
	return fmt.Sprintf("**%s** (goal: at least "+format+")", text, goal)
}

func ms(value float64) string { return fmt.Sprintf("%.2f", value) }

// mib formats a number of KiB.
func mib(kib float64) string { return fmt.Sprintf("%.1f MiB", kib/1024) }
