package importer

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/install"
	"github.com/agent-hooks/agent-hooks/internal/settings"
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
func (src *source) findProcesses(decoded any) {
	hooks, _ := settings.At(decoded, "hooks")
	off := ""
	if on, ok := settings.At(hooks, "enabled"); ok && on != true {
		off = "hooks are switched off there"
	}
	builtins, _ := settings.At(hooks, "builtins")
	for name, handler := range members(builtins) {
		src.reject(name, handler, "it is built into PicoClaw")
	}
	configured, ok := settings.At(hooks, "processes")
	if _, isMap := configured.(map[string]any); ok && !isMap {
		src.reject("hooks.processes", configured, "it is not an object")
	}
	for name, handler := range members(configured) {
		if install.CallsUs(handler) {
			continue // calls agent-hooks already
		}
		p, reason := newProcess(name, handler)
		if reason = cmp.Or(off, reason); reason != "" {
			src.reject(name, handler, reason)
			continue
		}
		src.processes = append(src.processes, p)
	}
	slices.SortStableFunc(src.processes, func(a, b *process) int { return cmp.Compare(a.priority, b.priority) })
	for _, p := range src.processes {
		src.addProcess(p, timeoutsOf(hooks))
	}
}

// members iterates over the members of an object, sorted by name.
func members(object any) func(yield func(string, any) bool) {
	m, _ := object.(map[string]any)
	return func(yield func(string, any) bool) {
		for _, name := range sorted(m) {
			if !yield(name, m[name]) {
				return
			}
		}
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
func newProcess(name string, handler any) (p *process, reason string) {
	m, ok := handler.(map[string]any)
	if !ok {
		return nil, "it is not an object"
	}
	p = &process{name: name, settings: m}
	if m["enabled"] != true {
		return nil, "it is switched off"
	}
	if transport := m["transport"]; transport != nil && transport != "" && transport != "stdio" {
		return nil, fmt.Sprintf("its transport is %v, and only stdio has a counterpart", transport)
	}
	if p.priority, ok = number(m["priority"]); !ok && m["priority"] != nil {
		return nil, "its priority is not a number"
	}
	if p.handler, reason = sharedHandler(name, m); reason != "" {
		return nil, reason
	}
	asked, ok := texts(m["intercept"])
	observed, also := texts(m["observe"])
	switch {
	case !ok:
		return nil, "its intercept is not a list of names"
	case !also:
		return nil, "its observe is not a list of names"
	}
	for _, name := range asked {
		if name != "" {
			p.intercepted = append(p.intercepted, "hook."+name)
		}
	}
	p.observed = observed
	switch n := len(p.intercepted) + len(p.observed); {
	case n == 0:
		return nil, "it intercepts nothing and observes nothing"
	case n > maxEntries:
		return nil, fmt.Sprintf("it names more than %d events", maxEntries)
	}
	return p, ""
}

// sharedHandler returns the settings common to the hooks of a process.
func sharedHandler(name string, m map[string]any) (handler map[string]any, reason string) {
	words, ok := texts(m["command"])
	switch {
	case !ok:
		return nil, "its command is not a list of words"
	case len(words) == 0 || words[0] == "":
		return nil, "it has no command"
	}
	handler = map[string]any{"process": name, "command": exactLine(words)}
	if dir, isText := m["dir"].(string); m["dir"] != nil && !isText {
		return nil, "its dir is not a path"
	} else if dir != "" && !filepath.IsAbs(dir) {
		return nil, fmt.Sprintf("its dir %q is relative to the directory in which PicoClaw was started, which is unknown", dir)
	} else if dir != "" {
		handler["cwd"] = dir
	}
	env, ok := m["env"].(map[string]any)
	if m["env"] != nil && !ok {
		return nil, "its env is not an object"
	}
	for name, value := range env {
		if text, ok := value.(string); !ok || strings.ContainsRune(text, 0) {
			return nil, fmt.Sprintf("its variable %q is not text", name)
		}
	}
	if len(env) > 0 {
		handler["env"] = env
	}
	return handler, ""
}

// texts converts a list of strings; a missing one is empty.
func texts(list any) (out []string, ok bool) {
	elements, ok := list.([]any)
	for _, e := range elements {
		text, isText := e.(string)
		if !isText {
			return nil, false
		}
		out = append(out, text)
	}
	return out, ok || list == nil
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

// execProgram returns a command line of exactLine, changed to replace the shell
// with the program.
func execProgram(line string) string {
	if strings.HasPrefix(line, "-") {
		return "exec -- " + line
	}
	return "exec " + line
}
