package trust

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/state"
)

// lookup finds the projects' hooks in the store. It reads each record and each directory once.
type lookup struct {
	store   *Store
	trees   map[string][]tree // by directory, the work trees that contain it, innermost first
	records map[string]readOnce
	stamped bool
	files   []state.Stamped // of the files that were read, from before they were read
}

type readOnce struct {
	record *Record
	err    error
}

func newLookup(s *Store) *lookup {
	return &lookup{store: s, trees: map[string][]tree{}, records: map[string]readOnce{}}
}

// project contains the store's data on the project at root.
type project struct {
	root   string
	trees  []tree
	refs   []ref                    // its places in records
	linked bool                     // its path is linked to all refs whose records have its hooks
	hooks  map[string]*reviewedHook // by name
	err    error                    // of a record that cannot be read and may concern the project
}

// reviewedHook contains the store's data on one hook of a project.
type reviewedHook struct {
	name       string
	digest     string // of the latest reviewed content
	at         time.Time
	everywhere bool
	earlier    []string // digests of contents that were reviewed before
}

func (l *lookup) record(id string) (*Record, error) {
	got, ok := l.records[id]
	if !ok {
		l.look(l.store.recordPath(id))
		got.record, got.err = l.store.record(id)
		l.records[id] = got
	}
	return got.record, got.err
}

// treesAbove returns the work trees that contain dir, innermost first.
func (l *lookup) treesAbove(dir string) []tree {
	if trees, ok := l.trees[dir]; ok {
		return trees
	}
	var trees []tree
	if parent := filepath.Dir(dir); parent != dir {
		trees = l.treesAbove(parent)
	}
	trees = append(treesAt(dir), trees...)
	l.trees[dir] = trees
	return trees
}

// around returns root and the work trees that contain it.
func (l *lookup) around(root string) []string {
	dirs := []string{root}
	for _, t := range l.treesAbove(root) {
		dirs = append(dirs, t.dir)
	}
	return dirs
}

// project returns the store's data on the project at root, a physical path. It looks it up by
// every repository that contains the project, and by its path.
func (l *lookup) project(root string) *project {
	p := &project{root: root, trees: l.treesAbove(root), hooks: map[string]*reviewedHook{}}
	l.look(l.store.pathFile(root))
	linked, err := l.store.refs(root)
	p.err, p.linked, p.refs = err, true, linked
	for _, place := range placesOf(root, p.trees) {
		if r := place.ref(); !slices.Contains(p.refs, r) {
			p.refs = append(p.refs, r)
		}
	}
	for i, r := range p.refs {
		record, err := l.record(r.id)
		if err != nil {
			p.err = err
			continue
		}
		for _, h := range record.Hooks {
			if h.Project == r.project {
				p.add(h)
				p.linked = p.linked && i < len(linked)
			}
		}
	}
	return p
}

// add merges a record's data on a hook: the latest review of all records is used.
func (p *project) add(h Hook) {
	k, last := p.hooks[h.Name], h.latest()
	if k == nil {
		k = &reviewedHook{name: h.Name}
		p.hooks[h.Name] = k
	}
	for _, v := range h.Reviews {
		k.earlier = append(k.earlier, v.Digest)
	}
	if k.digest == "" || last.TrustedAt.After(k.at) {
		k.digest, k.at, k.everywhere = last.Digest, last.TrustedAt, h.Everywhere
	}
}

// place returns where the project is recorded when a hook in it is trusted.
func (p *project) place() Place {
	if places := placesOf(p.root, p.trees); len(places) > 0 {
		return places[0]
	}
	return Place{Repository: p.root, Project: "."}
}

// everywhere returns the contents of a hook that are trusted in all projects;
// nil for none.
func (l *lookup) everywhere(name string) (*reviewedHook, error) {
	record, err := l.record(Everywhere)
	if err != nil {
		return nil, err
	}
	h := record.find(".", name)
	if h == nil {
		return nil, nil
	}
	p := &project{hooks: map[string]*reviewedHook{}}
	p.add(*h)
	return p.hooks[name], nil
}

// applicable returns the projects at start and above it whose records apply. Records at or above
// one of homes do not apply below it (D40).
func (l *lookup) applicable(start string, homes []string) []string {
	var dirs []string
	gone := true // as far as is known: where a directory exists, those above it do
	for dir := start; ; dir = filepath.Dir(dir) {
		gone = gone && !exists(dir)
		atHome := slices.Contains(homes, dir)
		if atHome && dir != start {
			return dirs
		}
		if l.mayBeProject(dir) || gone {
			dirs = append(dirs, dir)
		}
		if atHome || dir == filepath.Dir(dir) {
			return dirs
		}
	}
}

// mayBeProject reports whether the store may have hooks of a directory that exists: it is in a work
// tree, has a folder .agents, or is recorded by its path. A directory that only happens to contain the
// store is none of these.
func (l *lookup) mayBeProject(dir string) bool {
	if len(l.treesAbove(dir)) > 0 {
		return true
	}
	l.look(filepath.Join(dir, ".agents"))
	l.look(l.store.pathFile(dir))
	return exists(filepath.Join(dir, ".agents")) || exists(l.store.pathFile(dir))
}

// exists reports whether there may be something at a path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
