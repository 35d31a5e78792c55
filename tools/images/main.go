// Command images draws the pictures in the documents: it runs agent-hooks on a terminal, in a
// scratch project in a scratch home, and draws the screen to docs/images:
//
//	cd tools && go run ./images
//
// Times, durations and scratch paths are replaced by fixed ones. Everything else is printed by
// the program, so the pictures change only if its output does. The test of this package then
// fails until they are drawn again. It needs a POSIX system. The picture of an agent's session is
// drawn by e2e.
package main

import (
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
)

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "images:", err)
		os.Exit(1)
	}
}

// write writes the pictures.
func write() error {
	root, err := root()
	if err != nil {
		return err
	}
	drawn, err := draw()
	if err != nil {
		return err
	}
	for name, svg := range drawn {
		if err := os.WriteFile(filepath.Join(root, "docs", "images", name), svg, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// root returns the folder of agent-hooks' module.
func root() (string, error) {
	out, err := osexec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/agent-hooks/agent-hooks").Output()
	if err != nil {
		return "", fmt.Errorf("go list, in the tools folder: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// draw builds agent-hooks and returns the pictures by file name.
func draw() (map[string][]byte, error) {
	root, err := root()
	if err != nil {
		return nil, err
	}
	scratch, err := makeScratch()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	bin := filepath.Join(scratch, "bin")
	build := osexec.Command("go", "build", "-o", bin+string(filepath.Separator), "./cmd/agent-hooks")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	drawn := map[string][]byte{}
	for _, p := range pictures() {
		svg, err := p.draw(filepath.Join(scratch, p.name), bin)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		drawn[p.name+".svg"] = svg
	}
	return drawn, nil
}

// makeScratch creates a folder for all files. It is in /tmp, regardless of TMPDIR: with a long
// path of the home, the program would wrap lines differently.
func makeScratch() (string, error) {
	scratch, err := os.MkdirTemp("/tmp", "agent-hooks-images-")
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(scratch) // the form in which the program shows its folders
}
