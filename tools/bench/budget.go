package main

import (
	"bufio"
	"fmt"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// A budget bounds counts, never times: system calls, allocations, instructions and bytes hardly
// depend on the load of the machine.

const budgetFile = "tools/bench/budget.txt"

// figures are counts by name.
type figures map[string]float64

// readBudget parses lines of a bound, a tab and a name.
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
			return nil, fmt.Errorf("budget.txt: %q is not a bound and a name with a tab between", line)
		}
		f[strings.TrimSpace(name)] = n
	}
	return f, nil
}

// above lists the figures above their bounds, figures without a bound, and bounds without a
// figure, unless a tool for it is missing.
func (f figures) above(budget figures, missing uncounted) []string {
	var list []string
	for _, name := range f.names() {
		bound, ok := budget[name]
		switch {
		case !ok:
			list = append(list, fmt.Sprintf("%s: %.4g, for which budget.txt has no bound", name, f[name]))
		case f[name] > bound:
			list = append(list, fmt.Sprintf("%s: %.7g, above its bound of %.7g", name, f[name], bound))
		}
	}
	for _, name := range budget.names() {
		if _, counted := f[name]; !counted && !missing.has(name) {
			list = append(list, name+": budget.txt has a bound, but nothing counts it")
		}
	}
	return list
}

func (f figures) names() []string { return slices.Sorted(maps.Keys(f)) }

// bounds returns the bounds for the figures, including the slack.
func (f figures) bounds() figures {
	allowed := figures{}
	for name, n := range f {
		s := slackOf(name)
		// Rounded to hundredths, because the figure of an idle hook is measured with a hundred
		// hooks.
		allowed[name] = math.Round((n*s.share+s.more)*100) / 100
	}
	return allowed
}

const budgetHead = `# What one run may cost, counted: a bound, a tab, what it bounds.
# cd tools && go run ./bench -budget compares; -budget -update rewrites this file.
`

// countedBy describes what the figures depend on besides the code.
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

// checkBudget counts, and compares the figures with the budget or rewrites it.
func (b *bench) checkBudget(update bool) error {
	text, err := os.ReadFile(budgetFile)
	if err != nil {
		return err
	}
	budget, err := readBudget(string(text))
	if err != nil {
		return err
	}
	counted, missing, err := b.count()
	if err != nil {
		return err
	}
	if update {
		return os.WriteFile(budgetFile, []byte(counted.bounds().keeping(budget, missing).String()), 0o644)
	}
	for _, name := range counted.names() {
		fmt.Printf("%12.7g of %-12.7g %s\n", counted[name], budget[name], name)
	}
	for _, name := range budget.names() {
		if missing.has(name) {
			fmt.Printf("%12s of %-12.7g %s\n", "not counted", budget[name], name)
		}
	}
	if list := counted.above(budget, missing); len(list) > 0 {
		return fmt.Errorf("the budget is not kept %s:\n%s\n(budget.txt says with what it was counted)", countedBy(), strings.Join(list, "\n"))
	}
	return nil
}

// keeping returns the budget with the old bounds of figures for which a tool is missing.
func (f figures) keeping(had figures, missing uncounted) figures {
	for name, bound := range had {
		if missing.has(name) {
			f[name] = bound
		}
	}
	return f
}
