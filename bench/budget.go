package main

import (
	"bufio"
	"embed"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A budget bounds what is counted, never what is timed: system calls,
// allocations, instructions and bytes hardly depend on what else the machine
// does.

//go:embed budget.txt
var budgetFile embed.FS

// figures are counted figures by name.
type figures map[string]float64

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
	for _, counter := range []struct {
		what  string
		count func(project) (int, error)
	}{{"system calls", b.systemCalls}, {"instructions", b.instructions}} {
		err := b.countRuns(f, counter.what, counter.count)
		if errors.Is(err, errNoTool) {
			fmt.Fprintf(os.Stderr, "bench: %s are not counted: %v\n", counter.what, err)
		} else if err != nil {
			return nil, err
		}
	}
	allocations, err := benchmarkAllocations()
	maps.Copy(f, allocations)
	return f, err
}

// countRuns counts a run with one hook that matches, and what each idle and
// each matching hook adds to it.
func (b *bench) countRuns(f figures, what string, count func(project) (int, error)) error {
	const idle, matching = 100, 10
	var counted [3]float64
	for i, n := range [3][2]int{{0, 1}, {idle, 1}, {0, 1 + matching}} {
		p, err := b.fixture(n[0], n[1])
		if err != nil {
			return err
		}
		calls, err := count(p)
		if err != nil {
			return err
		}
		counted[i] = float64(calls)
	}
	f[what+" of a run with one hook"] = counted[0]
	f[what+" of an idle hook"] = (counted[1] - counted[0]) / idle
	f[what+" of a matching hook"] = (counted[2] - counted[0]) / matching
	return nil
}

// instructions counts those of a run, without its scripts.
func (b *bench) instructions(p project) (int, error) {
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		return 0, errNoTool
	}
	log := filepath.Join(b.dir, "instructions")
	run := b.run(p, b.event).wrapped(valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file="+log)
	run.env = append(slices.Clone(run.env), "GODEBUG=asyncpreemptoff=1")
	if _, err := run.output(); err != nil {
		// Some of its releases cannot run what Go starts.
		return 0, fmt.Errorf("valgrind could not run it: %w", errNoTool)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return 0, err
	}
	return collected(string(text))
}

// collected reads callgrind's "Collected : N".
func collected(log string) (int, error) {
	found := regexp.MustCompile(`(?m)Collected : (\d+)`).FindStringSubmatch(log)
	if found == nil {
		return 0, fmt.Errorf("callgrind printed no count: %.200q", log)
	}
	return strconv.Atoi(found[1])
}

// initCounts counts what packages do before main begins.
func (b *bench) initCounts() (figures, error) {
	cmd := exec.Command(b.agentHooks, "version")
	cmd.Env = append(b.environ, "GODEBUG=inittrace=1")
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
	cmd := exec.Command("go", "test", "-run", "^$", "-bench", ".", "-benchtime", "100x", "-benchmem", "./manifest", "./matcher", "./protocol", "./discovery")
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

// readBudget reads lines of a bound, a tab and a name.
func readBudget(text string) (figures, error) {
	f := figures{}
	for s := bufio.NewScanner(strings.NewReader(text)); s.Scan(); {
		line := strings.TrimSpace(s.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		bound, name, ok := strings.Cut(line, "\t")
		n, err := strconv.ParseFloat(strings.TrimSpace(bound), 64)
		if !ok || err != nil {
			return nil, fmt.Errorf("budget.txt: %q is no bound and a name with a tab between", line)
		}
		f[strings.TrimSpace(name)] = n
	}
	return f, nil
}

// above lists what is above its bound, and what has none.
func (f figures) above(budget figures) []string {
	var list []string
	for _, name := range f.names() {
		bound, ok := budget[name]
		switch {
		case !ok:
			list = append(list, fmt.Sprintf("%s: %.4g, for which budget.txt has no bound", name, f[name]))
		case f[name] > bound:
			list = append(list, fmt.Sprintf("%s: %.6g, above its bound of %.6g", name, f[name], bound))
		}
	}
	return list
}

func (f figures) names() []string { return slices.Sorted(maps.Keys(f)) }

// bounds are what the budget allows beyond what was counted: what varies from
// run to run and from one Go release to the next.
func (f figures) bounds() figures {
	allowed := figures{}
	for name, n := range f {
		share := 1.05
		if strings.HasPrefix(name, "instructions") || strings.HasPrefix(name, "system calls of a run") || strings.HasPrefix(name, "system calls of a matching") {
			share = 1.25 // threads come and go by chance
		}
		allowed[name] = float64(int(n*share + 1))
	}
	return allowed
}

const budgetHead = `# What one run may cost, counted: a bound, a tab, what it bounds.
# go run ./bench -budget compares; -budget -update writes this file anew.
`

func (f figures) String() string {
	var b strings.Builder
	b.WriteString(budgetHead)
	for _, name := range f.names() {
		fmt.Fprintf(&b, "%.0f\t%s\n", f[name], name)
	}
	return b.String()
}

// checkBudget counts, and compares with the budget or writes it anew.
func (b *bench) checkBudget(update bool) error {
	counted, err := b.count()
	if err != nil {
		return err
	}
	if update {
		return os.WriteFile(filepath.Join("bench", "budget.txt"), []byte(counted.bounds().String()), 0o644)
	}
	text, err := budgetFile.ReadFile("budget.txt")
	if err != nil {
		return err
	}
	budget, err := readBudget(string(text))
	if err != nil {
		return err
	}
	for _, name := range counted.names() {
		fmt.Printf("%12.6g of %-12.6g %s\n", counted[name], budget[name], name)
	}
	if list := counted.above(budget); len(list) > 0 {
		return errors.New("the budget is exceeded:\n" + strings.Join(list, "\n"))
	}
	return nil
}
