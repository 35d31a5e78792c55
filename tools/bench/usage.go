package main

import "fmt"

// used is what a process took of the machine, with the children for which it
// waited: of all, or for the peak of memory of the largest.
type used struct{ kib, faults, ms float64 }

// usage is what a process and those that it left behind used: medians of a
// few runs, started from a program that is small itself, since a child counts
// what its parent had.
func (b *bench) usage(p process) (own, left used, err error) {
	counting := p.wrapped(b.yardstick, "usage", p.stdin)
	lists := make([][]float64, 6)
	for range 5 {
		list, err := counting.numbers(len(lists))
		if err != nil {
			return own, left, err
		}
		for i, n := range list {
			lists[i] = append(lists[i], float64(n))
		}
	}
	own = used{median(lists[0]), median(lists[1]), median(lists[2]) / 1000}
	left = used{median(lists[3]), median(lists[4]), median(lists[5]) / 1000}
	return own, left, nil
}

// without is what is a process's own, if it waited for one like script.
func (u used) without(script used) used {
	return used{u.kib, u.faults - script.faults, u.ms - script.ms}
}

func (u used) cells(goal float64) []string {
	if u.kib == 0 {
		return []string{"-", "-", "-"} // nothing was left behind, or it cannot be seen here
	}
	return []string{against(u.kib/1024, goal, "%.1f MiB"), fmt.Sprintf("%.0f", u.faults), ms(u.ms)}
}
