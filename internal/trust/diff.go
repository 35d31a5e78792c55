package trust

import (
	"fmt"
	"slices"
	"strings"
)

// maxTable bounds the work of a diff: the product of the numbers of lines that differ. Above
// this limit, all of these lines are shown as replaced.
const maxTable = 4 << 20

// around is the number of unchanged lines shown before and after a change.
const around = 3

// NoNewline follows a last line without a newline, as in the output of diff.
const NoNewline = "\\ No newline at end of file"

// Diff returns the changes from old to new in the form of diff -u, without the names of files:
// lines that begin with "@", " ", "-", "+" or "\\", without line ends. The result is empty if
// nothing changed.
func Diff(old, new string) []string {
	edits := compare(lines(old), lines(new))
	var out []string
	for at := 0; at < len(edits); {
		first := slices.IndexFunc(edits[at:], changes)
		if first < 0 {
			break
		}
		start := max(at, at+first-around)
		end := endOfHunk(edits, at+first)
		out = append(out, header(edits, start, end))
		for _, e := range edits[start:end] {
			line, ended := strings.CutSuffix(e.line, "\n")
			if out = append(out, string(e.kind)+line); !ended {
				out = append(out, NoNewline)
			}
		}
		at = end
	}
	return out
}

// lines splits a text into lines with their newlines: a last line without a newline differs
// from the same line with one.
func lines(text string) []string {
	return slices.Collect(strings.Lines(text))
}

type edit struct {
	kind byte // ' ', '-' or '+'
	line string
}

func changes(e edit) bool { return e.kind != ' ' }

// endOfHunk returns the end of the hunk with the change at i: the index after the lines around
// its last change.
func endOfHunk(edits []edit, i int) int {
	last := i
	for j := i; j < len(edits) && j <= last+2*around+1; j++ {
		if changes(edits[j]) {
			last = j
		}
	}
	return min(last+1+around, len(edits))
}

func header(edits []edit, start, end int) string {
	oldLine, newLine := count(edits[:start])
	oldCount, newCount := count(edits[start:end])
	if oldCount > 0 {
		oldLine++
	}
	if newCount > 0 {
		newLine++
	}
	return fmt.Sprintf("@@ -%d,%d +%d,%d @@", oldLine, oldCount, newLine, newCount)
}

func count(edits []edit) (old, new int) {
	for _, e := range edits {
		if e.kind != '+' {
			old++
		}
		if e.kind != '-' {
			new++
		}
	}
	return old, new
}

// compare returns the edits according to a longest common subsequence of lines.
func compare(a, b []string) []edit {
	var edits []edit
	keep := func(lines []string, kind byte) {
		for _, l := range lines {
			edits = append(edits, edit{kind, l})
		}
	}
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	keep(a[:head], ' ')
	edits = append(edits, middle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	keep(a[len(a)-tail:], ' ')
	return edits
}

func middle(a, b []string) []edit {
	var edits []edit
	i, j := 0, 0
	if len(a)*len(b) <= maxTable {
		common := table(a, b)
		for i < len(a) && j < len(b) {
			switch {
			case a[i] == b[j]:
				edits = append(edits, edit{' ', a[i]})
				i, j = i+1, j+1
			case common[i+1][j] >= common[i][j+1]:
				edits = append(edits, edit{'-', a[i]})
				i++
			default:
				edits = append(edits, edit{'+', b[j]})
				j++
			}
		}
	}
	for ; i < len(a); i++ {
		edits = append(edits, edit{'-', a[i]})
	}
	for ; j < len(b); j++ {
		edits = append(edits, edit{'+', b[j]})
	}
	return edits
}

// table returns the lengths of the longest common subsequences of a[i:] and
// b[j:].
func table(a, b []string) [][]int32 {
	common := make([][]int32, len(a)+1)
	for i := range common {
		common[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	return common
}
