package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// reported is the time that a program prints of itself.
func (p process) reported() (time.Duration, error) {
	out, err := p.output()
	if err != nil {
		return 0, err
	}
	list, err := numbers(out)
	if err != nil || len(list) != 1 {
		return 0, fmt.Errorf("%v printed %q", p.argv, out)
	}
	return time.Duration(list[0]), nil
}

var errNoTool = errors.New("no tool here can")

// systemCalls counts the system calls of a run and of the hooks that it
// starts, but for those whose number depends on chance: the Go scheduler's.
func (b *bench) systemCalls(p project) (int, error) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		return 0, errNoTool
	}
	trace := filepath.Join(b.dir, "trace")
	if _, err := b.run(p, b.event).wrapped(strace, "-f", "-c", "-e", "trace=!futex,nanosleep,sched_yield,epoll_pwait,tgkill,rt_sigreturn", "-o", trace).output(); err != nil {
		return 0, err
	}
	summary, err := os.ReadFile(trace)
	if err != nil {
		return 0, err
	}
	return totalCalls(string(summary))
}

// totalCalls reads the total of `strace -c`, whose columns are % time,
// seconds, usecs/call, calls, errors.
func totalCalls(summary string) (int, error) {
	for line := range strings.Lines(summary) {
		words := strings.Fields(line)
		if len(words) > 4 && words[len(words)-1] == "total" {
			return strconv.Atoi(words[3])
		}
	}
	return 0, errors.New("strace printed no total")
}

// usage is the peak memory in KiB and the page faults of a process: medians
// of a few runs, started from a program that is small itself, since a child
// counts what its parent had.
func (b *bench) usage(p process) (kib, faults float64, err error) {
	var memory, faulted []float64
	for range 5 {
		out, err := p.wrapped(b.yardstick, "usage").output()
		if err != nil {
			return 0, 0, err
		}
		list, err := numbers(out)
		if err != nil || len(list) != 2 {
			return 0, 0, fmt.Errorf("%v printed %q", p.argv, out)
		}
		memory, faulted = append(memory, float64(list[0])), append(faulted, float64(list[1]))
	}
	return median(memory), median(faulted), nil
}

func (b *bench) memory() (string, error) {
	t := table{head: []string{"", "peak memory", "page faults"}}
	add := func(name string, p process, goal float64) error {
		kib, faults, err := b.usage(p)
		text := mib(kib)
		if goal > 0 {
			text = against(kib/1024, goal, "%.1f MiB")
		}
		t.add(name, text, fmt.Sprintf("%.0f", faults))
		return err
	}
	err := add("a Go program that does nothing", process{[]string{b.hello}, b.dir, b.environ, os.DevNull}, 0)
	for _, hooks := range []int{1, 10, 100, 1000} {
		p, fixtureErr := b.fixture(hooks-1, 1)
		goal := 4.0
		if hooks > 100 {
			goal = 5
		}
		err = cmp.Or(err, fixtureErr, add(fmt.Sprintf("%d hooks, one matches", hooks), b.run(p, b.event), goal))
	}
	for _, size := range []int{1, 50} {
		event, payloadErr := b.payload("payload.json", size<<20)
		p, fixtureErr := b.fixture(0, 1)
		err = cmp.Or(err, payloadErr, fixtureErr, add(fmt.Sprintf("an event of %d MiB, one hook", size), b.run(p, event), float64(size+5)))
	}
	return t.String(), err
}

// start shows what is paid before main begins, and what a run asks of the
// system.
func (b *bench) start() (string, error) {
	info, err := os.Stat(b.agentHooks)
	if err != nil {
		return "", err
	}
	text := "The stripped binary has " + against(float64(info.Size())/(1<<20), 5, "%.2f MiB") + ".\n"
	p, err := b.fixture(0, 1)
	if err != nil {
		return "", err
	}
	if calls, err := b.systemCalls(p); err == nil {
		text += fmt.Sprintf("A run with one matching hook makes %d system calls, its script's included.\n", calls)
	} else if err != errNoTool {
		return "", err
	}
	initialised, err := b.initTrace()
	return text + "\nPackages whose initialisation takes longest (`GODEBUG=inittrace=1`), of all runs the medians:\n\n" + initialised, err
}

func (b *bench) initTrace() (string, error) {
	times := map[string][]float64{}
	for range b.rounds {
		cmd := exec.Command(b.agentHooks, "version")
		cmd.Env = append(b.environ, "GODEBUG=inittrace=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			return "", err
		}
		for name, took := range initTimes(string(out)) {
			times[name] = append(times[name], took)
		}
	}
	names := make([]string, 0, len(times))
	var all float64
	for name, list := range times {
		names = append(names, name)
		all += median(list)
	}
	slices.SortFunc(names, func(x, y string) int {
		return cmp.Or(cmp.Compare(median(times[y]), median(times[x])), cmp.Compare(x, y))
	})
	t := table{head: []string{"package", "µs"}}
	for _, name := range names[:min(len(names), 12)] {
		t.add("`"+name+"`", fmt.Sprintf("%.0f", median(times[name])))
	}
	t.add("all", fmt.Sprintf("%.0f", all))
	return t.String(), nil
}

// initTimes reads the runtime's trace: microseconds by package.
func initTimes(trace string) map[string]float64 {
	times := map[string]float64{}
	line := regexp.MustCompile(`(?m)^init (\S+) @\S+ ms, (\S+) ms clock`)
	for _, found := range line.FindAllStringSubmatch(trace, -1) {
		if took, err := strconv.ParseFloat(found[2], 64); err == nil {
			times[strings.ReplaceAll(found[1], "%2e", ".")] = took * 1000
		}
	}
	return times
}
