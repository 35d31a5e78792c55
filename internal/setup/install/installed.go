package install

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
)

// Entry is a call of agent-hooks in an agent's settings.
type Entry = agent.Entry

// Installed returns the calls of agent-hooks in the target's files. It ignores
// unreadable files.
func (t Target) Installed(scope string) []Entry {
	var entries []Entry
	if scope == inAPlugin {
		for _, p := range t.Plugins() {
			entries = append(entries, t.pluginEntries(p)...)
		}
		return entries
	}
	for _, a := range t.everyPlace(scope) {
		f, err := t.readFile(a.path)
		if err != nil || !f.exists {
			continue
		}
		if a.place.whole() {
			entries = append(entries, t.fileEntries(a, f)...)
			continue
		}
		entries = append(entries, t.located(a.path, a.place.Layout, f.text)...)
	}
	return entries
}

// AllInstalled returns the calls of agent-hooks of every scope.
func (t Target) AllInstalled() []Entry {
	var entries []Entry
	for _, scope := range Scopes() {
		entries = append(entries, t.Installed(scope)...)
	}
	return entries
}

// located returns the calls of agent-hooks in a settings file.
func (t Target) located(path string, layout settings.Layout, text []byte) []Entry {
	var entries []Entry
	layout.Cache = t.parsed
	_ = layout.Handlers(text, func(at settings.Position, h any) {
		e := Entry{Path: path, Event: t.eventOf(at.Event, h), Group: at.Element, Index: at.Index, Only: at.Only}
		m, _ := h.(map[string]any)
		_, exec := m["args"]
		_, isList := m["command"].([]any)
		if lines := commandLines(h); len(lines) > 0 && !exec && !isList {
			e.Line = lines[0]
		}
		if c, ok := callOf(h, t.agents()); ok {
			e.Words, e.Wrapped = append([]string{c.program}, c.args...), c.wrapped
			if t.FailClosed != nil {
				_, e.Setting = settings.At(h, strings.Split(t.FailClosed[0].Path, ".")...)
			}
			e.Closed = e.Setting || slices.ContainsFunc(commandLines(h), isClosedText)
		} else if isOurScript(h) {
			e.Words = []string{e.Line}
		} else {
			return
		}
		entries = append(entries, e)
	})
	return entries
}

// isClosedText reports whether a command line or a file of ours fails closed.
func isClosedText(text string) bool {
	return strings.Contains(text, closedStart) || strings.Contains(text, closedStatus) || strings.HasSuffix(text, closedCmd) || strings.Contains(text, "const failClosed = true")
}

// eventOf returns the event of a handler: its list's, or its own in a flat
// list.
func (c *Client) eventOf(list string, handler any) string {
	if list != "" {
		return list
	}
	m, _ := handler.(map[string]any)
	name, _ := m[c.Agent.EventKey()].(string)
	return name
}

// fileEntries returns the call in a file that is entirely ours.
func (t Target) fileEntries(a artifact, f *file) []Entry {
	if !isOurFile(f.text) {
		return nil
	}
	text := string(f.text)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		command, ok := strings.CutPrefix(line, "exec ")
		if !ok {
			_, command, ok = strings.Cut(line, "$input | ")
			command, _, _ = strings.Cut(command, exitStatus)
			command, _, _ = strings.Cut(command, closedStatus)
		}
		if ok {
			e := Entry{Path: a.path, Line: command, Closed: isClosedText(text)}
			if strings.Contains(a.place.Path, "$event") { // otherwise the file serves all events
				e.Event = strings.TrimSuffix(filepath.Base(a.path), ".ps1")
			}
			e.Words = unshared(splitLine(command))
			if e.Words == nil { // somebody has edited it
				e.Words, e.Wrapped = []string{command}, true
				if c, ok := callOf(map[string]any{"command": command}, t.agents()); ok {
					e.Words = append([]string{c.program}, c.args...)
				}
			}
			return []Entry{e}
		}
	}
	if words := pluginWords(text); words != nil {
		return []Entry{{Path: a.path, Words: words, Closed: isClosedText(text)}}
	}
	return nil
}

// CallsUs reports whether a handler calls agent-hooks.
func CallsUs(handler any) bool {
	return slices.ContainsFunc(All(), func(c *Client) bool { return c.isOurs(handler) })
}
