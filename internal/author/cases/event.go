package cases

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
	"github.com/agent-hooks/agent-hooks/testdata/events"
)

// eventSource is the event of a case, before its placeholders are replaced.
type eventSource struct {
	trigger spec.EventType
	value   *tree.Node   // nil: there is no valid event; see Diagnostics or those of the hook
	agent   *agent.Agent // whose payload the value is; nil for an event of the format
	native  string       // its event, for payloads that do not name it
}

// readEvent reads the event: either the given one, or a sample and its patch.
func (c *Case) readEvent() {
	if event := c.root.Member("event"); event != nil {
		for _, key := range []string{"sample", "patch"} {
			if other := c.root.Member(key); other != nil {
				c.source.report(badKey, other.Start, fmt.Sprintf("both \"event\" and %q; keep one: an event is whole, a sample is patched", key))
			}
		}
		if !c.is(tree.Mapping, event, "a mapping") {
			return
		}
		c.event = eventSource{trigger: c.Hook.Trigger, value: event}
	} else {
		c.fromSample(c.root.Member("sample"), c.root.Member("patch"))
	}
	if name := c.root.Member("agent"); name != nil {
		c.readAgent(name)
		return
	}
	if sample := c.root.Member("sample"); sample != nil && c.event.value != nil && c.event.value.Member("event_type") == nil {
		if a := sampleAgent(textOf(sample)); a != nil {
			c.from(a, "", cmp.Or(c.root.Member("patch"), sample).Start)
			return
		}
	}
	c.readType()
}

// sampleAgent returns the agent of a sample; nil for a sample of the format. Its
// hooks get the event as `agent-hooks run --agent` passes it on, not as the agent
// sends it.
func sampleAgent(name string) *agent.Agent {
	prefix, _, found := strings.Cut(name, "/")
	if !found {
		return nil
	}
	for _, known := range [...]string{prefix, prefix + "-code", prefix + "-cli"} {
		if a := agent.Find(known); a != nil {
			return a
		}
	}
	return nil
}

// readAgent reads the agent of a payload: NAME, or NAME/EVENT for payloads that do not name
// their event.
func (c *Case) readAgent(name *tree.Node) {
	if !c.is(tree.String, name, "the name of one") {
		return
	}
	known, native, _ := strings.Cut(textOf(name), "/")
	a := agent.Find(known)
	if a == nil {
		hint := shown.Hint("agent-hooks spec lists them", "%q", known, agent.Names())
		c.source.report(badValue, name.Start, fmt.Sprintf("unknown agent %q; %s", known, hint))
		return
	}
	at := name.Start
	if c.event.value != nil && c.root.Member("event") != nil {
		at = c.event.value.Start
	}
	c.from(a, native, at)
}

// from decodes the event as a payload of an agent. Problems are reported at at.
func (c *Case) from(a *agent.Agent, native string, at int) {
	if c.event.value == nil {
		return
	}
	call, err := a.Decode(encode(c.event.value), native)
	switch {
	case err != nil:
		c.source.report(badValue, at, fmt.Sprintf("not a payload of %s: %v; write %s/EVENT if payloads do not name their event", a.Title, err, a.Name))
		return
	case len(call.Events) == 0:
		c.source.report(badValue, at, fmt.Sprintf("no hook fires on %s of %s", call.Row.Name, a.Title))
		return
	case !slices.Contains(call.Events, c.event.trigger):
		c.event.trigger = call.Events[0]
	}
	c.event.agent, c.event.native = a, native
}

func (c *Case) fromSample(sample, patch *tree.Node) {
	name := string(c.Hook.Trigger)
	if sample == nil && !c.Hook.Trigger.Valid() {
		return // the error is in HOOK.md
	}
	if sample != nil {
		if !c.is(tree.String, sample, "the name of one") {
			return
		}
		name = textOf(sample)
	}
	base, ok := c.sample(name, sample)
	if !ok {
		return
	}
	if patch != nil {
		if !c.is(tree.Mapping, patch, "a mapping") {
			return
		}
		base = merge(base, patch)
	}
	trigger := c.Hook.Trigger
	if of := events.Events(name); !slices.Contains(of, trigger) {
		trigger = of[0]
	}
	c.event = eventSource{trigger: trigger, value: base}
}

// sample returns the named sample event, for the scratch work dir.
func (c *Case) sample(name string, at *tree.Node) (*tree.Node, bool) {
	raw, err := events.Sample(name)
	if err != nil {
		c.source.report(badValue, cmp.Or(at, c.root).Start, fmt.Sprintf("%v; %s", err, sampleHint(name)))
		return nil, false
	}
	event := (&source{bytes: raw}).parseJSON()
	for _, e := range event.Children {
		if slices.Contains(workDirKeys[:], e.Key) {
			set(event, e.Key, workDirValue(e.Key))
		}
	}
	return event, true
}

// sampleHint suggests a sample for an unknown name: a similar one, or an agent's with that event.
func sampleHint(name string) string {
	names := events.Names()
	event := name[strings.LastIndexByte(name, '/')+1:]
	if i := slices.IndexFunc(names, func(n string) bool { return strings.HasSuffix(n, "/"+event) }); i >= 0 {
		return fmt.Sprintf("did you mean %q?", names[i])
	}
	return shown.Hint("only what Claude Code, Codex and Gemini CLI send is understood as it is (agent-hooks test --samples); for others take the format's own, such as \"pre-tool-call\"", "%q", name, names)
}

// readType reads the type from the event itself.
func (c *Case) readType() {
	kind := c.event.value.Member("event_type")
	if kind == nil {
		return
	}
	name := spec.EventType(textOf(kind))
	if kind.Tag == tree.String && name.Valid() {
		c.event.trigger = name
		return
	}
	hint := "agent-hooks events lists them"
	if near, ok := shown.NearEvent(string(name)); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	c.source.report(badValue, kind.Start, fmt.Sprintf("unknown event %q; %s", name, hint))
}

// workDirKeys are the keys for the agent's working directory.
var workDirKeys = [...]string{"work_dir", "cwd", "workspace_roots"}

// Placeholders for paths and times that are known only when a case runs.
const (
	workDir = "{{work_dir}}"
	homeDir = "{{home}}"
)

func workDirValue(key string) *tree.Node {
	v := stringValue(workDir)
	if key == "workspace_roots" {
		v = &tree.Node{Tag: tree.List, Children: []*tree.Node{v}}
	}
	return v
}

// in returns the event for a scratch directory. If the event names another work dir, as a
// recorded event does, it is replaced, so that hooks run only in the scratch directory.
func (e eventSource) in(placeholders []string, work, now string) (*protocol.Event, agenthooks.RunOptions, []string) {
	event := replaced(e.value, placeholders)
	for _, key := range workDirKeys {
		if v := event.Member(key); v != nil && !inside(v, work) {
			set(event, key, replaced(workDirValue(key), placeholders))
		}
	}
	if e.agent != nil {
		var raw bytes.Buffer // as agents send it
		_ = json.Compact(&raw, encode(event))
		if call, err := e.agent.Decode(raw.Bytes(), e.native); err == nil {
			parsed, warnings := call.Parse(e.trigger, now)
			return parsed, agenthooks.RunOptions{Caller: call, Ask: agenthooks.Express, Modify: agenthooks.Express}, append(call.Warnings, warnings...)
		}
	}
	parsed, warnings := protocol.ParseEvent(e.trigger, encode(event), now)
	return parsed, agenthooks.RunOptions{Ask: agenthooks.Express, Modify: agenthooks.Express}, warnings
}

// inside reports whether every path in v is in work.
func inside(v *tree.Node, work string) bool {
	if v.Tag == tree.List {
		return len(v.Children) > 0 && !slices.ContainsFunc(v.Children, func(item *tree.Node) bool { return !inside(item, work) })
	}
	path := filepath.Clean(textOf(v))
	return v.Tag == tree.String && (path == work || strings.HasPrefix(path, work+string(filepath.Separator)))
}
