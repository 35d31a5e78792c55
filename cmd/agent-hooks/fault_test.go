//go:build linux

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// slack is added to every limit of time, for busy machines.
const slack = 10 * time.Second

// runFault is the required result of one fault.
type runFault struct {
	fault
	async  bool
	policy string // on-failure
}

// TestFaults runs every fault, sync and async, with on-failure allow and deny,
// and checks the exit status, the message, the time, and what remains (D27,
// D31, D34-D38).
func TestFaults(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	manyAtOnce(t, func(start func(string, func(*testing.T))) {
		for _, f := range faults() {
			for _, way := range f.ways() {
				mode := "sync"
				if way.async {
					mode = "async"
				}
				start(f.name+"/"+mode+"/"+way.policy, way.test)
			}
		}
	})
}

// ways returns the fault in each mode in which it has the same result, with
// each policy.
func (f fault) ways() (all []runFault) {
	for _, mode := range []string{"sync", "async"} {
		if f.only != "" && f.only != mode {
			continue
		}
		for _, policy := range []string{"allow", "deny"} {
			all = append(all, runFault{f, mode == "async", policy})
		}
	}
	return all
}

// manyAtOnce runs tests that wait more than they compute, more of them at once
// than t.Parallel would.
func manyAtOnce(t *testing.T, tests func(start func(name string, test func(*testing.T)))) {
	var all sync.WaitGroup
	slots := make(chan struct{}, 12)
	tests(func(name string, test func(*testing.T)) {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			t.Run(name, test)
		})
	})
	all.Wait()
}

func (f runFault) test(t *testing.T) {
	c := newCell(t)
	front := f.front
	if f.timeout > 0 {
		front += fmt.Sprintf("timeout: %d\n", f.timeout)
	}
	if f.async {
		front += "async: true\n"
	}
	front += "metadata:\n  on-failure: " + f.policy + "\n" + f.metadata
	c.addHook(t, "guard", f.entry(), front)
	if f.event != nil {
		c.stdin = f.event()
	}
	if f.prepare != nil {
		f.prepare(t, c)
	}
	r := c.caged(t, cageOrder{Survive: f.stays + f.escapes}, "agent-hooks", "run", "pre-tool-call")
	f.checkAnswer(t, r)
	f.checkLog(t, c)
	f.checkTime(t, r)
	f.checkRest(t, c, r)
	if t.Failed() {
		t.Logf("exit status %d, signal %d, %.3f s\nstdout: %s\nstderr: %s", r.Status, r.Signal, r.Took, cut(r.stdout), cut(r.stderr))
	}
}

func cut(s string) string { return s[:min(len(s), 2000)] }

// checkAnswer checks the result for the caller.
func (f runFault) checkAnswer(t *testing.T, r caged) {
	want := 0
	switch {
	case f.async:
	case f.outcome == "deny", f.failed() && f.policy == "deny":
		want = 2
	}
	if r.Status != want {
		t.Errorf("exit status %d, want %d", r.Status, want)
	}
	if r.stdout != "" {
		t.Errorf("stdout: %s", cut(r.stdout))
	}
	reported := f.failed() && (!f.async || f.early)
	prefix, suffix := "agent-hooks: warning: hook guard: ", "; operation allowed\n"
	if want == 2 {
		prefix, suffix = "hook guard: ", " (on-failure: deny)\n"
	}
	switch {
	case reported && !(strings.HasPrefix(r.stderr, prefix) && strings.Contains(r.stderr, f.cause) && strings.HasSuffix(r.stderr, suffix)):
		t.Errorf("stderr is not %s…%s…%s", prefix, f.cause, suffix)
	case !reported && strings.Contains(r.stderr, "operation allowed"):
		t.Error("stderr reports a failure")
	case !f.async && !reported && !strings.Contains(r.stderr, f.cause):
		t.Errorf("stderr is not …%s…", f.cause)
	}
}

// checkLog checks the one line of the run log.
func (f runFault) checkLog(t *testing.T, c *cell) {
	lines := c.log(t)
	lines = slices.DeleteFunc(lines, func(l logLine) bool { return l.Hook != "guard" })
	if len(lines) != 1 {
		t.Fatalf("run log: %+v", lines)
	}
	l := lines[0]
	if l.Outcome != f.outcome {
		t.Errorf("run log: outcome %q, want %q", l.Outcome, f.outcome)
	}
	if f.logged != "" && l.Cause != f.logged || f.logged == "" && f.failed() && !strings.Contains(l.Cause, f.cause) {
		t.Errorf("run log: cause %q, want %q", l.Cause, cmp.Or(f.logged, f.cause))
	}
	if limit := f.limit(); l.Duration > float64(limit.Milliseconds()) {
		t.Errorf("run log: %v ms, limit %v", l.Duration, limit)
	}
}

// limit is the time by which a hook must have ended (D34).
func (f runFault) limit() time.Duration {
	return time.Duration(f.timeout)*time.Millisecond + 2*time.Second + slack
}

func (f runFault) checkTime(t *testing.T, r caged) {
	limit := f.limit()
	if f.async {
		limit = slack // run waits only for the start of async hooks
	}
	if took := time.Duration(r.Took * float64(time.Second)); took > limit {
		t.Errorf("took %v, limit %v", took, limit)
	}
}

// checkRest checks that nothing remains except permitted processes (D35, D37).
func (f runFault) checkRest(t *testing.T, c *cell, r caged) {
	if len(r.Left) > f.stays+f.escapes || len(r.Left) < f.stays {
		t.Errorf("remaining processes: %q; %d must remain, and %d more may", r.Left, f.stays, f.escapes)
	}
	if len(r.Unreaped) > 0 {
		t.Errorf("zombies left: %q", r.Unreaped)
	}
	c.checkFiles(t)
}

// cell is the environment of one fault.
type cell struct {
	dir, home, project, state, temp string

	env            []string
	stdin          io.Reader
	stdout, stderr *os.File // nil: captured
}

func newCell(t *testing.T) *cell {
	dir := t.TempDir()
	c := &cell{dir: dir, home: dir + "/home", project: dir + "/project", state: dir + "/state", temp: dir + "/tmp"}
	for _, d := range []string{c.home, c.project, c.state, c.temp} {
		must(os.Mkdir(d, 0o755))
	}
	c.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + c.home, "XDG_STATE_HOME=" + c.state, "TMPDIR=" + c.temp,
		"CLAUDE_PROJECT_DIR=" + c.project,
		"GORACE=" + os.Getenv("GORACE"),
	}
	c.stdin = strings.NewReader(`{"tool_name": "Shell", "tool_input": {"command": "ls"}}`)
	return c
}

// addHook writes a hook of the project, without an entry point if entry is "".
func (c *cell) addHook(t *testing.T, name, entry, front string) {
	t.Helper()
	writeHookTo(c.project+"/.agents/hooks/"+name, entry, front)
}

func writeHookTo(dir, entry, front string) {
	must(os.MkdirAll(dir+"/scripts", 0o755))
	front = "---\nname: " + filepath.Base(dir) + "\ndescription: A hook of a test.\ntrigger: pre-tool-call\n" + front + "---\n"
	must(os.WriteFile(dir+"/HOOK.md", []byte(front), 0o644))
	if entry != "" {
		must(os.WriteFile(dir+"/scripts/run", []byte(entry), 0o755))
	}
}

func (c *cell) guard(path string) string { return c.project + "/.agents/hooks/guard" + path }

// logLine is a line of the run log.
type logLine struct {
	Hook, Outcome, Cause string
	Duration             float64 `json:"duration_ms"`
}

// log reads the run log, line by line.
func (c *cell) log(t *testing.T) (lines []logLine) {
	t.Helper()
	b, err := os.ReadFile(c.state + "/agent-hooks/runs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	rotated, _ := os.ReadFile(c.state + "/agent-hooks/runs.1.jsonl")
	b = append(rotated, b...)
	for line := range bytes.Lines(b) {
		var l logLine
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatalf("run log: %v: %s", err, line)
		}
		lines = append(lines, l)
	}
	return lines
}

// checkFiles checks that there are no files except those that must remain.
func (c *cell) checkFiles(t *testing.T) {
	t.Helper()
	for _, dir := range []string{c.temp, c.home} {
		entries, err := os.ReadDir(dir)
		if len(entries) > 0 || err != nil {
			t.Errorf("left in %s: %v %v", dir, entries, err)
		}
	}
	err := filepath.WalkDir(c.state, func(path string, d os.DirEntry, err error) error {
		if name := d.Name(); !d.IsDir() && !strings.HasPrefix(name, "runs.") && name != "guard.txt" {
			t.Errorf("left: %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
