package install

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

func TestMain(m *testing.M) {
	startedAsWhere()
	printArguments()
	standIn()
	_ = flag.Set("test.parallel", "8") // most tests wait for processes
	os.Exit(testenv.Run(m.Run))
}

// runPlugin runs a plugin in node with a driver that calls it.
func runPlugin(t *testing.T, name, driver string, failClosed bool) string {
	t.Helper()
	return runPluginWith(t, name, driver, failClosed, func(module string) string { return module }, standInVar+"=answers")
}

// runPluginWith runs a plugin after edit has changed it, with the test binary in place of agent-hooks.
func runPluginWith(t *testing.T, name, driver string, failClosed bool, edit func(string) string, environ ...string) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	s := machine(t)
	fake := plantStandIn(t, s.Home)
	c := Find(name)
	if _, err := s.Target(c).Install(Options{Scope: "user", Program: fake, FailClosed: failClosed}, false); err != nil {
		t.Fatal(err)
	}
	plugin := s.Target(c).Installed("user")[0].Path
	module := filepath.Join(s.Home, "plugin.mjs") // as the agents' runtimes load it
	write(t, module, edit(read(t, plugin)))
	main := filepath.Join(s.Home, "main.mjs")
	write(t, main, "import * as plugin from './plugin.mjs'\nconst attempt = async (f) => { try { return await f() } catch (e) { return 'thrown: ' + e.message } }\n"+driver)
	cmd := exec.Command(node, main)
	cmd.Env = append(os.Environ(), append(environ, binaryVar+"="+os.Args[0])...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// TestSharedPlugins checks that a project's plugins work without the program: one note, and
// every call goes on (D84).
func TestSharedPlugins(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	for _, name := range []string{"opencode", "kilo", "amp", "pi"} {
		s := machine(t)
		target := s.Target(Find(name))
		if _, err := target.Install(Options{Scope: "project", Program: program}, false); err != nil {
			t.Fatal(err)
		}
		module := read(t, target.Installed("project")[0].Path) + "\n" + `
const told = []
const first = await run("x", { a: 1 }, (text) => told.push(text))
const second = await run("y", { a: "deny-me" }, (text) => told.push(text))
console.log(JSON.stringify([first, second, told]))
`
		main := filepath.Join(s.Home, "main.mjs")
		write(t, main, module)
		out := func() string {
			cmd := exec.Command(node, main)
			cmd.Env = []string{"HOME=" + s.Home, "USERPROFILE=" + s.Home, "PATH=/usr/bin:/bin", "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "COMSPEC=" + os.Getenv("COMSPEC"), standInVar + "=answers"}
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, out)
			}
			return strings.TrimSpace(string(out))
		}
		if got, want := out(), `[{},{},["`+(System{}).howToInstall()+`"]]`; got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		fake := plantStandIn(t, filepath.Join(s.Home, ".local", "bin"))
		if got := out(); !strings.Contains(got, `{"block":"not here"}`) {
			t.Errorf("%s with the program: got %s", name, got)
		}
		if runtime.GOOS != "windows" {
			continue
		}
		// npm puts a .cmd file there.
		moved := filepath.Join(s.Home, "a program.exe")
		if err := os.Rename(fake, moved); err != nil {
			t.Fatal(err)
		}
		write(t, strings.TrimSuffix(fake, ".exe")+".cmd", "@\""+moved+"\" %*\r\n")
		if got := out(); !strings.Contains(got, `{"block":"not here"}`) {
			t.Errorf("%s with npm's script: got %s", name, got)
		}
	}
}

// TestPluginsWithoutProgram checks that a user's plugins say once that the program is gone, and that
// every call goes on, or is blocked with --fail-closed.
func TestPluginsWithoutProgram(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	for _, name := range []string{"opencode", "kilo", "amp", "pi", "openclaw"} {
		for _, closed := range []bool{false, true} {
			s := machine(t)
			target := s.Target(Find(name))
			fake := plantStandIn(t, s.Home)
			o := Options{Scope: "user", Program: fake, FailClosed: closed}
			if _, err := target.Install(o, false); err != nil {
				t.Fatal(err)
			}
			main := filepath.Join(s.Home, "main.mjs")
			write(t, main, read(t, target.Installed("user")[0].Path)+"\n"+`
const told = []
const first = await run("x", { a: 1 }, (text) => told.push(text))
const second = await run("y", { a: "deny-me" }, (text) => told.push(text))
console.log(JSON.stringify([first, second, told]))
process.exit(0)
`)
			if err := os.Remove(fake); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(node, main).CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, out)
			}
			note := jsText(target.missing(o))
			want := "[{},{},[" + note + "]]\n"
			if closed {
				want = `[{"block":` + note + `},{"block":` + note + `},[` + note + "]]\n"
			}
			if string(out) != want {
				t.Errorf("%s, fail closed %t: got %s, want %s", name, closed, out, want)
			}
		}
	}
}

func TestPiPlugin(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	got := runPlugin(t, "pi", `
const handlers = {}
const shown = []
const ctx = { cwd: "/w", ui: { notify: (m) => shown.push(m) } }
console.error = () => {}
plugin.default({ on: (name, f) => (handlers[name] = f) })
const say = async (name, event) => console.log(name, JSON.stringify(await handlers[name](event, ctx)), JSON.stringify(event))
await say("tool_call", { toolName: "bash", input: { command: "deny-me" } })
await say("tool_call", { toolName: "bash", input: { command: "change-me", x: 1 } })
await say("tool_call", { toolName: "bash", input: { command: "fine" } })
await say("input", { text: "deny-me" })
await say("input", { text: "tell-me" })
await say("before_agent_start", {})
await say("before_agent_start", {})
await say("tool_result", { content: [{ type: "text", text: "tell-me" }] })
await say("agent_before_settle", { entries: [], why: "go-on" })
await say("session_before_compact", { reason: "deny-me" })
console.log(shown.join("|"))
process.exit(0)
`, false)
	want := `tool_call {"block":true,"reason":"not here"} {"toolName":"bash","input":{"command":"deny-me"}}
tool_call undefined {"toolName":"bash","input":{"command":"true"}}
tool_call undefined {"toolName":"bash","input":{"command":"fine"}}
input {"action":"handled"} {"text":"deny-me"}
input {"action":"continue"} {"text":"tell-me"}
before_agent_start {"message":{"customType":"agent-hooks","content":"seen","display":false}} {}
before_agent_start undefined {}
tool_result {"content":[{"type":"text","text":"tell-me"},{"type":"text","text":"seen"}]} {"content":[{"type":"text","text":"tell-me"}]}
agent_before_settle {"entries":[{"type":"custom_message","customType":"agent-hooks","content":"more","display":false}],"continue":true} {"entries":[],"why":"go-on"}
session_before_compact {"cancel":true} {"reason":"deny-me"}
not here|hello|hello
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAmpPlugin(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	got := runPlugin(t, "amp", `
const handlers = {}
const at = (path) => ({ system: { workspaceRoot: new (class { get fsPath() { return path } })() } }) // a URI
let ctx = at("/w")
console.error = () => {}
plugin.default({ on: (name, f) => (handlers[name] = f) })
const say = async (name, event) => console.log(name, JSON.stringify(await handlers[name]({ thread: { id: "t" }, ...event }, ctx)))
await say("tool.call", { tool: "Bash", input: { cmd: "deny-me" } })
await say("tool.call", { tool: "Bash", input: { cmd: "change-me" } })
await say("tool.call", { tool: "Bash", input: { cmd: "fine" } })
await say("tool.result", { status: "done", output: "tell-me" })
await say("tool.result", { status: "done", output: "fine" })
await say("agent.start", { message: "tell-me" })
await say("agent.end", { status: "done", message: "go-on" })
ctx = at("/deny-me")
await say("tool.call", { tool: "Bash", input: { cmd: "fine" } })
process.exit(0)
`, false)
	want := `tool.call {"action":"reject-and-continue","message":"not here"}
tool.call {"action":"modify","input":{"command":"true"}}
tool.call {"action":"allow"}
tool.result {"status":"done","output":"tell-me\n\nseen"}
tool.result undefined
agent.start {"message":{"content":"seen","display":false}}
agent.end {"action":"continue","userMessage":"more"}
tool.call {"action":"reject-and-continue","message":"not here"}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOpenClawPlugin(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	got := runPlugin(t, "openclaw", `
const handlers = {}
let middleware, budget
const shown = []
const runtime = { agent: { resolveAgentWorkspaceDir: () => "/w" } }
plugin.default.register({ on: (name, f, o) => { handlers[name] = f; budget = o.timeoutMs }, registerAgentToolResultMiddleware: (f) => (middleware = f), logger: { warn: (m) => shown.push(m) }, runtime })
const say = async (name, event, ctx = {}) => console.log(name, JSON.stringify(await handlers[name](event, ctx)))
await say("before_tool_call", { toolName: "exec", params: { command: "deny-me" } })
await say("before_tool_call", { toolName: "exec", params: { command: "change-me", x: 1 } })
await say("before_tool_call", { toolName: "exec", params: { command: "fine" } })
for (const prompt of ["deny-me", "tell-me"]) {
  await say("before_prompt_build", { prompt }, { runId: prompt })
  await say("before_agent_run", { prompt }, { runId: prompt })
}
for (const text of ["tell-me", "fine"]) {
  console.log(JSON.stringify(await middleware({ toolName: "exec", args: {}, result: { content: [{ type: "text", text }], details: 1 } }, {})))
}
await say("before_agent_finalize", { lastAssistantMessage: "go-on" })
for (const prompt of ["fine", "deny-me"]) await say("before_agent_run", { prompt })
console.log(shown.join("|"), budget)
process.exit(0)
`, false)
	want := `before_tool_call {"block":true,"blockReason":"not here"}
before_tool_call {"params":{"command":"true"}}
before_tool_call {}
before_prompt_build undefined
before_agent_run {"outcome":"block","reason":"not here","message":"not here"}
before_prompt_build {"appendContext":"seen"}
before_agent_run undefined
{"result":{"content":[{"type":"text","text":"tell-me"},{"type":"text","text":"seen"}],"details":1}}
undefined
before_agent_finalize {"action":"revise","reason":"more"}
before_agent_run undefined
before_agent_run {"outcome":"block","reason":"not here","message":"not here"}
hello|hello 1205000
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestPluginServer runs the plugins with servers of every kind: a deny is never
// lost, and a failure never becomes an allow.
func TestPluginServer(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	const driver = `
const hooks = await plugin.default.server({ client: {}, directory: "/w" })
const before = (command) => attempt(() => hooks["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: "1" }, { args: { command } }))
const all = await Promise.all(["deny-me", "fine", "deny-me", "fine"].map(before))
all.push(await before("deny-me"), await before("deny-me"))
console.log(all.map((v) => v ?? "on").join("|"))
`
	for mode, want := range map[string]string{
		"good": "serve", "reversed": "serve run", "none": "serve run", "error": "serve run", "broken": "serve run", "other": "serve run", "empty": "serve run",
		"noise": "serve run", "crash": "serve run", "killed": "serve run", "cut": "serve run", "late": "serve run",
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			count := filepath.Join(t.TempDir(), "count")
			got := runPluginWith(t, "opencode", driver, false, func(module string) string {
				if mode != "late" && mode != "reversed" {
					return module
				}
				return strings.Replace(module, "setTimeout(end, timeout)", "setTimeout(end, 700)", 1) // of the server only
			}, standInVar+"="+mode, countVar+"="+count)
			if got != "thrown: not here|on|thrown: not here|on|thrown: not here|thrown: not here\n" {
				t.Error(got)
			}
			kinds := []string{}
			for _, kind := range []string{"serve", "run"} {
				if strings.Contains(read(t, count), kind) {
					kinds = append(kinds, kind)
				}
			}
			if got := strings.Join(kinds, " "); got != want {
				t.Errorf("started %s, want %s", got, want)
			}
			if n := strings.Count(read(t, count), "serve"); n > 3 || mode == "good" && n > 1 {
				t.Errorf("%d servers", n)
			}
		})
	}
}
