package serve

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/tree"
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
		case s.Scope() != "managed", s.Script: // the entries name a script
		case r.replaced(s):
			return hooks
		case s.Text != "": // it loads the other one
			if text, err := os.ReadFile(s.Path); err != nil || string(text) != s.Text || paths.CheckRoot(s.Path) != nil {
				return hooks
			}
		case !calls(s.Path, cmp.Or(r.call.Row.Setting, r.call.Row.Name)):
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
	return err == nil && callsIn(filepath.Ext(path), text, event)
}

// callsIn reports whether the text of a file with an extension calls agent-hooks for managed hooks
// on every operation of an event.
func callsIn(extension string, text []byte, event string) bool {
	var settings struct{ Hooks map[string]any }
	var err error
	switch extension {
	case ".json":
		err = json.Unmarshal(text, &settings)
	case ".toml":
		_, err = tree.DecodeTOML(text, &settings)
	case ".sh": // a script of install
		_, line, _ := strings.Cut(string(text), "\nexec ")
		return isManaged(strings.Fields(line))
	default: // a plugin of install
		var args, events []string
		constant(text, "args = ", &args)
		constant(text, "events = new Set(", &events)
		return isManaged(args) && slices.Contains(events, strings.TrimPrefix(event, "event:"))
	}
	return err == nil && runs(settings.Hooks[event])
}

// constant reads the value of a constant of a JavaScript module, from where it begins.
func constant(text []byte, begin string, value any) {
	if _, rest, found := bytes.Cut(text, []byte("\nconst "+begin)); found {
		_ = json.NewDecoder(bytes.NewReader(rest)).Decode(value)
	}
}

// runs reports whether a part of settings has a managed entry that no condition limits.
func runs(part any) bool {
	switch part := part.(type) {
	case string:
		words := strings.Fields(part)
		return isManaged(words) || len(words) == 1 && filepath.Ext(part) == ".sh" && calls(part, "")
	case []map[string]any: // in TOML
		return slices.ContainsFunc(part, func(m map[string]any) bool { return runs(m) })
	case []any:
		words := make([]string, len(part))
		for i, p := range part {
			words[i], _ = p.(string)
		}
		return isManaged(words) || slices.ContainsFunc(part, runs)
	case map[string]any:
		for _, condition := range []string{"matcher", "if"} {
			if part[condition] != nil {
				return false
			}
		}
		return slices.ContainsFunc(slices.Collect(maps.Values(part)), runs)
	}
	return false
}

// isManaged reports whether the words of a command are those of a managed entry.
func isManaged(words []string) bool {
	i := slices.Index(words, "--scope")
	return i >= 0 && i+1 < len(words) && words[i+1] == "managed"
}
