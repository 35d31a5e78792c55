// Package serve answers others in their own forms: an agent's event (Run, for run --agent and
// serve), and the requests of a long-running host with JSON-RPC (D51): hooks.hello, hooks.run,
// hooks.plan, hooks.list and hooks.prompt, or those of PicoClaw's hook protocol. Package rpc reads
// and writes the messages.
package serve

import (
	"context"
	"io"
	"math"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/rpc"
	"github.com/agent-hooks/agent-hooks/internal/watch"
	"github.com/agent-hooks/agent-hooks/spec"
)

// grace is how long requests may continue after the end of stdin.
const grace = 3 * time.Second

// Server serves one host. Its runs are logged.
type Server struct {
	Options  agenthooks.Options
	Version  string        // of the program, for hooks.hello
	Path     string        // the PATH variable
	Deadline time.Duration // for each request; 0: none
	// Ask and Modify are the handling of an ask and of a changed input or prompt that the host, or the
	// agent of a payload, cannot express (D45).
	Ask, Modify agenthooks.Fallback
	// Write writes an agent's native answer as run --agent does, and returns its exit status.
	Write func(stdout, stderr io.Writer, r *Run, out agent.Output) int
	// Warn prints warnings about PicoClaw's requests, whose answers cannot contain them.
	Warn func([]string)

	live *agenthooks.Live
	rpc  *rpc.Server
}

// Serve serves the streams until the input ends or ctx does, and then stops the hook processes that
// were kept. It uses PicoClaw's protocol for the agent of that name.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	s.live = agenthooks.NewLive(s.Options)
	defer s.live.Close()
	if s.Options.Agent.Name == "picoclaw" {
		h := &picoclaw{Server: s, agent: agent.Find("picoclaw")}
		s.rpc = &rpc.Server{Grace: grace, Methods: h.methods()}
		return s.rpc.Serve(ctx, in, out)
	}
	s.rpc = &rpc.Server{Grace: grace, Methods: map[string]rpc.Method{
		"hooks.hello":  {Call: s.hello},
		"hooks.run":    {Call: s.run, Lenient: true},
		"hooks.plan":   {Call: s.plan, Lenient: true},
		"hooks.list":   {Call: s.list},
		"hooks.prompt": {Call: s.prompt},
	}}
	go s.watch(ctx)
	return s.rpc.Serve(ctx, in, out)
}

// limit returns the context of a request, which ends after ms or, if that is 0, the server's
// deadline, and the options for its hooks. Half of the time is reserved for the user's hooks (D32).
func (s *Server) limit(ctx context.Context, ms int64) (context.Context, context.CancelFunc, agenthooks.Options) {
	o, deadline := s.Options, s.Deadline
	if ms > 0 {
		deadline = time.Duration(min(ms, math.MaxInt32)) * time.Millisecond
	}
	if deadline <= 0 {
		return ctx, func() {}, o
	}
	o.Until = time.Now().Add(deadline / 2)
	ctx, cancel := context.WithTimeoutCause(ctx, deadline, agenthooks.ErrDeadline)
	return ctx, cancel, o
}

// changedHook is one hook in a hooks.changed notification.
type changedHook struct {
	Hook   string          `json:"hook"`
	Scope  discovery.Scope `json:"scope"`
	Change string          `json:"change"` // added, removed or changed
}

// watch notifies the host of changes on disk.
func (s *Server) watch(ctx context.Context) {
	var hooks *agenthooks.Hooks
	load := func(func(*discovery.Hook) *discovery.Hook) (discovery.Table, []spec.Diagnostic) {
		hooks = agenthooks.Load(s.Options)
		return hooks.Table, hooks.Diagnostics
	}
	first := true
	watch.Hooks(ctx, watch.Options{Hooks: s.Options.HooksDirs(), Load: load}, func(c watch.Change) {
		if first {
			first = false
			return
		}
		changes := []changedHook{}
		for _, h := range c.Hooks {
			changes = append(changes, changedHook{Hook: h.Hook().Shown(), Scope: h.Hook().Scope, Change: h.Kind()})
		}
		s.rpc.Notify("hooks.changed", map[string]any{"project": hooks.Project.Root, "hooks": changes})
	})
}
