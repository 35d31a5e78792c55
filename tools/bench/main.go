// Bench measures the cost of one `agent-hooks run`, compares it with a lower bound and with
// other runners, and writes the tables of docs/performance.md:
//
//	cd tools && go run ./bench
//
// With -only it prints some of them. With -budget it compares counts with the bounds in
// budget.txt.
//
// Compared programs run in turn, in one session: times vary with the machine, ratios much less.
// Bench needs Unix and Go. It uses a C compiler, strace, valgrind, git, node, npm, python3 and
// run-parts if they are installed, and reports measurements that need a missing one.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"
)

func main() {
	output := flag.String("o", "docs/performance.md", "put the tables between the marks in `FILE`, named from the repository's root; - prints them")
	only := flag.String("only", "", "print the tables whose title contains `TEXT`, and leave the page alone")
	rounds := flag.Int("rounds", 81, "how often each pair runs")
	budget := flag.Bool("budget", false, "instead, compare what can be counted with budget.txt")
	update := flag.Bool("update", false, "with -budget: rewrite budget.txt")
	flag.Parse()
	if *only != "" {
		*output = "-"
	}
	err := enterRoot()
	switch {
	case err != nil:
	case *budget:
		err = inScratch(shallow(), *rounds, func(b *bench) error { return b.checkBudget(*update) })
	default:
		if err = writable(*output); err == nil {
			err = inScratch("", *rounds, func(b *bench) error { return b.tables(*output, *only) })
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: error:", err)
		os.Exit(1)
	}
}

// enterRoot changes to the root of the measured module. All paths are relative to it.
func enterRoot() error {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/agent-hooks/agent-hooks").Output()
	if err != nil {
		return fmt.Errorf("go list, in the tools folder: %w", err)
	}
	return os.Chdir(strings.TrimSpace(string(out)))
}

// inScratch builds the programs in a new directory below parent, calls measure, and removes the
// directory.
func inScratch(parent string, rounds int, measure func(*bench) error) error {
	if runtime.GOOS == "windows" {
		return fmt.Errorf("it needs Unix")
	}
	dir, err := os.MkdirTemp(parent, "agent-hooks-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	go removeWhenStopped(dir)
	b := &bench{dir: dir, rounds: max(rounds, 3)}
	if err := b.build(); err != nil {
		return err
	}
	return measure(b)
}

// removeWhenStopped removes a directory on a termination signal. It repeats this for a moment,
// because processes that were just started may still write to it.
func removeWhenStopped(dir string) {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	<-stop
	fmt.Fprintln(os.Stderr, "bench: stopped")
	for range 5 {
		os.RemoveAll(dir)
		time.Sleep(100 * time.Millisecond)
	}
	os.Exit(1)
}

// tables measures all sections, or only those with a word in their titles, and writes the
// tables.
func (b *bench) tables(output, only string) error {
	var tables strings.Builder
	tables.WriteString("Made with " + b.machine() + "\n")
	for _, section := range b.sections() {
		if !strings.Contains(section.title, only) {
			continue
		}
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
