package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"runtime/debug"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/rpc"
	"github.com/agent-hooks/agent-hooks/internal/watch"
	"github.com/agent-hooks/agent-hooks/spec"
)

type serveFlags struct {
	projectFlags
	agent       string
	deadline    int
	ask, modify string // as in run
}

func (f *serveFlags) declare(fs *flag.FlagSet) {
	f.projectFlags.declare(fs)
	fs.StringVar(&f.agent, "agent", "", "the host is agent `NAME`; for picoclaw, use its own protocol")
	declareCount(fs, &f.deadline, "deadline", "stop a request's unfinished hooks after `MS` milliseconds, as timeouts")
	declarePolicy(fs, &f.ask, "ask", "in an agent's own format: what to do with a question that the agent cannot ask")
	declarePolicy(fs, &f.modify, "modify", "in an agent's own format: what to do with a changed input that the agent cannot use")
}

const serveAbout = `The server speaks JSON-RPC 2.0 on stdin and stdout, one message per line: hooks.run, hooks.plan, hooks.list and hooks.prompt; $/cancel with a request's id cancels the request. The server sends hooks.changed after a change on disk. agent-hooks spec rpc prints the schema of the methods.
Requests run concurrently, and each is answered when it is done. Each request uses the hooks, settings and trust that are on disk at that time. At the end of stdin, unfinished requests have 3 s before they are canceled.
`

// serveGrace is how long requests may continue after the end of stdin.
const serveGrace = 3 * time.Second

// server is one call of the command.
type server struct {
	env   *Env
	flags serveFlags
	live  *agenthooks.Live
	rpc   *rpc.Server
}

// execute is `agent-hooks serve` (D51).
func (flags serveFlags) execute(env *Env, _ []string) (int, error) {
	if flags.agent == "picoclaw" {
		return env.servePicoclaw(flags)
	}
	flags.run = true // its runs are logged
	options := env.options(flags.projectFlags, nil)
	options.Agent = flags.agent
	s := &server{env: env, flags: flags, live: agenthooks.NewLive(options)}
	s.rpc = &rpc.Server{Grace: serveGrace, Methods: map[string]rpc.Method{
		"hooks.run":    {Call: s.run, Lenient: true},
		"hooks.plan":   {Call: s.plan, Lenient: true},
		"hooks.list":   {Call: s.list},
		"hooks.prompt": {Call: s.prompt},
	}}
	return env.serveOn(s.rpc, s.live, s.watch)
}

// serveOn serves the standard streams until the input ends, the host closes stdout or a signal
// comes, and then stops the hook processes of live. beside, if not nil, runs concurrently.
func (env *Env) serveOn(server *rpc.Server, live *agenthooks.Live, beside func(context.Context)) (int, error) {
	// A server's heap is small. Collecting it less often takes a few MiB and saves a third of a
	// request's time.
	debug.SetGCPercent(400)
	ctx, signals := catchSignals(context.Background())
	defer signals.release()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	go whenUnread(env.Stdout, func() { stop(errUnread) })
	if beside != nil {
		go beside(ctx)
	}
	err := server.Serve(ctx, env.Stdin, env.Stdout)
	live.Close()
	signals.dieIfCaught()
	if errors.Is(err, errUnread) || errors.Is(err, io.ErrClosedPipe) {
		err = nil // the host has closed the stream
	}
	return spec.ExitContinue, err
}

// changedHook is one hook in a hooks.changed notification.
type changedHook struct {
	Hook   string          `json:"hook"`
	Scope  discovery.Scope `json:"scope"`
	Change string          `json:"change"` // added, removed or changed
}

// watch notifies the host of changes on disk.
func (s *server) watch(ctx context.Context) {
	var hooks *agenthooks.Hooks
	load := func(func(*discovery.Hook) *discovery.Hook) (discovery.Table, []spec.Diagnostic) {
		hooks = s.env.load(s.flags.projectFlags, nil)
		return hooks.Table, hooks.Diagnostics
	}
	first := true
	watch.Hooks(ctx, watch.Options{Hooks: s.env.directories(s.flags.projectFlags, nil), Load: load}, func(c watch.Change) {
		if first {
			first = false
			return
		}
		changes := []changedHook{}
		for _, h := range c.Hooks {
			changes = append(changes, newChangedHook(h))
		}
		s.rpc.Notify("hooks.changed", map[string]any{"project": hooks.Project.Root, "hooks": changes})
	})
}

func newChangedHook(c watch.HookChange) changedHook {
	changed := changedHook{Hook: c.Hook().Shown(), Scope: c.Hook().Scope, Change: "changed"}
	switch {
	case c.Before == nil:
		changed.Change = "added"
	case c.After == nil:
		changed.Change = "removed"
	}
	return changed
}
