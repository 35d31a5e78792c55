package install

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
)

// Flawed is a part of a settings file that an agent does not read (D151).
type Flawed struct {
	Loss           agent.Loss
	Event          string // "" if the file, or more than one event, is lost
	Element, Index int    // -1 if more is lost
	Line           int
	Text           string // `line 3: the type "x" of an entry is unknown`
	Fix            string
}

// lost names what is lost.
func (f Flawed) lost() string {
	switch f.Loss {
	case agent.LosesFile:
		return "the whole file"
	case agent.LosesEvent:
		return "every entry of " + f.Event
	}
	return "it"
}

// repair returns what repairs a flaw.
func repair(flaw agent.Flaw) string {
	switch flaw {
	case agent.Comment:
		return "remove the comments"
	case agent.TrailingComma:
		return "remove that comma"
	case agent.ByteMark:
		return "save the file without it"
	}
	return "correct or remove it"
}

// flawReader finds the flaws of one file.
type flawReader struct {
	client *Client
	layout settings.Layout
	plain  []string // events without groups
	found  []Flawed
}

// Flaws returns the parts of a settings file that the agent does not read, according to what its
// program was seen to lose, in the order of the file. It returns none for a file that cannot be
// decoded.
func (c *Client) Flaws(layout settings.Layout, plain []string, text []byte) []Flawed {
	r := flawReader{client: c, layout: layout, plain: plain}
	if layout.Format == settings.JSON {
		comment, comma := settings.Loose(text)
		r.add(agent.Comment, settings.Part{Line: comment}, comment > 0, "it has a comment")
		r.add(agent.TrailingComma, settings.Part{Line: comma}, comma > 0, "it has a comma before a closing bracket")
	}
	r.add(agent.ByteMark, settings.Part{Line: 1}, settings.HasMark(text), "it begins with a byte-order mark")
	if layout.Parts(text, r.part) != nil {
		return nil
	}
	return r.found
}

// add adds a flaw if the agent loses something by it.
func (r *flawReader) add(flaw agent.Flaw, p settings.Part, has bool, format string, args ...any) {
	loss := r.client.Setup.Flaws.Loss(flaw)
	if !has || loss == agent.LosesNothing {
		return
	}
	one := Flawed{Loss: loss, Event: p.Event, Element: -1, Index: -1, Line: p.Line, Text: fmt.Sprintf("line %d: %s", p.Line, fmt.Sprintf(format, args...)), Fix: repair(flaw)}
	switch loss {
	case agent.LosesFile:
		one.Event = ""
	case agent.LosesPart:
		one.Element, one.Index = p.Element, p.Index
	}
	r.found = append(r.found, one)
}

func (r *flawReader) part(p settings.Part) {
	flaws := &r.client.Setup.Flaws
	members, isObject := p.Value.(map[string]any)
	_, isList := p.Value.([]any)
	switch p.Level {
	case settings.Top:
		root := append(r.layout.Root, "")[0]
		unknown := flaws.Top != nil && r.layout.Format == settings.JSON && !slices.Contains(flaws.Top, p.Key)
		r.add(agent.UnknownTop, p, unknown || slices.Contains(flaws.NoTop, p.Key), "the top-level key %q is unknown", p.Key)
		r.add(agent.Repeated, p, p.Again && p.Key == root, "the key %q occurs again below", p.Key)
	case settings.Hooks:
		r.add(agent.HooksForm, p, !isObject && !r.layout.Flat, "the hooks are not an object with a list for each event")
	case settings.Event:
		r.add(agent.Repeated, p, p.Again, "the key %q occurs again below", p.Key)
		r.add(agent.EventForm, p, !isList && r.client.Agent.Owns(p.Key), "the value of %q is not a list", p.Key)
		r.add(agent.UnknownEvent, p, isList && !r.client.Agent.Owns(p.Key), "the event %q is unknown", p.Key)
	case settings.Element:
		if r.layout.Nested == "" || slices.Contains(r.plain, p.Event) {
			r.handler(p)
			return
		}
		handlers, has := members[r.layout.Nested]
		_, isList := handlers.([]any)
		r.add(agent.GroupForm, p, !isObject, "an element of %q is not an object", p.Event)
		r.add(agent.NoGroup, p, isObject && !has, "an entry of %q is not in a group with a list of hooks", p.Event)
		r.add(agent.HooksOfGroup, p, has && !isList, "the hooks of a group of %q are not a list", p.Event)
		r.matcher(p, members)
	case settings.Handler:
		r.handler(p)
	}
}

func (r *flawReader) matcher(p settings.Part, of map[string]any) {
	value, has := of["matcher"]
	_, isText := value.(string)
	r.add(agent.MatcherForm, p, has && value != nil && !isText, "a matcher is not a text")
	r.add(agent.MatcherNull, p, has && value == nil, "a matcher is null")
}

// shells reports whether the agent's entries have a command line for each shell.
func (r *flawReader) shells() bool {
	return slices.ContainsFunc(r.client.Places, func(p Place) bool {
		return slices.ContainsFunc(p.Entry, func(part agent.Part) bool { return part.Var == agent.PowerShellLine })
	})
}

// needs returns the members that a type of entries needs, besides commands.
func needs(kind string) []string {
	switch kind {
	case "prompt", "agent":
		return []string{"prompt"}
	case "http":
		return []string{"url"}
	case "mcp_tool":
		return []string{"server", "tool"}
	}
	return nil
}

func (r *flawReader) handler(p settings.Part) {
	h, isObject := p.Value.(map[string]any)
	r.add(agent.HandlerForm, p, !isObject, "a hook is not an object")
	if !isObject {
		return
	}
	flaws := &r.client.Setup.Flaws
	if r.layout.Flat {
		p.Event, _ = h[r.client.Agent.EventKey()].(string)
		r.add(agent.UnknownEvent, p, !r.client.Agent.Owns(p.Event), "the event %q is unknown", p.Event)
	}
	if r.layout.Nested == "" {
		r.matcher(p, h)
	}
	for _, key := range slices.Sorted(maps.Keys(h)) {
		r.add(agent.UnknownKey, p, flaws.Keys != nil && !slices.Contains(flaws.Keys, key), "the key %q of an entry is unknown", key)
	}
	kind, isText := h["type"].(string)
	_, has := h["type"]
	text := func(key string) bool { _, ok := h[key].(string); return ok }
	r.add(agent.NoType, p, !has, "an entry has no type")
	r.add(agent.UnknownType, p, has && flaws.Types != nil && !slices.Contains(flaws.Types, kind), "the type %q of an entry is unknown", cmp.Or(kind, fmt.Sprint(h["type"])))
	_, other := h["command"]
	own := !other && r.shells() && (text("bash") || text("powershell"))
	r.add(agent.NoCommand, p, isText && kind == "command" && !text("command") && !own, "the command of an entry is missing or not a text")
	for _, key := range needs(kind) {
		r.add(agent.NoMember, p, !text(key), "an entry of the type %q has no %s", kind, key)
	}
	value, has := h["timeout"]
	n, isNumber := value.(float64)
	r.add(agent.Timeout, p, has && (!isNumber || n < 0), "a timeout is not a positive number: %v", value)
	r.add(agent.TimeoutZero, p, isNumber && n == 0, "a timeout is 0")
	r.add(agent.TimeoutPart, p, isNumber && n != math.Trunc(n), "a timeout has a fraction: %v", value)
	command, _ := h["command"].(string)
	r.add(agent.CommandURL, p, strings.Contains(command, "://"), "a command contains a URL")
}
