package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
)

// part contains the results of a micro-benchmark for one iteration.
type part struct {
	name                   string // including its package
	ns, bytes, allocations float64
}

// parts returns the table of the micro-benchmarks.
func (b *bench) parts() (string, error) {
	list, err := benchmark("-benchtime", fmt.Sprintf("%dms", b.rounds))
	if err != nil {
		return "", err
	}
	t := table{head: []string{"benchmark", "ns", "bytes allocated", "allocations"}}
	for _, p := range list {
		t.add("`"+p.name+"`", fmt.Sprintf("%.0f", p.ns), fmt.Sprintf("%.0f", p.bytes), fmt.Sprintf("%.0f", p.allocations))
	}
	return t.String(), nil
}

// benchmark runs the micro-benchmarks of packages that a run uses.
func benchmark(flags ...string) ([]part, error) {
	argv := append([]string{"test", "-run", "^$", "-bench", ".", "-benchmem"}, flags...)
	cmd := goCommand(append(argv, ".", "./manifest", "./matcher", "./discovery", "./protocol", "./exec",
		"./internal/runlog", "./internal/trust")...)
	cmd.Env = append(cmd.Env, "TMPDIR="+shallow())
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go test -bench: %w\n%s", err, out)
	}
	return readParts(string(out))
}

// readParts parses the output of `go test -bench -benchmem`.
func readParts(output string) (list []part, err error) {
	line := regexp.MustCompile(`(?m)^pkg: (?:.*/)?(\S+)$|^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(\S+) ns/op.*\s(\d+) B/op\s+(\d+) allocs/op$`)
	pkg := ""
	for _, found := range line.FindAllStringSubmatch(output, -1) {
		if found[1] != "" {
			pkg = found[1]
			continue
		}
		var n [3]float64
		for i, word := range found[3:] {
			if n[i], err = strconv.ParseFloat(word, 64); err != nil {
				return nil, err
			}
		}
		list = append(list, part{pkg + " " + found[2], n[0], n[1], n[2]})
	}
	return list, nil
}
