package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// pageFile is the page for users, named from the repository's root.
const pageFile = "docs/performance.md"

// The marks around its tables.
const (
	beginMark = "<!-- cd tools && go run ./bench -page: begin -->\n"
	endMark   = "<!-- cd tools && go run ./bench -page: end -->\n"
)

// goal is the part of a cell that says what a value should be.
var goal = regexp.MustCompile(`\*\*| \(goal[^)]*\)`)

// forUsers returns a table without goals and internal columns.
func forUsers(s section, table string) string {
	var b strings.Builder
	var left []int
	for i, line := range strings.Split(strings.TrimSuffix(table, "\n"), "\n") {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for at, cell := range cells {
			if i == 0 && slices.Contains(s.internal, strings.TrimSpace(cell)) {
				left = append(left, at)
			}
		}
		for at, cell := range cells {
			if !slices.Contains(left, at) {
				b.WriteString("|" + goal.ReplaceAllString(cell, ""))
			}
		}
		b.WriteString("|\n")
	}
	return b.String()
}

func rewrite(file, tables string) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text, err := between(string(page), tables)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// between replaces the text between the marks.
func between(page, tables string) (string, error) {
	before, rest, begins := strings.Cut(page, beginMark)
	_, after, ends := strings.Cut(rest, endMark)
	if !begins || !ends {
		return "", fmt.Errorf("it has no marks for the tables")
	}
	return before + beginMark + "\n" + tables + endMark + after, nil
}

// writable checks that the tables can be written to a page, before they are measured for
// minutes.
func writable(page string) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	if _, err := between(string(text), ""); err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	file, err := os.OpenFile(page, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return file.Close()
}
