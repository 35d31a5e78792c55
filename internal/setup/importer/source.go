package importer

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// The bytes that are read of a file, and of the user's own settings, which may hold an agent's history (D134).
const (
	maxFile     = 1 << 20
	maxSettings = 64 << 20
)

// source is one settings file.
type source struct {
	path     string
	scope    string
	own      bool   // one of the user's own settings files
	shown    string // the path as written in a HOOK.md
	plugin   string // root of the plugin that it belongs to; "" for none
	format   settings.Format
	text     []byte
	mode     fs.FileMode
	entries  []*entry
	lists    map[string][]string // path of each event's list
	eventKey string              // of an entry in a flat list
	common   map[string]any      // settings next to the events, for every hook

	processes []*process // for a system whose hooks converse
}

// Files returns the settings files that an agent has on this machine, the
// user's and the project's.
func (s System) Files(a *agent.Agent) (user, project []string) {
	for _, file := range a.Settings {
		if !file.HasHooks() || !slices.Contains([]string{".json", ".toml", ".yaml"}, filepath.Ext(file.Path)) || file.Scope() == User && s.Home == "" && s.Getenv(file.Home) == "" {
			continue
		}
		pattern := s.Expand(file.Path, file.Home)
		found := []string{pattern}
		if strings.Contains(pattern, "*") {
			found = glob(pattern)
		}
		for _, path := range found {
			if _, err := os.Lstat(path); err != nil {
				continue
			}
			if file.Scope() == User {
				user = append(user, path)
			} else if !slices.Contains(user, path) {
				project = append(project, path)
			}
		}
	}
	return user, project
}

// glob returns the paths that match. The directories before the star are
// literal.
func glob(pattern string) []string {
	before, after, _ := strings.Cut(pattern, "*")
	entries, _ := os.ReadDir(before)
	var found []string
	for _, e := range entries {
		switch {
		case strings.HasPrefix(after, string(filepath.Separator)):
			found = append(found, before+e.Name()+after)
		case strings.HasSuffix(e.Name(), after):
			found = append(found, before+e.Name())
		}
	}
	return found
}

// sources reads the settings files. If a file of the agent's own cannot be
// read, that is a note; for a file that the caller names, it is an error.
func (s System) sources(sel Selection, p *Plan) (read []*source, err error) {
	var all []*source
	user, project := s.Files(sel.Agent)
	for _, path := range sel.Files {
		src := &source{path: path, scope: User, own: slices.Contains(user, path)}
		if !src.own && paths.Contains(s.Project, path) {
			src.scope = Project
		}
		all = append(all, src)
	}
	if sel.Files == nil {
		for _, path := range user {
			if sel.Scope != Project {
				all = append(all, &source{path: path, scope: User, own: true})
			}
		}
		for _, path := range project {
			all = append(all, &source{path: path, scope: Project})
		}
	}
	for _, src := range all {
		err := s.read(src, sel.Agent)
		switch {
		case err == nil:
			read = append(read, src)
		case sel.Files == nil:
			p.Unread++
			p.Notes = append(p.Notes, fmt.Sprintf("%s: %v", src.path, err))
		default:
			return nil, fmt.Errorf("%s: %w", src.path, err)
		}
	}
	return read, nil
}

// read reads a file and finds the entries in it.
func (s System) read(src *source, a *agent.Agent) error {
	real, err := paths.Real(src.path)
	if err != nil {
		return shown.Cause(err)
	}
	if root, err := paths.Real(s.Project); err == nil && src.scope == Project && !paths.Contains(root, real) {
		return fmt.Errorf("it is a link that leads out of the project, to %s", real)
	}
	most := int64(maxSettings)
	if src.scope == Project {
		most = maxFile
	}
	src.text, src.mode, err = readSized(src.path, most)
	if err != nil {
		return shown.Cause(err)
	}
	src.format = settings.FormatOf(src.path)
	decoded, err := settings.Decode(src.format, src.text)
	if err != nil {
		return err
	}
	src.shown, src.plugin = s.shown(src.path), pluginRoot(src.path)
	src.find(decoded, a)
	if !a.Converses {
		src.replaced(a)
		src.lose(decoded, a)
	}
	return nil
}

// readRegular reads a regular file of limited size. It does not block on a
// FIFO.
func readRegular(path string) ([]byte, fs.FileMode, error) { return readSized(path, maxFile) }

func readSized(path string, most int64) ([]byte, fs.FileMode, error) {
	text, mode, err := paths.Read(path, most)
	if err == nil && int64(len(text)) > most {
		return nil, 0, fmt.Errorf("it is larger than %d KiB", most>>10)
	}
	return text, mode, err
}

// shown returns a path as written in a HOOK.md: relative to the project or to
// the home directory.
func (s System) shown(path string) string {
	if paths.Contains(s.Project, path) {
		rel, _ := filepath.Rel(s.Project, path)
		return filepath.ToSlash(rel)
	}
	if s.Home != "" && paths.Contains(s.Home, path) {
		rel, _ := filepath.Rel(s.Home, path)
		return "~/" + filepath.ToSlash(rel)
	}
	return path
}

// pluginRoot returns the folder of the plugin that a file of hooks belongs to.
func pluginRoot(path string) string {
	dir := filepath.Dir(path)
	for _, candidate := range []string{dir, filepath.Dir(dir)} {
		for _, sign := range agent.PluginFiles() {
			if _, err := os.Lstat(filepath.Join(candidate, filepath.FromSlash(sign))); err == nil {
				return candidate
			}
		}
	}
	if name := filepath.Base(dir); name == "hooks" && filepath.Base(path) == "hooks.json" && !strings.HasPrefix(filepath.Base(filepath.Dir(dir)), ".") {
		return filepath.Dir(dir)
	}
	return ""
}

// find collects the entries of a decoded document.
func (src *source) find(decoded any, a *agent.Agent) {
	src.lists, src.eventKey = map[string][]string{}, a.EventKey()
	if a.Converses {
		src.findProcesses(decoded, a.Title)
		return
	}
	off := ""
	for _, path := range []string{"features.hooks", "hooksConfig.enabled", "disableAllHooks"} { // the last one is shown
		if value, _ := settings.At(decoded, strings.Split(path, ".")...); value == (path == "disableAllHooks") {
			off = path + " switches hooks off there"
		}
	}
	if m, ok := decoded.(map[string]any); ok && a.NamesHooks() {
		for _, name := range sorted(m) { // the top level contains the names of hooks
			src.events(m[name], []string{name}, off, a)
		}
		return
	}
	if hooks, ok := settings.At(decoded, "hooks"); ok {
		src.events(hooks, []string{"hooks"}, off, a)
		return
	}
	src.events(decoded, nil, off, a)
}

// events collects the entries of a mapping from events to lists, or of one list
// whose elements name their events.
func (src *source) events(hooks any, path []string, off string, a *agent.Agent) {
	if on, _ := settings.At(hooks, "enabled"); on == false {
		off = "hooks are switched off there"
	}
	list, isList := hooks.([]any)
	byEvent, isMap := hooks.(map[string]any)
	switch {
	case isList && src.eventKey != "":
		for i, element := range list {
			src.add("", element, i, off, path)
		}
	case isMap:
		src.common = byEvent
		for _, event := range sorted(byEvent) {
			src.list(event, byEvent[event], off, append(slices.Clone(path), event), a)
		}
	case hooks != nil:
		src.discard(strings.Join(path, "."), hooks, fmt.Sprintf("it is not an object with a list for each event, as %s reads it", a.Title))
	}
}

// list collects the entries of one event. Other settings may be next to the events.
func (src *source) list(event string, value any, off string, path []string, a *agent.Agent) {
	known := a.Event(event) != nil
	list, isList := value.([]any)
	_, isGroup := value.(map[string]any)
	switch {
	case !known && (len(path) == 1 || !isList || event == "disabled"): // another setting
	case isGroup && a.Setup.Flaws.Tried != "" && a.Setup.Flaws.Loss(agent.EventForm) == agent.LosesNothing:
		src.add(event, value, 0, off, path)
	case !isList && value != nil:
		src.discard(event, value, "it is not a list")
	default:
		for i, element := range list {
			src.add(event, element, i, off, path)
		}
	}
}

// add reads a handler, or a group of handlers with a matcher. at is its index in the list.
func (src *source) add(event string, element any, at int, off string, path []string) {
	group, _ := element.(map[string]any)
	if group == nil {
		src.discard(event, element, "it is not an object")
		return
	}
	matcher := group["matcher"]
	handlers := []any{element}
	if inner, grouped := group["hooks"]; grouped {
		list, isList := inner.([]any)
		switch {
		case !isList:
			src.discard(event, element, "its hooks are not a list")
		case len(list) == 0:
			src.discard(event, element, "its list of hooks is empty")
		}
		handlers = list
	} else {
		group = nil
	}
	for i, h := range handlers {
		handler, _ := h.(map[string]any)
		if handler == nil {
			src.discard(event, h, "it is not an object")
			continue
		}
		e := &entry{source: src, event: event, matcher: matcher, group: group, handler: handler, off: off, element: at, index: i}
		if event == "" {
			e.event, _ = handler[src.eventKey].(string)
		}
		if e.event == "" {
			src.discard(src.eventKey, h, "it names no event")
			continue
		}
		if off == "" && (handler["enabled"] == false || handler["disabled"] == true) {
			e.off = "it is switched off"
		}
		src.lists[e.event] = path
		src.entries = append(src.entries, e)
	}
}

// discard lists a value that the agent does not read as an entry.
func (src *source) discard(event string, value any, reason string) {
	e := &entry{source: src, event: event, off: reason, value: value}
	e.handler, _ = value.(map[string]any)
	src.entries = append(src.entries, e)
}

// lose marks the entries that the agent does not read because of a flaw of the file (D151).
func (src *source) lose(decoded any, a *agent.Agent) {
	if a.Setup.Flaws.Tried == "" { // the documentation is not enough to leave out a guard
		return
	}
	layout := settings.Layout{Format: src.format, Root: []string{"hooks"}, Flat: src.eventKey != ""}
	grouped := slices.ContainsFunc(a.Settings, func(s agent.Settings) bool { return s.Layout != nil && s.Layout.Grouped })
	if grouped {
		layout.Nested = "hooks"
	}
	var plain []string
	for _, s := range a.Settings {
		if s.Layout != nil {
			plain = append(plain, s.Layout.Plain...)
		}
	}
	if _, has := settings.At(decoded, "hooks"); !has {
		layout.Root = nil
		src.lost("its events are not below \"hooks\", where "+a.Title+" reads them", func(*entry) bool { return true })
	}
	for _, f := range install.Find(a.Name).Flaws(layout, plain, src.text) {
		switch f.Loss {
		case agent.LosesFile:
			src.lost(a.Title+" ignores the whole file: "+f.Text, func(*entry) bool { return true })
		case agent.LosesEvent:
			src.lost(a.Title+" ignores every entry of "+f.Event+": "+f.Text, func(e *entry) bool { return e.event == f.Event })
		case agent.LosesPart:
			src.lost(a.Title+" ignores it: "+f.Text, func(e *entry) bool {
				return e.event == f.Event && e.element == f.Element && (f.Index < 0 || e.index == f.Index)
			})
		}
	}
}

// lost gives entries the reason why the agent does not read them.
func (src *source) lost(reason string, which func(*entry) bool) {
	for _, e := range src.entries {
		if e.lost == "" && which(e) {
			e.lost = reason
		}
	}
}

// replaced lists the entries below each key that occurs again: only the last one counts.
func (src *source) replaced(a *agent.Agent) {
	settings.Replaced(src.format, src.text, func(path []string, value any) {
		off := fmt.Sprintf("the key %q occurs again below, and only the last one counts", path[len(path)-1])
		switch {
		case len(path) == 1 && path[0] == "hooks":
			src.events(value, path, off, a)
		case len(path) <= 2 && (len(path) == 1 || path[0] == "hooks"):
			src.list(path[len(path)-1], value, off, path, a)
		}
	})
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
