package native

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/paths"
)

// elsewhere returns hooks for a call of the user's entry: if the agent's own managed settings also
// run the managed hooks on the native event, they need not run twice (D82). That counts only if it
// is certain, and was observed in the agent, which it was on Linux; running them twice is harmless.
func (r *Run) elsewhere(hooks *agenthooks.Hooks) *agenthooks.Hooks {
	if r.Managed || !hooks.HasManaged() || r.call == nil || r.call.Row == nil || !r.call.Agent.Live || runtime.GOOS != "linux" {
		return hooks
	}
	file := ""
	for _, s := range r.call.Agent.Settings {
		switch {
		case s.Scope() != "managed":
		case r.replaced(s):
			return hooks
		case s.Text != "": // it loads the other one
			if text, err := os.ReadFile(s.Path); err != nil || string(text) != s.Text || paths.CheckRoot(s.Path) != nil {
				return hooks
			}
		case !calls(s.Path, r.call.Row.Name):
			return hooks
		default:
			file = s.Path
		}
	}
	if file == "" {
		return hooks
	}
	return hooks.WithManagedBy(file)
}

// replaced reports whether the agent may read other managed settings than s.
func (r *Run) replaced(s agent.Settings) bool {
	if s.Moved == "" && s.Over == "" {
		return false
	}
	if r.Getenv == nil || r.Getenv("HOME") == "" || s.Moved != "" && r.Getenv(s.Moved) != "" {
		return true
	}
	if s.Over == "" {
		return false
	}
	folder, name := path.Split(s.Over)
	at := strings.Replace(folder, "~", r.Getenv("HOME"), 1)
	for _, other := range r.call.Agent.Settings {
		if other.Home != "" && strings.HasPrefix(other.Path, folder) && r.Getenv(other.Home) != "" {
			at = r.Getenv(other.Home)
		}
	}
	_, err := os.Lstat(filepath.Join(at, name))
	return !errors.Is(err, fs.ErrNotExist)
}

// calls reports whether a file, which only root can change, calls agent-hooks for managed hooks on
// every operation of an event. What it cannot read for certain does not count.
func calls(path, event string) bool {
	if paths.CheckRoot(path) != nil {
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
