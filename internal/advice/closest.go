package advice

import (
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
	maxTried    = 64 // values
	maxBranches = 32
	fewestFound = 3 // literal characters that make a match meaningful
)

// Closest returns the value that contains the longest prefix, or the longest suffix, of a
// branch of the pattern. ok is false if no match is worth reporting.
func (m Matcher) Closest(values []Value) (best Closest, ok bool) {
	t := newTrial(m, "pattern")
	all := t.parsed.core()
	for _, branch := range all[:min(len(all), maxBranches)] {
		for _, v := range values[:min(len(values), maxTried)] {
			for _, before := range [...]bool{false, true} {
				if c := t.closest(branch.items, v, before, best.length); c.length > best.length {
					best = c
				}
			}
		}
	}
	return best, best.length > 0
}

// closest returns the longest prefix of items that v contains, or the longest suffix if before
// is set, if it has more than atLeast items.
func (t *trial) closest(items []*item, v Value, before bool, atLeast int) (found Closest) {
	if v.Bare && v.Text == null {
		return found
	}
	low, high := atLeast, len(items)-1
	for low < high { // if more items match, fewer items match, too
		middle := (low + high + 1) / 2
		part, rest := items[:middle], items[middle:]
		if before {
			rest, part = items[:len(items)-middle], items[len(items)-middle:]
		}
		begin, end, ok := matcher.Find(t.parsed.flags+t.text(part), v.Text, t.deadline)
		if !ok {
			high = middle - 1
			continue
		}
		low = middle
		if count(part) >= fewestFound {
			found = Closest{Key: v.Key, Value: v.Text, Found: t.text(part), Missing: t.text(rest), Before: before,
				Begin: begin, End: end, Bare: v.Bare, length: middle}
		}
	}
	return found
}

func (t *trial) text(items []*item) string { return t.source[items[0].begin:items[len(items)-1].end] }

// count returns the number of literal letters and digits among items.
func count(items []*item) (letters int) {
	for _, item := range items {
		if item.isLetter() {
			letters++
		}
	}
	return letters
}
