package main

import (
	"bytes"
	"context"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// client is a client of examples/clients.
type client struct {
	command []string // runs a program in its language
	source  string
	// driver is a program that starts a client for its first argument and makes
	// 20 calls at once, then one more. It prints what became of them.
	driver string
}

func clientsOf(t *testing.T) map[string]client {
	t.Helper()
	all := map[string]client{}
	for name, c := range map[string]client{
		"client.py": {[]string{"python3", "-I", "-B"}, "", `import sys, threading
sys.path.insert(0, FOLDER)
import client
def settle(seconds):
    try:
        outcomes.append(client.decide(hooks.call("hooks.run", seconds, event="pre-tool-call", input=INPUT)))
    except Exception as error:
        outcomes.append("error")
INPUT, outcomes = {"tool_name": "bash", "tool_input": {"command": "ls " + "x" * 20000}}, []
try:
    hooks = client.Hooks(sys.argv[1])
except Exception as error:
    print("no server:", error)
    sys.exit()
threads = [threading.Thread(target=settle, args=[SECONDS]) for _ in range(20)]
for thread in threads: thread.start()
for thread in threads: thread.join()
settle(SECONDS)
print(len(outcomes), *sorted(set(outcomes)), sep=", ")
hooks.close()
`},
		"client.mjs": {[]string{"node"}, "", `const { Hooks, decide } = await import(FOLDER + "/client.mjs");
const input = { tool_name: "bash", tool_input: { command: "ls " + "x".repeat(20000) } };
let hooks;
try {
  hooks = await Hooks.start([process.argv[2]]);
} catch (error) {
  console.log("no server:", error.message);
  process.exit();
}
const settle = () => hooks.call("hooks.run", { event: "pre-tool-call", input }, SECONDS).then(decide).catch(() => "error");
const outcomes = await Promise.all(Array.from({ length: 20 }, settle));
outcomes.push(await settle());
console.log([outcomes.length, ...[...new Set(outcomes)].sort()].join(", "));
hooks.close();
`},
	} {
		program, err := osexec.LookPath(c.command[0])
		if err != nil {
			skipOrFail(t, c.command[0]+" is not installed")
		}
		c.command[0] = program
		if c.source, err = filepath.Abs(filepath.Join("..", "..", "examples", "clients", name)); err != nil {
			t.Fatal(err)
		}
		all[name] = c
	}
	return all
}

// TestClients runs the clients of examples/clients against a server, with the
// server's program as an argument and without one.
func TestClients(t *testing.T) {
	t.Parallel()
	for name, c := range clientsOf(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(c.source)
			if err != nil || bytes.Count(text, []byte("\n")) > 100 {
				t.Errorf("%d lines, %v", bytes.Count(text, []byte("\n")), err)
			}
			program, err := osexec.LookPath("agent-hooks")
			if err != nil {
				t.Fatal(err)
			}
			s := newServed(t)
			s.userHook("ask", `echo '{"decision":"ask","reason":"sure?"}'`, "matcher: {pattern: '^git push'}")
			s.userHook("change", `echo '{"modified_input":{"command":"ls -l"}}'`, "matcher: {pattern: '^ls '}")
			s.userHook("guard", `printf 'no\342\200\250no' >&2; exit 2`, "matcher: {pattern: '^rm '}")
			for command, want := range map[string]string{
				"rm -rf /": "blocked: no\u2028no\n", "ls": "go on\n", "git push": "ask the user: sure?\n", "ls .": "go on with {\"command\": \"ls -l\"}\n",
			} {
				for _, args := range [][]string{{c.source, program}, {c.source}} {
					cmd := osexec.Command(c.command[0], append(c.command[1:], args...)...)
					cmd.Dir, cmd.Env = s.project, s.cmd.Env
					cmd.Stdin = strings.NewReader(`{"tool_name": "bash", "tool_input": {"command": "` + command + `"}}`)
					out, err := cmd.CombinedOutput()
					if err != nil || strings.ReplaceAll(string(out), `":"`, `": "`) != want {
						t.Errorf("%s: %q, %v", command, out, err)
					}
				}
			}
		})
	}
}

// faultyServer answers the first request, and then does what $FAULT says.
const faultyServer = `#!/bin/sh
answer() { echo "{\"jsonrpc\":\"2.0\",\"id\":$1,$2}"; }
read -r line
case $FAULT in
dead) exit 0 ;;
mute) exec sleep 60 ;;
older) answer 1 '"error":{"code":-32601,"message":"unknown method"}'; exec sleep 60 ;;
newer) answer 1 '"result":{"protocol":"3.0"}'; exec sleep 60 ;;
nameless) answer 1 '"result":{}'; exec sleep 60 ;;
minor) answer 1 '"result":{"protocol":"2.9","version":"2"}' ;;
*) answer 1 '"result":{"protocol":"2.0"}' ;;
esac
[ "$FAULT" = unread ] && exec sleep 60
echo '{"jsonrpc":"2.0","method":"hooks.changed","params":{}}'
read -r line
case $FAULT in
exit) exit 0 ;;
killed) kill -9 $$ ;;
broken) echo '{"jsonrpc":"2.0","id":2,"resu'; exec sleep 60 ;;
cut) printf '{"jsonrpc":"2.0","id":2,"result":{"blocked":false'; exit 0 ;;
text) echo hello; exec sleep 60 ;;
list) echo '[]'; exec sleep 60 ;;
null) echo null; exec sleep 60 ;;
other) answer 99 '"result":{"blocked":false}'; exec sleep 60 ;;
unknown) answer null '"error":{"code":-32700,"message":"not JSON"}'; exec sleep 60 ;;
silent) exec sleep 60 ;;
closed) exec >&-; exec sleep 60 ;;
esac
id=2
while :; do
	case $FAULT in
	minor) answer $id '"result":{"blocked":false}' ;;
	empty) answer $id '"result":{}' ;;
	odd) answer $id '"result":{"blocked":"false"}' ;;
	error) answer $id '"error":{"code":-32603,"message":"x"}' ;;
	huge) printf '{"jsonrpc":"2.0","id":%s,"result":{"x":"' $id; head -c 2000000 /dev/zero | tr '\0' x; echo '","blocked":false}}' ;;
	esac
	read -r line || exit 0
	id=$((id + 1))
done
`

// TestClientsFaults checks that no failure of the server is a permission, and
// that every call settles.
func TestClientsFaults(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	wants := map[string]string{
		"missing": "no server: ", "dead": "no server: the server has ended", "older": "no server: unknown method",
		"newer": "no server: the server speaks protocol 3.0, and this client 2", "nameless": "no server: the server speaks protocol ",
		"minor": "21, go on\n", "huge": "21, go on\n", "empty": "21, blocked: \n", "odd": "21, blocked: \n",
	}
	for _, fault := range strings.Fields("error exit killed broken cut text list null other unknown silent closed unread") {
		wants[fault] = "21, error\n"
	}
	for name, c := range clientsOf(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServed(t)
			server, driver := filepath.Join(s.project, "server"), filepath.Join(s.project, "driver"+filepath.Ext(name))
			s.write(server, faultyServer, 0o755)
			for fault, want := range wants {
				seconds, program := "60", server
				switch fault {
				case "silent", "unread":
					seconds = "1"
				case "missing":
					program = server + "-missing"
				}
				s.write(driver, strings.NewReplacer("FOLDER", `"`+filepath.Dir(c.source)+`"`, "SECONDS", seconds).Replace(c.driver), 0o644)
				if out := c.drive(t, s, fault, driver, program); !strings.HasPrefix(out, want) {
					t.Errorf("%s: %q, want %q", fault, out, want)
				}
			}
			program, err := osexec.LookPath("agent-hooks")
			if err != nil {
				t.Fatal(err)
			}
			s.userHook("guard", "echo no >&2; exit 2")
			if out := c.drive(t, s, "", driver, program); out != "21, blocked: no\n" {
				t.Errorf("calls at the same time: %q", out)
			}
		})
	}
}

// drive runs the client's driver, which must end by itself.
func (c client) drive(t *testing.T, s *served, fault, driver, server string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Second)
	defer cancel()
	cmd := osexec.CommandContext(ctx, c.command[0], append(c.command[1:], driver, server)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = s.project, append(s.cmd.Env, "FAULT="+fault), time.Second
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%s: %v", fault, err)
	}
	return string(out)
}
