package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/agents"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/author/explain"
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/rpc"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// params contains the parameters of all methods.
type params struct {
	Event    string // an event's name
	Project  string // an absolute path; "": search for the project
	Agent    string
	Report   bool
	Wait     bool
	Deadline int64 `json:"deadline_ms"`

	input   []byte // the event; nil: none
	payload []byte // of the agent, in its own format; nil: none
}

// readParams parses params, which may contain only the given names. It does not check the
// content of the input; the event does, as in run.
func readParams(text []byte, names ...string) (p params, err error) {
	known := map[string]any{"event": &p.Event, "project": &p.Project, "agent": &p.Agent, "report": &p.Report, "wait": &p.Wait, "deadline_ms": &p.Deadline}
	if text == nil {
		return p, nil
	}
	allowed, given := map[string]bool{}, map[string]int{}
	for _, name := range names {
		allowed[name] = true
	}
	malformed := rawjson.Members(text, func(key string, value []byte) bool {
		given[key]++
		switch {
		case given[key] > 1: // readers differ in which one counts
			err = rpc.Errorf(rpc.InvalidParams, "parameter %q is repeated", clipped(key))
		case !allowed[key]:
			err = rpc.Errorf(rpc.InvalidParams, "unknown parameter %q", clipped(key))
		case key == "input" && value[0] == '{':
			p.input = value
		case key == "payload" && value[0] == '{':
			p.payload = value
		case key == "input" || key == "payload":
			err = rpc.Errorf(rpc.InvalidParams, "%s is not an object", key)
		case json.Unmarshal(value, known[key]) != nil:
			err = rpc.Errorf(rpc.InvalidParams, "%s has a wrong type", key)
		}
		return err == nil
	})
	switch {
	case err != nil:
	case malformed != nil:
		err = rpc.Errorf(rpc.InvalidParams, "params is not an object")
	case p.Project != "" && !filepath.IsAbs(p.Project):
		err = rpc.Errorf(rpc.InvalidParams, "project is not an absolute path")
	case p.Deadline < 0:
		err = rpc.Errorf(rpc.InvalidParams, "deadline_ms is negative")
	}
	return p, err
}

// event reads the event of a request.
func (p params) event() (*protocol.Event, []string, error) {
	name := spec.EventType(p.Event)
	if p.Event == "" {
		_ = rawjson.Members(p.input, func(key string, value []byte) bool {
			if text, ok := rawjson.Text(value); ok && key == "event_type" {
				name = spec.EventType(text)
			}
			return true
		})
	}
	if !name.Valid() {
		hint := ""
		if near, ok := shown.NearEvent(string(name)); ok {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		return nil, nil, rpc.Errorf(rpc.InvalidParams, "unknown event %q%s", clipped(string(name)), hint)
	}
	if p.input == nil && name.IsTool() {
		return nil, nil, rpc.Errorf(rpc.InvalidParams, "input is missing, but %s needs the tool call", name)
	}
	event, warnings := protocol.ParseEvent(name, p.input, time.Now().UTC().Format(time.RFC3339))
	return event, warnings, nil
}

// protocolVersion is the version of the methods. The first number changes if a
// client of an earlier one would misunderstand the server.
const protocolVersion = "2.0"

// hello is the method hooks.hello.
func (s *Server) hello(_ context.Context, text []byte) (any, error) {
	if _, err := readParams(text); err != nil {
		return nil, err
	}
	return map[string]any{"protocol": protocolVersion, "version": s.Version, "agents": agent.Names()}, nil
}

// planOf reads a request's event and plans it.
func (s *Server) planOf(p params, until time.Time) (*agenthooks.Plan, []string, error) {
	event, warnings, err := p.event()
	if err != nil {
		return nil, nil, err
	}
	hooks := s.live.Load(agenthooks.Options{Project: p.Project, Event: event, Until: until})
	if p.Agent != "" {
		hooks = hooks.WithAgent(agents.Named(p.Agent))
	}
	return hooks.Plan(event), warnings, nil
}

// run is the method hooks.run.
func (s *Server) run(ctx context.Context, text []byte) (any, error) {
	p, err := readParams(text, "event", "input", "payload", "project", "agent", "report", "wait", "deadline_ms")
	if err != nil {
		return nil, err
	}
	if p.payload != nil {
		return s.runNative(ctx, p)
	}
	ctx, cancel, options := s.limit(ctx, p.Deadline)
	defer cancel()
	plan, warnings, err := s.planOf(p, options.Until)
	if err != nil {
		return nil, err
	}
	report := plan.Run(ctx, agenthooks.RunOptions{Wait: p.Wait, ProjectTime: projectTime(options), Ask: s.Ask, Modify: s.Modify})
	if report.Canceled {
		return nil, canceled()
	}
	report.Warnings = append(warnings, report.Warnings...)
	return result(report, p.Report)
}

// result returns the result of hooks.run: the members of the answer, and the other results
// of the run.
func result(report *agenthooks.Report, whole bool) (json.RawMessage, error) {
	more := struct {
		Blocked   bool               `json:"blocked"`
		BlockedBy string             `json:"blocked_by,omitempty"`
		Warnings  []string           `json:"warnings,omitempty"`
		Report    *agenthooks.Report `json:"report,omitempty"`
	}{Blocked: report.Blocked, BlockedBy: report.BlockedBy, Warnings: report.Warnings}
	if whole {
		more.Report = report
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(more); err != nil {
		return nil, err
	}
	answer, err := report.Answer.MarshalJSON()
	if err != nil {
		return nil, err
	}
	text := b.Bytes()[:b.Len()-2] // without the brace and the newline
	if len(answer) > 2 {
		text = append(append(text, ','), answer[1:len(answer)-1]...)
	}
	return append(text, '}'), nil
}

// plan is the method hooks.plan.
func (s *Server) plan(ctx context.Context, text []byte) (any, error) {
	p, err := readParams(text, "event", "input", "project", "deadline_ms")
	if err != nil {
		return nil, err
	}
	_, cancel, options := s.limit(ctx, p.Deadline)
	defer cancel()
	plan, warnings, err := s.planOf(p, options.Until)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"hooks":    explain.Rows(plan, plan.Others(), ""),
		"warnings": append(append([]string{}, warnings...), plan.Warnings...),
	}, nil
}

// hooksOf reads the parameters of a method about all hooks, and loads them.
func (s *Server) hooksOf(ctx context.Context, text []byte) (*agenthooks.Hooks, []string, error) {
	p, err := readParams(text, "project", "deadline_ms")
	if err != nil {
		return nil, nil, err
	}
	_, cancel, options := s.limit(ctx, p.Deadline)
	defer cancel()
	hooks := s.live.Load(agenthooks.Options{Project: p.Project, Until: options.Until})
	warnings := append([]string{}, hooks.Warnings...)
	for _, d := range hooks.Diagnostics {
		warnings = append(warnings, d.String())
	}
	return hooks, warnings, nil
}

// list is the method hooks.list.
func (s *Server) list(ctx context.Context, text []byte) (any, error) {
	hooks, warnings, err := s.hooksOf(ctx, text)
	if err != nil {
		return nil, err
	}
	return map[string]any{"project": hooks.Project.Root, "hooks": explain.List(hooks, s.Path), "warnings": warnings}, nil
}

// prompt is the method hooks.prompt.
func (s *Server) prompt(ctx context.Context, text []byte) (any, error) {
	hooks, warnings, err := s.hooksOf(ctx, text)
	if err != nil {
		return nil, err
	}
	prompt, more := hooks.Prompt()
	return map[string]any{"prompt": prompt.String(), "hooks": prompt, "warnings": append(warnings, more...)}, nil
}

func clipped(s string) string { return shown.Cut(s, 80) }
