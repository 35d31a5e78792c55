package install

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// dryTimeout is the time limit of a dry event, which runs no hook.
const dryTimeout = 20 * time.Second

// dryEvent sends an event of the agent through the exact command line of an
// entry, with --dry-run appended. This checks the shell, the quoting, the
// program, its options and the payload, and runs no hook.
func (t Target) dryEvent(ctx context.Context, e Entry) Finding {
	argv := append(e.Words[:len(e.Words):len(e.Words)], "--dry-run")
	if e.Line != "" {
		line, after := e.Line, ""
		if call, without, ok := strings.Cut(line, "; "+unread); ok && strings.HasPrefix(line, guardStart) {
			line, after = call, "; "+unread+without
		} else if call, ok := strings.CutSuffix(line, exitStatus); ok {
			line, after = call, exitStatus
		}
		argv = t.shellCommand(line + " --dry-run" + after)
	}
	status, stdout, stderr := execute(ctx, argv, t.dryPayload(e))
	if _, hooks, ok := strings.Cut("\n"+string(stdout), "\nagent-hooks: "); ok && status == 0 { // a profile's output may precede it
		return finding(OK, "a test event went through the installed command line: "+strings.TrimSpace(hooks)+" looked at", "")
	}
	cause := cmp.Or(strings.TrimSpace(string(stderr)), strings.TrimSpace(string(stdout)), "no output")
	return finding(Broken, fmt.Sprintf("a test event did not go through: exit status %d: %s", status, firstLine([]byte(cause))), "try: "+posix.line(argv))
}

// handshake starts the process as the agent does, and performs the handshake.
func (t Target) handshake(ctx context.Context, e Entry) Finding {
	const hello = `{"jsonrpc":"2.0","id":1,"method":"hook.hello","params":{"name":"agent-hooks","version":1,"modes":["tool"]}}` + "\n"
	status, stdout, stderr := execute(ctx, e.Words, hello)
	if status == 0 && bytes.Contains(stdout, []byte(`"ok":true`)) {
		return finding(OK, "the installed process answers its handshake", "")
	}
	return finding(Broken, fmt.Sprintf("the installed process does not answer its handshake: exit status %d: %s", status, firstLine(stderr)), "try: "+posix.line(e.Words))
}

func firstLine(text []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	return line
}

// shellCommand returns the command with which the agent runs a command line.
func (t Target) shellCommand(line string) []string {
	switch {
	case t.GOOS == "windows" && shell(t.Windows) == powerShell:
		return []string{"powershell", "-NoProfile", "-Command", line}
	case t.GOOS == "windows":
		return []string{"cmd", "/C", line}
	case t.LoginShell && t.Getenv("SHELL") != "":
		return []string{t.Getenv("SHELL"), "-lc", line}
	}
	return []string{"sh", "-c", line}
}

func execute(ctx context.Context, argv []string, stdin string) (status int, stdout, stderr []byte) {
	ctx, cancel := context.WithTimeout(ctx, dryTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	startShell(cmd)
	cmd.Stdin = strings.NewReader(stdin)
	var out, err bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &err
	cmd.WaitDelay = time.Second
	failure := cmd.Run()
	var exit *exec.ExitError
	switch {
	case failure == nil:
		return 0, out.Bytes(), err.Bytes()
	case ctx.Err() != nil:
		return -1, out.Bytes(), []byte("no answer within " + dryTimeout.String())
	case errors.As(failure, &exit):
		return exit.ExitCode(), out.Bytes(), err.Bytes()
	}
	return -1, nil, []byte(failure.Error())
}

// dryPayload returns a payload as the agent sends it for an entry's event, or for a
// tool call.
func (t Target) dryPayload(e Entry) string {
	event := spec.PreToolCall
	if row := t.Agent.Event(e.Event); row != nil && len(row.Spec()) > 0 {
		event = row.Spec()[0]
	}
	dir := jsText(t.Project)
	text := `{"session_id":"agent-hooks-doctor","timestamp":"2026-01-01T00:00:00Z","work_dir":` + dir + `,"tool_name":"Shell","tool_input":{"command":"true"},"tool_use_id":"1","prompt":"","source":"startup"}`
	parsed, _ := protocol.ParseEvent(event, []byte(text), "")
	f := t.Agent.Foreign(parsed, nil, script.Hook{Project: t.Project, WorkDir: t.Project, Event: e.Event})
	if f == nil {
		return text
	}
	return string(f.Stdin)
}
