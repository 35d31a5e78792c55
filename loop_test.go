package agenthooks

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/testenv"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// model is a world without processes: what its hooks do is known.
type model struct {
	hooks []modelHook
	host  host

	t         *testing.T
	seen      []string // for each hook, the commands on which it ran
	blocks    int
	performed int
}

type modelHook struct {
	matches string // the commands that it matches
	says    protocol.Decision
	changes string // the new command; "" for no change
	hook    *discovery.Hook
}

var modelCommands = []string{"a", "b", "c", "d"}

func newModel(r *rand.Rand) *model {
	fallbacks := []Fallback{Express, Express, DenyInstead, Ignore, ""}
	m := &model{host: host{
		ask: fallbacks[r.IntN(len(fallbacks))], modify: fallbacks[r.IntN(len(fallbacks))],
		gate: r.IntN(8) == 0, stopLimit: func(*discovery.Hook) int { return 2 },
	}}
	scope := discovery.ManagedScope
	if r.IntN(2) == 0 {
		scope = discovery.UserScope
	}
	for i := range 1 + r.IntN(7) {
		if scope != discovery.ProjectScope && r.IntN(3) == 0 {
			scope = map[discovery.Scope]discovery.Scope{discovery.ManagedScope: discovery.UserScope, discovery.UserScope: discovery.ProjectScope}[scope]
		}
		h := modelHook{matches: "abcd", says: []protocol.Decision{"", "", "", "allow", "allow", "ask", "deny"}[r.IntN(7)]}
		if r.IntN(2) == 0 {
			h.matches = modelCommands[r.IntN(4)] + modelCommands[r.IntN(4)]
		}
		if h.says != "deny" && r.IntN(3) == 0 {
			h.changes = modelCommands[r.IntN(4)]
		}
		h.hook = &discovery.Hook{Scope: scope, Folder: fmt.Sprint("h", i), State: discovery.Active}
		h.hook.Pure, h.hook.Timeout = r.IntN(3) > 0, time.Second
		if h.changes == "" && r.IntN(5) == 0 {
			h.hook.Answer = &manifest.Answer{Decision: manifest.OnFailure(h.says)}
		}
		m.hooks = append(m.hooks, h)
	}
	return m
}

func commandOf(e *protocol.Event) string {
	return strings.Trim(strings.TrimPrefix(string(e.ToolInput()), `{"command":`), `" }`)
}

func (m *model) decide(row *Row, e *protocol.Event, _ time.Time) {
	i := slices.IndexFunc(m.hooks, func(h modelHook) bool { return h.hook == row.Hook })
	*row = Row{Hook: row.Hook, Runs: strings.Contains(m.hooks[i].matches, commandOf(e))}
	if !row.Runs {
		row.fail(InputMatch, "", nil)
	}
}

func (m *model) count(*HookReport) (int, error) { m.blocks++; return m.blocks, nil }

func (m *model) perform(s *state, i int, _ time.Time, _ error) result {
	m.t.Helper()
	m.performed++
	if m.performed > 500 {
		m.t.Fatal("the run does not end")
	}
	h, report := m.hooks[i], *s.turns[i].report
	report.plan(&s.turns[i].row)
	answer := protocol.Answer{Decision: h.says, Reason: string(h.says), SystemMessage: fmt.Sprintf("%d%s", i, commandOf(s.event))}
	if h.changes != "" {
		answer.ModifiedInput = []byte(`{"command":"` + h.changes + `"}`)
	}
	report.Outcome = outcomeOf(h.says)
	m.seen[i] += commandOf(s.event)
	return result{report: &report, answer: answer}
}

func (m *model) prefetch(s *state, turns []int, until time.Time, cause error) *prefetched {
	m.t.Helper()
	var results []result
	for _, i := range turns {
		if h := m.hooks[i].hook; h.Scope != m.hooks[turns[0]].hook.Scope || !h.Pure || h.Answer != nil {
			m.t.Errorf("%s runs at the same time as %s", h.Folder, m.hooks[turns[0]].hook.Folder)
		}
		results = append(results, m.perform(s, i, until, cause))
	}
	next := func() result {
		if len(results) == 0 {
			m.t.Fatal("more results are taken than there are")
		}
		r := results[0]
		results = results[1:]
		return r
	}
	return &prefetched{turns: turns, next: next, stop: func() {}}
}

// outcome is what a run of a model ends with.
type outcome struct {
	answer  protocol.Answer
	blocker int
	final   string
	reports []HookReport
	seen    []string
}

// run runs the model.
func (m *model) run(t *testing.T) outcome {
	t.Helper()
	m.t, m.seen, m.blocks, m.performed = t, make([]string, len(m.hooks)), 0, 0
	event, _ := protocol.ParseEvent(spec.PreToolCall, []byte(`{"tool_name":"Shell","tool_input":{"command":"a"}}`), "2026-01-01T00:00:00Z")
	s := state{event: event, blocker: -1, host: m.host}
	for _, h := range m.hooks {
		row := Row{Hook: h.hook}
		m.decide(&row, event, time.Time{})
		s.turns = append(s.turns, turn{row: row, version: -1, report: &HookReport{Hook: h.hook.Folder, Scope: string(h.hook.Scope), Outcome: NotReached}})
	}
	s.run(m)
	if s.ahead != nil {
		t.Error("hooks still run when the run is over")
	}
	o := outcome{answer: s.modified.answer(s.merged(), s.blocker >= 0), blocker: s.blocker, final: commandOf(s.event), seen: m.seen}
	for i := range s.turns {
		o.reports = append(o.reports, *s.turns[i].report)
	}
	return o
}

// TestLoop checks properties of every run (D28, D29, D45, D82, D88): whether hooks run at
// the same time changes nothing; a deny is never lost; every hook that matches the final
// event has seen it; and what the caller cannot express does not reach it. Only pure hooks
// of one scope run at the same time (D73), a managed hook's change is the last one (D82),
// and nothing is said about an event that a hook has changed since.
func TestLoop(t *testing.T) {
	for seed := range testenv.Rounds(5000) {
		r := rand.New(rand.NewPCG(uint64(seed), 35))
		m := newModel(r)
		got := m.run(t)
		for i := range m.hooks {
			hook := *m.hooks[i].hook
			hook.Pure, m.hooks[i].hook = false, &hook
		}
		inOrder := m.run(t)
		for i, h := range got.reports {
			if h.Outcome == NotNeeded { // in order, it is not reached
				got.reports[i] = inOrder.reports[i]
			}
		}
		if got.seen = inOrder.seen; !reflect.DeepEqual(got, inOrder) {
			t.Errorf("running together matters: %+v, %+v", got, inOrder)
		}
		m.check(t, inOrder)
		if t.Failed() {
			t.Fatalf("seed %d: %+v\nhooks %+v", seed, m.host, m.hooks)
		}
	}
}

// check checks a run whose hooks ran one after another.
func (m *model) check(t *testing.T, o outcome) {
	t.Helper()
	changers, managed, denied, asked := 0, 0, false, false
	for i, h := range m.hooks {
		isManaged := h.hook.Scope == discovery.ManagedScope
		if h.changes != "" {
			if changers++; isManaged {
				managed++
			}
		}
		denied = denied || h.says == "deny" && o.seen[i] != ""
		asked = asked || h.says == "ask" && o.reports[i].Answer.Decision == "ask" && strings.HasSuffix(o.seen[i], o.final)
		if isManaged && h.says == "ask" && m.host.ask == Ignore && strings.HasSuffix(o.seen[i], o.final) && o.blocker < 0 {
			t.Error("the question of a managed hook is ignored")
		}
		if o.blocker < 0 && strings.Contains(h.matches, o.final) && !strings.Contains(o.seen[i], o.final) && h.changes != o.final {
			t.Errorf("h%d has not seen %s", i, o.final)
		}
	}
	for i, h := range m.hooks {
		if o.blocker < 0 && managed == 1 && h.changes != "" && h.hook.Scope == discovery.ManagedScope && strings.Contains(h.matches, o.final) && o.final != h.changes {
			t.Errorf("the event is %s, and not h%d's %s", o.final, i, h.changes)
		}
	}
	for said := range strings.FieldsSeq(o.answer.SystemMessage) {
		if h := m.hooks[said[0]-'0']; said[1:] != o.final && h.changes != o.final {
			t.Errorf("h%c says something about %s, but the event is %s", said[0], said[1:], o.final)
		}
	}
	for i, seen := range o.seen {
		if most := (changers + 1) * (managed + 1); len(seen) > most {
			t.Errorf("h%d ran %d times, with %d hooks that change the event", i, len(seen), changers)
		}
	}
	switch {
	case denied && o.blocker < 0 && !m.host.gate:
		t.Error("a deny is lost")
	case (o.blocker >= 0) != (o.answer.Decision == protocol.Deny):
		t.Errorf("blocked by %d with the answer %+v", o.blocker, o.answer)
	case o.blocker >= 0 && o.answer.ModifiedInput != nil:
		t.Error("a refused call has a changed input")
	case o.answer.Decision == protocol.Ask && m.host.ask != Express:
		t.Error("an ask reaches a caller that cannot ask")
	case o.answer.ModifiedInput != nil && m.host.modify != Express:
		t.Error("a change reaches a caller that cannot take it")
	case o.blocker < 0 && o.answer.ModifiedInput == nil && o.final != "a":
		t.Errorf("the hooks decided about %s, which the caller does not get", o.final)
	case asked && o.answer.Decision == protocol.Allow:
		t.Error("an allow replaces an ask")
	}
}
