package watch

import (
	"os"
	osexec "os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/spec"
)

const limitVariable = "AGENT_HOOKS_TEST_LIMIT"

// TestWatchLimits checks that polling is used, and the reason reported, if the system's limit
// of notifications is reached. Each limit is set in a separate user namespace.
func TestWatchLimits(t *testing.T) {
	if limit := os.Getenv(limitVariable); limit != "" {
		watchLimited(t, limit)
		return
	}
	for _, limit := range []string{"max_inotify_instances=0", "max_inotify_watches=2"} {
		t.Run(limit, func(t *testing.T) {
			cmd := osexec.Command(os.Args[0], "-test.run=^TestWatchLimits$", "-test.v")
			cmd.Env = append(os.Environ(), limitVariable+"="+limit)
			cmd.SysProcAttr = &syscall.SysProcAttr{
				Cloneflags:  syscall.CLONE_NEWUSER,
				UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
				GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
			}
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState == nil {
				t.Skip("no user namespace: ", err)
			}
			if strings.Contains(string(out), "--- SKIP") {
				t.Skipf("%s", out)
			}
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

func watchLimited(t *testing.T, limit string) {
	name, value, _ := strings.Cut(limit, "=")
	if err := os.WriteFile("/proc/sys/user/"+name, []byte(value), 0); err != nil {
		t.Skipf("the limit cannot be set: %v", err)
	}
	w := &watched{t: t, root: oneHook(t), changes: make(chan Change), warned: true}
	hooks := w.path("p/.agents/hooks")
	first := w.run(Options{Hooks: []string{hooks}, Load: func(keep func(*discovery.Hook) *discovery.Hook) (discovery.Table, []spec.Diagnostic) {
		return rules{}.load(discovery.Dirs{Project: hooks}, keep)
	}})
	want := map[string]string{
		"max_inotify_instances": "too many open files",
		"max_inotify_watches":   "fs.inotify.max_user_watches is reached",
	}[name]
	if len(first.Warnings) != 1 || !strings.Contains(first.Warnings[0], want) || !strings.Contains(first.Warnings[0], "checking for changes every 100ms") {
		t.Errorf("warnings %q, want one of %q", first.Warnings, want)
	}
	w.save(hookA, hookText("a", priority(1)))
	if c := w.state("project/a active 1"); len(c.Warnings) > 0 {
		t.Errorf("again: %q", c.Warnings)
	}
}
