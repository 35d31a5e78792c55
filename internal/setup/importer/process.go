package importer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
	"github.com/agent-hooks/agent-hooks/spec"
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
	waits := [2]time.Duration{5 * time.Second, 60 * time.Second} // for the answer to a request, and for an approval
	for i, key := range []string{"interceptor_timeout_ms", "approval_timeout_ms"} {
		value, _ := settings.At(hooks, "defaults", key)
		if n, ok := number(value); ok && n > 0 {
			waits[i] = time.Duration(min(n, 1e9) * float64(time.Millisecond))
		}
	}
	value, _ = settings.At(hooks, "processes")
	configured, ok := value.(map[string]any)
	if value != nil && !ok {
		src.reject("hooks.processes", value, "it is not an object")
	}
	for _, name := range sorted(configured) {
		p, reason := newProcess(name, configured[name], title)
		reason = cmp.Or(off, reason)
		if reason != "" {
			src.reject(name, configured[name], reason)
			continue
		}
		src.processes = append(src.processes, p)
	}
	slices.SortStableFunc(src.processes, func(a, b *process) int { return cmp.Compare(a.priority, b.priority) })
	for _, p := range src.processes {
		src.addProcess(p, waits, title)
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
	p.handler["command"], p.priority, p.observed = install.Line(s.Command), s.Priority, s.Observe
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

// Native events of PicoClaw that one hook handles together.
const (
	beforeTool  = "hook.before_tool"
	approveTool = "hook.approve_tool"
)

// part is how a process handles one event, or two together.
type part struct {
	process *process
	events  []string
	timeout time.Duration // 0: PicoClaw does not wait
}

// addProcess adds an entry for each event of a process. One hook handles a tool
// call and its approval.
func (src *source) addProcess(p *process, waits [2]time.Duration, title string) {
	both := slices.Contains(p.intercepted, beforeTool) && slices.Contains(p.intercepted, approveTool)
	for i, event := range p.intercepted {
		switch one := (part{p, []string{event}, waits[0]}); {
		case slices.Contains(p.intercepted[:i], event), both && event == approveTool:
		case both && event == beforeTool:
			src.addPart(part{p, []string{beforeTool, approveTool}, waits[0] + waits[1]}, "failClosed")
		case event == approveTool:
			one.timeout = waits[1]
			src.addPart(one, "failClosed")
		default:
			src.addPart(one, "")
		}
	}
	for i, event := range p.observed {
		switch {
		case slices.Contains(p.observed[:i], event):
		case event == "" || event == "*" || event == "all":
			src.reject("observe", map[string]any{p.name: event}, "it observes every event, and most have no counterpart")
		case strings.HasPrefix(event, "hook."):
			src.reject(event, p.settings, title+" has no such event to observe")
		default:
			src.addPart(part{p, []string{event}, 0}, "async")
		}
	}
}

func (src *source) addPart(of part, flag string) {
	handler := maps.Clone(of.process.handler)
	handler["events"] = of.events
	if flag != "" {
		handler[flag] = true
	}
	src.entries = append(src.entries, &entry{source: src, event: of.events[0], handler: handler, part: &of})
}

// events returns the native events of an entry.
func (e *entry) events() string {
	if e.part == nil {
		return e.event
	}
	return strings.Join(e.part.events, " and ")
}

// wait returns the timeout of the part's hook.
func (b *builder) wait() time.Duration {
	wait := b.entry.part.timeout
	switch {
	case wait == 0:
		return b.agent.Wait(b.row)
	case wait > spec.MaxTimeout:
		b.warnf("its timeout %s is above %s, the maximum here", wait, spec.MaxTimeout)
	case wait < time.Second:
		b.warnf("its timeout %s is meant for a process that has started; here it covers the start, except under serve", wait)
	}
	return min(max(wait, spec.MinTimeout), spec.MaxTimeout)
}

// warnPart warns about differences from how PicoClaw calls the process.
func (b *builder) warnPart() {
	of := b.entry.part
	for _, pair := range [][2]string{{beforeTool, "hook.after_tool"}, {"hook.before_llm", "hook.after_llm"}} {
		for i, event := range pair {
			if other := pair[1-i]; b.entry.event == event && !slices.Contains(of.process.intercepted, other) {
				b.warnf("%s asks %q about %s as well, which its entry does not name; that is not imported", b.agent.Title, of.process.name, other)
			}
		}
	}
	if b.entry.event == approveTool {
		b.warnf("other agents ask it only where they ask for permission, %s about every call", b.agent.Title)
	}
	for _, w := range b.words {
		if b.entry.handler["cwd"] == nil && looksLikeFile(w) && !filepath.IsAbs(w.text) {
			b.warnf("%s is relative to where %s was started; here to the directory of the event", w.text, b.agent.Title)
		}
	}
}

// without returns the text without the events of the process that were converted to hooks. A process
// without remaining events is removed.
func (p *process) without(text []byte, src *source, hooks []*Hook) ([]byte, error) {
	gone := map[string]bool{} // the events for which all hooks are imported
	for _, declined := range []bool{false, true} {
		for _, h := range hooks {
			if h.source == src && h.part != nil && h.part.process == p && h.Declined == declined {
				for _, event := range h.part.events {
					gone[event] = !declined
				}
			}
		}
	}
	stays := func(event string) bool { return !gone[event] }
	path := []string{"hooks", "processes"}
	if !slices.ContainsFunc(slices.Concat(p.intercepted, p.observed), stays) {
		whole := settings.Layout{Format: settings.JSON, Root: path, Key: p.name}
		return whole.Apply(text, nil, func(any) bool { return true }, nil)
	}
	for list, prefix := range map[string]string{"intercept": "hook.", "observe": ""} {
		layout := settings.Layout{Format: settings.JSON, Root: append(slices.Clone(path), p.name, list), Flat: true}
		edited, err := layout.Apply(text, nil, func(e any) bool {
			name, ok := e.(string)
			return ok && !stays(prefix+name)
		}, nil)
		if err != nil {
			return nil, err
		}
		text = edited
	}
	return text, nil
}
