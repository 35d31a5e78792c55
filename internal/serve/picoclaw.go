package serve

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/rpc"
)

// picoclawError is the code of PicoClaw's errors.
const picoclawError = -32000

// picoclaw implements PicoClaw's hook protocol, in which the server is a hook
// process.
type picoclaw struct {
	*Server
	agent   *agent.Agent
	greeted atomic.Bool
}

// methods returns the methods of PicoClaw's hook protocol: the requests are
// the agent's native events.
func (h *picoclaw) methods() map[string]rpc.Method {
	methods := map[string]rpc.Method{
		"hook.hello": {Call: h.hello, InOrder: true},
		"hook.event": {Call: h.event, Silent: true},
	}
	for _, row := range h.agent.Events() {
		if name := row.Name; strings.HasPrefix(name, "hook.") {
			methods[name] = rpc.Method{Lenient: true, Call: func(ctx context.Context, params []byte) (any, error) {
				return h.request(ctx, name, params)
			}}
		}
	}
	return methods
}

// hello is the handshake, the first request.
func (h *picoclaw) hello(_ context.Context, params []byte) (any, error) {
	var p struct {
		Name    string `json:"name"`
		Version int    `json:"version"`
	}
	if params != nil && json.Unmarshal(params, &p) != nil {
		return nil, rpc.Errorf(rpc.InvalidParams, "hook.hello: the parameters cannot be read")
	}
	if p.Version > 1 {
		return nil, rpc.Errorf(picoclawError, "hook.hello: version %d of the protocol is not supported; this program speaks version 1", p.Version)
	}
	if p.Name == "" {
		p.Name = "agent-hooks"
	}
	h.greeted.Store(true)
	return struct {
		OK   bool   `json:"ok"`
		Name string `json:"name"`
	}{true, p.Name}, nil
}

// request runs the hooks of one native event and returns their answer.
func (h *picoclaw) request(ctx context.Context, event string, params []byte) (any, error) {
	if !h.greeted.Load() {
		return nil, rpc.Errorf(picoclawError, "hook.hello must come first")
	}
	if params == nil {
		params = []byte("{}")
	}
	ctx, cancel, options := h.limit(ctx, 0)
	defer cancel()
	r := h.run(ctx, options, event, params)
	if r.Canceled() {
		return nil, canceled()
	}
	out := r.Encode()
	h.Warn(append(r.Warnings, r.Log()...))
	if len(out.Stdout) == 0 {
		return map[string]string{"action": "continue"}, nil
	}
	return json.RawMessage(out.Stdout), nil
}

// run runs the hooks of a native event.
func (h *picoclaw) run(ctx context.Context, o agenthooks.Options, event string, params []byte) *Run {
	r := h.nativeRun(ctx, o, false)
	r.Own = true
	r.Answer(h.agent, event, func() ([]byte, error) { return params, nil })
	return r
}

// event handles a notification: it runs the hooks of an event that has happened.
func (h *picoclaw) event(ctx context.Context, params []byte) (any, error) {
	call, err := h.agent.Decode(params, "")
	if err != nil || len(call.Events) == 0 || !h.greeted.Load() {
		return nil, nil // most kinds are not hook events
	}
	r := h.run(ctx, h.Options, "", params)
	r.Encode()
	h.Warn(r.Log())
	return nil, nil
}
