// Package interpreters makes the programs that hooks are written for start
// quickly in tests. Only tests import it.
package interpreters

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Run calls run, a test binary's main function, with a PATH whose python3 is
// the interpreter itself without installed packages, and returns its status.
// A version manager's shim and the packages' own start-up code take ten times
// as long as Python, and a node with NODE_EXTRA_CA_CERTS three times as long
// as without. GORACE keeps programs with the race detector from waiting for a
// second at their end; tests must pass it on.
func Run(run func() int) int {
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	os.Unsetenv("NODE_EXTRA_CA_CERTS")
	python, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil || os.PathSeparator != '/' {
		return run()
	}
	dir, err := os.MkdirTemp("", "interpreters")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	script := fmt.Sprintf("#!/bin/sh\nexec '%s' -S \"$@\"\n", strings.TrimSpace(string(python)))
	if err := os.WriteFile(filepath.Join(dir, "python3"), []byte(script), 0o755); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return run()
}
