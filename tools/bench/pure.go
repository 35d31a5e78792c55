package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Scripts of guards: one that waits and one that computes.
const (
	waits    = "#!/bin/sh\nexec sleep 0.3\n"
	computes = "#!/bin/sh\nexec python3 -I -c 'sum(i * i for i in range(1000000))'\n"
)

// pureHooks compares ten sequential guards with the same ten marked as pure, and with three
// sequential ones.
func (b *bench) pureHooks() (string, error) {
	t := table{head: []string{"ten guards that", "three in turn, ms", "ten in turn, ms", "ten pure ones, ms", "to ten in turn", "quartiles"}}
	for _, guard := range []struct{ name, script, needs string }{
		{"wait 300 ms", waits, "sleep"},
		{"compute in Python", computes, "python3"},
	} {
		if _, err := exec.LookPath(guard.needs); err != nil {
			t.add(guard.name, "not measured: "+guard.needs+" is not installed", "-", "-", "-", "-")
			continue
		}
		var runs []timed
		for _, of := range []struct {
			count int
			more  string
		}{{3, ""}, {10, ""}, {10, "metadata: {pure: true}\n"}} {
			p, err := b.guards(of.count, guard.needs, guard.script, of.more)
			if err != nil {
				return "", err
			}
			runs = append(runs, b.run(p, b.event).time)
		}
		times, err := interleave(min(b.rounds, 15), runs...)
		if err != nil {
			return "", err
		}
		three, ten, pure := times[0], times[1], times[2]
		t.add(guard.name, ms(milliseconds(three)), ms(milliseconds(ten)), ms(milliseconds(pure)),
			fmt.Sprintf("%.2f", ratio(pure, ten)), quartiles(ratios(pure, ten)))
	}
	return t.String(), nil
}

// guards creates a project whose hooks all match and have the same script.
func (b *bench) guards(count int, name, script, more string) (project, error) {
	p, err := b.project(fmt.Sprintf("guards-%s-%d-%d", name, count, len(more)), 0, 0)
	for i := range count {
		if err != nil {
			break
		}
		hook := fmt.Sprintf("match-%d", i)
		if err = p.hook(hook, "pre-tool-call", "Shell", `git\s+push`, more); err == nil {
			err = os.WriteFile(filepath.Join(p.hooks, hook, "scripts", "run.sh"), []byte(script), 0o755)
		}
	}
	if err != nil {
		return p, err
	}
	return p, verify(b.run(p, b.event), count)
}
