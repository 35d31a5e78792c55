package cases

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
)

// outcome formats a result: its status, and each mismatch.
func outcome(r *Result) string {
	lines := []string{string(r.Status)}
	if r.Problem != "" {
		lines = append(lines, r.Problem)
	}
	for _, m := range r.Mismatches {
		lines = append(lines, fmt.Sprintf("%s: %s / %s", m.What, m.Expected, m.Got))
	}
	return strings.Join(lines, "\n")
}

func TestExpectations(t *testing.T) {
	const ask = `echo '{"decision": "ask", "reason": "sure?", "additional_context": "more", "system_message": "hi"}'`
	const modify = `echo '{"modified_input": {"command": "ls", "n": 1}}'`
	for _, test := range []struct{ script, expect, want string }{
		{"echo no >&2; exit 2", "{decision: deny, exit: 2, reason: '^no$', modified_input: null, context: null}", "pass"},
		{"echo no >&2; exit 2", "{decision: none, exit: 0, reason: null}", "fail\nexit: 0 / 2\ndecision: none / deny\nreason: none / \"no\""},
		{"exit 0", "{}", "pass"},
		{"exit 0", "{decision: none, exit: 0, reason: null, failure: null, message: null}", "pass"},
		{"exit 0", "{reason: x}", `fail` + "\n" + `reason: matches "x" / none`},
		{ask, "{decision: ask, reason: sure, context: more, message: hi}", "pass"},
		{ask, "{decision: allow, reason: no, context: no, message: null}",
			"fail\ndecision: allow / ask\nreason: matches \"no\" / \"sure?\"\ncontext: matches \"no\" / \"more\"\nmessage: none / \"hi\""},
		{modify, "{modified_input: {n: 1.0, command: ls}}", "pass"},
		{modify, "{modified_input: {command: ls}}", `fail` + "\n" + `modified_input: {"command": "ls"} / {"command": "ls", "n": 1}`},
		{modify, "{modified_input: null}", `fail` + "\n" + `modified_input: none / {"command": "ls", "n": 1}`},
		{"exit 0", "{modified_input: {command: ls}}", `fail` + "\n" + `modified_input: {"command": "ls"} / none`},
		{"exit 3", "{}", "fail\nfailure: none / \"exit status 3\""},
		{"exit 3", "{failure: 'status 3', exit: 3, decision: none}", "pass"},
		{"exit 3", "{failure: 'status 4'}", "fail\nfailure: matches \"status 4\" / \"exit status 3\""},
		{"exit 0", "{failure: timeout}", "fail\nfailure: matches \"timeout\" / none"},
		{"kill -9 $$", "{failure: SIGKILL, exit: null}", "pass"},
		{"kill -9 $$", "{failure: SIGKILL, exit: 9}", "fail\nexit: 9 / none"},
		{"exit 0", "{fires: false}", "fail\nfires: false / true"},
		{"sleep 0.05", "{max_ms: 1}", "fail\nmax_ms: at most 1 / "},
		{"echo hello > out; ln -s /etc/hostname link; mkdir d; echo x > d/1.txt", "{files: {out: '^hello$', 'd/*.txt': x, none: null}}", "pass"},
		{"echo hello > out", "{files: {out: bye}}", "fail\nfiles out: matches \"bye\" / \"hello\\n\""},
		{"echo hello > out", "{files: {out: null}}", "fail\nfiles out: no such file / out"},
		{"exit 0", "{files: {out: x, 'o*': y}}", "fail\nfiles out: matches \"x\" / no such file\nfiles o*: matches \"y\" / no such file"},
		{"ln -s /etc/passwd link", "{files: {link: root}}", "fail\nfiles link: matches \"root\" / "},
		{"mkfifo pipe", "{files: {pipe: x}}", "fail\nfiles pipe: matches \"x\" / not a regular file"},
		{"yes | head -c 100000 | tr -d '\\n' > out", "{reason: null, files: {out: '(y+)+$x'}}", "fail\nfiles out: matches \"(y+)+$x\" / "},
	} {
		r := one(t, onTool, test.script+"\n", "expect: "+test.expect)
		if got := outcome(r); got != test.want && !strings.HasPrefix(got, test.want) || test.want == "pass" && got != "pass" {
			t.Errorf("%s with %s\n got %s\nwant %s", test.script, test.expect, got, test.want)
		}
	}
}

func TestCaseWithoutExpectation(t *testing.T) {
	if got := outcome(one(t, onTool, "exit 0\n", "sample: rm-rf")); !strings.HasPrefix(got, "fail\nexpect: ") {
		t.Errorf("got %s", got)
	}
}

func TestPassedOver(t *testing.T) {
	for _, test := range []struct{ front, event, want string }{
		{"trigger: pre-tool-call\nmatcher: {tool: Write}\n", "event: {tool_name: Bash, tool_input: {}}", `matcher.tool "Write" is not found in Bash, Shell`},
		{"trigger: pre-tool-call\nmatcher: {pattern: rm}\n", "event: {tool_name: Bash, tool_input: {command: ls}}", `matcher.pattern "rm" is not found in {"command": "ls"}`},
		{"trigger: pre-session\n", "sample: rm-rf", "its trigger is pre-session, not pre-tool-call"},
	} {
		if got := outcome(one(t, test.front, "exit 2\n", test.event+"\nexpect: {fires: false}")); got != "pass" {
			t.Errorf("%s: %s", test.event, got)
		}
		if got, want := outcome(one(t, test.front, "exit 2\n", test.event+"\nexpect: {}")), "fail\nfires: true / false: "+test.want; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestScratch checks the hook's environment: the files, the results of the setup, the
// variables, and nothing of the caller's.
func TestScratch(t *testing.T) {
	t.Setenv("OUTER", "outer")
	t.Setenv("GONE", "gone")
	t.Setenv("GIT_DIR", "/elsewhere")
	r := one(t, onTool, `cat > event; cat tool; ls; echo "$HOME $PWD $A $OUTER [$GONE$GIT_DIR] $(cat made)"`, `
event:
  tool_name: Bash
  tool_input: {path: "{{work_dir}}/a", home: "{{home}}"}
  cwd: /home/dev/project
  work_dir: "{{work_dir}}/sub"
  workspace_roots: [/home/dev/project]
files:
  sub/x: "at {{work_dir}}"
  tool: "#!/bin/sh\n"
setup: |
  test -x tool && test -d sub
  echo made by setup in $PWD > sub/made
  git init -q sub 2>/dev/null || true
  cp tool sub
env: {A: "in {{work_dir}}", GONE: null, HOME: "{{work_dir}}/h"}
expect:
  files:
    sub/event: '"path": "{{work_dir}}'
`)
	if r.Hook == nil {
		t.Fatal(outcome(r))
	}
	work := r.scratch.Work
	wants := []string{
		"event\nmade\ntool\nx\n",
		fmt.Sprintf("%s/h %s/sub in %s outer [] made by setup in %s", work, work, work, work),
	}
	for _, want := range wants {
		if !strings.Contains(r.Hook.Stdout, want) {
			t.Errorf("stdout %q has no %q", r.Hook.Stdout, want)
		}
	}
	got := r.Mismatches[0].Got
	for _, want := range []string{`\"cwd\": \"` + work + `\"`, `\"workspace_roots\": [\"` + work + `\"]`, `\"work_dir\": \"` + work + `/sub\"`, `\"path\": \"` + work + `/a\"`} {
		if !strings.Contains(got, want) {
			t.Errorf("the event %s has no %s", got, want)
		}
	}
	if _, err := os.Stat(work); !os.IsNotExist(err) {
		t.Errorf("the work dir is left over: %v", err)
	}
}

func TestBrokenSetup(t *testing.T) {
	for text, want := range map[string]string{
		"setup: 'echo why >&2; exit 4'": "broken\nsetup: exit status 4: why",
		"setup: 'false\n\n  true'":      "broken\nsetup: exit status 1",
		"files: {a: x, a/b: y}":         "broken\nfiles: ",
		"expect: {nothing: 1}":          "broken",
		"setup: 'kill -9 $$'":           "broken\nsetup: exit status -1",
	} {
		if !strings.Contains(text, "expect") {
			text += "\nexpect: {}"
		}
		if got := outcome(one(t, onTool, "exit 0\n", text)); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestAsyncAndOtherStates(t *testing.T) {
	if got := outcome(one(t, onTool+"async: true\n", "echo '{\"decision\": \"deny\"}'\n", "expect: {decision: deny}")); got != "pass" {
		t.Error(got)
	}
	needsShell(t)
	for state, want := range map[discovery.State]Status{
		discovery.Disabled: Passed, discovery.Overridden: Passed, discovery.Invalid: Failed, discovery.Untrusted: Failed,
	} {
		h := hookWith(t, onTool, "exit 2\n", map[string]string{"tests/a.yaml": "expect: {decision: deny}"})
		h.State, h.Cause = state, "because"
		all, _ := Read(h)
		if r := all[0].Run(context.Background(), os.Environ()); r.Status != want {
			t.Errorf("%s: %s", state, outcome(r))
		}
		if h.State != state {
			t.Errorf("the hook was changed to %s", h.State)
		}
	}
}

func TestTimeout(t *testing.T) {
	r := one(t, onTool+"timeout: 200\n", "sleep 60\n", "expect: {failure: '^timeout after 200 ms', exit: null}")
	if got := outcome(r); got != "pass" {
		t.Error(got)
	}
}

func TestOutputIsCut(t *testing.T) {
	r := one(t, onTool, "yes | head -c 500000 >&2; exit 2\n", "expect: {decision: none}")
	if r.Hook == nil || len(r.Hook.Stderr) != maxShown || r.Hook.Dropped != 500000-maxShown || r.Decision() != "deny" || r.Hook.Answer.Empty() {
		t.Errorf("%+v", r.Hook)
	}
}

func TestRunAllKeepsTheOrder(t *testing.T) {
	needsShell(t)
	files := map[string]string{}
	var want []string
	for i := range 12 {
		name := fmt.Sprintf("%02d", i)
		want = append(want, name)
		files["tests/"+name+".yaml"] = fmt.Sprintf("event: {tool_name: x, tool_input: {ms: %d}}\nexpect: {}", (12-i)%4)
	}
	h := hookWith(t, onTool, "sleep 0.0$(sed 's/.*\"ms\": //; s/[^0-9].*//')\n", files)
	all, _ := Read(h)
	var got []string
	for r := range RunAll(context.Background(), all, os.Environ(), 4) {
		if r.Status != Passed {
			t.Error(outcome(r))
		}
		got = append(got, r.Case.Name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	for range RunAll(context.Background(), nil, nil, 4) {
		t.Error("got a result without input")
	}
}

func TestStopped(t *testing.T) {
	needsShell(t)
	dir := t.TempDir()
	started := filepath.Join(dir, "started")
	h := hookWith(t, onTool, "echo $$ > "+started+"; sleep 300\n", map[string]string{"tests/a.yaml": "expect: {}", "tests/b.yaml": "expect: {}"})
	all, _ := Read(h)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for {
			if _, err := os.Stat(started); err == nil {
				cancel()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	var got []Status
	for r := range RunAll(ctx, all, os.Environ(), 1) {
		got = append(got, r.Status)
		if _, err := os.Stat(r.scratch.Work); r.scratch.Work != "" && !os.IsNotExist(err) {
			t.Errorf("%s is left", r.scratch.Work)
		}
	}
	if !slices.Equal(got, []Status{Stopped, Stopped}) {
		t.Errorf("got %q", got)
	}
}
