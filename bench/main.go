// Bench measures what one `agent-hooks run` costs, beside what it cannot cost
// less than and beside other ways of doing the same, and writes the tables of
// docs/performance.md:
//
//	go run ./bench
//
// With -budget it compares what can be counted with the bounds of budget.txt.
//
// What is compared runs in turn, in one session: times drift with the
// machine, ratios much less. It needs Unix and Go; a C compiler, strace,
// valgrind, git, node, npm, python3 and run-parts are used where they are
// installed, and what cannot be measured without them is said.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
)

func main() {
	output := flag.String("o", "docs/performance.md", "put the tables between the marks in `FILE`; - prints them")
	rounds := flag.Int("rounds", 81, "how often each pair runs")
	budget := flag.Bool("budget", false, "instead, compare what can be counted with budget.txt")
	update := flag.Bool("update", false, "with -budget: write budget.txt anew")
	flag.Parse()
	if err := run(*rounds, func(b *bench) error {
		if *budget {
			return b.checkBudget(*update)
		}
		return b.tables(*output)
	}); err != nil {
		fmt.Fprintln(os.Stderr, "bench: error:", err)
		os.Exit(1)
	}
}

func run(rounds int, measure func(*bench) error) error {
	if runtime.GOOS == "windows" {
		return fmt.Errorf("it needs Unix")
	}
	dir, err := os.MkdirTemp("", "agent-hooks-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{dir: dir, rounds: max(rounds, 3)}
	if err := b.build(); err != nil {
		return err
	}
	return measure(b)
}

// tables measures everything, and writes the tables.
func (b *bench) tables(output string) error {
	var tables strings.Builder
	tables.WriteString("Made with " + b.machine() + "\n")
	for _, section := range b.sections() {
		fmt.Fprintln(os.Stderr, "bench:", section.title)
		text, err := section.measure()
		if err != nil {
			return fmt.Errorf("%s: %w", section.title, err)
		}
		fmt.Fprintf(&tables, "## %s\n\n%s\n\n%s\n", section.title, section.about, text)
	}
	if output == "-" {
		fmt.Print(tables.String())
		return nil
	}
	return rewrite(output, tables.String())
}

// The marks between which the tables stand.
const (
	beginMark = "<!-- go run ./bench: begin -->\n"
	endMark   = "<!-- go run ./bench: end -->\n"
)

func rewrite(file, tables string) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text, err := between(string(page), tables)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// between replaces what stands between the marks.
func between(page, tables string) (string, error) {
	before, rest, begins := strings.Cut(page, beginMark)
	_, after, ends := strings.Cut(rest, endMark)
	if !begins || !ends {
		return "", fmt.Errorf("it has no marks for the tables")
	}
	return before + beginMark + "\n" + tables + endMark + after, nil
}
