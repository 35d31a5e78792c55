package agenthooks

import (
	"context"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/watch"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Watch calls found with the hooks that Load returns, and again after each
// change on disk: in a hook's folder, a hooks.toml or the hooks directories. It
// blocks until ctx ends, and calls found in the calling goroutine.
//
// The hooks are for display, such as a list in an editor. A change is reported
// within 200 ms. If the file system does not notify of changes, Watch polls.
// A process that must not use an outdated guard uses Live or Load.
func Watch(ctx context.Context, o Options, found func(*Hooks)) {
	o = o.complete()
	var hooks *Hooks
	load := func(func(*discovery.Hook) *discovery.Hook) (discovery.Table, []spec.Diagnostic) {
		hooks = Load(o)
		return hooks.Table, hooks.Diagnostics
	}
	watch.Hooks(ctx, watch.Options{Hooks: o.Places(), Load: load}, func(watch.Change) { found(hooks) })
}
