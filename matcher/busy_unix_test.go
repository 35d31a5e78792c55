//go:build unix

package matcher

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestStopped checks that a search is decided although the process gets no processor for longer
// than the budget. The test's own program searches, and is stopped.
func TestStopped(t *testing.T) {
	t.Parallel()
	if os.Getenv("SEARCH_UNTIL_KILLED") != "" {
		searchUntilKilled()
	}
	child := exec.Command(os.Args[0], "-test.run", "^TestStopped$")
	child.Env = append(os.Environ(), "SEARCH_UNTIL_KILLED=1")
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = child.Process.Kill()
		_ = child.Wait()
	}()
	lines := bufio.NewScanner(out)
	for range 3 {
		lines.Scan() // it searches
		if err := child.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		time.Sleep(400 * time.Millisecond)
		if err := child.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if !lines.Scan() || lines.Text() != "false" {
				t.Fatalf("a search while the process was stopped: %q", lines.Text())
			}
		}
	}
}

// searchUntilKilled prints the result of each of its searches.
func searchUntilKilled() {
	for {
		m := New("", "\x07[a-c]+x") // not plain, so that the engine searches
		text := strings.Repeat("\x07"+strings.Repeat("abc", 400), 8)
		r := m.Match(Subject{Values: []string{text}, Text: "{}"})
		fmt.Println(fmt.Sprint(r.Matched) + r.Warning)
	}
}
