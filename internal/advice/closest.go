package advice

import (
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/matcher"
)

// Closest is the value that contains the largest part of a pattern.
type Closest struct {
	Key     string `json:"key"`     // where the value is in the input
	Value   string `json:"value"`   // the value, shortened to the part around the match if it is long
	Found   string `json:"found"`   // the part of the pattern that matches
	Missing string `json:"missing"` // the part next to it that does not match
	Before  bool   `json:"before"`  // Missing comes before Found, not after it

	Begin, End int  `json:"-"` // of the match, in bytes of the value
	Bare       bool `json:"-"` // the value is not a string
	length     int  // number of matched items
}

// Bounds of one search for the closest value.
const (
	mostTried    = 64 // values
	mostBranches = 32
	fewestFound  = 3 // literal characters that make a match meaningful
)

// Closest returns the value that contains the longest prefix, or the longest suffix, of a
// branch of the pattern. ok is false if no match is worth reporting.
func (m Matcher) Closest(values []Value) (closest Closest, ok bool) {
	root, ok := parse(m.Pattern)
	if !ok {
		return Closest{}, false
	}
	c := closeness{source: m.Pattern, deadline: time.Now().Add(Budget)}
	branches := root.core().branches()
	for _, branch := range branches[:min(len(branches), mostBranches)] {
		items := branch.items()
		if len(branches) == 1 {
			items = root.items()
		}
		for _, v := range values[:min(len(values), mostTried)] {
			c.consider(items, v)
		}
	}
	return c.best, c.best.length > 0
}

// closeness is one search for the closest value.
type closeness struct {
	source   string
	deadline time.Time
	best     Closest
}

// consider keeps a value if it contains more of the pattern than the best one.
func (c *closeness) consider(items []*node, v Value) {
	if len(items) < 2 || v.Bare && v.Text == null {
		return
	}
	for _, before := range [...]bool{false, true} {
		low, high := c.best.length, len(items)-1
		found := Closest{Key: v.Key, Value: v.Text, Bare: v.Bare, Before: before}
		for low < high { // if more items match, fewer items match, too
			middle := (low + high + 1) / 2
			part, rest := split(items, middle, before)
			begin, end, ok := matcher.Find(flagsOf(items)+c.text(part), v.Text, c.deadline)
			if !ok {
				high = middle - 1
				continue
			}
			low = middle
			found.Found, found.Missing, found.Begin, found.End, found.length = c.text(part), c.text(rest), begin, end, middle
		}
		part, _ := split(items, found.length, before)
		if found.length > c.best.length && tells(part) {
			c.best = found
		}
	}
}

// split returns n items at one end, and the rest.
func split(items []*node, n int, atEnd bool) (part, rest []*node) {
	if atEnd {
		return items[len(items)-n:], items[:len(items)-n]
	}
	return items[:n], items[n:]
}

func (c *closeness) text(items []*node) string {
	if len(items) == 0 {
		return ""
	}
	return c.source[items[0].Begin:items[len(items)-1].End]
}

// flagsOf returns the flags that are in force for the items.
func flagsOf(items []*node) string {
	var b strings.Builder
	for _, flag := range [...]struct {
		on   bool
		text string
	}{{items[0].Fold, "(?i)"}, {items[0].Lines, "(?m)"}, {items[0].DotAll, "(?s)"}} {
		if flag.on {
			b.WriteString(flag.text)
		}
	}
	return b.String()
}

// tells reports whether items have enough letters for a meaningful match.
func tells(items []*node) bool {
	n := 0
	for _, item := range items {
		if item.Kind == charNode && wordRune(item.Rune) {
			n++
		}
	}
	return n >= fewestFound
}
