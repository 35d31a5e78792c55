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
// program itself: one server answers all calls, and a killed one is replaced.
// Each hook says which process started it.
func TestServePlugin(t *testing.T) {
	t.Parallel()
	node, err := osexec.LookPath("node")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("it needs node and sh")
	}
	program, err := osexec.LookPath("agent-hooks")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	s := &served{T: t, project: home}
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := osexec.Command(name, args...)
		cmd.Dir, cmd.Env = home, environ
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	dir := filepath.Join(home, ".config", "agents", "hooks", "guard")
	s.write(filepath.Join(dir, "HOOK.md"), "---\nname: guard\ndescription: A hook.\ntrigger: pre-tool-call\n---\n", 0o644)
	s.write(filepath.Join(dir, "scripts", "run"), "#!/bin/sh\ngrep -q 'rm -rf' && echo \"no: $PPID\" >&2 && exit 2; echo '{\"modified_input\":{\"command\":\"true\"}}'\n", 0o755)
	run(program, "install", "opencode", "--program", program)
	plugin, err := os.ReadFile(filepath.Join(home, ".config", "opencode", "plugins", "agent-hooks.js"))
	if err != nil {
		t.Fatal(err)
	}
	s.write(filepath.Join(home, "plugin.mjs"), string(plugin), 0o644)
	s.write(filepath.Join(home, "main.mjs"), `import { AgentHooks } from "./plugin.mjs"
const hooks = await AgentHooks({ client: {}, directory: process.cwd() })
const call = async (command) => {
  const output = { args: { command } }
  try {
    await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: "1" }, output)
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
