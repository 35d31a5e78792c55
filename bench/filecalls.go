package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// fileCalls counts the calls on the project's tree by their kind, as the
// number of hooks grows.
func (b *bench) fileCalls() (string, error) {
	numbers := []int{1, 10, 100, 1000}
	head := []string{"call"}
	kinds := map[string][]int{} // by name, for each number
	for i, number := range numbers {
		head = append(head, fmt.Sprintf("hooks: %d", number))
		p, err := b.fixture(number, 0)
		if err != nil {
			return "", err
		}
		// From elsewhere, so that no other call names the tree.
		run := b.run(p, b.event).with("--project", p.dir)
		run.dir = "/"
		calls, err := b.trace(run)
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
	return fileCallTable(append(head, "each one more"), kinds, numbers), nil
}

// onTree counts calls that name a path at or below dir, by their names.
func onTree(calls []call, dir string) map[string]int {
	counts := map[string]int{}
	for _, c := range calls {
		if c.name != "execve" && strings.Contains(c.text, dir) {
			counts[c.name]++
		}
	}
	return counts
}

// fileCallTable has a row for each kind, the most frequent first.
func fileCallTable(head []string, kinds map[string][]int, numbers []int) string {
	t := table{head: head}
	last := len(numbers) - 1
	names := slices.SortedFunc(maps.Keys(kinds), func(x, y string) int {
		return cmp.Or(cmp.Compare(kinds[y][last], kinds[x][last]), cmp.Compare(x, y))
	})
	names = append(names[1:], names[0]) // the sum of all stands last
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
