package agenthooks

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/resident"
	kept "github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Live loads hooks for a process that handles many events, such as a server. It
// reads again only files that have changed on disk, and never returns an
// outdated hook. Safe for concurrent use.
//
// A hook written for an agent whose hooks are long-running processes (D60)
// starts once for each session. Close ends these processes.
//
// NewLive makes a Live; the plans of another one block (D104).
type Live struct {
	options   Options
	mu        sync.Mutex
	loaded    map[liveDirs]*loading
	residents resident.Pool
}

// NewLive returns a Live that loads hooks with o, except o.Event and o.Only.
func NewLive(o Options) *Live {
	o.Event, o.Only = nil, ""
	return &Live{options: o.complete(), loaded: map[liveDirs]*loading{}}
}

// maxProjects limits the number of projects that a Live caches.
const maxProjects = 32

// Load returns what the function Load would return now for the options of
// NewLive, with Event and Until of o and, unless "", Project and Agent of o. The
// other fields of o are ignored.
func (l *Live) Load(o Options) *Hooks {
	if l.loaded == nil {
		return &Hooks{} // not from NewLive: its plans block
	}
	call := l.options
	call.Event, call.Until = o.Event, o.Until
	call.Project = cmp.Or(o.Project, call.Project)
	if o.Agent.Name != "" {
		call.Agent = o.Agent
	}
	return l.load(call.complete().locate())
}

// Close ends the hook processes that were kept and waits for them. Hooks that
// were returned earlier then start a process for each event.
func (l *Live) Close() { l.residents.Close() }

func (l *Live) load(o located) *Hooks {
	if h := l.current(o); h != nil {
		return h
	}
	o.search = place.NewSearch(o.candidates) // that of o may be in use
	return l.kept(load(o), o.Until)
}

// loading is the snapshot of one place. Each place has a lock of its own, so
// that a project whose hooks take long to read delays no other.
type loading struct {
	turn     chan struct{} // full while the snapshot is being checked or read
	snapshot *snapshot     // nil: none yet
}

// current returns the hooks of a place; nil if they cannot be checked or read until
// o.Until, and the caller loads what it can. Reading then continues, so that a
// later request finds them.
func (l *Live) current(o located) *Hooks {
	place := l.loadingOf(o)
	var late <-chan time.Time // never, if there is no end
	if !o.Until.IsZero() {
		timer := time.NewTimer(time.Until(o.Until))
		defer timer.Stop()
		late = timer.C
	}
	select {
	case place.turn <- struct{}{}:
	case <-late:
		return nil
	}
	done := make(chan *Hooks, 1)
	go func() {
		var h *Hooks
		defer func() {
			_ = recover() // the caller's own Load panics, too, in the caller's goroutine
			<-place.turn
			done <- h
		}()
		h = l.refresh(place, o)
	}()
	select {
	case h := <-done:
		return h
	case <-late:
		return nil
	}
}

// refresh returns the current hooks of a place. The caller has its turn.
func (l *Live) refresh(place *loading, o located) *Hooks {
	if place.snapshot != nil {
		if h := place.snapshot.current(o); h != nil {
			return h
		}
	}
	place.snapshot = l.read(o)
	h := *place.snapshot.hooks
	h.in.Until = o.Until
	return &h
}

// loadingOf returns the loading of the place that o selects.
func (l *Live) loadingOf(o located) *loading {
	at := liveDirs{home: o.Home, user: o.Hooks, state: o.State, managed: o.managed}
	for _, c := range o.candidates {
		at.candidates += fmt.Sprint(c.Kind) + c.Name + "\x00" + c.Dir + "\x00"
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	place := l.loaded[at]
	if place == nil {
		if len(l.loaded) >= maxProjects {
			clear(l.loaded)
		}
		place = &loading{turn: make(chan struct{}, 1)}
		l.loaded[at] = place
	}
	return place
}

// kept connects hooks that were read until a time with the kept processes.
func (l *Live) kept(h *Hooks, until time.Time) *Hooks {
	h.residents = &l.residents
	inTime := until.IsZero() || time.Now().Before(until) // otherwise some may not have been read
	if inTime && !l.residents.Empty() {
		active := map[string]bool{} // by HOOK.md
		for _, rows := range h.Table {
			for _, hook := range rows {
				active[hook.File] = active[hook.File] || hook.State == discovery.Active
			}
		}
		l.residents.KeepOnly(h.Project.Root, active)
	}
	return h
}

// read loads the hooks with the state of the files read.
func (l *Live) read(o located) *snapshot {
	s, taken, run := &snapshot{}, time.Now(), o.Event != nil
	o.Event, o.Until, o.stamped = nil, time.Time{}, true
	s.look(o.managed)
	s.look(o.Hooks)
	found, _ := o.search.FindProject(o.Home, nil)
	s.look(found.Hooks)
	s.hooks = load(o)
	if other := s.hooks.Project.Hooks; other != found.Hooks && other != "" { // that of found does not count
		s.look(other)
		s.hooks = load(o)
		s.moved = s.hooks.Project.Hooks != other
	}
	if check := s.hooks.check; check != nil {
		s.files = append(s.files, check.Files()...)
		if run { // which changes the files, so that the next request reads them again
			check.Remember(time.Now())
		}
	}
	l.kept(s.hooks, o.Until)
	s.settle(taken)
	return s
}

// liveDirs identifies a set of hooks: where the search for the project begins,
// and the directories of the user and the administrator.
type liveDirs struct{ candidates, home, user, state, managed string }

// snapshot is a set of hooks with the state of all files that were read to load
// them.
type snapshot struct {
	hooks *Hooks
	files []kept.Stamped
	moved bool // the project's directory of hooks changed meanwhile
	// usable means that stamps detect every change of the hooks: the files are
	// old enough for that, and no hook replaces another, because a replacement
	// also depends on scripts (D6).
	usable bool
}

// look records the stamps of a directory of hooks, of the hooks.toml next to it, and
// of each hook's HOOK.md. Adding or removing a name changes the directory.
func (s *snapshot) look(dir string) {
	if dir == "" {
		return
	}
	above, managed := filepath.Dir(dir), dir == place.ManagedHooks()
	s.add(dir)
	s.add(above)
	s.add(filepath.Join(above, config.Name))
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !e.IsDir() && e.Type()&os.ModeSymlink == 0 {
			continue
		}
		folder := filepath.Join(dir, e.Name())
		// While there is a HOOK.md, nothing else in the folder matters, except who can change a managed
		// one: entry points and permissions are checked for each plan.
		if file := filepath.Join(folder, spec.HookFile); s.add(file) == (kept.Stamp{}) || managed {
			s.add(folder)
			s.add(filepath.Join(folder, "hook.md"))
		}
	}
}

func (s *snapshot) add(path string) kept.Stamp {
	st := kept.StampOf(path)
	s.files = append(s.files, kept.Stamped{Path: path, Stamp: st})
	return st
}

// settle decides whether the snapshot is usable. taken is a time before the
// first stamp.
func (s *snapshot) settle(taken time.Time) {
	recent := func(f kept.Stamped) bool { return !f.Stamp.Settled(taken) }
	s.usable = !s.moved && !slices.ContainsFunc(s.files, recent) && !s.hooks.replaces()
}

// current returns the hooks for a call; nil if anything has changed since the
// snapshot.
func (s *snapshot) current(o located) *Hooks {
	if !s.usable || s.hooks.expired() || slices.ContainsFunc(s.files, kept.Stamped.Changed) || o.managed != "" && paths.CheckRoot(o.managed) != nil {
		return nil
	}
	if file := s.hooks.managed; file != nil && file.User != nil && paths.CheckRoot(file.User.Path) != nil {
		return nil
	}
	h, known := *s.hooks, true
	counts := counts(h.check)
	if counts != nil {
		counts = func(hooks string) bool {
			counted, asked := h.check.Counted(hooks)
			known = known && asked
			return counted
		}
	}
	found, search := h.find(o, counts)
	if !known || Project(found) != h.Project || h.check != nil && !h.check.Current() {
		return nil
	}
	h.serve(o, found, search)
	return &h
}

// replaces reports whether a project's hook may have the same name as a user's
// hook.
func (h *Hooks) replaces() bool {
	folders := map[string]bool{} // a second one of the same name is in the other scope
	for _, rows := range h.Table {
		for _, hook := range rows {
			if isManaged(hook) {
				continue
			}
			isNotASCII := func(r rune) bool { return r > unicode.MaxASCII }
			if folders[hook.Folder] || strings.ContainsFunc(hook.Folder, isNotASCII) {
				return true
			}
			folders[hook.Folder] = true
		}
	}
	return false
}
