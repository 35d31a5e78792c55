package importer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
)

// process is a hook process of PicoClaw. One entry of its settings names all
// the events that the process handles.
type process struct {
	name        string
	priority    float64
	settings    map[string]any
	handler     map[string]any // common to the hooks of all its events
	intercepted []string       // native events for which PicoClaw waits for an answer
	observed    []string       // native events that PicoClaw only reports
}

// findProcesses collects PicoClaw's hooks in the order in which it calls them.
func (src *source) findProcesses(decoded any, title string) {
	hooks, _ := settings.At(decoded, "hooks")
	off := ""
	if on, ok := settings.At(hooks, "enabled"); ok && on != true {
		off = "hooks are switched off there"
	}
	value, _ := settings.At(hooks, "builtins")
	builtins, _ := value.(map[string]any)
	for _, name := range sorted(builtins) {
		src.reject(name, builtins[name], "it is built into "+title)
	}
	value, _ = settings.At(hooks, "processes")
	configured, ok := value.(map[string]any)
	if value != nil && !ok {
		src.reject("hooks.processes", value, "it is not an object")
	}
	for _, name := range sorted(configured) {
		p, reason := newProcess(name, configured[name], title)
		if reason = cmp.Or(off, reason); reason != "" {
			src.reject(name, configured[name], reason)
			continue
		}
		src.processes = append(src.processes, p)
	}
	slices.SortStableFunc(src.processes, func(a, b *process) int { return cmp.Compare(a.priority, b.priority) })
	for _, p := range src.processes {
		src.addProcess(p, timeoutsOf(hooks), title)
	}
}

// reject lists an entry that is not imported.
func (src *source) reject(name string, handler any, reason string) {
	m, ok := handler.(map[string]any)
	if !ok {
		m = map[string]any{name: handler}
	}
	src.entries = append(src.entries, &entry{source: src, event: name, handler: m, off: reason})
}

// newProcess parses an entry. reason is why it cannot be imported.
func newProcess(name string, handler any, title string) (p *process, reason string) {
	p = &process{name: name, handler: map[string]any{"process": name}}
	p.settings, _ = handler.(map[string]any)
	var s struct {
		Enabled                     bool
		Priority                    float64
		Transport, Dir              string
		Command, Intercept, Observe []string
		Env                         map[string]string
	}
	text, _ := json.Marshal(handler)
	var wrong *json.UnmarshalTypeError
	switch err := json.Unmarshal(text, &s); {
	case errors.As(err, &wrong) && wrong.Field != "":
		return nil, fmt.Sprintf("its %s has a value of the wrong type (%s)", strings.ToLower(wrong.Field), wrong.Value)
	case err != nil:
		return nil, "it is not an object"
	case !s.Enabled:
		return nil, "it is switched off"
	case s.Transport != "" && s.Transport != "stdio":
		return nil, fmt.Sprintf("its transport is %s, and only stdio has a counterpart", s.Transport)
	case len(s.Command) == 0 || s.Command[0] == "":
		return nil, "it has no command"
	case s.Dir != "" && !filepath.IsAbs(s.Dir):
		return nil, fmt.Sprintf("its dir %q is relative to the directory in which %s was started, which is unknown", s.Dir, title)
	}
	p.handler["command"], p.priority, p.observed = exactLine(s.Command), s.Priority, s.Observe
	if s.Dir != "" {
		p.handler["cwd"] = s.Dir
	}
	if len(s.Env) > 0 {
		env := map[string]any{}
		for name, value := range s.Env {
			env[name] = value
		}
		p.handler["env"] = env
	}
	for _, event := range s.Intercept {
		if event != "" {
			p.intercepted = append(p.intercepted, "hook."+event)
		}
	}
	switch n := len(p.intercepted) + len(p.observed); {
	case n == 0:
		return nil, "it intercepts nothing and observes nothing"
	case n > maxEntries:
		return nil, fmt.Sprintf("it names more than %d events", maxEntries)
	}
	return p, ""
}

// exactLine returns the command line for a program whose words are not
// processed by a shell.
func exactLine(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = install.Quote(word)
	}
	return strings.Join(quoted, " ")
}
