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

// isSet reports whether a setting has its bad value in a file. A file that cannot be decoded is
// reported elsewhere.
func (s System) isSet(path string, w agent.Switch) bool {
	value, ok := settings.At(s.decoded(path, w.Home), w.Keys...)
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
		if event := t.eventOf(at.Event, h); t.Strict.Events && !t.Agent.Owns(event) {
			add("the event %q is unknown", event)
		}
		m, _ := h.(map[string]any)
		for key := range m {
			if t.Strict.Keys != nil && !slices.Contains(t.Strict.Keys, key) {
				add("the key %q of an entry is unknown", key)
			}
		}
		if kind, ok := m["type"].(string); ok && t.Strict.Types != nil && !slices.Contains(t.Strict.Types, kind) {
			add("the type %q of an entry is unknown", kind)
		}
		if command, _ := m["command"].(string); t.Strict.NoURL && strings.Contains(command, "://") {
			add("a command contains a URL")
		}
	})
}
