package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// start shows the costs before main begins, and the system calls of a run.
func (b *bench) start() (string, error) {
	info, err := os.Stat(b.agentHooks[0])
	if err != nil {
		return "", err
	}
	p, err := b.fixture(0, 1)
	if err != nil {
		return "", err
	}
	calls, err := b.leastCalls(b.run(p, b.event))
	if err != nil && !errors.Is(err, errNoTool) {
		return "", err
	}
	text := "The stripped binary has " + fmt.Sprintf("%.2f MiB", float64(info.Size())/(1<<20)) + ".\n" +
		"System calls of a run with one matching hook, without those of its script: " + orNone(len(calls), err) + ". Threads that it starts: " + orNone(threads(calls), err) + ".\n\n" +
		"Packages whose initialization takes longest:\n\n"
	times, err := b.initMedians()
	if err != nil {
		return "", err
	}
	t := table{head: []string{"package", "µs"}}
	names := slices.SortedFunc(maps.Keys(times), func(x, y string) int {
		return cmp.Or(cmp.Compare(times[y], times[x]), cmp.Compare(x, y))
	})
	sums := figures{}
	for i, name := range names {
		sums[origin(name)] += times[name]
		if i < 12 {
			t.add("`"+name+"`", fmt.Sprintf("%.0f", times[name]))
		}
	}
	for _, kind := range []string{ownPackages, modulePackages, goPackages} {
		t.add("all "+kind, fmt.Sprintf("%.0f", sums[kind]))
	}
	return text + t.String(), nil
}

// initMedians returns the time of each package's initialization, in microseconds.
func (b *bench) initMedians() (map[string]float64, error) {
	lists := map[string][]float64{}
	for round := range b.rounds {
		cmd := exec.Command(b.agentHooks.copy(round), "version")
		cmd.Env = append(slices.Clone(b.environ), "GODEBUG=inittrace=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			return nil, err
		}
		for name, took := range initTimes(string(out)) {
			lists[name] = append(lists[name], took)
		}
	}
	return medians(lists), nil
}

// initTimes parses the runtime's trace: microseconds by package.
func initTimes(trace string) map[string]float64 {
	times := map[string]float64{}
	line := regexp.MustCompile(`(?m)^init (\S+) @\S+ ms, (\S+) ms clock`)
	for _, found := range line.FindAllStringSubmatch(trace, -1) {
		if took, err := strconv.ParseFloat(found[2], 64); err == nil {
			times[unescaped(found[1])] = took * 1000
		}
	}
	return times
}

// unescaped returns a package's path. In symbols, the dots in its last element are escaped.
func unescaped(symbol string) string { return strings.ReplaceAll(symbol, "%2e", ".") }
