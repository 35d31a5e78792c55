package main

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// uncounted contains the prefixes of the names of figures for which the machine lacks a tool.
type uncounted []string

func (u uncounted) has(name string) bool {
	return slices.ContainsFunc(u, func(beginning string) bool { return strings.HasPrefix(name, beginning) })
}

// count counts everything that the budget bounds. It reports figures for which a tool is
// missing.
func (b *bench) count() (figures, uncounted, error) {
	info, err := os.Stat(b.agentHooks[0])
	if err != nil {
		return nil, nil, err
	}
	f, missing := figures{"binary bytes": float64(info.Size())}, uncounted{}
	for _, counter := range []struct {
		of    string
		count func() (figures, error)
	}{
		{"", b.initCounts},
		{"system calls", b.countCalls},
		{"instructions", b.countInstructions},
		{"", b.countUsage},
		{"", countAllocations},
	} {
		counted, err := counter.count()
		if errors.Is(err, errNoTool) && counter.of != "" {
			fmt.Fprintln(os.Stderr, "bench:", err)
			missing = append(missing, counter.of)
		} else if err != nil {
			return nil, nil, err
		}
		maps.Copy(f, counted)
	}
	return f, missing, nil
}

// countUsage counts the page faults and the peak memory of a run that starts no hook: the
// minimum of a few runs, because they vary with the number of threads.
func (b *bench) countUsage() (figures, error) {
	p, err := b.fixture(1, 0)
	if err != nil {
		return nil, err
	}
	least := used{}
	for i := range 5 {
		own, _, err := b.usage(b.counted(p))
		if err != nil {
			return nil, err
		}
		if i == 0 || own.faults < least.faults {
			least.faults = own.faults
		}
		if i == 0 || own.kib < least.kib {
			least.kib = own.kib
		}
	}
	return figures{"page faults of a run with an idle hook": least.faults, "peak memory of a run with an idle hook, KiB": least.kib}, nil
}

// countInstructions counts the instructions of a run with an idle hook, of each further one, and with
// reviewed ones; valgrind cannot run programs that start a child the way we do.
func (b *bench) countInstructions() (figures, error) {
	const more = 100
	var counted [2]float64
	for i, idle := range []int{1, 1 + more} {
		p, err := b.fixture(idle, 0)
		if err != nil {
			return nil, err
		}
		if counted[i], err = b.leastInstructions(b.counted(p)); err != nil {
			return nil, fmt.Errorf("instructions: %w", err)
		}
	}
	p, err := b.fixture(100, 0)
	if err != nil {
		return nil, err
	}
	if _, err := b.process(p.dir, b.event, b.agentHooks, "trust", "--yes").output(); err != nil {
		return nil, err
	}
	reviewed, err := b.leastInstructions(trusted(b.counted(p)))
	if err != nil {
		return nil, fmt.Errorf("instructions: %w", err)
	}
	return figures{
		"instructions of a run with an idle hook":       counted[0],
		"instructions of an idle hook":                  (counted[1] - counted[0]) / more,
		"instructions of a run with 100 reviewed hooks": reviewed,
	}, nil
}

// counted returns a run in an environment that makes counts as independent of the machine as
// possible.
func (b *bench) counted(p project) process {
	return b.run(p, b.event).under("GOMAXPROCS=2")
}

// leastInstructions returns the minimum number of instructions of a few runs.
func (b *bench) leastInstructions(p process) (float64, error) {
	least := math.Inf(1)
	for range 3 {
		n, err := b.instructions(p)
		if err != nil {
			return 0, err
		}
		least = min(least, n)
	}
	return least, nil
}

// instructions counts the instructions of a process on one processor, because waiting for
// another one takes instructions, too.
func (b *bench) instructions(p process) (float64, error) {
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		return 0, fmt.Errorf("%w: valgrind is not installed", errNoTool)
	}
	log := filepath.Join(b.dir, "instructions")
	run := p.wrapped(program{valgrind}, "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file="+log)
	if _, err := run.under("GODEBUG=asyncpreemptoff=1", "GOMAXPROCS=1").output(); err != nil {
		return 0, fmt.Errorf("%w: valgrind could not run it", errNoTool)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return 0, err
	}
	return collected(string(text))
}

// collected parses callgrind's "Collected : N".
func collected(log string) (float64, error) {
	found := regexp.MustCompile(`(?m)Collected : (\d+)`).FindStringSubmatch(log)
	if found == nil {
		return 0, fmt.Errorf("callgrind printed no count: %.200q", log)
	}
	return strconv.ParseFloat(found[1], 64)
}

// initCounts counts the initialization of packages before main: our own, those of other
// modules, and Go's, which differ between its releases.
func (b *bench) initCounts() (figures, error) {
	cmd := exec.Command(b.agentHooks[0], "version")
	cmd.Env = process{env: b.environ}.under("GODEBUG=inittrace=1").env
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, err
	}
	return readInits(string(out))
}

func readInits(trace string) (figures, error) {
	f := figures{}
	for _, kind := range []string{ownPackages, modulePackages, goPackages} {
		f["packages initialized, "+kind], f["allocations before main, "+kind] = 0, 0
	}
	for _, found := range regexp.MustCompile(`(?m)^init (\S+) .* (\d+) allocs$`).FindAllStringSubmatch(trace, -1) {
		allocations, err := strconv.ParseFloat(found[2], 64)
		if err != nil {
			return nil, err
		}
		kind := origin(unescaped(found[1]))
		f["packages initialized, "+kind]++
		f["allocations before main, "+kind] += allocations
	}
	if f["packages initialized, "+goPackages] == 0 {
		return nil, fmt.Errorf("the trace of initialization cannot be read: %.200q", trace)
	}
	return f, nil
}

const (
	ownPackages    = "own"
	modulePackages = "other modules'"
	goPackages     = "Go's"
)

// origin returns whether a package is ours, another module's or Go's: the first element of
// another module's path has a dot.
func origin(path string) string {
	first, _, _ := strings.Cut(path, "/")
	switch {
	case path == "main", strings.HasPrefix(path+"/", "github.com/agent-hooks/agent-hooks/"):
		return ownPackages
	case strings.Contains(first, "."):
		return modulePackages
	}
	return goPackages
}

// countAllocations counts the allocations of one iteration of each micro-benchmark: the minimum
// of a few runs, because pools are sometimes cleared. In 200 iterations, single allocations do
// not matter.
func countAllocations() (figures, error) {
	list, err := benchmark("-benchtime", "200x", "-count", "3", "-skip", "Encode/2097152" /* takes long */)
	f := figures{}
	for _, p := range list {
		for name, n := range map[string]float64{"allocations of " + p.name: p.allocations, "bytes of " + p.name: p.bytes} {
			if had, ok := f[name]; !ok || n < had {
				f[name] = n
			}
		}
	}
	return f, err
}

// shallow returns the directory in which the budget is counted. Its depth affects the number of
// calls and allocations for its parents.
func shallow() string {
	if info, err := os.Stat("/tmp"); err == nil && info.IsDir() {
		return "/tmp"
	}
	return ""
}
