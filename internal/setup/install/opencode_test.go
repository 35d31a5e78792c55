package install

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

func TestOpenCodePlugin(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	const driver = `
const toasts = []
const prompts = []
const client = { tui: { showToast: async ({ body }) => toasts.push(body.message) }, session: { promptAsync: async (p) => prompts.push(p) } }
console.error = () => {}
if (Object.keys(plugin).join() !== "default" || plugin.default.id !== "agent-hooks") throw new Error("exports something else than one plugin")
const hooks = await plugin.default.server({ client, directory: "/w" })
const before = async (command) => {
  const output = { args: { command, other: 1 } }
  const failed = await attempt(() => hooks["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: "1" }, output))
  console.log(command, failed ?? "", JSON.stringify(output.args))
}
for (const command of ["deny-me", "block-json", "change-me", "crash", "noise", "hold", "fine"]) await before(command)
const after = { output: "tell-me" }
await hooks["tool.execute.after"]({ tool: "bash", args: {} }, after)
console.log(JSON.stringify(after))
const message = { parts: [{ type: "text", text: "tell-me" }] }
await hooks["chat.message"]({ sessionID: "s" }, message)
console.log(JSON.stringify(message))
console.log(await attempt(() => hooks["chat.message"]({}, { parts: [{ type: "text", text: "deny-me" }] })))
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "go-on" } } })
await hooks.event({ event: { type: "message.part.updated", properties: { part: { state: { status: "running" }, text: "crash" } } } })
await hooks.dispose()
console.log(JSON.stringify(prompts))
console.log(toasts.join("\n"))
process.exit(0)
`
	got := runPlugin(t, "opencode", driver, false)
	want := `deny-me thrown: not here {"command":"deny-me","other":1}
block-json thrown: no {"command":"block-json","other":1}
change-me  {"command":"true"}
crash  {"command":"crash","other":1}
noise  {"command":"noise","other":1}
hold  {"command":"hold","other":1}
fine  {"command":"fine","other":1}
{"output":"tell-me\n\nseen"}
{"parts":[{"type":"text","text":"tell-me\n\nseen"}]}
thrown: not here
[{"path":{"id":"go-on"},"body":{"parts":[{"type":"text","text":"more"}]}}]
agent-hooks: tool.execute.before: oh; operation allowed
agent-hooks: tool.execute.before: unreadable answer no JSON; operation allowed
hello
hello
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := runPlugin(t, "opencode", driver, true); !strings.Contains(got, "crash thrown: agent-hooks: tool.execute.before: oh") {
		t.Errorf("fail closed: %s", got)
	}
}

// openCode2 stands in for OpenCode 2: as its types say, a hook gets one object that it may change, a
// rejected promise is a defect that ends the operation, and the stream has the events of all folders.
const openCode2 = `
const hooks = {}
const prompts = []
const stream = []
let wake
const domain = (name) => ({ hook: async (event, f) => { hooks[name + "." + event] = f; return { dispose: async () => {} } } })
const ctx = {
  location: { directory: "/w" },
  tool: domain("tool"),
  permission: domain("permission"),
  session: {
    ...domain("session"),
    prompt: async (p) => prompts.push(p),
    get: async ({ sessionID }) => ({ id: sessionID }),
    context: async ({ sessionID }) => (sessionID === "old" ? [{ type: "user" }] : []),
  },
  event: {
    subscribe: async function* ({ signal }) {
      while (!signal.aborted) {
        if (stream.length) yield stream.shift()
        else await new Promise((resolve) => (wake = resolve, signal.addEventListener("abort", resolve)))
      }
    },
  },
}
const send = (type, data) => { stream.push({ id: "evt_1", type, data }); wake?.() }
const shown = []
console.error = (text) => shown.push(text)
const call = async (name, event) => console.log(name, (await attempt(() => hooks[name](event))) ?? "", JSON.stringify(event))
`

// TestOpenCode2Plugin checks that the guard is there in OpenCode 2, and does what it does in OpenCode 1.
func TestOpenCode2Plugin(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	const driver = openCode2 + `
const end = await plugin.default.setup(ctx)
const base = { sessionID: "s", agent: "build", messageID: "m", id: "c" }
await call("session.prompt", { sessionID: "s", messageID: "m", prompt: { text: "tell-me" }, delivery: "steer" })
await call("session.prompt", { sessionID: "s", messageID: "m", prompt: { text: "deny-me" }, delivery: "steer" })
for (const command of ["deny-me", "block-json", "change-me", "crash", "noise", "fine"]) {
  await call("tool.execute.before", { ...base, tool: "shell", input: Object.freeze({ command, workdir: "d" }) })
}
await call("tool.execute.after", { ...base, tool: "shell", input: { command: "x" }, status: "completed", result: { output: { exit: 0 }, content: [{ type: "text", text: "tell-me" }, { type: "file", uri: "data:," }] } })
await call("tool.execute.after", { ...base, tool: "shell", input: { command: "x" }, status: "completed", result: { content: "fine" } })
await call("tool.execute.after", { ...base, tool: "shell", input: { command: "x" }, status: "error", error: { message: "exit 1" } })
await call("permission.evaluate", { ...base, action: "shell", resources: ["x"], effect: "ask", source: { type: "tool", id: "c" } })
await call("session.compaction", { sessionID: "tell-me", system: [], messages: [] })
await call("session.prompt", { sessionID: "go-on", messageID: "m", prompt: { text: "fine" } })
send("session.execution.succeeded", { sessionID: "of another folder, go-on" })
send("session.execution.succeeded", { sessionID: "go-on" })
for (let i = 0; i < 500 && !prompts.length; i++) await new Promise((resolve) => setTimeout(resolve, 10))
await end()
console.log(JSON.stringify(prompts))
console.log(shown.join("\n"))
process.exit(0)
`
	want := `session.prompt  {"sessionID":"s","messageID":"m","prompt":{"text":"tell-me\n\nseen"},"delivery":"steer"}
session.prompt thrown: not here {"sessionID":"s","messageID":"m","prompt":{"text":"deny-me"},"delivery":"steer"}
tool.execute.before thrown: not here {"sessionID":"s","agent":"build","messageID":"m","id":"c","tool":"shell","input":{"command":"deny-me","workdir":"d"}}
tool.execute.before thrown: no {"sessionID":"s","agent":"build","messageID":"m","id":"c","tool":"shell","input":{"command":"block-json","workdir":"d"}}
tool.execute.before  {"sessionID":"s","agent":"build","messageID":"m","id":"c","tool":"shell","input":{"command":"true"}}
tool.execute.before  {"sessionID":"s","agent":"build","messageID":"m","id":"c","tool":"shell","input":{"command":"crash","workdir":"d"}}
tool.execute.before  {"sessionID":"s","agent":"build","messageID":"m","id":"c","tool":"shell","input":{"command":"noise","workdir":"d"}}
tool.execute.before  {"sessionID":"s","agent":"build","messageID":"m","id":"c","tool":"shell","input":{"command":"fine","workdir":"d"}}
tool.execute.after  {"sessionID":"s","agent":"build","messageID":"m","id":"c","tool":"shell","input":{"command":"x"},"status":"completed","result":{"output":{"exit":0},"content":[{"type":"text","text":"tell-me\n\nseen"},{"type":"file","uri":"data:,"}]}}
tool.execute.after  {"sessionID":"s","agent":"build","messageID":"m","id":"c","tool":"shell","input":{"command":"x"},"status":"completed","result":{"content":"fine"}}
tool.execute.after  {"sessionID":"s","agent":"build","messageID":"m","id":"c","tool":"shell","input":{"command":"x"},"status":"error","error":{"message":"exit 1"}}
permission.evaluate  {"sessionID":"s","agent":"build","messageID":"m","id":"c","action":"shell","resources":["x"],"effect":"ask","source":{"type":"tool","id":"c"}}
session.compaction  {"sessionID":"tell-me","system":[{"type":"text","text":"seen"}],"messages":[]}
session.prompt  {"sessionID":"go-on","messageID":"m","prompt":{"text":"fine"}}
[{"sessionID":"go-on","text":"more"}]
hello
agent-hooks: tool.execute.before: oh; operation allowed
agent-hooks: tool.execute.before: unreadable answer no JSON; operation allowed
hello
hello
`
	got := runPlugin(t, "opencode", driver, false)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := runPlugin(t, "opencode", driver, true); !strings.Contains(got, "tool.execute.before thrown: agent-hooks: tool.execute.before: oh") {
		t.Errorf("fail closed: %s", got)
	}
	got = runPlugin(t, "opencode", openCode2+`
delete ctx.session
delete ctx.permission
delete ctx.event
await plugin.default.setup(ctx)
await call("tool.execute.before", { tool: "shell", sessionID: "s", id: "c", input: { command: "deny-me" } })
delete ctx.tool
console.log(await attempt(() => plugin.default.setup(ctx)))
process.exit(0)
`, false)
	if !strings.HasPrefix(got, "tool.execute.before thrown: not here") || !strings.Contains(got, "\nthrown: ") {
		t.Errorf("with another API: %s", got)
	}
}

// TestOpenCodeVersions checks which file each version gets, and what doctor says.
func TestOpenCodeVersions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ version, scope, exports, doctor string }{
		{"1.18.28", "user", "export const AgentHooks", ""},
		{"1.18.29", "user", "export default", ""},
		{"2.3.2", "user", "export default", ""},
		{"", "user", "export default", "is for OpenCode 1.18.29 and later"},
		{"1.18.28", "project", "export default", "does not load"},
		{"2.3.2", "project", "export default", ""},
	} {
		s := machine(t)
		s.LookPath = func(string) (string, error) { return "/bin/opencode", nil }
		s.VersionOf = func(context.Context, string) string { return test.version }
		target := s.Target(Find("opencode"))
		target.Version = test.version
		if _, err := target.Install(Options{Scope: test.scope, Program: program}, false); err != nil {
			t.Fatal(err)
		}
		if text := read(t, target.Installed(test.scope)[0].Path); !strings.Contains(text, "\n"+test.exports) {
			t.Errorf("%q, %s: no %s", test.version, test.scope, test.exports)
		}
		var said []string
		for _, f := range target.loading(test.scope) {
			said = append(said, f.Text)
		}
		if text := strings.Join(said, "\n"); (text != "") != (test.doctor != "") || !strings.Contains(text, test.doctor) {
			t.Errorf("%q, %s: doctor says %q", test.version, test.scope, text)
		}
		// An update of the agent makes the file of an earlier one stale, and install repairs it.
		target.Version = "2.3.2"
		changes, err := target.Install(Options{Scope: test.scope, Program: program}, true)
		if err != nil {
			t.Fatal(err)
		}
		if stale := changes[0].Changed(); stale != (test.exports != "export default") {
			t.Errorf("%q, %s: stale after an update: %t", test.version, test.scope, stale)
		}
	}
}
