package trust

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/state"
)

// Content identifies one content of a hook's folder.
type Content struct{ Name, Digest string }

// Trusted contains the trusted contents of one project.
type Trusted struct {
	Root     string // the project's
	Contents []Content
	Present  []Content // the current contents of its folders, which may be trusted everywhere
	// Damaged contains the errors of records that cannot be read and may concern the project.
	Damaged []error

	match func(name string) bool // nil: all of its hooks are selected
	refs  []ref                  // the project's places in records
}

// whole reports whether all of the project's hooks are selected.
func (t *Trusted) whole() bool { return t.match == nil }

func (t *Trusted) selects(name string) bool { return t.whole() || t.match(name) }

// Empty reports whether nothing was found.
func (t *Trusted) Empty() bool { return len(t.Contents) == 0 && len(t.Damaged) == 0 }

// Trusted returns the trusted contents of the project at start, a path that need not exist any
// more, or otherwise of the nearest project above it with any. home is as in Options. match
// selects hooks by name; nil selects all.
func (s *Store) Trusted(start, home string, match func(name string) bool) *Trusted {
	start = paths.Physical(start)
	for _, dir := range newLookup(s).applicable(start, []string{home, paths.Physical(home)}) {
		if t := s.trustedAt(dir, match); !t.Empty() {
			return t
		}
	}
	return &Trusted{Root: start}
}

func (s *Store) trustedAt(root string, match func(name string) bool) *Trusted {
	l := newLookup(s)
	p := l.project(root)
	// Outside a repository, only the link of the path leads to the record, and it may be damaged.
	t := &Trusted{Root: root, refs: append(p.refs, Place{root, "."}.ref()), match: match}
	if _, err := os.Lstat(root); errors.Is(err, fs.ErrNotExist) {
		t.refs = append(t.refs, l.refsOfRemoved(root)...)
	}
	if _, err := s.refs(root); err != nil && t.whole() {
		t.Damaged = append(t.Damaged, err)
	}
	for _, r := range t.refs {
		record, err := l.record(r.id)
		if err != nil {
			if t.whole() && !slices.Contains(t.Damaged, err) {
				t.Damaged = append(t.Damaged, err)
			}
			continue
		}
		for _, h := range record.Hooks {
			if h.Project == r.project && t.selects(h.Name) {
				t.add(h)
			}
		}
	}
	t.addEverywhere(l)
	return t
}

// refsOfRemoved returns the places of all projects of a repository whose work tree had its root
// at root, a directory that no longer exists.
func (l *lookup) refsOfRemoved(root string) []ref {
	var refs []ref
	for _, repository := range []string{filepath.Join(root, ".git"), root} {
		id := recordID(repository)
		record, err := l.record(id)
		if err != nil {
			refs = append(refs, ref{id, "."})
			continue
		}
		for _, h := range record.Hooks {
			refs = append(refs, ref{id, h.Project})
		}
	}
	return refs
}

func (t *Trusted) add(h Hook) {
	for _, v := range h.Reviews {
		if c := (Content{h.Name, v.Digest}); !slices.Contains(t.Contents, c) {
			t.Contents = append(t.Contents, c)
		}
	}
}

// addEverywhere adds those contents of the project's folders and record that are trusted
// everywhere.
func (t *Trusted) addEverywhere(l *lookup) {
	for _, name := range namesIn(filepath.Join(t.Root, ".agents", "hooks")) {
		dir := filepath.Join(t.Root, ".agents", "hooks", name)
		if k, _ := l.everywhere(name); k != nil && t.selects(name) {
			if f, err := Read(dir); err == nil && slices.Contains(k.earlier, f.Digest()) {
				t.Present = append(t.Present, Content{name, f.Digest()})
			}
		}
	}
	for _, c := range t.Present {
		if !slices.Contains(t.Contents, c) {
			t.Contents = append(t.Contents, c)
		}
	}
}

// TrustedEverywhere returns the contents that are trusted in every project.
func (s *Store) TrustedEverywhere(match func(name string) bool) *Trusted {
	t := &Trusted{match: match, refs: []ref{{Everywhere, "."}}}
	r, err := s.record(Everywhere)
	if err != nil {
		t.Damaged = append(t.Damaged, err)
		return t
	}
	for _, h := range r.Hooks {
		if t.selects(h.Name) {
			t.add(h)
		}
	}
	return t
}

// Revoke removes the contents in t from the store. It continues after an error. A damaged
// record is removed if all hooks of the project are selected.
func (s *Store) Revoke(t *Trusted) error {
	var errs []error
	return s.write(true, func() error {
		ids := map[string]bool{}
		for _, r := range t.refs {
			ids[r.id] = true
		}
		if len(t.Contents) > 0 {
			ids[Everywhere] = true
		}
		for id := range ids {
			errs = append(errs, s.revokeIn(id, t))
		}
		if _, err := s.refs(t.Root); err != nil && t.whole() {
			errs = append(errs, s.remove(s.pathFile(t.Root)))
		}
		return errors.Join(errs...)
	})
}

// revokeIn removes hooks from one record.
func (s *Store) revokeIn(id string, t *Trusted) error {
	path := s.recordPath(id)
	r, err := s.record(id)
	if err != nil {
		if !t.whole() || id == Everywhere && t.Root != "" {
			return err
		}
		return s.remove(path)
	}
	before := len(r.Hooks)
	r.Hooks = slices.DeleteFunc(r.Hooks, func(h Hook) bool {
		if id == Everywhere && t.Root != "" {
			return slices.ContainsFunc(h.Reviews, func(v Review) bool { return slices.Contains(t.Contents, Content{h.Name, v.Digest}) })
		}
		return t.selects(h.Name) && slices.Contains(t.refs, ref{id, h.Project})
	})
	if len(r.Hooks) == before {
		return nil
	}
	return s.writeRecord(r)
}

func (s *Store) remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) && state.Discard(path) != nil {
		return err
	}
	return nil
}
