package past

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// Summary is the result of a replay.
type Summary struct {
	Agents   []*Agent  `json:"agents"`
	Calls    int       `json:"calls"`    // that hooks could be run on
	Sessions int       `json:"sessions"` // with such a call
	Hooks    []*Hook   `json:"hooks"`    // that matched a call, the most restrictive first
	NotRun   []*NotRun `json:"not_run"`  // that matched a call and did not run
	Compare  *Compare  `json:"compare,omitempty"`
	Gone     int       `json:"gone_directories"` // whose project's hooks could not be loaded
	Bytes    int64     `json:"bytes"`
	Done     int64     `json:"bytes_read"`
	Stopped  bool      `json:"stopped"` // before all transcripts were read
	Duration float64   `json:"duration_ms"`

	Found []*Found `json:"-"` // the calls of Options.Call
}

// Agent counts what the transcripts of one agent contain.
type Agent struct {
	Agent      string         `json:"agent"`
	Title      string         `json:"-"`
	Folders    []string       `json:"folders"`                 // that exist
	Files      int            `json:"files"`                   // that were read
	Skipped    map[string]int `json:"skipped_files,omitempty"` // by reason
	Calls      int            `json:"calls"`                   // that hooks could be run on
	Unseen     int            `json:"unseen"`                  // calls for which the agent runs no hooks
	Repeated   int            `json:"repeated"`                // copies of calls
	Broken     int            `json:"broken_lines"`
	TooLong    int            `json:"long_lines"`           // above 16 MiB, skipped
	Incomplete map[string]int `json:"incomplete,omitempty"` // calls, by what they lack
	Oldest     *time.Time     `json:"oldest,omitempty"`
	Newest     *time.Time     `json:"newest,omitempty"`
}

// Hook is what one hook would have done.
type Hook struct {
	Hook     string   `json:"hook"`
	Scope    string   `json:"scope"`
	File     string   `json:"file"`
	With     bool     `json:"with,omitempty"` // it is not installed
	Calls    int      `json:"calls"`          // that it matches
	Sessions int      `json:"sessions"`       // with such a call
	Denied   int      `json:"denied"`
	Asked    int      `json:"asked"`
	Changed  int      `json:"changed"`
	Allowed  int      `json:"allowed"`
	Failed   int      `json:"failed"`
	Groups   []*Group `json:"groups"`                // the most frequent first
	Others   int      `json:"other_calls,omitempty"` // calls that are not in Groups

	sessions map[string]struct{}
	groups   map[groupKey]*Group
}

// Group is the calls with one command or path and one effect of the hooks.
type Group struct {
	Effect string    `json:"effect"`
	Was    string    `json:"was,omitempty"` // in a comparison: without the other hooks
	Hook   string    `json:"hook,omitempty"`
	Tool   string    `json:"tool"`
	Text   string    `json:"text"` // one line, with invisible characters escaped
	Count  int       `json:"count"`
	Last   time.Time `json:"last"`
	Agent  string    `json:"agent"` // of the last call
	Call   string    `json:"call"`  // its identifier, for Options.Call
	Dir    string    `json:"dir"`   // of the last call
	Reason string    `json:"reason,omitempty"`
}

type groupKey struct{ effect, was, hook, tool, text string }

// maxGroups limits the distinct groups that are kept for one hook.
const maxGroups = 5000

// maxShown limits the groups in a summary.
const maxShown = 200

// NotRun is a hook that matched calls, but was not run.
type NotRun struct {
	Hook  string `json:"hook"`
	File  string `json:"file"`
	With  bool   `json:"with,omitempty"`
	Calls int    `json:"calls"`
	Why   string `json:"why"`
}

// Compare are the calls on which the decision of all hooks changes.
type Compare struct {
	Unchanged int      `json:"unchanged"`
	Allowed   int      `json:"newly_allowed"`
	Denied    int      `json:"newly_restricted"`
	Rewritten int      `json:"changed_differently"` // the decision is the same, but the tool gets another input
	Newly     []*Group `json:"changes"`             // the newly allowed first
	Others    int      `json:"other_calls,omitempty"`

	groups map[groupKey]*Group
}

type hookKey struct {
	file string
	with bool
}

// tally counts results. Safe for concurrent use.
type tally struct {
	calls    atomic.Int64
	mu       sync.Mutex
	agents   map[*agent.Agent]*Agent
	seen     map[string]struct{} // the identifiers of the calls so far
	sessions map[string]struct{}
	hooks    map[hookKey]*Hook
	left     map[hookKey]*NotRun
	dirs     map[string]struct{}
	changes  *Compare
	asked    []*Found
}

func newTally(compares bool) *tally {
	t := &tally{
		agents: map[*agent.Agent]*Agent{}, seen: map[string]struct{}{}, sessions: map[string]struct{}{},
		hooks: map[hookKey]*Hook{}, left: map[hookKey]*NotRun{}, dirs: map[string]struct{}{},
	}
	if compares {
		t.changes = &Compare{groups: map[groupKey]*Group{}}
	}
	return t
}

func (t *tally) of(a *agent.Agent) *Agent {
	if t.agents[a] == nil {
		t.agents[a] = &Agent{Agent: a.Name, Title: a.Title, Skipped: map[string]int{}, Incomplete: map[string]int{}}
	}
	return t.agents[a]
}

// do changes the tally.
func (t *tally) do(change func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change()
}

// count changes the counts of an agent.
func (t *tally) count(a *agent.Agent, change func(*Agent)) {
	t.do(func() { change(t.of(a)) })
}

func (t *tally) skip(a *agent.Agent, why string) {
	t.count(a, func(all *Agent) { all.Skipped[why]++ })
}

// isNew reports whether a call is new, and remembers it.
func (t *tally) isNew(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, known := t.seen[id]
	t.seen[id] = struct{}{}
	return !known
}

// counted counts a call that hooks are run on.
func (t *tally) counted(c *one) {
	t.calls.Add(1)
	t.count(c.agent, func(a *Agent) {
		a.Calls++
		if a.Oldest == nil || c.at.Before(*a.Oldest) {
			a.Oldest = &c.at
		}
		if a.Newest == nil || c.at.After(*a.Newest) {
			a.Newest = &c.at
		}
		t.sessions[c.session] = struct{}{}
	})
}

// notRun counts calls that a hook matched without being run.
func (t *tally) notRun(h *discovery.Hook, with bool, why string, calls int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := hookKey{h.File, with}
	if t.left[key] == nil {
		t.left[key] = &NotRun{Hook: h.Shown(), File: h.File, With: with, Why: why}
	}
	t.left[key].Calls += calls
}

func (t *tally) hook(h *discovery.Hook, with bool) *Hook {
	key := hookKey{h.File, with}
	if t.hooks[key] == nil {
		t.hooks[key] = &Hook{Hook: h.Shown(), Scope: string(h.Scope), File: h.File, With: with, sessions: map[string]struct{}{}, groups: map[groupKey]*Group{}}
	}
	return t.hooks[key]
}

// add counts what a hook did.
func (t *tally) add(c *one, g Given) {
	tool, text := describeEvent(c.payload)
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.hook(g.Hook, g.With)
	h.Calls++
	h.sessions[c.session] = struct{}{}
	switch g.effect {
	case denied:
		h.Denied++
	case asked:
		h.Asked++
	case changed:
		h.Changed++
	case allowed:
		h.Allowed++
	case failed:
		h.Failed++
	case none:
		return
	}
	if !addCall(h.groups, groupKey{effect: g.effect.String(), tool: tool, text: text}, c, g.reason) {
		h.Others++
	}
}

// bounded returns at most 500 bytes of a text, because thousands are kept.
func bounded(text string) string { return shown.Cut(text, 500) }

// addCall counts a call in its group, and reports whether there was room.
func addCall(groups map[groupKey]*Group, key groupKey, c *one, reason string) bool {
	l := groups[key]
	if l == nil {
		if len(groups) >= maxGroups {
			return false
		}
		l = &Group{Effect: key.effect, Was: key.was, Hook: key.hook, Tool: key.tool, Text: key.text}
		groups[key] = l
	}
	l.Count++
	if id := c.id[:shortID]; c.at.After(l.Last) || c.at.Equal(l.Last) && (l.Call == "" || id < l.Call) {
		l.Last, l.Agent, l.Call, l.Dir, l.Reason = c.at, c.agent.Name, id, bounded(c.dir), reason
	}
	return true
}

// compare counts the difference of the hooks' decisions on one call.
func (t *tally) compare(c *one, was, is []Given) {
	before, after := strictest(was), strictest(is)
	t.mu.Lock()
	defer t.mu.Unlock()
	from, to, decisive := before.effect.String(), after.effect.String(), after
	first, input := inputs(was)
	second, newInput := inputs(is)
	switch {
	case before.effect == after.effect && input == newInput:
		t.changes.Unchanged++
		return
	case before.effect == after.effect:
		t.changes.Rewritten++
		from, to, decisive = first.effect.String(), second.effect.String(), second
		if newInput == "" {
			decisive = first
		} else if input != "" {
			to += ", differently"
		}
	case after.effect < before.effect:
		t.changes.Allowed++
		decisive = before
	default:
		t.changes.Denied++
	}
	tool, text := describeEvent(c.payload)
	if !addCall(t.changes.groups, groupKey{to, from, decisive.Hook.Shown(), tool, text}, c, decisive.reason) {
		t.changes.Others++
	}
}

// inputs returns the hook that changed the input, with the inputs of all that did.
func inputs(all []Given) (g Given, inputs string) {
	for _, one := range all {
		if one.effect == changed {
			g, inputs = one, inputs+string(one.Input)+"\n"
		}
	}
	return g, inputs
}

// strictest returns the hook that decides: a deny or a question. Anything else leaves the decision
// to the agent.
func strictest(all []Given) (g Given) {
	for _, one := range all {
		if (one.effect == denied || one.effect == asked) && one.effect > g.effect {
			g = one
		}
	}
	return g
}

// summary returns the counts. No worker runs any more.
func (t *tally) summary(agents []*agent.Agent) *Summary {
	s := &Summary{Agents: []*Agent{}, Hooks: []*Hook{}, NotRun: []*NotRun{}, Sessions: len(t.sessions), Gone: len(t.dirs), Compare: t.changes, Found: t.asked}
	for _, a := range agents {
		all := t.of(a)
		s.Calls += all.Calls
		s.Agents = append(s.Agents, all)
	}
	for _, h := range t.hooks {
		h.Sessions = len(h.sessions)
		h.Groups = cut(sorted(h.groups), &h.Others)
		s.Hooks = append(s.Hooks, h)
	}
	slices.SortFunc(s.Hooks, func(a, b *Hook) int {
		return cmp.Or(b.Denied-a.Denied, b.Asked-a.Asked, b.Changed-a.Changed, b.Calls-a.Calls, cmp.Compare(a.Hook, b.Hook), cmp.Compare(a.File, b.File))
	})
	for _, n := range t.left {
		s.NotRun = append(s.NotRun, n)
	}
	slices.SortFunc(s.NotRun, func(a, b *NotRun) int { return cmp.Or(b.Calls-a.Calls, cmp.Compare(a.File, b.File)) })
	if c := t.changes; c != nil {
		groups := sorted(c.groups)
		slices.SortStableFunc(groups, func(a, b *Group) int { return cmp.Compare(restricts(a), restricts(b)) })
		c.Newly = cut(groups, &c.Others)
	}
	return s
}

// restricts returns 1 for a change to a stricter decision.
func restricts(l *Group) int {
	if l.Effect == denied.String() || l.Effect == asked.String() && l.Was != denied.String() {
		return 1
	}
	return 0
}

// cut returns the first groups, and adds the calls in the others to a count.
func cut(groups []*Group, others *int) []*Group {
	for _, l := range groups[min(len(groups), maxShown):] {
		*others += l.Count
	}
	return groups[:min(len(groups), maxShown)]
}

// sorted returns the most frequent groups first; of equal ones, the latest.
func sorted(groups map[groupKey]*Group) []*Group {
	all := slices.Collect(maps.Values(groups))
	slices.SortFunc(all, func(a, b *Group) int {
		return cmp.Or(b.Count-a.Count, b.Last.Compare(a.Last), cmp.Compare(a.Text, b.Text), cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Effect, b.Effect))
	})
	if all == nil {
		all = []*Group{}
	}
	return all
}
