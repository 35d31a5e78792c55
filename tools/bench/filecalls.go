package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// fileCalls counts the calls on the project's tree by kind, for growing numbers of hooks.
func (b *bench) fileCalls() (string, error) {
	numbers := []int{1, 10, 100, 1000}
	head := []string{"call"}
	kinds := map[string][]int{} // by name, for each number of hooks
	for i, number := range numbers {
		head = append(head, fmt.Sprintf("hooks: %d", number))
		p, err := b.fixture(number, 0)
		if err != nil {
			return "", err
		}
		calls, err := b.trace(b.fromElsewhere(p))
		if errors.Is(err, errNoTool) {
			return err.Error() + "\n", nil
		}
		if err != nil {
			return "", err
		}
		for name, count := range onTree(calls, p.dir) {
			for _, row := range []string{name, "all"} {
				if kinds[row] == nil {
					kinds[row] = make([]int, len(numbers))
				}
				kinds[row][i] += count
			}
		}
	}
	where, err := b.filePlaces()
	return fileCallTable(append(head, "each one more"), kinds, numbers) + "\nFile calls of a whole run, including those of its child process until the script starts:\n\n" + where, err
}

// onTree counts calls with a path at or below dir, by name.
func onTree(calls []call, dir string) map[string]int {
	counts := map[string]int{}
	for _, c := range calls {
		if c.name != "execve" && strings.Contains(c.text, dir) {
			counts[c.name]++
		}
	}
	return counts
}

// filePlaces counts the calls of a run on files by the location of the files.
func (b *bench) filePlaces() (string, error) {
	t := table{head: []string{"calls on files", "the project's tree", "the user's home", "elsewhere"}}
	for match, name := range []string{"one idle hook", "one matching hook"} {
		p, err := b.fixture(1-match, match)
		if err != nil {
			return "", err
		}
		calls, err := b.trace(b.fromElsewhere(p))
		if err != nil {
			return "", err
		}
		tree, home, other := places(calls[1:], p.dir, filepath.Join(b.dir, "home"))
		t.add(name, fmt.Sprint(tree), fmt.Sprint(home), fmt.Sprint(other))
	}
	return t.String(), nil
}

// fromElsewhere returns a run in the root directory, so that only calls on the project's tree
// contain its path.
func (b *bench) fromElsewhere(p project) process {
	run := b.run(p, b.event).with("--project", p.dir)
	run.dir = "/"
	return run
}

// places counts calls with a path, or an open file, in one of two directories or elsewhere.
func places(calls []call, tree, home string) (inTree, inHome, other int) {
	path, working := regexp.MustCompile(`"/|\d</`), regexp.MustCompile(`AT_FDCWD<[^>]*>, "/`)
	for _, c := range calls {
		text := working.ReplaceAllString(c.text, `"/`) // ignored before an absolute path
		switch {
		case c.name == "getcwd": // returns a path
		case strings.Contains(text, tree):
			inTree++
		case strings.Contains(text, home):
			inHome++
		case path.MatchString(text):
			other++
		}
	}
	return inTree, inHome, other
}

// fileCallTable returns a table with a row for each kind, most frequent first.
func fileCallTable(head []string, kinds map[string][]int, numbers []int) string {
	t := table{head: head}
	last := len(numbers) - 1
	names := slices.SortedFunc(maps.Keys(kinds), func(x, y string) int {
		return cmp.Or(cmp.Compare(kinds[y][last], kinds[x][last]), cmp.Compare(x, y))
	})
	names = append(names[1:], names[0]) // the total comes last
	for _, name := range names {
		cells := []string{name}
		for _, count := range kinds[name] {
			cells = append(cells, fmt.Sprint(count))
		}
		slope := float64(kinds[name][last]-kinds[name][0]) / float64(numbers[last]-numbers[0])
		t.add(append(cells, fmt.Sprintf("%.2f", slope))...)
	}
	return t.String()
}
