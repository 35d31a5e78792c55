package main

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed testdata
var sources embed.FS

// bench is one session: its programs, fixtures and settings.
type bench struct {
	dir    string // of everything it writes
	rounds int

	agentHooks, hello, yardstick string // programs
	yardstickIn                  string // the language that it is written in
	event                        string // of 1 KiB
	environ                      []string
}

func (b *bench) build() error {
	b.environ = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(b.dir, "home"), "LANG=C.UTF-8"}
	if err := os.Mkdir(filepath.Join(b.dir, "home"), 0o700); err != nil {
		return err
	}
	for _, name := range []string{"hello.go", "yardstick.c", "yardstick.go", "runner.js", "runner.py"} {
		source, err := sources.Open("testdata/" + name)
		if err != nil {
			return err
		}
		if err := copyTo(filepath.Join(b.dir, name), source, 0o644); err != nil {
			return err
		}
	}
	var err error
	if b.agentHooks, err = b.goBuild("agent-hooks", "./cmd/agent-hooks", "-ldflags=-s -w"); err != nil {
		return err
	}
	if b.hello, err = b.goBuild("hello", filepath.Join(b.dir, "hello.go"), "-ldflags=-s -w"); err != nil {
		return err
	}
	if b.yardstick, err = b.buildYardstick(); err != nil {
		return err
	}
	b.event, err = b.payload("event.json", 1<<10)
	return err
}

// goBuild links a program and copies it: what the linker leaves lies in the
// page cache in small pieces and starts up to a fifth slower than what users
// have, who unpacked it.
func (b *bench) goBuild(name, source string, flags ...string) (string, error) {
	program := filepath.Join(b.dir, name)
	argv := append([]string{"build", "-trimpath", "-o", program + ".linked"}, flags...)
	cmd := exec.Command("go", append(argv, source)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", source, err, out)
	}
	linked, err := os.Open(program + ".linked")
	if err != nil {
		return "", err
	}
	defer linked.Close()
	return program, copyTo(program, linked, 0o755)
}

// copyTo writes a file in pieces of the size that cp takes.
func copyTo(name string, from io.Reader, mode os.FileMode) error {
	to, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{from}, make([]byte, 128<<10))
	return errors.Join(err, to.Close())
}

// buildYardstick compiles the yardstick from C or, without a compiler, from
// Go.
func (b *bench) buildYardstick() (string, error) {
	source := filepath.Join(b.dir, "yardstick")
	compiler, err := exec.LookPath("cc")
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: there is no cc; the yardstick is Go, and ratios to it come out lower")
		b.yardstickIn = "Go"
		return b.goBuild("yardstick", source+".go", "-ldflags=-s -w")
	}
	b.yardstickIn = "C"
	if out, err := exec.Command(compiler, "-O2", "-o", source, source+".c").CombinedOutput(); err != nil {
		return "", fmt.Errorf("cc: %w\n%s", err, out)
	}
	return source, nil
}

// run is `agent-hooks run` in a project.
func (b *bench) run(p project, event string) process {
	return process{[]string{b.agentHooks, "run", "pre-tool-call"}, p.dir, b.environ, event}
}

// verify makes sure that the fixture is what the table says: that so many
// hooks ran.
func verify(run process, want int) error {
	out, err := run.with("--report", "-").output()
	if err != nil {
		return err
	}
	ran, err := countRuns([]byte(out))
	if err == nil && ran != want {
		err = fmt.Errorf("%d hooks ran in %s, not %d", ran, run.dir, want)
	}
	return err
}

// countRuns counts the hooks of a report that ran and exited with 0. None may
// have failed: a fixture with a mistake measures something else.
func countRuns(report []byte) (count int, err error) {
	var r struct {
		Hooks []struct {
			Hook, Outcome, Cause string

			Process *struct {
				Status *int `json:"exit_status"`
			} `json:"process"`
		} `json:"hooks"`
	}
	if err := json.Unmarshal(report, &r); err != nil {
		return 0, err
	}
	for _, h := range r.Hooks {
		if h.Outcome == "failure" {
			return 0, fmt.Errorf("hook %s: %s", h.Hook, h.Cause)
		}
		if h.Process != nil && h.Process.Status != nil && *h.Process.Status == 0 {
			count++
		}
	}
	return count, nil
}

// yard is the yardstick: a Go start, and the work that cannot be avoided.
func (b *bench) yard(p project) timed {
	hello := process{[]string{b.hello}, p.dir, b.environ, os.DevNull}
	work := process{[]string{b.yardstick, "work", p.hooks}, p.dir, b.environ, os.DevNull}
	return sum(hello.time, work.reported)
}
