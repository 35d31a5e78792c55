package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// served is a server and its project.
type served struct {
	*testing.T
	project string
	cmd     *osexec.Cmd
	in      io.WriteCloser
	mu      sync.Mutex
	next    int
	waiting map[int]chan reply
	others  chan reply // notifications, and answers without an id
}

type reply struct {
	ID     *int
	Method string
	Params json.RawMessage
	Result map[string]any
	Error  *struct {
		Code    int
		Message string
	}
}

// newServed starts a server in a new project.
func newServed(t *testing.T, args ...string) *served {
	t.Helper()
	if runtime.GOOS == "windows" && os.Getenv("TEST_SHELL") == "" {
		t.Skip("its hooks need sh")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &served{T: t, project: filepath.Join(root, "project"), waiting: map[int]chan reply{}, others: make(chan reply, 1000)}
	for _, dir := range []string{filepath.Join(root, "home"), filepath.Join(s.project, ".agents", "hooks")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.cmd = osexec.Command("agent-hooks", append([]string{"serve", "--ask", "express", "--modify", "express", "--trust-project"}, args...)...)
	s.cmd.Dir = s.project
	s.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(root, "home"), "XDG_STATE_HOME=" + filepath.Join(root, "state"), "GORACE=" + os.Getenv("GORACE")}
	if runtime.GOOS == "windows" {
		s.cmd.Env = append(s.cmd.Env, "USERPROFILE="+filepath.Join(root, "home"), "SYSTEMROOT="+os.Getenv("SYSTEMROOT"), "TEMP="+os.TempDir(), "PATHEXT="+os.Getenv("PATHEXT"))
	}
	s.cmd.Stderr = os.Stderr
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go s.read(out)
	t.Cleanup(func() { s.in.Close(); _ = s.cmd.Process.Kill(); _ = s.cmd.Wait() })
	return s
}

func (s *served) read(out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r reply
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			s.Errorf("%v: %s", err, lines.Bytes())
			continue
		}
		s.mu.Lock()
		if r.ID == nil || s.waiting[*r.ID] == nil {
			s.others <- r
		} else {
			s.waiting[*r.ID] <- r
			delete(s.waiting, *r.ID)
		}
		s.mu.Unlock()
	}
}

func (s *served) line(text string) {
	if _, err := io.WriteString(s.in, text+"\n"); err != nil {
		s.Errorf("write: %v", err)
	}
}

// send sends a request. Its answer is sent on the channel.
func (s *served) send(method, params string) (id int, answer <-chan reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	to := make(chan reply, 1)
	s.waiting[s.next] = to
	s.line(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, s.next, method, params))
	return s.next, to
}

func (s *served) call(method, params string) reply {
	s.Helper()
	_, answer := s.send(method, params)
	return s.await(answer)
}

func (s *served) await(answer <-chan reply) reply {
	s.Helper()
	select {
	case r := <-answer:
		return r
	case <-time.After(time.Minute):
		s.Fatal("no answer within a minute")
		return reply{}
	}
}

// needsPython skips a test whose hooks are in Python where it is not installed.
func (s *served) needsPython() {
	s.Helper()
	if _, err := osexec.LookPath("python3"); err != nil {
		skipOrFail(s.T, "python3 is not installed")
	}
}

// hook writes a hook of pre-tool-call.
func (s *served) hook(name, script string, lines ...string) {
	s.Helper()
	if strings.Contains(script, "python3") {
		s.needsPython()
	}
	front := "---\nname: " + name + "\ndescription: A hook.\ntrigger: pre-tool-call\n" + strings.Join(append(lines, "---\n"), "\n")
	s.hookIn(filepath.Join(s.project, ".agents", "hooks", name), script, front)
}

// userHook writes a hook of the user's.
func (s *served) userHook(name, script string, lines ...string) {
	s.Helper()
	front := "---\nname: " + name + "\ndescription: A hook.\ntrigger: pre-tool-call\n" + strings.Join(append(lines, "---\n"), "\n")
	s.hookIn(filepath.Join(filepath.Dir(s.project), "home", ".config", "agents", "hooks", name), script, front)
}

func (s *served) hookIn(dir, script, front string) {
	s.Helper()
	s.write(filepath.Join(dir, "HOOK.md"), front, 0o644)
	s.write(filepath.Join(dir, "scripts", "run"), "#!/bin/sh\n"+script+"\n", 0o755)
}

func (s *served) write(path, text string, mode os.FileMode) {
	s.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		s.Fatal(err)
	}
}

const serveCall = `{"event":"pre-tool-call","input":{"tool_name":"bash","tool_input":{"command":"ls"}}}`

// settled is the time after which unchanged files are not read again.
const settled = 2500 * time.Millisecond

// TestServeIsNeverStale changes hooks and hooks.toml between requests: each
// request uses them as they are on disk, even within the resolution of the file
// system's times.
func TestServeIsNeverStale(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.hook("guard", "exit 2", "matcher: {tool: Shell, pattern: AA}")
	toml := filepath.Join(s.project, ".agents", "hooks.toml")
	expect := func(what string, blocked bool) {
		t.Helper()
		if r := s.call("hooks.run", serveCall); r.Result["blocked"] != blocked {
			t.Errorf("%s: %+v", what, r)
		}
	}
	expect("no match", false)
	for range 20 { // the same size, at once
		s.hook("guard", "exit 2", "matcher: {tool: Shell, pattern: ls}")
		expect("matches", true)
		s.hook("guard", "exit 2", "matcher: {tool: Shell, pattern: AA}")
		expect("no match", false)
	}
	s.hook("guard", "exit 2", "matcher: {tool: Shell, pattern: ls}")
	time.Sleep(settled)
	for range 3 {
		expect("remembered", true)
	}
	s.hook("guard", "exit 2", "matcher: {tool: Shell, pattern: AA}")
	expect("rewritten", false)
	s.hook("other", "exit 2")
	expect("added", true)
	s.write(toml, "[[hooks.disable]]\nname = \"other\"\n", 0o644)
	expect("disabled", false)
	if err := os.Remove(toml); err != nil {
		t.Fatal(err)
	}
	expect("enabled", true)
	if err := os.RemoveAll(filepath.Join(s.project, ".agents", "hooks", "other")); err != nil {
		t.Fatal(err)
	}
	expect("removed", false)
}

func TestServeRunsRequestsConcurrently(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.hook("wait", `until [ -e go ]; do sleep 0.01; done; exit 2`, "matcher: {pattern: wait}")
	_, waiting := s.send("hooks.run", strings.Replace(serveCall, "ls", "wait", 1))
	if r := s.call("hooks.run", serveCall); r.Result["blocked"] != false {
		t.Errorf("%+v", r)
	}
	id, canceled := s.send("hooks.run", strings.Replace(serveCall, "ls", "wait", 1))
	s.line(fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/cancel","params":{"id":%d}}`, id))
	if r := s.await(canceled); r.Error == nil || r.Error.Code != -32800 || r.Result != nil {
		t.Errorf("canceled: %+v", r)
	}
	s.write(filepath.Join(s.project, "go"), "", 0o644)
	if r := s.await(waiting); r.Result["blocked"] != true || r.Result["blocked_by"] != "wait" {
		t.Errorf("%+v", r)
	}
}

func TestServeMalformedLines(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	for line, code := range map[string]int{
		`nonsense`:                            -32700,
		`{"jsonrpc":"2.0","id":1,"method":"x`: -32700,
		`{"jsonrpc":"2.0","id":null,"method":"hooks.list","params":{"x":tru}}`: -32700,
		`[]`:      -32600,
		`1`:       -32600,
		`{"a":1}`: -32600,
		`{"jsonrpc":"1.0","id":null,"method":"hooks.list"}`:                                                -32600,
		`{"jsonrpc":"2.0","id":{},"method":"hooks.list"}`:                                                  -32600,
		`{"jsonrpc":"2.0","id":null,"method":"hooks.list","params":1}`:                                     -32600,
		`{"jsonrpc":"2.0","id":null,"method":"hooks.lst"}`:                                                 -32601,
		`{"jsonrpc":"2.0","id":null,"method":"hooks.list","params":[]}`:                                    -32602,
		`{"jsonrpc":"2.0","id":null,"method":"hooks.list","params":{"x":1}}`:                               -32602,
		`{"jsonrpc":"2.0","id":null,"method":"hooks.run","params":{"event":"pre-tol"}}`:                    -32602,
		`{"jsonrpc":"2.0","id":null,"method":"hooks.run","params":{"event":"pre-tool-call"}}`:              -32602,
		`{"jsonrpc":"2.0","id":null,"method":"hooks.run","params":{"event":"pre-tool-call","input":"{}"}}`: -32602,
	} {
		s.line(line)
		if r := s.await(s.others); r.Error == nil || r.Error.Code != code {
			t.Errorf("%s: %+v, want %d", line, r.Error, code)
		}
	}
	if r := s.call("hooks.list", "{}"); r.Error != nil {
		t.Errorf("after them: %+v", r.Error)
	}
}

func TestServeNotifiesOfChanges(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.call("hooks.list", "{}")
	// When the server begins to watch is not known: hooks are added until it reports one.
	for i := range 300 {
		s.hook(fmt.Sprintf("new-%d", i), "exit 0")
		select {
		case r := <-s.others:
			if r.Method == "hooks.changed" && strings.Contains(string(r.Params), `"hook":"new-`) && strings.Contains(string(r.Params), `"scope":"project","change":"added"`) {
				return
			}
		case <-time.After(200 * time.Millisecond):
		}
	}
	t.Fatal("no notification")
}

// TestServeEndsWithItsInput checks that hooks that would run for long also end.
func TestServeEndsWithItsInput(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.hook("long", "echo $$ > pid; exec sleep 300", "timeout: 600000")
	_, answer := s.send("hooks.run", serveCall)
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if b, _ := os.ReadFile(filepath.Join(s.project, "pid")); strings.HasSuffix(string(b), "\n") {
			break
		}
	}
	s.in.Close()
	if r := s.await(answer); r.Error == nil || r.Error.Code != -32800 {
		t.Errorf("%+v", r)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Error(err)
	}
	pid, _ := os.ReadFile(filepath.Join(s.project, "pid"))
	if err := osexec.Command("kill", "-0", strings.TrimSpace(string(pid))).Run(); err == nil {
		t.Error("the hook is still running")
	}
}

// TestServeHonorsTrust checks that the user's hooks.toml can require trust.
func TestServeHonorsTrust(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.hook("guard", "exit 2")
	if r := s.call("hooks.run", serveCall); r.Result["blocked"] != true {
		t.Errorf("%+v", r)
	}
	s.write(filepath.Join(s.project, "..", "home", ".config", "agents", "hooks.toml"), "[hooks]\nrequire-trust = true\n", 0o644)
	time.Sleep(settled)
	for range 2 {
		if r := s.call("hooks.run", serveCall); r.Result["blocked"] != false || !strings.Contains(fmt.Sprint(r.Result["warnings"]), "not trusted") {
			t.Errorf("not trusted: %+v", r)
		}
	}
	if out, status := s.run("", "trust", "--yes"); status != 0 {
		t.Fatalf("%d %s", status, out)
	}
	if r := s.call("hooks.run", serveCall); r.Result["blocked"] != true {
		t.Errorf("trusted: %+v", r)
	}
	if out, status := s.run("", "trust", "--remove"); status != 0 {
		t.Fatalf("%d %s", status, out)
	}
	if r := s.call("hooks.run", serveCall); r.Result["blocked"] != false || !strings.Contains(fmt.Sprint(r.Result["warnings"]), "not trusted") {
		t.Errorf("no longer trusted: %+v", r)
	}
}

// TestServeReplaces checks that a project's hook replaces a user's hook as soon
// as its script can run, although its HOOK.md has not changed (D6).
func TestServeReplaces(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	user := filepath.Join(s.project, "..", "home", ".config", "agents", "hooks", "guard")
	s.write(filepath.Join(user, "HOOK.md"), "---\nname: guard\ndescription: d\ntrigger: pre-tool-call\n---\n", 0o644)
	s.write(filepath.Join(user, "scripts", "run"), "#!/bin/sh\nexit 2\n", 0o755)
	s.hook("guard", "exit 0")
	script := filepath.Join(s.project, ".agents", "hooks", "guard", "scripts", "run")
	if err := os.Remove(script); err != nil {
		t.Fatal(err)
	}
	time.Sleep(settled)
	for range 2 {
		if r := s.call("hooks.run", serveCall); r.Result["blocked"] != true {
			t.Errorf("cannot replace: %+v", r)
		}
	}
	s.write(script, "#!/bin/sh\nexit 0\n", 0o755)
	if r := s.call("hooks.run", serveCall); r.Result["blocked"] != false {
		t.Errorf("replaces: %+v", r)
	}
}

// TestServeHello checks what a client learns from its first request.
func TestServeHello(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	r := s.call("hooks.hello", "{}")
	version, _ := r.Result["version"].(string)
	agents := fmt.Sprint(r.Result["agents"])
	if r.Result["protocol"] != "2.0" || version == "" || !strings.Contains(agents, "claude-code") || !strings.Contains(agents, "picoclaw") {
		t.Errorf("%+v", r)
	}
	if out, status := s.run("", "version"); status != 0 || !strings.Contains(out, version) {
		t.Errorf("version %q, but the program's is %q", version, out)
	}
	if r := s.call("hooks.hello", `{"protocol":"2.0"}`); r.Error == nil || r.Error.Code != -32602 {
		t.Errorf("unknown parameter: %+v", r)
	}
	for _, params := range []string{`{"event":"pre-tool-call","input":{},"input":{"tool_name":"x"}}`, `{"event":"pre-tool-call","event":"pre-agent-turn","input":{}}`} {
		if r := s.call("hooks.run", params); r.Error == nil || r.Error.Code != -32602 {
			t.Errorf("repeated parameter: %+v", r)
		}
	}
}

// TestServeDeadlineOfAllMethods checks that deadline_ms limits the time in which
// each method reads a project's hooks.
func TestServeDeadlineOfAllMethods(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	for method, params := range map[string]string{
		"hooks.run": serveCall, "hooks.plan": serveCall, "hooks.list": "{}", "hooks.prompt": "{}",
	} {
		s := newServed(t) // which has read nothing yet
		for i := range 800 {
			s.hook(fmt.Sprintf("hook-%d", i), "exit 0", "matcher: {tool: Other}") // read, but not run
		}
		limited := strings.Replace(strings.TrimSuffix(params, "}")+`,"deadline_ms":1}`, "{,", "{", 1)
		if r := s.call(method, limited); !strings.Contains(fmt.Sprint(r.Result["warnings"]), "reading it took too long") {
			t.Errorf("%s within 1 ms: %+v, %.300s", method, r.Error, fmt.Sprint(r.Result["warnings"]))
		}
		if r := s.call(method, params); r.Error != nil || strings.Contains(fmt.Sprint(r.Result["warnings"]), "took too long") {
			t.Errorf("%s without a limit: %+v, %.300s", method, r.Error, fmt.Sprint(r.Result["warnings"]))
		}
	}
}

// TestServeFallbacks checks that the server's flags apply to events, as in run: a
// host that cannot ask or change an input must not get such an answer.
func TestServeFallbacks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		flags          []string
		answer         string
		blocked        bool
		decision, hint string
	}{
		{nil, `{"decision":"ask","reason":"sure?"}`, false, "ask", "sure?"},
		{[]string{"--ask", "deny"}, `{"decision":"ask","reason":"sure?"}`, true, "deny", "cannot ask"},
		{[]string{"--ask", "ignore"}, `{"decision":"ask","reason":"sure?"}`, false, "", "--ask=ignore"},
		{nil, `{"modified_input":{"command":"pwd"}}`, false, "", `command:pwd`},
		{[]string{"--modify", "deny"}, `{"modified_input":{"command":"pwd"}}`, true, "deny", "cannot take a changed input"},
		{[]string{"--modify", "ignore"}, `{"modified_input":{"command":"pwd"}}`, false, "", "--modify=ignore"},
	} {
		s := newServed(t, c.flags...)
		s.hook("guard", "echo '"+c.answer+"'")
		r := s.call("hooks.run", serveCall)
		decision, _ := r.Result["decision"].(string)
		if r.Result["blocked"] != c.blocked || decision != c.decision || !strings.Contains(fmt.Sprint(r.Result), c.hint) {
			t.Errorf("%v, %s: %v", c.flags, c.answer, r.Result)
		}
	}
}
