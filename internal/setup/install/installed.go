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
	_ = layout.Handlers(text, func(at settings.Position, h any) {
		e := Entry{Path: path, Event: t.eventOf(at.Event, h), Line: lineOf(h), Group: at.Element, Index: at.Index, Only: at.Only}
		if c, ok := callOf(h, t.agents()); ok {
			e.Words, e.Wrapped = append([]string{c.program}, c.args...), c.wrapped
			e.Setting = t.hasSettingIn(h)
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

// hasSettingIn reports whether a handler has the agent's setting that makes it fail closed.
func (c *Client) hasSettingIn(handler any) bool {
	if c.FailClosed == nil {
		return false
	}
	_, ok := settings.At(handler, strings.Split(c.FailClosed[0].Path, ".")...)
	return ok
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

// lineOf returns the command line that a shell runs; "" if no shell is used.
func lineOf(handler any) string {
	m, _ := handler.(map[string]any)
	if _, exec := m["args"]; exec {
		return ""
	}
	for _, line := range commandLines(handler) {
		if _, isList := m["command"].([]any); !isList {
			return line
		}
	}
	return ""
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
			e := Entry{Path: a.path, Event: scriptEvent(a), Line: command, Closed: isClosedText(text)}
			e.Words, e.Wrapped = t.wordsOf(command)
			return []Entry{e}
		}
	}
	if words := pluginWords(text); words != nil {
		return []Entry{{Path: a.path, Words: words, Closed: isClosedText(text)}}
	}
	return nil
}

// wordsOf returns the program and the arguments of a line in a file of ours, which somebody may have
// edited: the call in it, or the line itself if there is none.
func (t Target) wordsOf(line string) (words []string, wrapped bool) {
	words = unshared(splitLine(line))
	if words != nil {
		return words, false
	}
	if c, ok := callOf(map[string]any{"command": line}, t.agents()); ok {
		return append([]string{c.program}, c.args...), true
	}
	return []string{line}, true
}

// scriptEvent returns the event after which a file is named; "" for a file that
// serves all events.
func scriptEvent(a artifact) string {
	if !strings.Contains(a.place.Path, "$event") {
		return ""
	}
	return strings.TrimSuffix(filepath.Base(a.path), ".ps1")
}

// CallsUs reports whether a handler calls agent-hooks.
func CallsUs(handler any) bool {
	if isOurScript(handler) {
		return true
	}
	for _, c := range All() {
		if _, ok := callOf(handler, c.agents()); ok {
			return true
		}
	}
	return false
}

// Expand returns the absolute path of a settings file. The environment variable
// home may replace its first directory.
func (s System) Expand(path, home string) string { return s.expand(path, home) }
