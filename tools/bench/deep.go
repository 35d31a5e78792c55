package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// deepTrees runs in directories below the project's root.
func (b *bench) deepTrees() (string, error) {
	p, err := b.project("deep", 0, 1)
	if err != nil {
		return "", err
	}
	depths := []int{0, 10, 50}
	var runs []process
	var all []timed
	for _, depth := range depths {
		run := b.run(p, b.event)
		if run.dir, err = descend(p.dir, depth); err != nil {
			return "", err
		}
		if err := verify(run, 1); err != nil {
			return "", err
		}
		runs, all = append(runs, run), append(all, run.time)
	}
	times, err := interleave(b.rounds, all...)
	if err != nil {
		return "", err
	}
	t := table{head: []string{"directories below the root", "ms", "added, ms", "system calls"}}
	for i, depth := range depths {
		calls, err := b.callsOf(runs[i])
		if err != nil && !errors.Is(err, errNoTool) {
			return "", err
		}
		t.add(fmt.Sprint(depth), ms(milliseconds(times[i])), ms(added(times[i], times[0])), orNone(calls, err))
	}
	return t.String(), nil
}

func descend(dir string, levels int) (string, error) {
	for i := range levels {
		dir = filepath.Join(dir, fmt.Sprintf("level-%d", i))
	}
	return dir, os.MkdirAll(dir, 0o755)
}
