package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed testdata
var sources embed.FS

// bench is one session: its programs, fixtures and options.
type bench struct {
	dir    string // for all of its files
	rounds int

	agentHooks, hello, yardstick program
	yardstickIn                  string // its programming language
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
		if err := copyTo(filepath.Join(b.dir, name), source, cpPiece, 0o644); err != nil {
			return err
		}
	}
	for _, of := range []struct {
		program *program
		link    func() (string, error)
	}{
		{&b.agentHooks, func() (string, error) { return b.goBuild("agent-hooks", "./cmd/agent-hooks", "-ldflags=-s -w") }},
		{&b.hello, func() (string, error) { return b.goBuild("hello", filepath.Join(b.dir, "hello.go"), "-ldflags=-s -w") }},
		{&b.yardstick, b.buildYardstick},
	} {
		file, err := of.link()
		if err != nil {
			return err
		}
		if *of.program, err = copied(file, cpPiece); err != nil {
			return err
		}
	}
	var err error
	b.event, err = b.payload("event.json", 1<<10)
	return err
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

// process returns a process: a program with arguments in a directory, with a file as stdin.
func (b *bench) process(dir, stdin string, of program, args ...string) process {
	return process{of, args, dir, b.environ, stdin, b.yardstick}
}

// run returns `agent-hooks run` in a project.
func (b *bench) run(p project, event string) process {
	return b.process(p.dir, event, b.agentHooks, "run", "pre-tool-call")
}

// verify checks that the expected number of hooks ran in the fixture.
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

// countRuns counts the hooks of a report that ran and exited with 0. It returns an error if one
// failed, because the fixture would be wrong.
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

// yard returns the yardstick: the start of a Go program, and the unavoidable work.
func (b *bench) yard(p project) timed {
	hello := b.process(p.dir, os.DevNull, b.hello)
	work := b.process(p.dir, os.DevNull, b.yardstick, "work", p.hooks)
	return sum(hello.time, work.reported)
}

// bare returns the scripts of a project's matching hooks, one after another.
func (b *bench) bare(p project) timed {
	return b.process(p.dir, os.DevNull, b.yardstick, "scripts", p.hooks).reported
}
