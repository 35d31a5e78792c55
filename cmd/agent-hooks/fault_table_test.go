//go:build linux

package main

import (
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
)

// fault is one failure of a hook, and its required result.
type fault struct {
	name     string
	script   string // the entry point, as lines of sh
	file     string // the whole entry point instead
	front    string // lines of the front matter
	metadata string // lines of its metadata
	timeout  int    // ms; 0 if the hook ends by itself
	event    func() io.Reader
	prepare  func(*testing.T, *cell)

	outcome string // in the run log
	cause   string // a part of the message
	logged  string // the cause in the run log, which must not quote the hook (D33)
	early   bool   // found before a process starts
	stays   int    // number of processes that must remain (D35)
	only    string // sync or async, if the other has another result
	escapes int    // number of further processes that may remain, because the hook detached them (D34)
}

func (f fault) failed() bool { return f.outcome == "failure" || f.outcome == "timeout" }

func (f fault) entry() string {
	if f.script == "" {
		return f.file
	}
	return "#!/bin/sh\n" + f.script + "\n"
}

// bigEvent is larger than any pipe's buffer.
func bigEvent() io.Reader {
	return io.MultiReader(
		strings.NewReader(`{"tool_name": "Shell", "tool_input": {"command": "`),
		strings.NewReader(strings.Repeat("x", 4<<20)),
		strings.NewReader(`"}}`))
}

func faults() []fault {
	var all []fault
	for _, list := range [][]fault{statusFaults, timeFaults, processFaults, outputFaults, answerFaults(), startFaults, changeFaults, fileFaults} {
		all = append(all, list...)
	}
	return all
}

var statusFaults = []fault{
	{name: "status 1", script: "exit 1", outcome: "failure", cause: "exit status 1"},
	{name: "status 3 and a message", script: "echo boom >&2; exit 3", outcome: "failure", cause: "exit status 3: boom", logged: "exit status 3"},
	{name: "status 126", script: "exit 126", outcome: "failure", cause: "exit status 126"},
	{name: "status 127", script: "no-such-command", outcome: "failure", cause: "exit status 127"},
	{name: "status 255", script: "exit 255", outcome: "failure", cause: "exit status 255"},
	{name: "SIGKILL", script: "kill -KILL $$", outcome: "failure", cause: "killed by SIGKILL"},
	{name: "SIGSEGV", script: "kill -SEGV $$", outcome: "failure", cause: "killed by SIGSEGV"},
	{name: "SIGTERM", script: "kill -TERM $$", outcome: "failure", cause: "killed by SIGTERM"},
	{name: "signal without a name", script: "kill -40 $$", outcome: "failure", cause: "killed by signal 40"},
	{name: "retries that all fail", script: "echo x >> tries; exit 4", metadata: "  retry: 2\n", outcome: "failure", cause: "exit status 4"},
	{name: "retries that end with the time", script: "[ ! -e tried ] || exec sleep 60; > tried; exit 4", metadata: "  retry: 5\n", timeout: 1000, outcome: "timeout", cause: "timeout after 1000 ms"},
	{name: "retries after bad answers", script: "echo x >> tries; [ $(wc -l < tries) -ge 3 ] || echo '{'", metadata: "  retry: 2\n", outcome: "none"},
	{name: "a block", script: "echo why >&2; exit 2", outcome: "deny", cause: "why"},
	{name: "no fault", script: "cat > /dev/null", outcome: "none"},
}

var timeFaults = []fault{
	{name: "sleep", script: "exec sleep 60", timeout: 200, outcome: "timeout", cause: "timeout after 200 ms"},
	{name: "sleep in a child", script: "sleep 60; exit 2", timeout: 200, outcome: "timeout", cause: "timeout after 200 ms"},
	{name: "SIGTERM ignored", script: `trap "" TERM; while :; do sleep 0.1; done`, timeout: 300, outcome: "timeout", cause: "timeout after 300 ms"},
	{name: "SIGTERM answered by a block", script: `trap "exit 2" TERM; while :; do sleep 0.1; done`, timeout: 300, outcome: "timeout", cause: "timeout after 300 ms"},
	{name: "stops itself", script: "kill -STOP $$", timeout: 300, outcome: "timeout", cause: "timeout after 300 ms"},
	{name: "stops its group", script: "sleep 60 & kill -STOP 0", timeout: 300, outcome: "timeout", cause: "timeout after 300 ms"},
	{name: "half an answer, then sleep", script: `printf '{"decision": "al'; exec sleep 60`, timeout: 300, outcome: "timeout", cause: "timeout after 300 ms"},
	{name: "a whole answer, then sleep", script: `printf '{"decision": "allow"}'; exec sleep 60`, timeout: 300, outcome: "timeout", cause: "timeout after 300 ms"},
	{name: "all descriptors closed, then sleep", script: "exec <&- >&- 2>&-; exec sleep 60", timeout: 300, outcome: "timeout", cause: "timeout after 300 ms"},
	{name: "big event never read, then sleep", script: "exec sleep 60", event: bigEvent, timeout: 300, outcome: "timeout", cause: "timeout after 300 ms"},
	{name: "waits for more input", script: "cat > /dev/null; cat /dev/fd/0; read x < fifo", prepare: makeFIFO, timeout: 300, outcome: "timeout", cause: "timeout after 300 ms"},
	{name: "stdout flooded", script: "exec yes", timeout: 300, outcome: "timeout", cause: "timeout after 300 ms"},
	{name: "stderr flooded", script: "exec yes >&2", timeout: 300, outcome: "timeout", cause: "timeout after 300 ms"},
	{name: "both flooded", script: "yes >&2 & exec yes", timeout: 300, outcome: "timeout", cause: "timeout after 300 ms"},
	{name: "both flooded, SIGTERM ignored", script: `trap "" TERM; yes >&2 & exec yes`, timeout: 300, outcome: "timeout", cause: "timeout after 300 ms"},
}

// inSession starts sleep in a new session, and continues once it has started.
const inSession = "fault-hook session sh -c '> there; exec sleep 60' & while [ ! -e there ]; do sleep 0.01; done; "

// inGroup does the same with a new group.
const inGroup = "fault-hook group sh -c '> there; exec sleep 60' & while [ ! -e there ]; do sleep 0.01; done; "

var processFaults = []fault{
	{name: "child holds the pipes", script: "sleep 60 & exit 0", outcome: "none", stays: 1},
	{name: "child holds the pipes after a failure", script: "sleep 60 & exit 3", outcome: "failure", cause: "exit status 3", stays: 1},
	{name: "child holds the pipes after half an answer", script: "sleep 60 & printf '{'", outcome: "failure", cause: "bad answer", stays: 1},
	{name: "child floods the pipes after a block", script: "yes & exit 2", outcome: "deny", cause: "blocked by hook guard"},
	{name: "grandchild holds the pipes", script: "(sleep 60 &); exit 0", outcome: "none", stays: 1},
	{name: "child until the timeout", script: "sleep 60 & wait", timeout: 300, outcome: "timeout", cause: "timeout after 300 ms"},
	{name: "deaf child until the timeout", script: `(trap "" TERM; while :; do sleep 0.1; done) & wait`, timeout: 300, outcome: "timeout", cause: "timeout after 300 ms"},
	{name: "session left", script: inSession + "exit 0", outcome: "none", stays: 1},
	{name: "session left until the timeout", script: inSession + "exec sleep 60", timeout: 1000, outcome: "timeout", cause: "timeout after 1000 ms", escapes: 1},
	{name: "group left", script: inGroup + "exit 0", outcome: "none", stays: 1},
	{name: "group left until the timeout", script: inGroup + "exec sleep 60", timeout: 1000, outcome: "timeout", cause: "timeout after 1000 ms"},
	{name: "fifty children", script: "for i in 0 1 2 3 4; do for j in 0 1 2 3 4 5 6 7 8 9; do sleep 60 & done; done; wait", timeout: 500, outcome: "timeout", cause: "timeout after 500 ms"},
	{name: "zombies", script: "for i in 0 1 2 3 4; do true & done; exec sleep 60", timeout: 300, outcome: "timeout", cause: "timeout after 300 ms"},
	{name: "zombies left", script: "for i in 0 1 2 3 4; do true & done; exec sh -c 'exit 5'", outcome: "failure", cause: "exit status 5"},
	{name: "descriptors inherited", script: `for fd in /proc/$$/fd/*; do case ${fd##*/} in [0-3]|10) ;; *) exit 9 ;; esac; done`, outcome: "none"},
}

var outputFaults = []fault{
	{name: "stdout above its limit", script: "head -c 3000000 /dev/zero", only: "sync", outcome: "failure", cause: "stdout is above its limit"},
	{name: "stdout above the kept amount", script: "head -c 3000000 /dev/zero", only: "async", outcome: "none"},
	{name: "stderr above its limit", script: "head -c 3000000 /dev/zero >&2", outcome: "none"},
	{name: "stderr above its limit, failure", script: "head -c 3000000 /dev/zero >&2; exit 7", outcome: "failure", cause: "exit status 7"},
	{name: "stderr above its limit, block", script: "head -c 3000000 /dev/zero | tr '\\0' x >&2; exit 2", outcome: "deny", cause: "xxxx"},
	{name: "stdout closed", script: "exec >&-; exit 6", outcome: "failure", cause: "exit status 6"},
	{name: "all descriptors closed", script: "exec <&- >&- 2>&-", outcome: "none"},
	{name: "big event never read", script: "exit 0", event: bigEvent, outcome: "none"},
	{name: "big event half read", script: "head -c 100000 > /dev/null", event: bigEvent, outcome: "none"},
	{name: "stdin closed early", script: "exec <&-; exit 0", event: bigEvent, outcome: "none"},
	{name: "stdin closed early, failure", script: "exec <&-; exit 8", event: bigEvent, outcome: "failure", cause: "exit status 8"},
	{name: "big event read", script: "[ $(wc -c) -gt 4194304 ]", event: bigEvent, outcome: "none"},
}

// answerFaults are bad answers at exit status 0 (D25).
func answerFaults() []fault {
	var all []fault
	for _, a := range []struct{ name, answer, cause, logged string }{
		{"unknown decision", `{"decision": "perhaps"}`, `unknown decision "perhaps"`, "bad answer: unknown decision"},
		{"decision of a wrong case", `{"decision": "Deny"}`, "unknown decision", ""},
		{"decision of a wrong type", `{"decision": 1}`, "bad answer", ""},
		{"reason of a wrong type", `{"reason": ["x"]}`, "bad answer", ""},
		{"input of a wrong type", `{"modified_input": "rm"}`, "bad answer", ""},
		{"continue of a wrong type", `{"continue": "no"}`, "bad answer", ""},
		{"half an object", `{"decision": "allow"`, "bad answer", ""},
		{"trailing comma", `{"decision": "allow",}`, "bad answer", ""},
		{"no JSON", `{decision: deny}`, "bad answer", ""},
	} {
		all = append(all, fault{name: "answer: " + a.name, script: "cat <<'EOF'\n" + a.answer + "\nEOF", outcome: "failure", cause: a.cause, logged: a.logged})
	}
	for name, answer := range map[string]string{ // restrictions count (D25)
		"another system's answer":     `{"hookSpecificOutput": {"permissionDecision": "deny"}}`,
		"another system's permission": `{"permission": "deny"}`,
	} {
		all = append(all, fault{name: "answer: " + name, script: "cat <<'EOF'\n" + answer + "\nEOF", outcome: "deny", cause: "blocked by hook guard"})
	}
	return all
}

var startFaults = []fault{
	{name: "interpreter missing", file: "#!/no/such/interpreter\n", outcome: "failure", cause: `"/no/such/interpreter"`},
	{name: "CRLF", file: "#!/bin/sh\r\nexit 0\r\n", outcome: "failure", cause: "CRLF", early: true},
	{name: "no #!", file: "exit 2\n", outcome: "deny", cause: "blocked by hook guard"},
	{name: "empty", file: " ", outcome: "failure", cause: "no #! line"},
	{name: "damaged program", file: "\x7fELF\x00\x00\x00", outcome: "failure", cause: "not a program for this system"},
	{name: "interpreter is a directory", file: "#!/tmp\n", outcome: "failure", cause: `"/tmp"`},
	{name: "execute bit lost", script: "exit 2", prepare: chmod("/scripts/run", 0o644), outcome: "deny", cause: "blocked by hook guard"},
	{name: "text busy", script: "exit 2", prepare: holdOpen, outcome: "failure", cause: "text file busy"},
	{name: "entry point missing", outcome: "failure", cause: "has no run, run.sh or run.py", early: true},
	{name: "entry point is a directory", prepare: func(_ *testing.T, c *cell) { must(os.Mkdir(c.guard("/scripts/run"), 0o755)) }, outcome: "failure", cause: "scripts/run", early: true},
	{name: "entry point is a FIFO", prepare: func(_ *testing.T, c *cell) { must(syscall.Mkfifo(c.guard("/scripts/run"), 0o755)) }, outcome: "failure", cause: "scripts/run", early: true},
	{name: "entry point is a dangling link", prepare: func(_ *testing.T, c *cell) { must(os.Symlink("nowhere", c.guard("/scripts/run"))) }, outcome: "failure", cause: "scripts/run", early: true},
	{name: "working directory removed", script: "exit 0", prepare: removeWorkDir, outcome: "failure", cause: "working directory"},
	{name: "hook removed before its start", script: "exit 0", prepare: earlier(`rm -rf .agents/hooks/guard/scripts`), outcome: "failure", cause: "does not exist"},
}

var changeFaults = []fault{
	{name: "entry point removes itself", script: `rm -f "$0"; exit 0`, outcome: "none"},
	{name: "entry point removes itself and fails", script: `rm -f "$0"; exit 3`, outcome: "failure", cause: "exit status 3"},
	{name: "hook removes itself", script: `rm -rf "$AGENT_HOOKS_HOOK_DIR"; exit 3`, outcome: "failure", cause: "exit status 3"},
	{name: "hook removes its working directory", script: `mkdir w; cd w; rmdir ../w; exit 3`, outcome: "failure", cause: "exit status 3"},
	{name: "hook is changed by itself", script: `echo 'exit 0' > "$0"; exit 3`, outcome: "failure", cause: ""},
}

var fileFaults = []fault{
	{name: "no description", script: "exit 0", prepare: editManifest("description: A hook of a test.\n", ""), outcome: "none"},
	{name: "name of a wrong type", script: "exit 0", prepare: editManifest("name: guard", "name: [guard]"), outcome: "none"},
	{name: "trigger twice", script: "exit 0", front: "trigger: pre-tool-call\n", outcome: "failure", cause: "invalid hook", early: true},
	{name: "matcher of a wrong type", script: "exit 0", front: "matcher: [x]\n", outcome: "failure", cause: "invalid hook", early: true},
	{name: "pattern does not compile", script: "exit 0", front: "matcher:\n  pattern: (\n", outcome: "failure", cause: "invalid hook", early: true},
	{name: "pattern without end", script: "exit 2", front: "matcher:\n  pattern: ^(?=(a+)+$)\n", event: backtracking, outcome: "deny", cause: "blocked by hook guard"},
	{name: "folder for all to write", script: "exit 0", prepare: chmod("", 0o777), outcome: "failure", cause: "refused", early: true},
	{name: "entry point for all to write", script: "exit 0", prepare: chmod("/scripts/run", 0o777), outcome: "failure", cause: "refused", early: true},
	{name: "manifest for all to write", script: "exit 0", prepare: chmod("/HOOK.md", 0o666), outcome: "failure", cause: "refused", early: true},
}
