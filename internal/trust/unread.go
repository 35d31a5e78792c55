package trust

import (
	"os"
	"slices"
	"sync"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Only says that the check is for one run of an event. Then a hook's folder
// is read only where what it holds decides something.
//
// What runs in a folder's place is always one of the reviewed copies of its
// name, or nothing: the copy of what the folder holds, else the one that this
// repository's record names. So a folder whose name is in the record need not
// be read
//
//   - if the record's copy is the only one of that name: it runs, whatever the
//     folder holds. What is to be said of a changed folder is found out when
//     the hook is about to run (Late).
//   - if no copy of that name has the event as its trigger, and none of the
//     user's hooks has the name: then neither the event nor another hook is
//     concerned, whichever copy it is.
//
// Triggers and matchers are those of the copies; what the repository says of
// itself decides nothing. A hook that is not in the record is read as ever, so
// that the record has it from the first run on.
func (c *Check) Only(event spec.EventType) { c.event = event }

// mostCopies is how many copies are read rather than the folder.
const mostCopies = 4

// unread returns what runs in the place of h, without a look at its folder;
// nil if that must be looked at.
func (c *Check) unread(h *discovery.Hook, replaces bool) *discovery.Hook {
	latest := c.known(h).latest()
	if c.event == "" || latest == "" {
		return nil
	}
	digests := c.store.digests(h.Folder)
	if !slices.Contains(digests, latest) || len(digests) > mostCopies {
		return nil
	}
	if len(digests) == 1 {
		only := reviewed(h, c.store.copyPath(h.Folder, latest))
		only.Late = sync.OnceValue(func() string { return c.verdict(h.Dir).notice })
		return orNil(only)
	}
	var found *discovery.Hook
	for _, digest := range digests {
		one := reviewed(h, c.store.copyPath(h.Folder, digest))
		if replaces || one.Trigger == c.event || one.Trigger == "" {
			return nil
		}
		if digest == latest {
			found = one
		}
	}
	return orNil(found)
}

// orNil is nil for a copy that is not there.
func orNil(h *discovery.Hook) *discovery.Hook {
	if h.File == "" {
		return nil
	}
	return h
}

// digests lists the contents of hooks of one name that were reviewed, wherever
// that was.
func (s *Store) digests(name string) []string {
	entries, _ := os.ReadDir(s.namePath(name))
	digests := make([]string, 0, len(entries))
	for _, e := range entries {
		if isDigest(e.Name()) {
			digests = append(digests, e.Name())
		}
	}
	return digests
}
