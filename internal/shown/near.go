package shown

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxDistance is the maximum number of typing errors in a word.
const maxDistance = 2

// Near returns the candidate that word most likely means: the first one with the fewest typing
// errors (a letter missing, added or changed, or two letters swapped), ignoring case. There may
// be at most two errors, and fewer than either word has letters. If word has two errors or
// more, but is the prefix of exactly one candidate, Near returns that one.
func Near(word string, candidates []string) (nearest string, ok bool) {
	word = strings.ToLower(word)
	best, starts := maxDistance+1, ""
	prefixed := 0
	for _, c := range candidates {
		low := strings.ToLower(c)
		if word != "" && strings.HasPrefix(low, word) {
			prefixed, starts = prefixed+1, c
		}
		if d := distance(word, low); d < best {
			best, nearest = d, c
		}
	}
	if prefixed == 1 && best >= maxDistance {
		return starts, true
	}
	return nearest, best <= maxDistance
}

// Hint returns "did you mean …?" with the candidate that word most likely means, formatted with
// format. If there is no such candidate, it returns usual.
func Hint(usual, format, word string, candidates []string) string {
	if nearest, ok := Near(word, candidates); ok {
		return "did you mean " + fmt.Sprintf(format, nearest) + "?"
	}
	return usual
}

// distance returns the Damerau-Levenshtein distance in characters (optimal string alignment). It
// returns more than maxDistance if the words have too little in common.
func distance(a, b string) int {
	long, short := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	long, short = max(long, short), min(long, short)
	if long-short > maxDistance {
		return long
	}
	d := align([]rune(a), []rune(b))
	if d > 0 && d >= short {
		return maxDistance + 1
	}
	return d
}

func align(a, b []rune) int {
	// Three rows, on the stack for words of usual length.
	var few [3 * 24]int
	rows, n := few[:], len(b)+1
	if 3*n > len(rows) {
		rows = make([]int, 3*n)
	}
	before, last, row := rows[:n], rows[n:2*n], rows[2*n:3*n]
	for j := range row {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			change := 1
			if a[i] == b[j] {
				change = 0
			}
			row[j+1] = min(last[j]+change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
