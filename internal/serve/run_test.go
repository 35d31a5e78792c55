package serve

import (
	"path/filepath"
	"strings"
	"testing"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/testtree"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// TestFirstEvent checks that the first event of a session, whatever it is, announces the hooks of
// every event that await a review, and loads the hooks once, as each further one does.
func TestFirstEvent(t *testing.T) {
	dir := testtree.New(t, "home/x=", "work/.git/HEAD=ref: refs/heads/main\n",
		"work/.agents/hooks/later/HOOK.md=---\nname: later\ndescription: x\ntrigger: post-tool-call\nmetadata:\n  answer:\n    system-message: x\n---\n")
	for n, want := range []string{"later", ""} {
		loads := 0
		r := &Run{
			Load: func(_ string, event *protocol.Event, whole func(root, state string) bool) *agenthooks.Hooks {
				loads++
				return agenthooks.Load(agenthooks.Options{
					Project: filepath.Join(dir, "work"), Environ: []string{"HOME=" + filepath.Join(dir, "home")}, StateDir: filepath.Join(dir, "state"),
					Event: event, Only: spec.PreToolCall, Whole: whole,
				})
			},
			Execute: func(p *agenthooks.Plan, o agenthooks.RunOptions) *agenthooks.Report { return p.Run(t.Context(), o) },
			Options: func() agenthooks.RunOptions { return agenthooks.RunOptions{} },
		}
		r.Answer(agent.Find("claude-code"), "", func() ([]byte, error) {
			return []byte(`{"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}`), nil
		})
		if got := strings.Join(r.pending, "\n"); loads != 1 || (got != "") != (want != "") || !strings.Contains(got, want) {
			t.Errorf("event %d: %d loads, announced %q, want %q", n+1, loads, got, want)
		}
	}
}
