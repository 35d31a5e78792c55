// Package importer converts the hooks in coding agents' settings to folders of
// the format (D62, D63): it finds and reads the settings, writes one folder per
// entry, removes the entries on request, and reverts an import.
//
// It runs no command of an entry, and converts an entry only if the format has
// an exact counterpart; the others are listed with the reason. It prints
// nothing.
package importer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Scopes of settings and of hooks.
const (
	User    = "user"
	Project = "project"
)

// System describes the machine on which hooks are imported.
type System struct {
	install.System
	UserHooks    string // directory of the user's hooks; "" if there is none
	ProjectHooks string // directory of the project's hooks
}

// Selection selects what to import.
type Selection struct {
	Agent *agent.Agent
	Files []string // absolute paths; none means the agent's own settings
	Scope string   // scope of the hooks; "" means that of each file
}

// Plan lists the changes of an import. Nothing is written before Apply.
type Plan struct {
	Agent   string   `json:"agent"`
	Hooks   []*Hook  `json:"hooks"`
	Skipped []Skip   `json:"not_imported"`
	Notes   []string `json:"notes,omitempty"` // about files
	Unread  int      `json:"-"`               // files that could not be read; Notes says why

	sources []*source
}

// Hook is an entry to import, or one that was imported before.
type Hook struct {
	Name     string         `json:"name"`
	Folder   string         `json:"folder"`
	Scope    string         `json:"scope"`
	Trigger  spec.EventType `json:"trigger"`
	Priority int            `json:"priority"`
	File     string         `json:"file"`  // of the settings
	Event    string         `json:"event"` // native
	Command  string         `json:"command"`
	Existing bool           `json:"exists"`        // imported before
	Replaces bool           `json:"replaces"`      // it was, and its entry has changed since, but nobody edited the hook
	Confirm  bool           `json:"needs_consent"` // the command of a repository would become a user hook
	Declined bool           `json:"declined,omitempty"`
	Warnings []string       `json:"warnings,omitempty"` // unexpected differences in behavior
	Notes    []string       `json:"notes,omitempty"`    // guards that have never been effective
	Manifest string         `json:"hook_md"`
	Script   string         `json:"script"`
	Prompt   string         `json:"prompt,omitempty"` // PromptFile; "" if it asks no model

	id      string
	source  *source
	handler any
	part    *part
	kept    bool // its entry has changed, but the hook is not replaced
}

// Skip is an entry that is not imported.
type Skip struct {
	File   string `json:"file"`
	Event  string `json:"event"`
	Entry  string `json:"entry"` // its command or a description
	Reason string `json:"reason"`
}

// entry is one handler in a settings file.
type entry struct {
	source  *source
	event   string         // native
	matcher any            // of its group, or its own; nil if absent
	group   map[string]any // the group that contains it; nil if the list is flat
	handler map[string]any
	value   any    // what is in the place of a handler; nil if it is one
	off     string // why the agent does not run it; "" if it does
	lost    string // why it does not even read it
	element int    // its index in the event's list, or that of its group
	index   int    // in its group
	part    *part  // for a process that answers several events; otherwise nil
}

const (
	maxEntries = 1000
	maxCommand = 64 << 10 // bytes
)

// Read finds the entries and plans the import.
func (s System) Read(sel Selection) (*Plan, error) {
	p := &Plan{Agent: sel.Agent.Name, Hooks: []*Hook{}, Skipped: []Skip{}}
	sources, err := s.sources(sel, p)
	if err != nil {
		return nil, err
	}
	p.sources = sources
	c := converter{System: s, agent: sel.Agent, plan: p, taken: map[string]bool{}, known: map[string]map[string]*earlier{}, joins: map[string]*builder{}, count: map[string]int{}, seen: map[string]bool{}, order: map[spec.EventType]int{}, top: map[spec.EventType]int{}}
	for _, scope := range []string{User, Project} {
		c.existing(scope, s.hooksOf(scope))
	}
	var users []*entry
	n := 0
	for _, src := range sources {
		n += len(src.entries)
		src.scope = cmp.Or(sel.Scope, src.scope)
		if src.scope == User {
			users = append(users, src.entries...)
		}
	}
	if n > maxEntries {
		return nil, fmt.Errorf("more than %d entries", maxEntries)
	}
	c.precede(users)
	for _, src := range sources {
		if limit, ok := src.common["maxConcurrentHooks"]; ok {
			p.Notes = append(p.Notes, fmt.Sprintf("%s: maxConcurrentHooks %v is not kept: hooks run one after another; metadata.pure lets adjacent ones run together", src.path, limit))
		}
		for _, h := range c.imported { // the user's that are no longer in the settings come first
			if src.scope == Project && h.scope == User && !c.seen[User+h.id] {
				c.follow(h.trigger, h.priority)
			}
		}
		for _, e := range src.entries {
			c.convert(e)
		}
	}
	for _, b := range c.built {
		b.finish()
	}
	return p, nil
}

func (s System) hooksOf(scope string) string {
	if scope == User {
		return s.UserHooks
	}
	return s.ProjectHooks
}

// converter converts entries to hooks.
type converter struct {
	System
	agent *agent.Agent
	plan  *Plan
	taken map[string]bool
	order map[spec.EventType]int         // number of entries so far
	top   map[spec.EventType]int         // priority of the first entry, if it is not the default
	known map[string]map[string]*earlier // by scope and identity

	imported []imported
	seen     map[string]bool // by scope and identity, of an entry and of a hook
	joins    map[string]*builder
	count    map[string]int // hooks of an identity, by scope
	built    []*builder
}

func (c *converter) skip(e *entry, reason string) {
	c.plan.Skipped = append(c.plan.Skipped, Skip{e.source.path, e.event, e.shown(), reason})
}

// shown returns the entry's command or a description.
func (e *entry) shown() string {
	if line, _ := e.command(); line != "" {
		return line
	}
	for _, key := range []string{"url", "prompt", "tool", "server", "type"} {
		if text, ok := e.handler[key].(string); ok {
			return key + ": " + text
		}
	}
	text, _ := json.Marshal(cmp.Or[any](e.value, e.handler))
	return string(text)
}

func (c *converter) convert(e *entry) {
	if install.CallsUs(e.handler) {
		return // calls agent-hooks already
	}
	row, reason := c.row(e)
	if e.off != "" {
		reason = e.off
	}
	if reason == "" {
		reason = e.unsupported(c.agent, row)
	}
	reason = cmp.Or(reason, e.lost)
	if reason != "" {
		c.skip(e, reason)
		return
	}
	if c.add(e, row, row.Spec()[0], "") && row.Failed != "" { // also fires for failed calls
		c.add(e, row, row.Failed, "-failure")
	}
}

// add plans the hook for an entry on one event of the format. It reports
// whether the entry is new and can be imported.
func (c *converter) add(e *entry, row *agent.NativeEvent, trigger spec.EventType, suffix string) bool {
	scope := e.source.scope
	h := &Hook{Scope: scope, Trigger: trigger, File: e.source.path, Event: e.event, source: e.source, handler: e.handler, part: e.part}
	h.Command, _ = e.command()
	if text, ok := e.prompt(); ok {
		h.Prompt, h.Command = text, "prompt: "+text
	}
	same := scope + exactly(e) + suffix
	if c.seen[same] {
		return false // an entry that occurs twice runs once
	}
	c.seen[same] = true
	b := &builder{converter: c, entry: e, row: row, hook: h}
	b.build()
	if b.reason != "" {
		c.order[h.Trigger]++
		c.skip(e, b.reason)
		return false
	}
	if first := c.joins[b.options()]; first != nil && first.join(b) {
		return true
	}
	c.joins[b.options()] = b
	c.order[h.Trigger]++
	b.identify(c.agent.Name, suffix)
	h.Confirm = scope == User && !e.source.own
	c.built = append(c.built, b)
	c.plan.Hooks = append(c.plan.Hooks, h)
	return true
}

// row returns the agent's event for an entry, or why it has no counterpart.
func (c *converter) row(e *entry) (*agent.NativeEvent, string) {
	row := c.agent.InSettings(e.event)
	switch {
	case row == nil:
		hint := ""
		var names []string
		for _, row := range c.agent.Rows() {
			names = append(names, row.Name)
		}
		if near, ok := shown.Near(e.event, names); ok {
			hint = fmt.Sprintf(" (%q exists)", near)
		}
		return nil, fmt.Sprintf("%s has no event %q%s", c.agent.Title, e.event, hint)
	case len(row.Spec()) == 0:
		return nil, "the format has no event for " + e.event
	}
	return row, ""
}

// unsupported returns why an entry has no counterpart; "" if it has one.
func (e *entry) unsupported(a *agent.Agent, row *agent.NativeEvent) string {
	kind, _ := e.handler["type"].(string)
	if e.source.eventKey == "type" {
		kind = ""
	}
	prompt, asks := e.prompt()
	line, reason := e.command()
	condition, conditional := e.handler["if"]
	expression, filtered := e.group["commandRegex"]
	match, matches := e.handler["match"]
	shell, named := e.handler["shell"].(string)
	switch {
	case kind == "http":
		return "it is an HTTP request"
	case kind == "mcp" || kind == "mcp_tool":
		if failure := a.Setup.MCPFailure; failure != "" && row != nil && slices.Contains(row.Spec(), spec.PreToolCall) {
			return "it is a call of an MCP tool; " + failure
		}
		return "it is a call of an MCP tool"
	case !asks && !slices.Contains([]string{"", "command", "bash", "shell"}, kind):
		return fmt.Sprintf("its type %q has no counterpart", kind)
	case asks && strings.TrimSpace(prompt) == "":
		return "it has no prompt"
	case asks && len(prompt) > maxCommand:
		return fmt.Sprintf("its prompt is above %d KiB", maxCommand>>10)
	case asks && a.Setup.Prompts == nil:
		return fmt.Sprintf("it is a prompt, and %s is not known to ask a model", a.Title)
	case asks && !row.Restricts():
		return fmt.Sprintf("it is a prompt, and a model only restricts here: %s cannot be blocked", row.Name)
	case conditional && condition != "":
		return fmt.Sprintf("its rule %q has no counterpart", fmt.Sprint("if: ", condition))
	case filtered:
		return fmt.Sprintf("its group's rule %q has no counterpart", fmt.Sprint("commandRegex: ", expression))
	case matches && match != "*":
		return fmt.Sprintf("its rule %q has no counterpart", fmt.Sprint("match: ", match))
	case e.handler["asyncRewake"] == true:
		return "asyncRewake has no counterpart: an async hook cannot wake the agent"
	case asks:
	case named && shell != "bash" && shell != "sh":
		return fmt.Sprintf("it runs in %q, not in a POSIX shell", shell)
	case reason != "":
		return reason
	case strings.TrimSpace(line) == "":
		return "it has no command"
	case len(line) > maxCommand:
		return fmt.Sprintf("its command is above %d KiB", maxCommand>>10)
	case strings.ContainsRune(line, 0):
		return "its command has a NUL byte"
	}
	return row.NotImported
}

// command returns the entry's command line as the agent runs it, or the reason
// why there is none.
func (e *entry) command() (line, reason string) {
	h := e.handler
	if action, ok := h["action"].(map[string]any); ok {
		h = action
	}
	args, hasArgs := h["args"].([]any)
	if program, ok := h["exec"].(string); ok && program != "" {
		return execLine(append([]any{program}, args...)...), ""
	}
	switch command := h["command"].(type) {
	case []any:
		return execLine(command...), ""
	case string:
		if hasArgs && command != "" {
			return execLine(append([]any{command}, args...)...), ""
		}
	}
	for _, key := range []string{"bash", "command", "linux", "osx"} {
		if text, ok := h[key].(string); ok && strings.TrimSpace(text) != "" {
			return text, ""
		}
	}
	for _, key := range []string{"powershell", "windows", "commandWindows"} {
		if _, ok := h[key].(string); ok {
			return "", "it has a command for Windows only"
		}
	}
	return "", ""
}

// execLine returns the command line for the words of a program that the agent starts
// without a shell.
func execLine(words ...any) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quoteWord(fmt.Sprint(word))
	}
	return strings.Join(quoted, " ")
}

// quoteWord quotes a word for the shell. The variables that agents expand in the
// words of a program that they start without a shell remain variables.
func quoteWord(word string) string {
	for _, name := range agent.PathVariables() {
		if before, after, ok := strings.Cut(word, "${"+name+"}"); ok {
			quoted := `"${` + name + `}"`
			if before != "" {
				quoted = quoteWord(before) + quoted
			}
			if after != "" {
				quoted += quoteWord(after)
			}
			return quoted
		}
	}
	return install.Quote(word)
}

// Pending returns the hooks to write.
func (p *Plan) Pending() []*Hook {
	return slices.DeleteFunc(slices.Clone(p.Hooks), func(h *Hook) bool { return h.Existing && !h.Replaces || h.Declined })
}

// Foreign finds what other entries in the agent's settings do: imported hooks that run twice,
// because the agent also calls agent-hooks (D62), and what a project runs when a session starts,
// before anybody has asked for anything.
func (s System) Foreign(c *install.Client, r install.Report) (found []install.Finding) {
	a := agent.Find(c.Name)
	if a == nil {
		return nil
	}
	plan, err := s.Read(Selection{Agent: a})
	if err != nil {
		return nil // read errors are reported elsewhere
	}
	twice, first := 0, ""
	for _, h := range plan.Hooks {
		if h.Existing && r.Entries > 0 {
			twice, first = twice+1, h.File
		}
		if h.source.scope != Project || h.Trigger != spec.PreSession {
			continue
		}
		if what := s.startsWith(h.Command); what != "" {
			found = append(found, install.Finding{
				Level: install.Warning,
				Text:  fmt.Sprintf("%s runs %s at the start of each session: %s", h.File, what, shown.Cut(shown.OneLine(h.Command), 160)),
				Fix:   "worms spread this way: read it, or remove the entry",
			})
		}
	}
	if twice > 0 {
		found = append(found, install.Finding{
			Level: install.Warning,
			Text:  fmt.Sprintf("%s twice: imported, and still in the settings, such as %s", install.Count(twice, "hook fires", "hooks fire"), first),
			Fix:   "agent-hooks import " + c.Name + " --move",
		})
	}
	return found
}

// startsWith returns whether a command line downloads something, or runs a program of the project.
func (s System) startsWith(line string) string {
	for _, w := range wordsOf(line) {
		path := w.text
		if _, after, ok := strings.Cut(path, "PROJECT_DIR"); ok {
			path = strings.TrimLeft(after, "}/")
		}
		switch base := filepath.Base(path); {
		case strings.Contains(w.text, "://"), slices.Contains([]string{"curl", "wget", "npx", "bunx", "pnpx", "uvx", "pipx", "dlx"}, base):
			return "a download"
		case path == "" || filepath.IsAbs(path) && !paths.Contains(s.Project, path):
		default:
			if !filepath.IsAbs(path) {
				path = filepath.Join(s.Project, path)
			}
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return "a program of the project"
			}
		}
	}
	return ""
}
