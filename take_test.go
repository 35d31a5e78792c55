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

// model is a run without processes: what its hooks do is known, and their answers
// arrive in any order.
type model struct {
	hooks []modelHook
	host  host
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
		ask: fallbacks[r.IntN(len(fallbacks))], modify: fallbacks[r.IntN(len(fallbacks))], atOnce: 1 + r.IntN(4),
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

// decide is the row of a hook for an event.
func (m *model) decide(i int, e *protocol.Event) Row {
	row := Row{Hook: m.hooks[i].hook}
	if row.Runs = strings.Contains(m.hooks[i].matches, commandOf(e)); !row.Runs {
		row.fail(InputMatch, "", nil)
	}
	return row
}

// outcome is what a run of a model ends with.
type outcome struct {
	answer  protocol.Answer
	blocker int
	final   string
	reports []HookReport
	seen    []string // for each hook, the commands on which it ran
}

// run runs the model. pick selects which of n hooks ends next.
func (m *model) run(t *testing.T, pick func(n int) int) outcome {
	t.Helper()
	event, _ := protocol.ParseEvent(spec.PreToolCall, []byte(`{"tool_name":"Shell","tool_input":{"command":"a"}}`), "2026-01-01T00:00:00Z")
	s := state{event: event, blocker: -1, host: m.host}
	for i := range m.hooks {
		s.turns = append(s.turns, turn{row: m.decide(i, event), version: -1, report: &HookReport{Hook: m.hooks[i].hook.Folder, Scope: string(m.hooks[i].hook.Scope), Outcome: NotReached}})
	}
	o := outcome{seen: make([]string, len(m.hooks))}
	var running []ended
	var happened happening
	blocks := 0
	for steps := 0; ; steps++ {
		if steps > 500 {
			t.Fatal("the run does not end")
		}
		var actions []action
		if s, actions = take(s, happened, time.Time{}); s.over {
			break
		}
		happened = nil
		for _, a := range actions {
			switch a.verb {
			case match:
				happened = matched{a.turn, m.decide(a.turn, s.event)}
			case count:
				blocks++
				happened = counted{n: blocks}
			case start:
				h := m.hooks[a.turn]
				report := *s.turns[a.turn].report
				report.plan(&s.turns[a.turn].row)
				for _, other := range running {
					if m.hooks[other.turn].hook.Scope != h.hook.Scope {
						t.Errorf("%s runs at the same time as %s of another scope", h.hook.Folder, m.hooks[other.turn].hook.Folder)
					}
				}
				answer := protocol.Answer{Decision: h.says, Reason: string(h.says), SystemMessage: fmt.Sprintf("%d%s", a.turn, commandOf(s.event))}
				if h.changes != "" {
					answer.ModifiedInput = []byte(`{"command":"` + h.changes + `"}`)
				}
				report.Outcome = outcomeOf(h.says)
				o.seen[a.turn] += commandOf(s.event)
				running = append(running, ended{turn: a.turn, report: &report, answer: answer})
			}
		}
		if happened == nil {
			if len(running) == 0 {
				t.Fatal("nothing can happen, and the run is not over")
			}
			i := pick(len(running))
			happened = running[i]
			running = slices.Delete(running, i, i+1)
		}
	}
	if len(running) > 0 {
		t.Fatal("hooks still run when the run is over")
	}
	o.answer, o.blocker, o.final = s.merged(), s.blocker, commandOf(s.event)
	o.answer = s.modified.answer(o.answer, s.blocker >= 0)
	for i := range s.turns {
		o.reports = append(o.reports, *s.turns[i].report)
	}
	return o
}

// TestTake checks properties of every run (D28, D29, D45, D82, D88): the order in
// which answers arrive, and whether hooks run at the same time, change nothing; a
// deny is never lost; every hook that matches the final event has seen it; and what
// the caller cannot express does not reach it. Hooks of two scopes never run at the same
// time (D73), a managed hook's change is the last one (D82), and nothing is said about an
// event that a hook has changed since.
func TestTake(t *testing.T) {
	for seed := range testenv.Rounds(5000) {
		r := rand.New(rand.NewPCG(uint64(seed), 35))
		m := newModel(r)
		got := m.run(t, func(int) int { return 0 })
		for range 3 {
			again := m.run(t, r.IntN)
			again.seen = got.seen
			if !reflect.DeepEqual(got, again) {
				t.Errorf("the order of arrival matters: %+v, %+v", got, again)
			}
		}
		for i := range m.hooks {
			hook := *m.hooks[i].hook
			hook.Pure, m.hooks[i].hook = false, &hook
		}
		inOrder := m.run(t, r.IntN)
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
