package agenthooks

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/stamp"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Live loads hooks for a process that asks many times, such as a server. It
// reads again only what has changed on disk since it was last read, and never
// returns an outdated hook. Safe for concurrent use.
//
// A hook that speaks the language of an agent whose hooks are processes (D60)
// is started once for each session; Close ends them.
type Live struct {
	options   Options
	mu        sync.Mutex
	loaded    map[livePlace]*snapshot
	residents residents
}

// NewLive returns a Live for the options. Their Event and Only do not count.
func NewLive(o Options) *Live {
	o.Event, o.Only = nil, ""
	return &Live{options: o.complete(), loaded: map[livePlace]*snapshot{}}
}

// mostProjects bounds the projects that a Live holds.
const mostProjects = 32

// Load returns what Load would return now for an event, which may be nil. A
// project that is not "" replaces Options.Project.
func (l *Live) Load(project string, event *protocol.Event) *Hooks {
	o := l.options
	o.Event = event
	if project != "" {
		o.Project = project
		o = o.complete()
	}
	return l.load(o)
}

// LoadFor returns what Load would return now for a call: o's Project, Event,
// Agent and Until replace those of the options.
func (l *Live) LoadFor(o Options) *Hooks {
	call := l.options
	call.Project, call.Event, call.Agent, call.Until = o.Project, o.Event, o.Agent, o.Until
	return l.load(call.complete())
}

// Close ends the processes of hooks that were kept, and waits for that. Hooks
// that were returned before start a process for each event from now on.
func (l *Live) Close() { l.residents.close() }

func (l *Live) load(o Options) *Hooks {
	user, warnings := o.userHooks()
	if o.RequireTrust || o.Keep != nil {
		// What trust decides depends on more files than are looked at here.
		return l.kept(Load(o))
	}
	found, search := discovery.FindProject(o.roots(), o.home(), nil)
	at := livePlace{user, found.Hooks, found.Root}
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.loaded[at]
	if s == nil || !s.current() {
		s = l.read(o, at)
	}
	if s.hooks.settings.trusted {
		return l.kept(Load(o))
	}
	with := *s.hooks
	with.Project, with.agent, with.until = found, o.Agent, o.Until
	with.Warnings = slices.Concat(warnings, search)
	return &with
}

// kept returns hooks that were read again, with the processes that are kept.
func (l *Live) kept(h *Hooks) *Hooks {
	h.residents = &l.residents
	l.residents.keepOnly(h)
	return h
}

// read loads the hooks and remembers them with the state of what was read.
func (l *Live) read(o Options, at livePlace) *snapshot {
	s, taken := &snapshot{at: at}, time.Now()
	s.look()
	o.Until = time.Time{}
	s.hooks = l.kept(Load(o))
	s.hooks.matchers = &matchers{}
	s.settle(taken)
	if len(l.loaded) >= mostProjects {
		clear(l.loaded)
	}
	l.loaded[at] = s
	return s
}

// livePlace says which hooks are loaded: both directories of hooks, and the
// project's root.
type livePlace struct{ user, project, root string }

// snapshot is hooks, and the state of all files that loading them has read.
type snapshot struct {
	hooks *Hooks
	at    livePlace
	files []seenFile
	// usable says that a change of the files shows: they are old enough for
	// that, and no hook replaces another, which depends on its scripts (D6).
	usable bool
}

type seenFile struct {
	path  string
	stamp stamp.Stamp
}

// look takes the stamps: of both directories of hooks, the hooks.toml files
// beside them, and each hook's HOOK.md. A name that comes or goes
// changes the folder.
func (s *snapshot) look() {
	for _, dir := range []string{s.at.user, s.at.project} {
		if dir == "" {
			continue
		}
		above := filepath.Dir(dir)
		s.add(dir)
		s.add(above)
		s.add(filepath.Join(above, config.Name))
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if !e.IsDir() && e.Type()&os.ModeSymlink == 0 {
				continue
			}
			folder := filepath.Join(dir, e.Name())
			// While there is a HOOK.md, nothing else in the folder matters:
			// entry points and permissions are looked at for each plan.
			if file := filepath.Join(folder, spec.HookFile); s.add(file) == (stamp.Stamp{}) {
				s.add(folder)
				s.add(filepath.Join(folder, "hook.md"))
			}
		}
	}
}

func (s *snapshot) add(path string) stamp.Stamp {
	st := stamp.Of(path)
	s.files = append(s.files, seenFile{path, st})
	return st
}

// settle decides whether the snapshot is usable; taken is a time before the
// first stamp.
func (s *snapshot) settle(taken time.Time) {
	recent := func(f seenFile) bool { return !f.stamp.Settled(taken) }
	s.usable = !slices.ContainsFunc(s.files, recent) && !s.hooks.replaces()
}

// current reports whether nothing has changed since.
func (s *snapshot) current() bool {
	changed := func(f seenFile) bool { return stamp.Of(f.path) != f.stamp }
	return s.usable && !slices.ContainsFunc(s.files, changed)
}

// replaces reports whether a project's hook may have the name of a user's.
func (h *Hooks) replaces() bool {
	users := map[string]bool{}
	for _, scope := range []discovery.Scope{discovery.UserScope, discovery.ProjectScope} {
		for _, rows := range h.Table {
			for _, hook := range rows {
				if hook.Scope != scope {
					continue
				}
				if hook.Replaces != nil || strings.ContainsFunc(hook.Folder, isNotASCII) {
					return true
				}
				if scope == discovery.UserScope {
					users[hook.Folder] = true
				} else if users[hook.Folder] {
					return true
				}
			}
		}
	}
	return false
}

func isNotASCII(r rune) bool { return r > unicode.MaxASCII }

// matchers are the compiled matchers of hooks that are used again.
type matchers struct{ all sync.Map } // *discovery.Hook -> *matcher.Matcher

// of returns the hook's matcher; m may be nil.
func (m *matchers) of(hook *discovery.Hook) *matcher.Matcher {
	if m == nil {
		return matcher.New(hook.Tool, hook.Pattern)
	}
	if known, ok := m.all.Load(hook); ok {
		return known.(*matcher.Matcher)
	}
	known, _ := m.all.LoadOrStore(hook, matcher.New(hook.Tool, hook.Pattern))
	return known.(*matcher.Matcher)
}
