package main

import "fmt"

// used is the resource usage of a process and the children for which it waited: the sum or, for
// peak memory, the maximum.
type used struct{ kib, faults, ms float64 }

// usage returns the usage of a process and of the processes that it left running: medians of a
// few runs. A small program starts them, because the peak of a child includes that of its
// parent.
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

// without returns the process's own usage, if it waited for one child like script.
func (u used) without(script used) used {
	return used{u.kib, u.faults - script.faults, u.ms - script.ms}
}

func (u used) cells() []string {
	if u.kib == 0 {
		return []string{"-", "-", "-"} // no process was left running, or it cannot be measured here
	}
	return []string{mib(u.kib), fmt.Sprintf("%.0f", u.faults), ms(u.ms)}
}
