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

// bench is one session: its programs, fixtures and settings.
type bench struct {
	dir    string // of everything it writes
	rounds int

	agentHooks, hello, yardstick string // programs
	event                        string // of 1 KiB
	environ                      []string
}

func (b *bench) build() error {
	b.environ = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(b.dir, "home"), "LANG=C.UTF-8"}
	b.agentHooks, b.hello, b.yardstick = filepath.Join(b.dir, "agent-hooks"), filepath.Join(b.dir, "hello"), filepath.Join(b.dir, "yardstick")
	if err := os.Mkdir(filepath.Join(b.dir, "home"), 0o700); err != nil {
		return err
	}
	for _, name := range []string{"hello.go", "yardstick.c", "runner.js", "runner.py"} {
		source, err := sources.Open("testdata/" + name)
		if err != nil {
			return err
		}
		if err := copyTo(filepath.Join(b.dir, name), source); err != nil {
			return err
		}
	}
	goBuild := []string{"go", "build", "-trimpath", "-ldflags=-s -w", "-o"}
	for _, argv := range [][]string{
		append(goBuild, b.agentHooks, "./cmd/agent-hooks"),
		append(goBuild, b.hello, b.hello+".go"),
		{"cc", "-O2", "-o", b.yardstick, b.yardstick + ".c"},
	} {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w\n%s", argv, err, out)
		}
	}
	var err error
	b.event, err = b.payload("event.json", 1<<10)
	return err
}

// run is `agent-hooks run` in a project.
func (b *bench) run(p project, event string) process {
	return process{[]string{b.agentHooks, "run", "pre-tool-call"}, p.dir, b.environ, event}
}

// verify makes sure that the fixture is what the table says: that so many
// hooks ran.
func (b *bench) verify(p project, event string, want int) error {
	report := b.run(p, event)
	report.argv = append(report.argv, "--report", "-")
	out, err := report.output()
	if err != nil {
		return err
	}
	ran, err := countRuns([]byte(out))
	if err == nil && ran != want {
		err = fmt.Errorf("%d hooks ran in %s, not %d", ran, p.dir, want)
	}
	return err
}

// countRuns counts the hooks of a report that ran and exited with 0.
func countRuns(report []byte) (count int, err error) {
	var r struct {
		Hooks []struct {
			Process *struct {
				Status *int `json:"exit_status"`
			} `json:"process"`
		} `json:"hooks"`
	}
	if err := json.Unmarshal(report, &r); err != nil {
		return 0, err
	}
	for _, h := range r.Hooks {
		if h.Process != nil && h.Process.Status != nil && *h.Process.Status == 0 {
			count++
		}
	}
	return count, nil
}

// yard is the yardstick: a Go start, and the work that cannot be avoided, in
// C.
func (b *bench) yard(p project) timed {
	hello := process{[]string{b.hello}, p.dir, b.environ, os.DevNull}
	work := process{[]string{b.yardstick, "work", p.hooks}, p.dir, b.environ, os.DevNull}
	return sum(hello.time, work.reported)
}
