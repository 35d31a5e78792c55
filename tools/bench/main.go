// Bench measures the cost of one `agent-hooks run`, compares it with a lower bound and with
// other runners, and prints tables:
//
//	cd tools && go run ./bench
//
// With -only it prints some of them. With -page it measures those about what users wait for, and
// writes them to docs/performance.md. With -budget it compares counts with the bounds in
// budget.txt. README.md explains the tables.
//
// Compared programs run in turn, in one session: times vary with the machine, ratios much less.
// Bench needs Unix and Go. It uses a C compiler, strace, valgrind, git, node, npm, python3 and
// run-parts if they are installed, and reports measurements that need a missing one.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

func main() {
	page := flag.Bool("page", false, "measure only the tables of "+pageFile+", and write them there")
	only := flag.String("only", "", "print only the tables whose title contains `TEXT`")
	rounds := flag.Int("rounds", 81, "how often each pair runs")
	budget := flag.Bool("budget", false, "instead, compare what can be counted with budget.txt")
	update := flag.Bool("update", false, "with -budget: rewrite budget.txt")
	samples := flag.String("guards", "", "instead, count the commands of `FILE` that the example guards stop, by label")
	peers := flag.String("peers", "", "with -guards: command lines of other PreToolUse hooks, separated by commas")
	flag.Parse()
	file, _ := filepath.Abs(*samples) // before enterRoot
	selected := func(s section) bool { return strings.Contains(s.title, *only) }
	err := enterRoot()
	switch {
	case err != nil:
	case *samples != "":
		err = inScratch("", *rounds, func(b *bench) error {
			text, err := b.countStops(file, strings.FieldsFunc(*peers, func(c rune) bool { return c == ',' }))
			fmt.Print(text)
			return err
		})
	case *budget:
		err = inScratch(shallow(), *rounds, func(b *bench) error { return b.checkBudget(*update) })
	case *page:
		if err = writable(pageFile); err == nil {
			err = inScratch("", *rounds, func(b *bench) error {
				var tables strings.Builder
				if err := b.tables(&tables, func(s section) bool { return s.page }, forUsers); err != nil {
					return err
				}
				return rewrite(pageFile, tables.String())
			})
		}
	default:
		err = inScratch("", *rounds, func(b *bench) error { return b.tables(os.Stdout, selected, nil) })
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

// tables measures the selected sections, and writes each table when it is done. edit, if not nil,
// changes it before.
func (b *bench) tables(to io.Writer, selected func(section) bool, edit func(section, string) string) error {
	fmt.Fprintf(to, "Made with %s\n", b.machine())
	if edit == nil {
		fmt.Fprintf(to, "The yardstick is in %s.\n\n", b.yardstickIn)
	}
	for _, section := range b.sections() {
		if !selected(section) {
			continue
		}
		fmt.Fprintln(os.Stderr, "bench:", section.title)
		text, err := section.measure()
		if err != nil {
			return fmt.Errorf("%s: %w", section.title, err)
		}
		if edit != nil {
			text = edit(section, text)
		}
		fmt.Fprintf(to, "## %s\n\n%s\n\n%s\n", section.title, section.about, text)
	}
	return nil
}
