package trust

import (
	"fmt"
	"slices"
)

// History is what a reviewer needs from the store: which contents of a project's hooks were
// reviewed, in this project and in others.
type History struct {
	lookup  *lookup
	project *project
	records []*Record // of all repositories
	// Damaged is the error if a record of the project cannot be read; its hooks are then
	// treated as new.
	Damaged error
}

// History returns the store's data on the project at root, a physical path.
func (s *Store) History(root string) *History {
	l := newLookup(s)
	h := &History{lookup: l, project: l.project(root)}
	h.records, _ = s.Records()
	h.Damaged = h.project.err
	if _, err := l.record(Everywhere); err != nil && h.Damaged == nil {
		h.Damaged = err
	}
	return h
}

// Holds reports whether a content is the latest reviewed one in the project or, with
// everywhere, in all projects.
func (h *History) Holds(c Content, everywhere bool) bool {
	k := h.project.hooks[c.Name]
	all, _ := h.lookup.everywhere(c.Name)
	inAll := all != nil && all.digest == c.Digest
	switch {
	case !h.lookup.store.has(c.Name, c.Digest):
		return false
	case everywhere:
		return inAll && k != nil && k.digest == c.Digest
	case k == nil:
		return inAll
	}
	return k.digest == c.Digest
}

// Earlier reports whether a content was reviewed in the project before the latest one.
func (h *History) Earlier(c Content) bool {
	k := h.project.hooks[c.Name]
	return k != nil && k.digest != c.Digest && slices.Contains(k.earlier, c.Digest)
}

// Elsewhere returns the other repositories in which a content was reviewed.
func (h *History) Elsewhere(c Content) []string {
	var repositories []string
	for _, r := range h.records {
		for _, hook := range r.Hooks {
			reviewed := slices.ContainsFunc(hook.Reviews, func(v Review) bool { return v.Digest == c.Digest })
			if hook.Name == c.Name && reviewed && !slices.Contains(repositories, r.Repository) {
				repositories = append(repositories, r.Repository)
			}
		}
	}
	return repositories
}

// Reviewed returns the latest reviewed content of a hook of the project; nil if there is none.
func (h *History) Reviewed(name string) (*Folder, error) {
	k := h.project.hooks[name]
	if k == nil || !h.lookup.store.has(name, k.digest) {
		return nil, nil
	}
	f, err := Read(h.lookup.store.copyPath(name, k.digest))
	if err != nil {
		return nil, fmt.Errorf("the reviewed copy of hook %q: %w", name, err)
	}
	return f, nil
}
