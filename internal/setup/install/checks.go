package install

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
)

// switchedOff reports the settings that disable the agent's hooks.
func (t Target) switchedOff(r *Report) {
	for _, s := range t.Switches {
		value := t.Getenv(s.Variable)
		switch {
		case s.Variable == "" && t.isSet(s):
			r.say(Broken, "", "%s: %s disables hooks", t.Expand(s.Path, s.Home), strings.Join(s.Keys, "."))
		case s.Variable != "" && value != "" && value != "0" && value != "false":
			r.say(Broken, "", "%s=%s disables hooks", s.Variable, value)
		}
	}
}

// isSet reports whether a setting has its bad value. A file that cannot be decoded is
// reported elsewhere.
func (s System) isSet(w agent.Switch) bool {
	value, ok := settings.At(s.decoded(w.Path, w.Home), w.Keys...)
	if list, isList := value.([]any); isList {
		return slices.Contains(list, w.Bad)
	}
	return ok && value == w.Bad
}

// voided reports why the agent ignores a whole settings file, including the
// entries of other programs.
func (t Target) voided(r *Report, a artifact, f *file) {
	if !f.exists || a.place.whole() {
		return
	}
	add := func(format string, args ...any) {
		one := finding(Broken, fmt.Sprintf("%s: %s; %s ignores the whole file", f.path, fmt.Sprintf(format, args...), t.Title), "")
		if n := len(r.Findings); n == 0 || r.Findings[n-1] != one {
			r.add(one)
		}
	}
	decoded, err := settings.Decode(a.place.Layout.Format, f.text)
	if err != nil {
		add("%v", err)
		return
	}
	if t.Strict.NoMark && settings.HasMark(f.text) {
		add("it begins with a byte-order mark")
	}
	if t.Strict.JSON && a.place.Layout.Format == settings.JSON && len(f.text) > 0 && !json.Valid(f.text) && !settings.HasMark(f.text) {
		add("it contains comments or trailing commas")
	}
	for _, key := range t.Strict.NoTop {
		if _, ok := settings.At(decoded, key); ok {
			add("it has a top-level %q", key)
		}
	}
	if top, ok := decoded.(map[string]any); ok && t.Strict.Top != nil && a.place.Layout.Format == settings.JSON {
		for _, key := range slices.Sorted(maps.Keys(top)) {
			if !slices.Contains(t.Strict.Top, key) {
				add("the top-level key %q is unknown", key)
			}
		}
	}
	_ = a.place.Layout.Handlers(f.text, func(at settings.Position, h any) { // already decoded above
		for _, cause := range t.wrong(t.eventOf(at.Event, h), h) {
			add("%s", cause)
		}
	})
}

// wrong returns the parts of an entry that the agent rejects.
func (t Target) wrong(event string, handler any) []string {
	var causes []string
	if t.Strict.Events && !t.Agent.Owns(event) {
		causes = append(causes, fmt.Sprintf("the event %q is unknown", event))
	}
	m, _ := handler.(map[string]any)
	for key := range m {
		if t.Strict.Keys != nil && !slices.Contains(t.Strict.Keys, key) {
			causes = append(causes, fmt.Sprintf("the key %q of an entry is unknown", key))
		}
	}
	if kind, ok := m["type"].(string); ok && t.Strict.Types != nil && !slices.Contains(t.Strict.Types, kind) {
		causes = append(causes, fmt.Sprintf("the type %q of an entry is unknown", kind))
	}
	if command, _ := m["command"].(string); t.Strict.NoURL && strings.Contains(command, "://") {
		causes = append(causes, "a command contains a URL")
	}
	return causes
}
