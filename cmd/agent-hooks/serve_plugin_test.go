package main

import (
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestServePlugin runs the plugin that install writes for OpenCode with the
// real program: one server answers all calls, and a killed one is replaced.
// Each hook reports the process that started it.
func TestServePlugin(t *testing.T) {
	t.Parallel()
	node, err := osexec.LookPath("node")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("it needs node and sh")
	}
	s, run := newPluginHome(t)
	home := s.project
	dir := filepath.Join(home, ".config", "agents", "hooks", "guard")
	s.write(filepath.Join(dir, "HOOK.md"), "---\nname: guard\ndescription: A hook.\ntrigger: pre-tool-call\n---\n", 0o644)
	s.write(filepath.Join(dir, "scripts", "run"), "#!/bin/sh\ngrep -q 'rm -rf' && echo \"no: $PPID\" >&2 && exit 2; echo '{\"modified_input\":{\"command\":\"true\"}}'\n", 0o755)
	s.plugin(run, "opencode", ".config/opencode/plugins/agent-hooks.js")
	s.write(filepath.Join(home, "main.mjs"), `import plugin from "./plugin.mjs"
const hooks = await plugin.server({ client: {}, directory: process.cwd() })
const call = async (command) => {
  const output = { args: { command } }
  try {
    await hooks["tool.execute.before"]({ tool: "bash", sessionID: String(Math.random()), callID: "1" }, output) // a repeated denial has other words
    return output.args.command
  } catch (error) {
    return error.message.split(" ").at(-1)
  }
}
const first = new Set(await Promise.all(Array.from({ length: 4 }, () => call("rm -rf /"))))
console.log(first.size, await call("ls"))
const [pid] = first
process.kill(Number(pid), "SIGKILL")
const second = [await call("rm -rf /"), await call("rm -rf /"), await call("rm -rf /")]
console.log(second.every((v) => /^[0-9]+$/.test(v) && v !== pid), second[1] === second[2], await call("ls"))
console.log("server", second[2])
`, 0o644)
	got := run(node, filepath.Join(home, "main.mjs"))
	lines, server, _ := strings.Cut(got, "server ")
	if lines != "1 true\ntrue true true\n" {
		t.Fatal(got)
	}
	s.gone(strings.TrimSpace(server))
}

// gone waits until a process has ended.
func (s *served) gone(pid string) {
	s.Helper()
	for range 1000 {
		if osexec.Command("kill", "-0", pid).Run() != nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.Errorf("process %s is left", pid)
}

// newPluginHome returns a home without a server, and a function that runs a
// program there.
func newPluginHome(t *testing.T) (*served, func(string, ...string) string) {
	home := t.TempDir()
	return &served{T: t, project: home}, func(name string, args ...string) string {
		t.Helper()
		cmd := osexec.Command(name, args...)
		cmd.Dir, cmd.Env = home, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
}

// plugin installs an agent's plugin and copies it to plugin.mjs.
func (s *served) plugin(run func(string, ...string) string, agent, path string) {
	s.Helper()
	program, err := osexec.LookPath("agent-hooks")
	if err != nil {
		s.Fatal(err)
	}
	run(program, "install", agent, "--program", program)
	text, err := os.ReadFile(filepath.Join(s.project, filepath.FromSlash(path)))
	if err != nil {
		s.Fatal(err)
	}
	s.write(filepath.Join(s.project, "plugin.mjs"), string(text), 0o644)
}

// TestPluginEvents runs the plugins of Pi and Amp with the real program: the
// guard's matcher matches the tool and its input.
func TestPluginEvents(t *testing.T) {
	t.Parallel()
	node, err := osexec.LookPath("node")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("it needs node and sh")
	}
	for agent, c := range map[string]struct{ path, call, want string }{
		"pi": {".pi/agent/extensions/agent-hooks.js", `handlers.tool_call({ toolName: "bash", toolCallId: "1", input: { command } }, {})`,
			`{"block":true,"reason":"hook guard: no"}` + "\nundefined\n"},
		"amp": {".config/amp/plugins/agent-hooks.js", `handlers["tool.call"]({ thread: { id: "t" }, tool: "Bash", input: { cmd: command } }, {})`,
			`{"action":"reject-and-continue","message":"hook guard: no"}` + "\n" + `{"action":"allow"}` + "\n"},
	} {
		t.Run(agent, func(t *testing.T) {
			t.Parallel()
			s, run := newPluginHome(t)
			dir := filepath.Join(s.project, ".config", "agents", "hooks", "guard")
			s.write(filepath.Join(dir, "HOOK.md"), "---\nname: guard\ndescription: A hook.\ntrigger: pre-tool-call\nmatcher: {tool: Shell, pattern: 'rm -rf'}\n---\n", 0o644)
			s.write(filepath.Join(dir, "scripts", "run"), "#!/bin/sh\necho no >&2; exit 2\n", 0o755)
			s.plugin(run, agent, c.path)
			s.write(filepath.Join(s.project, "main.mjs"), `import plugin from "./plugin.mjs"
const handlers = {}
plugin({ on: (name, f) => (handlers[name] = f) })
for (const command of ["rm -rf /", "ls"]) console.log(JSON.stringify(await `+c.call+`))
`, 0o644)
			if got := run(node, filepath.Join(s.project, "main.mjs")); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
