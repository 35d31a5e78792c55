// Package testenv prepares the environment of tests that start many processes, so that they take
// less time. Only tests import it.
package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Long skips a test of real processes, faults or screens unless LONG_TESTS is set, as .ci/run
// does. What it checks of the product's rules, a shorter test checks too.
func Long(t testing.TB) {
	t.Helper()
	if os.Getenv("LONG_TESTS") == "" {
		t.Skip("LONG_TESTS is not set")
	}
}

// Rounds returns how many generated inputs a test tries: n with LONG_TESTS, otherwise a fifth.
func Rounds(n int) int {
	if os.Getenv("LONG_TESTS") == "" {
		return n / 5
	}
	return n
}

// Run calls run, a test binary's main function, and returns its status. PATH has the python3 that
// is the interpreter itself without installed packages: a version manager's shim and the
// packages' own start-up code take ten times as long as Python, and a node with
// NODE_EXTRA_CA_CERTS three times as long as without. Programs with the race detector would wait
// for a second at their end; GORACE, which they must be given, tells them not to. TMPDIR is a
// directory that is removed at the end.
func Run(run func() int) int {
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	os.Unsetenv("NODE_EXTRA_CA_CERTS")
	if os.PathSeparator != '/' {
		return run()
	}
	dir, err := os.MkdirTemp("", "t") // short, because paths in it are wrapped in screens
	if err == nil {
		defer os.RemoveAll(dir)
		err = prepare(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return run()
}

func prepare(dir string) error {
	spread(dir)
	os.Setenv("TMPDIR", dir)
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		return err
	}
	python, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		return nil // there is none
	}
	os.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	script := fmt.Sprintf("#!/bin/sh\nexec '%s' -S \"$@\"\n", strings.TrimSpace(string(python)))
	return os.WriteFile(filepath.Join(bin, "python3"), []byte(script), 0o755)
}
