package pack

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// Change is what add, update or remove does to one hook: planned from what is on disk, shown to
// the user, and applied as it is.
type Change struct {
	*trust.Candidate // the hook as it is shown; of a removal, only its name
	Place            *Place
	Pack             *Pack // nil for a removal
	Locked           Hook  // its entry in the lock

	Dropped  bool          // a removal because the pack that is followed has it no longer
	Was      string        // the digest of the folder now; "" if there is none
	Conflict State         // why the folder is kept: Edited, Unread, Foreign or Gone; otherwise ""
	Cause    string        // of Conflict, if it is known; of Gone, the source
	old      *trust.Folder // of a removal
	Current  bool          // there is nothing to agree to; of the entry in the lock, only the commit may change
}

// SameContent is the News of a hook of which only the source or the ref in the lock changes.
const SameContent trust.News = "the content is the same"

// Review selects what is shown.
type Review struct {
	Again   bool   // also show a project's hook that is installed, but not reviewed
	Unshown bool   // accept files that cannot be shown
	Path    string // the user's PATH
}

// Install plans to install a hook of a pack.
func (p *Place) Install(pack *Pack, name string, review Review) (*Change, error) {
	c := &Change{Candidate: &trust.Candidate{Name: name}, Place: p, Pack: pack}
	folder, err := pack.Read(name)
	if err != nil {
		c.Refused = err.Error()
		return c, nil
	}
	c.Locked = p.entry(pack, folder)
	before := c.compare()
	same, reviewed := c.Was == c.Locked.Digest, p.history == nil || p.history.Holds(trust.Content{Name: name, Digest: c.Locked.Digest}, false)
	locked, is := p.lock.Hooks[name]
	if same { // the source, the ref and the adoption of a hook need the user's consent, too (D103)
		c.Conflict = ""
		c.Current = locked.follows(c.Locked) && (reviewed || !review.Again)
	}
	news := trust.News("changed since you installed it")
	switch {
	case same && reviewed:
		news = SameContent
	case p.history != nil: // what a repository contains is not what the user has reviewed
		news = "changed since you reviewed it"
		before, err = p.history.Reviewed(name)
		if err != nil {
			return nil, err
		}
	}
	if before != nil && before.Digest() == c.Locked.Digest && news != SameContent {
		before = nil
	}
	c.Candidate = trust.Examine(folder, before, strings.TrimSuffix(pack.Source.Text+"/"+pack.Folder(name), "/."), review.Unshown, review.Path)
	if before != nil {
		c.News = news
	}
	var details []string
	switch {
	case is && (locked.Source != c.Locked.Source || locked.Ref != c.Locked.Ref):
		details = append(details, "it was from "+locked.Describe())
	case !is && same:
		details = append(details, "it is there already, and was from no pack")
	}
	switch {
	case c.Locked.trial().After(time.Now()):
		details = append(details, "it only observes until "+c.Locked.Observe)
	case locked.trial().After(time.Now()):
		details = append(details, "its trial is over: it decides")
	case !pack.Observe[name].IsZero() && p.Scope == discovery.ProjectScope:
		details = append(details, "a project's hook has no trial: it decides")
	case pack.Observe[name].After(time.Now()):
		details = append(details, "a trial is for new hooks only: it decides, as before")
	}
	c.Detail = strings.Join(details, "; ")
	return c, nil
}

// Remove plans to remove a hook.
func (p *Place) Remove(name string) *Change {
	c := &Change{Candidate: &trust.Candidate{Name: name}, Place: p}
	c.old = c.compare()
	return c
}

// compare sets what the plan depends on: the hook's folder now, which it returns.
func (c *Change) compare() *trust.Folder {
	now, state, cause := c.Place.compare(c.Place.lock, c.Name, c.Locked.Executable)
	if now != nil {
		c.Was = now.Digest()
	}
	if state != Same && state != Missing {
		c.Conflict = state
	}
	if cause != nil {
		c.Cause = cause.Error()
	}
	return now
}

// sourceOf returns a pack's source for the lock. A folder in a project is relative to it, so that the
// lock is valid elsewhere.
func (p *Place) sourceOf(pack *Pack) string {
	if rel, err := filepath.Rel(p.root(), pack.Source.Text); p.Scope == discovery.ProjectScope && !pack.Source.Git && err == nil && filepath.IsLocal(rel) {
		return "./" + filepath.ToSlash(rel)
	}
	return pack.Source.Text
}

// entry returns the lock's entry of a hook of a pack.
func (p *Place) entry(pack *Pack, f *trust.Folder) Hook {
	h := Hook{Source: p.sourceOf(pack), Ref: pack.Ref, Commit: pack.Commit, Folder: pack.Folder(f.Name), Digest: f.Digest()}
	h.Executable = executables(f)
	if end := p.trialEnd(f.Name, pack.Observe[f.Name]); !end.IsZero() {
		h.Observe = end.Format(time.DateOnly)
	}
	return h
}

// maxTrial is the longest trial of a hook, in days.
const maxTrial = 30

// trialEnd returns when the trial of a hook ends that its pack announces; the zero time if it has none. A
// guard that decides already keeps deciding, whatever its pack says later (D115).
func (p *Place) trialEnd(name string, announced time.Time) time.Time {
	_, missing := os.Lstat(filepath.Join(p.Hooks, name))
	locked, is := p.lock.Hooks[name]
	last := time.Now().AddDate(0, 0, maxTrial)
	switch {
	case announced.IsZero() || p.Scope == discovery.ProjectScope: // where observe does not count
		return time.Time{}
	case is && locked.Observe != "":
		last = locked.trial()
	case is || !errors.Is(missing, fs.ErrNotExist):
		return time.Time{}
	}
	if announced.After(last) {
		return last
	}
	return announced
}
