package native

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/owners"
)

// elsewhere returns hooks for a call of the user's entry: if the agent's own managed settings also
// run the managed hooks on the native event, they need not run twice (D82). That counts only if it
// is certain; running them twice is harmless.
func (r *Run) elsewhere(hooks *agenthooks.Hooks) *agenthooks.Hooks {
	if r.Managed || !hooks.HasManaged() || r.call == nil || r.call.Row == nil {
		return hooks
	}
	a := r.call.Agent
	for i := range a.Settings {
		s := &a.Settings[i]
		if s.Scope() != "managed" || s.Text != "" || !a.Live || s.Moved != "" && (r.Getenv == nil || r.Getenv(s.Moved) != "") {
			continue
		}
		path := s.Path
		if s.Mac != "" && runtime.GOOS == "darwin" {
			path = s.Mac
		}
		if calls(path, r.call.Row.Name) {
			return hooks.WithManagedBy(path)
		}
	}
	return hooks
}

// calls reports whether a file, which only root can change, calls agent-hooks for managed hooks on
// every operation of an event. What it cannot read for certain does not count.
func calls(path, event string) bool {
	if owners.CheckRoot(path) != nil {
		return false
	}
	text, err := os.ReadFile(path)
	if err != nil || bytes.Contains(text, []byte("matcher")) || bytes.Contains(text, []byte(`"if"`)) {
		return false
	}
	switch filepath.Ext(path) {
	case ".json":
		var file struct{ Hooks map[string]json.RawMessage }
		return json.Unmarshal(text, &file) == nil && callsIn(file.Hooks[event])
	case ".toml":
		for part := range bytes.SplitSeq(text, []byte("[[")) {
			if bytes.HasPrefix(part, []byte("hooks."+event+".hooks]]")) && callsIn(part) {
				return true
			}
		}
		return false
	}
	return bytes.Contains(text, []byte(`"`+event+`"`)) && callsIn(text)
}

// callsIn reports whether a text has the words of a managed entry, one after the other in a command
// line or a list.
func callsIn(text []byte) bool {
	words := bytes.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '"' || r == ',' || r == '\n' || r == '\r' || r == '\t' })
	for i, word := range words {
		if string(word) == "--scope" && i+1 < len(words) && string(words[i+1]) == "managed" {
			return true
		}
	}
	return false
}
