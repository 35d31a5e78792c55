package install

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
	"github.com/agent-hooks/agent-hooks/spec"
)

// isSet reports whether a setting has its bad value in a file. A file that cannot be decoded is
// reported elsewhere.
func (s System) isSet(path string, w agent.Switch) bool {
	value, ok := settings.At(s.decoded(path, w.Home), w.Keys...)
	if list, isList := value.([]any); isList {
		return slices.Contains(list, w.Bad)
	}
	return ok && value == w.Bad
}

// voided reports what the agent does not read of a settings file, including the entries of other
// programs, if the entries of agent-hooks are lost with it.
func (t Target) voided(r *Report, a artifact, f *file) {
	if !f.exists || a.place.whole() {
		return
	}
	if _, err := t.parsed.Decode(a.place.Layout.Format, f.text); err != nil {
		r.say(Broken, "", "%s: %v; %s ignores the whole file", f.path, err, t.Title)
		return
	}
	for _, flawed := range t.fatal(a, f.text) {
		one := finding(Broken, fmt.Sprintf("%s: %s; %s ignores %s", f.path, flawed.Text, t.Title, flawed.lost()), flawed.Fix)
		if n := len(r.Findings); n == 0 || r.Findings[n-1] != one {
			r.add(one)
		}
	}
}

// toolGuards reports entries that guard by a call of an MCP tool.
func (t Target) toolGuards(r *Report, a artifact, f *file) {
	if t.MCPFailure == "" || a.place.whole() {
		return
	}
	_ = a.place.Layout.Handlers(f.text, func(at settings.Position, h any) { // voided reports what cannot be read
		row := t.Agent.Event(at.Event)
		m, _ := h.(map[string]any)
		if m["type"] != "mcp_tool" || row == nil || !slices.Contains(row.Spec(), spec.PreToolCall) || m["onFailure"] == "block" && t.FailClosed != nil {
			return
		}
		r.say(Warning, "", "%s: the hook of %s calls the MCP tool %q of %q: %s", f.path, at.Event, m["tool"], m["server"], t.MCPFailure)
	})
}

// fatal returns the flaws of a settings file by which the agent ignores entries of agent-hooks in it.
func (t Target) fatal(a artifact, text []byte) []Flawed {
	layout := a.place.Layout
	layout.Cache = t.parsed
	return slices.DeleteFunc(t.Flaws(layout, a.place.Plain, text), func(f Flawed) bool {
		return f.Loss == agent.LosesPart || f.Loss == agent.LosesEvent && !slices.ContainsFunc(a.events, func(e Event) bool { return e.Name == f.Event })
	})
}

// flawedError means that an agent would ignore what is written.
type flawedError struct{ text string }

func (e flawedError) Error() string { return e.text }

// checkFlaws returns why the agent would ignore the entries of a file with its new text. Lines are
// those of the old one, if it has the flaws already.
func (t Target) checkFlaws(a artifact, path string, old, text []byte) error {
	if a.place.whole() {
		return nil
	}
	fatal := t.fatal(a, old)
	if len(fatal) == 0 {
		fatal = t.fatal(a, text)
	}
	if len(fatal) == 0 {
		return nil
	}
	worst := slices.MaxFunc(fatal, func(a, b Flawed) int { return int(a.Loss) - int(b.Loss) })
	var all []string
	for _, f := range fatal {
		if line := f.Text + " (" + f.Fix + ")"; !slices.Contains(all, line) {
			all = append(all, line)
		}
	}
	return flawedError{fmt.Sprintf("%s: %s would ignore %s, so nothing is written: %s", path, t.Title, worst.lost(), strings.Join(all, "; "))}
}
