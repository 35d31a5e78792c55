package main

import (
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// faultyGate is a PicoClaw hook that behaves as the command says. It records
// each start.
const faultyGate = `import json, os, sys, time
open("starts", "a").write("%d\n" % os.getpid())
def send(id, result): say(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}))
def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
DENY = {"action": "deny_tool", "reason": "denied"}
held = []
for line in sys.stdin:
    m = json.loads(line)
    id, p = m.get("id"), m["params"]
    command = p.get("arguments", {}).get("command", "")
    if m["method"] == "hook.hello":
        assert p["version"] == 1 and p["name"] == "gate", p
        send(id, {"ok": True, "name": "gate"})
    elif m["method"] == "hook.approve_tool":
        if command == "exit when asked": sys.exit(3)
        if command == "error when asked": say('{"jsonrpc":"2.0","id":%d,"error":{"code":-32000,"message":"broken"}}' % id)
        elif command == "no such method": say('{"jsonrpc":"2.0","id":%d,"error":{"code":-32601,"message":"unknown"}}' % id)
        else: send(id, {"approved": command != "refuse", "reason": "refused"})
    elif command == "late":
        time.sleep(30)
        send(id, {"action": "continue"})
    elif command == "hold":
        held.append(id)
        with open("held", "a") as f: f.write("x")
    elif command == "release":
        send(id, DENY)
        for h in held: send(h, {"action": "continue"})
    elif command == "long": say('{"jsonrpc":"2.0","id":%d,"result":{"action":"continue","x":"%s"}}' % (id, "x" * (3 << 20)))
    elif command == "endless":
        while True: sys.stdout.write("x" * 65536)
    elif command == "cut": say('{"jsonrpc":"2.0","id":%d,"result":{"action":"con' % id)
    elif command == "cut deny": say('{"jsonrpc":"2.0","id":%d,"result":{"action":"deny_tool","reason":"denied"}' % id)
    elif command == "result twice": say('{"jsonrpc":"2.0","id":%d,"result":{"action":"deny_tool","reason":"denied"},"result":{"action":"continue"}}' % id)
    elif command == "allowed twice": say('{"jsonrpc":"2.0","id":%d,"result":{"action":"continue"},"result":{"action":"continue"}}' % id)
    elif command == "action twice": say('{"jsonrpc":"2.0","id":%d,"result":{"action":"deny_tool","action":"continue","reason":"denied"}}' % id)
    elif command == "deny and error": say('{"jsonrpc":"2.0","id":%d,"result":{"action":"deny_tool","reason":"denied"},"error":{"code":1}}' % id)
    elif command == "deny and method": say('{"jsonrpc":"2.0","id":%d,"method":"x","result":{"action":"deny_tool","reason":"denied"}}' % id)
    elif command == "broken deny": say('{"jsonrpc":"2.0","result":{"action":"deny_tool","reason":"denied",,},"id":%d}' % id)
    elif command == "quoted deny": say('{"jsonrpc":"2.0","id":%d,"result":{"x":"a "b"","action":"abort_turn","reason":"denied"}}' % id)
    elif command == "deny in noise": say('checking... {"jsonrpc":"2.0","id":%d,"result":{"action":"deny_tool","reason":"denied"}}' % id)
    elif command == "deny without id": say('{"jsonrpc":"2.0","result":{"action":"deny_tool","reason":"denied"}}')
    elif command == "long deny": say('{"jsonrpc":"2.0","id":%d,"result":{"action":"deny_tool","reason":"denied","x":"%s"}}' % (id, "x" * (3 << 20)))
    elif command == "noise":
        say("starting up")
        say('{"debug": 1}')
        say('{"jsonrpc":"2.0","id":%d,"method":"log","params":{}}' % id)
        say('{"jsonrpc":"2.0","id":999,"result":{"action":"continue"}}')
        send(id, DENY)
    elif command == "twice":
        send(id, DENY)
        send(id, {"action": "continue"})
    elif command == "error": say('{"jsonrpc":"2.0","id":%d,"error":{"code":-32000,"message":"broken"}}' % id)
    elif command == "exit": sys.exit(3)
    elif command == "die": os.kill(os.getpid(), 9)
    elif command == "typo": send(id, {"action": "deny"})
    elif command == "null": send(id, None)
    elif command == "abort": send(id, {"action": "abort_turn", "reason": "denied"})
    elif command == "hard": send(id, {"action": "hard_abort", "reason": "denied"})
    elif command == "respond": send(id, {"action": "respond", "result": {"for_llm": "done"}})
    elif command == "rename": send(id, {"action": "modify", "call": {"tool": "other", "arguments": {}}})
    elif command == "deny then exit":
        send(id, DENY)
        sys.exit(0)
    elif command == "answer then exit":
        send(id, {"action": "continue"})
        sys.exit(0)
    elif command == "whisper":
        sys.stderr.write("a word\n" * 100000)
        send(id, DENY)
    else: send(id, {"action": "continue"} if command != "deny" else DENY)
`

// gateWants are the verdicts of the gate's behaviors: allow, deny, or a
// failure, whose cause is in the reason.
var gateWants = map[string]string{
	"ls": "", "deny": "denied", "refuse": "refused", "noise": "denied", "twice": "denied", "abort": "denied", "hard": "denied", "respond": "done", "whisper": "denied",
	"result twice": "denied", "action twice": "denied", "deny and error": "denied", "deny and method": "denied", "broken deny": "denied",
	"quoted deny": "denied", "deny in noise": "denied", "deny without id": "denied", "long deny": "denied", "allowed twice": "repeats a key",
	"cut deny": "denied", "deny then exit": "denied", "answer then exit": "", "no such method": "",
	"endless": "too long", "long": "too long", "cut": "not JSON", "error": "broken", "exit": "exit status 3",
	"die": "SIGKILL", "typo": "no action", "null": "not an object", "rename": "changes the tool",
	"exit when asked": "exit status 3", "error when asked": "broken",
}

func (s *served) gate(lines ...string) {
	s.Helper()
	s.hook("gate", `exec python3 -I "$AGENT_HOOKS_HOOK_DIR/gate.py"`, append([]string{"metadata: {protocol: picoclaw, on-failure: deny}"}, lines...)...)
	s.write(filepath.Join(s.project, ".agents", "hooks", "gate", "gate.py"), faultyGate, 0o644)
}

func gateInput(session, command string) string {
	return fmt.Sprintf(`{"session_id":%q,"tool_name":"bash","tool_input":{"command":%q}}`, session, command)
}

// asks sends the gate a request through the server.
func (s *served) asks(session, command string) (blocked bool, reason string) {
	s.Helper()
	r := s.call("hooks.run", `{"event":"pre-tool-call","input":`+gateInput(session, command)+`}`)
	if r.Error != nil {
		s.Errorf("%s: %+v", command, r.Error)
	}
	reason, _ = r.Result["reason"].(string)
	return r.Result["blocked"] == true, reason
}

func (s *served) starts() []string {
	text, _ := os.ReadFile(filepath.Join(s.project, "starts"))
	return strings.Fields(string(text))
}

// TestResidentFaults checks that each fault of a PicoClaw hook process has the
// same verdict under serve and run, and that the next request is not affected.
func TestResidentFaults(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	s := newServed(t)
	s.gate()
	check := func(how, command string, blocked bool, reason string) {
		t.Helper()
		want := gateWants[command]
		if blocked != (want != "") || !strings.Contains(reason, want) {
			t.Errorf("%s, %s: blocked %v, %q; want %q", how, command, blocked, reason, want)
		}
	}
	for command := range gateWants {
		blocked, reason := s.asks("s", command)
		check("serve", command, blocked, reason)
		if blocked, reason := s.asks("s", "ls"); blocked {
			t.Errorf("after %s: %s", command, reason)
		}
		cmd := osexec.Command("agent-hooks", "run", "pre-tool-call")
		cmd.Dir, cmd.Env, cmd.Stdin = s.project, s.cmd.Env, strings.NewReader(gateInput("s", command))
		out, _ := cmd.CombinedOutput()
		check("run", command, cmd.ProcessState.ExitCode() == 2, string(out))
	}
	s.in.Close()
	_ = s.cmd.Wait()
	for _, pid := range s.starts() {
		s.gone(pid)
	}
}

// TestResidentLate checks that a hook that answers too late is ended, and that
// the next request gets its own answer.
func TestResidentLate(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	s := newServed(t)
	s.gate("timeout: 4000")
	if blocked, reason := s.asks("s", "late"); !blocked || !strings.Contains(reason, "timeout after 4000 ms") {
		t.Errorf("%v %s", blocked, reason)
	}
	if blocked, reason := s.asks("s", "refuse"); !blocked || reason != "refused" {
		t.Errorf("%v %s", blocked, reason)
	}
	s.gone(s.starts()[0])
}

// TestResidentSession checks that a hook process is started once for a session,
// and ends with the session, its hook or the server.
func TestResidentSession(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.gate()
	for range 3 {
		for _, session := range []string{"a", "b"} {
			if blocked, _ := s.asks(session, "deny"); !blocked {
				t.Errorf("%s is not blocked", session)
			}
		}
	}
	pids := s.starts()
	if len(pids) != 2 || pids[0] == pids[1] {
		t.Fatalf("started %v, want one for each session", pids)
	}
	s.call("hooks.run", `{"event":"post-session","input":{"session_id":"a"}}`)
	s.gone(pids[0])
	if blocked, _ := s.asks("b", "deny"); !blocked || len(s.starts()) != 2 {
		t.Errorf("session b: blocked %v, started %v", blocked, s.starts())
	}
	s.asks("a", "ls")
	if err := os.RemoveAll(filepath.Join(s.project, ".agents", "hooks", "gate")); err != nil {
		t.Fatal(err)
	}
	s.asks("a", "ls")
	for _, pid := range s.starts() {
		s.gone(pid)
	}
	s.gate()
	s.asks("a", "ls")
	s.in.Close()
	if err := s.cmd.Wait(); err != nil {
		t.Error(err)
	}
	s.gone(s.starts()[3])
}

// TestResidentIsNeverStale changes the files of a hook process, also within the
// resolution of the file system's times.
func TestResidentIsNeverStale(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.gate()
	gate := filepath.Join(s.project, ".agents", "hooks", "gate", "gate.py")
	expect := func(word string, blocked bool) {
		t.Helper()
		s.write(gate, strings.Replace(faultyGate, `command != "deny"`, `command != "`+word+`"`, 1), 0o644)
		if got, reason := s.asks("s", "deny"); got != blocked {
			t.Errorf("%s: blocked %v, %s", word, got, reason)
		}
	}
	for range 5 {
		expect("deny", true)
		expect("none", false) // of the same size
	}
	if n := len(s.starts()); n != 10 {
		t.Errorf("started %d times", n)
	}
	time.Sleep(2500 * time.Millisecond) // unchanged files are no longer read again
	expect("none", false)
	expect("deny", true)
}

// TestResidentIsNeverStaleAmongManyFiles changes a script whose folder has more
// files before it than a small folder, in a directory to which a link leads, and
// in a folder with too many files to compare.
func TestResidentIsNeverStaleAmongManyFiles(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	s := newServed(t)
	s.hook("gate", `exec python3 -I "$AGENT_HOOKS_HOOK_DIR/zlib/gate.py"`, "metadata: {protocol: picoclaw, on-failure: deny}")
	folder, shared := filepath.Join(s.project, ".agents", "hooks", "gate"), filepath.Join(s.project, "shared")
	gate := filepath.Join(shared, "gate.py")
	denies := func(word string) bool {
		t.Helper()
		s.write(gate, strings.Replace(faultyGate, `command != "deny"`, `command != "`+word+`"`, 1), 0o644)
		blocked, _ := s.asks("s", "deny")
		return blocked
	}
	s.write(gate, faultyGate, 0o644)
	if err := os.Symlink(shared, filepath.Join(folder, "zlib")); err != nil {
		t.Fatal(err)
	}
	for i, files := range []int{300, 4200} {
		for n := range files {
			s.write(filepath.Join(folder, "data", fmt.Sprintf("%d-%04d", i, n)), "x", 0o644)
		}
		if !denies("deny") || denies("none") {
			t.Errorf("with %d files, an outdated hook answers", files)
		}
	}
	s.asks("s", "ls")
	if n := len(s.starts()); n != 5 {
		t.Errorf("started %d times", n)
	}
}

// TestResidentOutOfOrder checks that answers are assigned by their IDs, and
// that the answer to a canceled request is ignored.
func TestResidentOutOfOrder(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.gate()
	ask := func(command string) (int, <-chan reply) {
		return s.send("hooks.run", `{"event":"pre-tool-call","input":`+gateInput("s", command)+`}`)
	}
	s.asks("s", "ls")
	_, held := ask("hold")
	id, canceled := ask("hold")
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if text, _ := os.ReadFile(filepath.Join(s.project, "held")); len(text) == 2 {
			break // the process has both
		}
	}
	s.line(fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/cancel","params":{"id":%d}}`, id))
	if r := s.await(canceled); r.Error == nil || r.Error.Code != -32800 {
		t.Errorf("canceled: %+v", r)
	}
	if blocked, reason := s.asks("s", "release"); !blocked || reason != "denied" {
		t.Errorf("release: %v %s", blocked, reason)
	}
	if r := s.await(held); r.Result["blocked"] != false {
		t.Errorf("held: %+v", r)
	}
	if n := len(s.starts()); n != 1 {
		t.Errorf("started %d times", n)
	}
}

// TestResidentIsKilled checks that the processes of a killed server end, and
// that a killed process is replaced.
func TestResidentIsKilled(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	s := newServed(t)
	s.gate()
	for i := range 3 {
		if blocked, reason := s.asks("s", "deny"); !blocked || reason != "denied" {
			t.Errorf("%v %s", blocked, reason)
		}
		pids := s.starts()
		if len(pids) != i+1 {
			t.Fatalf("started %v", pids)
		}
		if err := osexec.Command("kill", "-9", pids[i]).Run(); err != nil {
			t.Error(err)
		}
	}
	s.asks("s", "ls")
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for _, pid := range s.starts() {
		s.gone(pid)
	}
}

// TestResidentUnread checks that a hook that reads nothing times out, whatever
// the size of the event, and that one ends even if it ignores SIGTERM and the
// end of its stdin.
func TestResidentUnread(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	s := newServed(t)
	s.hook("gate", `trap '' TERM; echo $$ >>starts; read -r l; echo '{"jsonrpc":"2.0","id":1,"result":{"ok":true}}'; while :; do sleep 0.1; done`,
		"timeout: 500", "metadata: {protocol: picoclaw, on-failure: deny}")
	if blocked, reason := s.asks("s", strings.Repeat("x", 1<<20)); !blocked || !strings.Contains(reason, "timeout") {
		t.Errorf("%v %s", blocked, reason)
	}
	for _, pid := range s.starts() {
		s.gone(pid)
	}
}

// TestResidentEnvironment checks that a hook process has the environment and
// working directory of any hook.
func TestResidentEnvironment(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.write(filepath.Join(s.project, "sub", "x"), "", 0o644)
	s.hook("gate", `exec 3<&0; env >env; pwd >dir; while read -r l; do case $l in *hello*) echo '{"jsonrpc":"2.0","id":1,"result":{"ok":true}}';; *) break;; esac; done; exit 1`,
		"metadata: {protocol: picoclaw}")
	for _, dir := range []string{s.project, filepath.Join(s.project, "sub")} {
		s.call("hooks.run", `{"event":"pre-tool-call","input":{"session_id":"s1","work_dir":"`+dir+`","tool_name":"bash","tool_input":{}}}`)
		text, err := os.ReadFile(filepath.Join(dir, "env"))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"AGENT_HOOKS_EVENT=pre-tool-call", "AGENT_HOOKS_HOOK=gate", "AGENT_HOOKS_SESSION_ID=s1", "AGENT_HOOKS_WORK_DIR=" + dir, "AGENT_HOOKS_PROJECT_DIR=" + s.project} {
			if !slices.Contains(strings.Split(string(text), "\n"), want) {
				t.Errorf("%s is missing in %s", want, text)
			}
		}
	}
}

// countingGate is a PicoClaw hook that numbers its requests, whichever they are.
const countingGate = `import json, os, sys
open(os.environ["STARTS"], "a").write("%d\n" % os.getpid())
n = 0
for line in sys.stdin:
    m = json.loads(line)
    n += m["method"] not in ("hook.hello", "hook.approve_tool")
    if m["method"] == "hook.event": continue
    if m["method"] == "hook.hello": result = {"ok": True, "name": "gate"}
    elif m["method"] == "hook.approve_tool": result = {"approved": True}
    else:
        result = {"action": "deny_tool" if m["method"] == "hook.before_tool" else "abort_turn", "reason": "request %d" % n}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": result}), flush=True)
`

// TestResidentOfSeveralHooks checks that the hooks that import writes for one
// PicoClaw process share a process under serve, and only as long as they run the
// same program.
func TestResidentOfSeveralHooks(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.needsPython()
	home, starts := filepath.Join(s.project, "..", "home"), filepath.Join(s.project, "starts")
	gate := filepath.Join(s.project, "gate.py")
	s.write(gate, countingGate, 0o644)
	s.write(filepath.Join(home, ".picoclaw", "config.json"), fmt.Sprintf(`{"hooks":{"processes":{"gate":{"enabled":true,
"command":["python3","-I",%q],"intercept":["before_tool","approve_tool","after_tool","before_llm","after_llm"],"observe":["turn_end"],"env":{"STARTS":%q}}}}}`, gate, starts), 0o644)
	if out, status := s.run("", "import", "picoclaw"); status != 0 {
		t.Fatal(out)
	}
	input := `{"session_id":"a","tool_name":"bash","tool_input":{"command":"ls"},"tool_output":"x","error":"x","model":"m","messages":[]}`
	ask := func(event, session, reason string, started int) {
		t.Helper()
		r := s.call("hooks.run", fmt.Sprintf(`{"event":%q,"input":%s}`, event, strings.Replace(input, `"a"`, `"`+session+`"`, 1)))
		if got := fmt.Sprint(r.Result); !strings.Contains(got, reason) || len(s.starts()) != started {
			t.Errorf("%s: %s, want %s; started %v", event, got, reason, s.starts())
		}
	}
	ask("pre-tool-call", "a", "request 1", 1)
	ask("post-tool-call", "a", "request 2", 1)
	ask("post-tool-call-failure", "a", "request 3", 1)
	ask("pre-llm-call", "a", "request 4", 1)
	ask("post-llm-call", "a", "request 5", 1)
	ask("post-tool-call", "b", "request 1", 2)
	ask("pre-tool-call", "b", "request 2", 2)
	// Notifications go to the same process, in order and without a wait.
	ask("post-agent-turn", "a", "blocked:false", 2)
	ask("post-agent-turn", "a", "blocked:false", 2)
	ask("post-llm-call", "a", "request 8", 2)
	if log, status := s.run("", "log", "--hook", "gate-turn-end"); status != 0 || strings.Count(log, "gate-turn-end") != 2 {
		t.Errorf("log: status %d, %s", status, log)
	}

	hooks := filepath.Join(home, ".config", "agents", "hooks")
	script := filepath.Join(hooks, "gate-after-tool", "scripts", "run")
	text, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	s.write(script, string(text)+"# changed\n", 0o755)
	ask("post-tool-call", "b", "request 1", 3) // its own now
	ask("pre-tool-call", "b", "request 1", 4)  // it had started the other one
	ask("post-tool-call", "b", "request 2", 4)
	ask("pre-llm-call", "b", "request 2", 4)
	ask("pre-tool-call", "a", "request 9", 4)
	if err := os.RemoveAll(filepath.Join(hooks, "gate")); err != nil {
		t.Fatal(err)
	}
	ask("post-tool-call", "b", "request 3", 4)
	ask("pre-llm-call", "b", "request 1", 5)
	for _, session := range []string{"a", "b"} {
		s.call("hooks.run", fmt.Sprintf(`{"event":"post-session","input":{"session_id":%q}}`, session))
	}
	for _, pid := range s.starts() {
		s.gone(pid)
	}
}
