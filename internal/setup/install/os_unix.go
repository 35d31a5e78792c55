//go:build unix

package install

import (
	"fmt"
	"os"
	"os/exec"
)

// executableFile returns why a file cannot be executed.
func executableFile(path string, info os.FileInfo) error {
	if info.Mode()&0o111 == 0 {
		return fmt.Errorf("%s is not executable; allow it with: chmod +x %s", path, posix.quote(path))
	}
	return nil
}

// shortPath returns a path without characters that need quotes, on systems that have one.
func shortPath(path string) string { return path }

// startShell adapts a command that starts a shell with a command line.
func startShell(*exec.Cmd) {}
