package main

import (
	"bufio"
	"embed"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
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
// run to run, from machine to machine and from one Go release to the next.
func (f figures) bounds() figures {
	allowed := figures{}
	for name, n := range f {
		share := 1.05
		switch {
		case strings.HasPrefix(name, "instructions"):
			share = 1.25 // Go's and valgrind's releases choose other instructions
		case strings.HasPrefix(name, "system calls of a run"), strings.HasPrefix(name, "system calls of a matching"):
			share = 1.15 // threads, the kernel's files on processors and control groups
		}
		// Less than one more, where there are few.
		allowed[name] = math.Round((n*share+0.4)*10) / 10
	}
	return allowed
}

const budgetHead = `# What one run may cost, counted: a bound, a tab, what it bounds.
# go run ./bench -budget compares; -budget -update writes this file anew.
`

// countedBy says what the figures depend on besides the code.
func countedBy() string {
	return fmt.Sprintf("with %s on %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func (f figures) String() string {
	var b strings.Builder
	b.WriteString(budgetHead + "# Counted " + countedBy() + ".\n")
	for _, name := range f.names() {
		fmt.Fprintf(&b, "%s\t%s\n", strconv.FormatFloat(f[name], 'f', -1, 64), name)
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
		return fmt.Errorf("the budget is exceeded %s:\n%s\n(budget.txt says with what it was counted)", countedBy(), strings.Join(list, "\n"))
	}
	return nil
}
