package agenthooks

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// notRead returns why a process that exited with status 2 did not run its
// script, nil if it may have run. Interpreters exit with that status if they
// cannot open their script, and shells also if they cannot parse it (D11). The
// text on stderr proves nothing, because it may quote the event.
func (r *runner) notRead(t *turn, result exec.Result) error {
	entry := t.row.entry
	if f, err := os.Open(entry.Script); err != nil {
		return fmt.Errorf("its entry point %s is gone", entry.Script)
	} else {
		f.Close()
	}
	unparsed := strings.Contains(strings.ToLower(string(result.Stderr.Data)), "syntax error")
	for _, s := range entry.Starts(t.prepared.Dir, t.prepared.Env) {
		if !s.Opens {
			return fmt.Errorf("its script %s is missing or cannot be read", shown.Path(s.Script))
		}
		if unparsed && s.Shell && s.Interpreter != "" {
			if err := rejects(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// rejects returns the error with which a shell rejects a script, nil if it
// accepts it. It executes nothing of the script.
func rejects(s discovery.Start) error {
	const limit = time.Second
	result := exec.Run(context.Background(), exec.Command{
		Path: s.Interpreter, Args: []string{s.Interpreter, "-n", s.Script}, Dir: filepath.Dir(s.Script),
		Env: []string{"LC_ALL=C"}, Timeout: limit, MaxStderr: 1 << 10,
	})
	if unfinished(result, limit) != nil || result.Status == 0 {
		return nil
	}
	class := filepath.Base(s.Interpreter) + " rejects its script"
	first, _, _ := strings.Cut(string(result.Stderr.Data), "\n")
	return &protocol.QuotingError{Class: class, Message: class + ": " + oneLine(strings.ToValidUTF8(first, "\ufffd"))}
}
