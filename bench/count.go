package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// count counts everything that the budget bounds. What a missing tool would
// count is not in it, and told.
func (b *bench) count() (figures, error) {
	info, err := os.Stat(b.agentHooks)
	if err != nil {
		return nil, err
	}
	f := figures{"binary bytes": float64(info.Size())}
	initialised, err := b.initCounts()
	if err != nil {
		return nil, err
	}
	maps.Copy(f, initialised)
	for _, counter := range []func() (figures, error){b.countCalls, b.countInstructions} {
		counted, err := counter()
		if errors.Is(err, errNoTool) {
			fmt.Fprintln(os.Stderr, "bench:", err)
		} else if err != nil {
			return nil, err
		}
		maps.Copy(f, counted)
	}
	allocations, err := benchmarkAllocations()
	maps.Copy(f, allocations)
	return f, err
}

// countCalls counts the system calls of a run with one hook that matches, and
// what each idle and each matching hook adds to it.
func (b *bench) countCalls() (figures, error) {
	const idle, matching = 100, 10
	var counted [3]float64
	for i, n := range [3][2]int{{0, 1}, {idle, 1}, {0, 1 + matching}} {
		p, err := b.fixture(n[0], n[1])
		if err != nil {
			return nil, err
		}
		calls, err := b.callsOf(b.counted(p))
		if err != nil {
			return nil, fmt.Errorf("system calls: %w", err)
		}
		counted[i] = float64(calls)
	}
	return figures{
		"system calls of a run with one hook": counted[0],
		"system calls of an idle hook":        (counted[1] - counted[0]) / idle,
		"system calls of a matching hook":     (counted[2] - counted[0]) / matching,
	}, nil
}

// countInstructions counts the instructions of a run with an idle hook and of
// each further one; valgrind cannot run what starts a child as we do.
func (b *bench) countInstructions() (figures, error) {
	const more = 100
	var counted [2]float64
	for i, idle := range []int{1, 1 + more} {
		p, err := b.fixture(idle, 0)
		if err != nil {
			return nil, err
		}
		if counted[i], err = b.instructions(b.counted(p)); err != nil {
			return nil, fmt.Errorf("instructions: %w", err)
		}
	}
	return figures{
		"instructions of a run with an idle hook": counted[0],
		"instructions of an idle hook":            (counted[1] - counted[0]) / more,
	}, nil
}

// counted is a run in an environment in which what the machine is like
// changes what is counted as little as can be.
func (b *bench) counted(p project) process {
	return b.run(p, b.event).under("GOMAXPROCS=2", "TZ=UTC")
}

// instructions counts those of a process on one processor, since waiting for
// another takes some too.
func (b *bench) instructions(p process) (float64, error) {
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		return 0, fmt.Errorf("%w: valgrind is not installed", errNoTool)
	}
	log := filepath.Join(b.dir, "instructions")
	run := p.wrapped(valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file="+log)
	if _, err := run.under("GODEBUG=asyncpreemptoff=1", "GOMAXPROCS=1").output(); err != nil {
		return 0, fmt.Errorf("%w: valgrind could not run it", errNoTool)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return 0, err
	}
	return collected(string(text))
}

// collected reads callgrind's "Collected : N".
func collected(log string) (float64, error) {
	found := regexp.MustCompile(`(?m)Collected : (\d+)`).FindStringSubmatch(log)
	if found == nil {
		return 0, fmt.Errorf("callgrind printed no count: %.200q", log)
	}
	return strconv.ParseFloat(found[1], 64)
}

// initCounts counts what packages do before main begins.
func (b *bench) initCounts() (figures, error) {
	cmd := exec.Command(b.agentHooks, "version")
	cmd.Env = process{env: b.environ}.under("GODEBUG=inittrace=1", "TZ=UTC").env
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, err
	}
	f := figures{}
	for _, found := range regexp.MustCompile(`(?m)^init .* (\d+) allocs$`).FindAllStringSubmatch(string(out), -1) {
		allocations, err := strconv.ParseFloat(found[1], 64)
		if err != nil {
			return nil, err
		}
		f["initialised packages"]++
		f["allocations before main"] += allocations
	}
	return f, nil
}

// benchmarkAllocations counts those of one turn of each micro-benchmark on
// run's path.
func benchmarkAllocations() (figures, error) {
	cmd := exec.Command("go", "test", "-run", "^$", "-bench", ".", "-benchtime", "100x", "-benchmem", ".", "./manifest", "./matcher", "./protocol", "./discovery")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	return allocationsOf(string(out)), nil
}

// allocationsOf reads what `go test -bench -benchmem` prints.
func allocationsOf(output string) figures {
	f := figures{}
	line := regexp.MustCompile(`(?m)^Benchmark(\S+?)(?:-\d+)?\s.*\s(\d+) allocs/op$`)
	for _, found := range line.FindAllStringSubmatch(output, -1) {
		if n, err := strconv.ParseFloat(found[2], 64); err == nil {
			f["allocations of "+found[1]] = n
		}
	}
	return f
}
