package protocol_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// TestForeignTable checks each key and value of the table in SPEC.md 11.5, also
// in snake case and nested.
func TestForeignTable(t *testing.T) {
	_, table, _ := strings.Cut(spec.Text(), "| Other system's key | Value | Counts as |\n|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	quoted := regexp.MustCompile("`([^`]+)`")
	words := func(cell string) (all []string) {
		for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
			all = append(all, m[1])
		}
		return all
	}
	var last []string
	checked := 0
	for row := range strings.Lines(table) {
		cells := strings.Split(row, " | ")
		keys, means := words(cells[0]), strings.Trim(cells[2], " |\n")
		if strings.Contains(cells[0], "the same") {
			keys = last
		}
		last = keys
		for _, key := range keys {
			values := words(cells[1])
			if means != "deny" && means != "ask" {
				continue
			}
			for _, value := range values {
				if value != "true" && value != "false" {
					value = fmt.Sprintf("%q", value)
				}
				answer := fmt.Sprintf(`{"hookSpecificOutput": {%q: %s, "user_message": "why"}}`, key, value)
				a, _, err := protocol.Judge(spec.PreToolCall, "h", protocol.Exit{Stdout: []byte(answer)})
				if checked++; err != nil || string(a.Decision) != means || a.Reason != "why" {
					t.Errorf("%s: %q %q (%v), want %s", answer, a.Decision, a.Reason, err, means)
				}
			}
		}
	}
	if checked < 100 {
		t.Errorf("%d keys and values", checked)
	}
}
