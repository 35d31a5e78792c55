package advice

import (
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/matcher"
)

// Closest is the value in which most of a pattern was found.
type Closest struct {
	Key     string `json:"key"`     // where the value stands in the input
	Value   string `json:"value"`   // the value; of a long one the part around what was found
	Found   string `json:"found"`   // the part of the pattern that is found
	Missing string `json:"missing"` // the part that is not found beside it
	Before  bool   `json:"before"`  // Missing stands before Found, not behind it

	Begin, End int  `json:"-"` // of what was found, bytes in the value
	Bare       bool `json:"-"` // the value is no string
	length     int  // items found
}

// Bounds of one search for the closest value.
const (
	mostTried    = 64 // values
	mostBranches = 32
	fewestFound  = 3 // literal characters that say something
)

// Closest returns the value in which the longest beginning, or the longest
// end, of a branch of the pattern is found. ok is false if none is worth
// telling.
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

// consider takes a value in if more is found in it than in the best one.
func (c *closeness) consider(items []*node, v Value) {
	if len(items) < 2 || v.Bare && v.Text == null {
		return
	}
	for _, before := range [...]bool{false, true} {
		low, high := c.best.length, len(items)-1
		found := Closest{Key: v.Key, Value: v.Text, Bare: v.Bare, Before: before}
		for low < high { // more items are found only where fewer are
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

// split returns n items at one end, and the others.
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

// flagsOf spells what holds for the items from outside.
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

// tells reports whether items have enough letters to say something.
func tells(items []*node) bool {
	n := 0
	for _, item := range items {
		if item.Kind == charNode && wordRune(item.Rune) {
			n++
		}
	}
	return n >= fewestFound
}
