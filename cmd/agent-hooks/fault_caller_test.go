//go:build linux

package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// callerFault is a fault in the surroundings of the program. A block must still block, and a
// failure must have the effect of its on-failure.
type callerFault struct {
	name    string
	shell   string // runs "$@", the program; "" runs it directly
	prepare func(*testing.T, *cell)
}

var callerFaults = []callerFault{
	{name: "stdout closed", shell: `exec "$@" >&-`},
	{name: "stderr closed", shell: `exec "$@" 2>&-`},
	{name: "both closed", shell: `exec "$@" >&- 2>&-`},
	{name: "all closed but stdin", shell: `exec "$@" >&- 2>&- 3>&-`},
	{name: "stdout without a reader", prepare: func(t *testing.T, c *cell) { c.stdout = noReader(t) }},
	{name: "stderr without a reader", prepare: func(t *testing.T, c *cell) { c.stderr = noReader(t) }},
	{name: "both without a reader", prepare: func(t *testing.T, c *cell) { c.stdout, c.stderr = noReader(t), noReader(t) }},
	{name: "stdout full", shell: `exec "$@" > /dev/full`},
	{name: "stderr full", shell: `exec "$@" 2> /dev/full`},
	{name: "report full", shell: `exec "$@" --report /dev/full`},
	{name: "report in no directory", shell: `exec "$@" --report /no/such/file`},
	{name: "no file may grow", shell: `ulimit -f 0; exec "$@"`},
	{name: "stderr is a file that may not grow", shell: `ulimit -f 0; exec "$@" 2> err`},
	{name: "state directory is a file", prepare: func(_ *testing.T, c *cell) {
		must(os.Remove(c.state))
		must(os.WriteFile(c.state, nil, 0o600))
	}},
	{name: "state directory on a full disk", prepare: fullDisk},
	{name: "log is a device", prepare: func(_ *testing.T, c *cell) {
		must(os.Mkdir(c.state+"/agent-hooks", 0o700))
		must(os.Symlink("/dev/full", c.state+"/agent-hooks/runs.jsonl"))
	}},
	{name: "no HOME", shell: `unset HOME XDG_STATE_HOME; exec "$@"`},
	{name: "HOME is not there", shell: `export HOME=/no/such/home; unset XDG_STATE_HOME; exec "$@"`},
	{name: "HOME is read-only", shell: `export HOME=/proc/self; unset XDG_STATE_HOME; exec "$@"`},
	{name: "TMPDIR is not there", shell: `export TMPDIR=/no/such/tmp; exec "$@"`},
	{name: "no environment but PATH", shell: `exec env -i PATH="$PATH" GORACE="$GORACE" CLAUDE_PROJECT_DIR="$CLAUDE_PROJECT_DIR" "$@"`},
	{name: "current directory removed", shell: `mkdir here; cd here; rmdir ../here; exec "$@"`},
	{name: "signals ignored", shell: `trap "" INT TERM HUP PIPE QUIT CHLD; exec "$@"`},
	{name: "few descriptors", shell: `ulimit -n 24; exec "$@"`},
	{name: "big event", prepare: func(_ *testing.T, c *cell) { c.stdin = bigEvent() }},
	{name: "stdin is a file", prepare: stdinFile},
	{name: "stdin is never closed", prepare: func(t *testing.T, c *cell) { c.stdin, _ = openStdin(t, `{"tool_name": "Shell", "tool_input": {}}`) }},
}

// TestCallerFaults checks that a fault in the caller's streams, disk, limits or environment does not
// weaken a block (D31, D33).
func TestCallerFaults(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	manyAtOnce(t, func(start func(string, func(*testing.T))) {
		for _, f := range callerFaults {
			for _, hook := range []struct {
				name, script, policy string
				status               int
			}{
				{"blocks", "exit 2", "allow", 2},
				{"fails closed", "exit 3", "deny", 2},
				{"lets through", "cat > /dev/null", "deny", 0},
				{"fails open", "exit 3", "allow", 0},
			} {
				start(f.name+"/"+hook.name, func(t *testing.T) {
					f.test(t, hook.script, hook.policy, hook.status)
				})
			}
		}
	})
}

func (f callerFault) test(t *testing.T, script, policy string, want int) {
	c := newCell(t)
	c.addHook(t, "guard", "#!/bin/sh\n"+script+"\n", "metadata:\n  on-failure: "+policy+"\n")
	c.addHook(t, "later", "#!/bin/sh\nexit 0\n", "async: true\n")
	if f.prepare != nil {
		f.prepare(t, c)
	}
	args := []string{"agent-hooks", "run", "pre-tool-call"}
	if f.shell != "" {
		args = append([]string{"sh", "-c", f.shell, "sh"}, args...)
	}
	r := c.caged(t, cageOrder{}, args...)
	if r.Status != want {
		t.Errorf("exit status %d, signal %d, want %d: %s", r.Status, r.Signal, want, cut(r.stderr))
	}
	if r.Took > slack.Seconds() {
		t.Errorf("took %.3f s", r.Took)
	}
	if len(r.Left)+len(r.Unreaped) > 0 {
		t.Errorf("left: %q, zombies %q", r.Left, r.Unreaped)
	}
	if entries, err := os.ReadDir(c.temp); len(entries) > 0 || err != nil {
		t.Errorf("left: %v %v", entries, err)
	}
}

// noReader returns a pipe without a reader.
func noReader(t *testing.T) *os.File {
	r, w, err := os.Pipe()
	must(err)
	must(r.Close())
	t.Cleanup(func() { w.Close() })
	return w
}

// openStdin returns a pipe that contains text and stays open.
func openStdin(t *testing.T, text string) (io.Reader, *os.File) {
	r, w, err := os.Pipe()
	must(err)
	t.Cleanup(func() { r.Close(); w.Close() })
	_, err = w.WriteString(text)
	must(err)
	return r, w
}

func stdinFile(t *testing.T, c *cell) {
	writeEventFile(t, c, `{"tool_name": "Shell", "tool_input": {}}`+strings.Repeat("\n", 100_000))
}

// stdinFile makes stdin a file.
func writeEventFile(t *testing.T, c *cell, text string) {
	must(os.WriteFile(c.dir+"/event", []byte(text), 0o600))
	f, err := os.Open(c.dir + "/event")
	must(err)
	t.Cleanup(func() { f.Close() })
	c.stdin = f
}

// fullDisk puts the state directory on a full file system.
func fullDisk(t *testing.T, c *cell) {
	if err := syscall.Mount("tmpfs", c.state, "tmpfs", 0, "size=4k"); err != nil {
		t.Skipf("a file system cannot be mounted: %v", err)
	}
	t.Cleanup(func() { must(syscall.Unmount(c.state, syscall.MNT_DETACH)) })
	must(os.WriteFile(c.state+"/filler", make([]byte, 4096), 0o600))
}

// TestStdinFaults checks that input that is not an event runs no hooks and is an error (D20).
// TestReadEventStalls covers the two that stall with a shorter limit.
func TestStdinFaults(t *testing.T) {
	testenv.Long(t)
	manyAtOnce(t, func(start func(string, func(*testing.T))) {
		for _, f := range []struct {
			name, text, message string
			open                bool
		}{
			{"stalls inside the object", `{"tool_name": "Shell", `, "no data arrived for 10s", true},
			{"stalls before the object", "  ", "no data arrived for 10s", true},
			{"ends inside the object", `{"tool_name": "Shell", `, "before its closing brace", false},
			{"is empty", "", "stdin is empty", false},
			{"is no object", "[]", "not a JSON object", false},
		} {
			for _, policy := range []string{"allow", "deny"} {
				start(f.name+"/"+policy, func(t *testing.T) {
					c := newCell(t)
					c.addHook(t, "guard", "#!/bin/sh\nexit 2\n", "metadata:\n  on-failure: "+policy+"\n")
					c.stdin = strings.NewReader(f.text)
					if f.open {
						c.stdin, _ = openStdin(t, f.text)
					}
					r := c.caged(t, cageOrder{}, "agent-hooks", "run", "pre-tool-call")
					if r.Status != 1 || !strings.Contains(r.stderr, f.message) || r.Took > 10+slack.Seconds() {
						t.Errorf("exit status %d after %.3f s: %s", r.Status, r.Took, r.stderr)
					}
				})
			}
		}
	})
}

// TestAnswerCannotBeWritten checks that an answer that does not reach the caller is an error.
func TestAnswerCannotBeWritten(t *testing.T) {
	for _, redirection := range []string{">&-", "> /dev/full"} {
		c := newCell(t)
		c.addHook(t, "guard", "#!/bin/sh\necho '{\"decision\": \"ask\"}'\n", "")
		r := c.caged(t, cageOrder{}, "sh", "-c", "exec agent-hooks run pre-tool-call "+redirection)
		want := 1
		if redirection == ">&-" {
			want = 0 // Go opens /dev/null in its place
		}
		if r.Status != want {
			t.Errorf("%s: exit status %d: %s", redirection, r.Status, r.stderr)
		}
	}
}

// TestFewDescriptors checks that there is a block or a message if there are too few descriptors to
// find or start a hook.
func TestFewDescriptors(t *testing.T) {
	testenv.Long(t)
	manyAtOnce(t, func(start func(string, func(*testing.T))) {
		for n := 3; n < 24; n++ {
			start(fmt.Sprint(n), func(t *testing.T) {
				c := newCell(t)
				c.addHook(t, "guard", "#!/bin/sh\nexit 2\n", "metadata:\n  on-failure: deny\n")
				r := c.caged(t, cageOrder{}, "sh", "-c", fmt.Sprintf("ulimit -n %d; exec agent-hooks run pre-tool-call", n))
				if r.Status != 2 && r.stderr == "" {
					t.Errorf("exit status %d, signal %d, and no message", r.Status, r.Signal)
				}
				t.Logf("exit status %d, signal %d: %s", r.Status, r.Signal, cut(r.stderr))
			})
		}
	})
}
