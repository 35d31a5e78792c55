package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Options configures a Check.
type Options struct {
	Store string // the store's directory; "" if there is none
	Home  string // the user's home directory; records at or above it do not apply below it
	// Search is the search for the project; nil for none.
	Search *place.Search
	Event  spec.EventType // of the run; "" for every event
	// Only is the event that the hooks are for: of copies that certainly have another trigger, only the
	// name and the trigger are read (D74). "" means that all are parsed.
	Only spec.EventType
	// Stamped keeps the stamps of the files that are read, for Current.
	Stamped bool
	// OnFailure is the policy for hooks without on-failure, and for hooks whose trust the store
	// cannot decide; "" is allow.
	OnFailure manifest.OnFailure
	// Policy returns the policy in the user's hooks.toml for a hook without on-failure; if nil,
	// OnFailure is used.
	Policy func(*discovery.Hook) manifest.OnFailure
}

// Check replaces a project's hooks with their reviewed copies when trust is required (D40). Each
// run creates its own Check. Not safe for concurrent use.
//
// Triggers, matchers and scripts are those of the reviewed copies: nothing in the project
// affects a reviewed hook.
type Check struct {
	Options
	*lookup
	copies *discovery.Reader
	// The physical paths of the store and the home, set by at.
	storeAt, homeAt string
	hooksDir, root  string                       // of the last hook: the folder that contains it, and the project
	projects        map[string]*project          // by root
	counted         map[string]bool              // the results of Counts
	compared        bool                         // a result depends on all files of a folder in a project
	err             error                        // why the store cannot be used
	errs            []error                      // of records that cannot be read
	seen            map[string]bool              // folders in which hooks were found
	toRecord        map[string]map[string]string // digests that Remember records, by project and name
	unlinked        map[string]bool              // roots whose path is to be linked to their records
}

// NewCheck returns a Check that uses the store. If the store cannot be used, all hooks of
// projects are failures, and Warnings reports the cause.
func NewCheck(o Options) *Check {
	c := &Check{Options: o, projects: map[string]*project{}, counted: map[string]bool{}, seen: map[string]bool{}, toRecord: map[string]map[string]string{}, unlinked: map[string]bool{}}
	if c.OnFailure == "" {
		c.OnFailure = manifest.Allow
	}
	if c.Search == nil {
		c.Search = place.NewSearch(nil)
	}
	store, err := Open(o.Store)
	c.lookup, c.err, c.copies = newLookup(store), err, discovery.NewReader(discovery.ProjectScope, o.Only)
	c.stamped = o.Stamped
	return c
}

// at returns the store's data on the project at root, or nil if the store cannot be used.
func (c *Check) at(root string) *project {
	if c.err != nil {
		return nil
	}
	if p := c.projects[root]; p != nil {
		return p
	}
	if c.storeAt == "" {
		c.storeAt, c.homeAt = c.Search.Physical(c.store.dir), c.Search.Physical(c.Home)
	}
	c.err = c.store.outside(c.Search, c.around(root), c.homeAt)
	if c.err != nil {
		return nil
	}
	p := c.project(root)
	c.projects[root] = p
	c.note(p.err)
	return p
}

// Counts reports whether a directory of hooks contains one that was trusted in its project; a
// directory without one does not hide an outer one (D2). Trust everywhere is not enough:
// anybody can copy such a hook into a folder.
func (c *Check) Counts(hooks string) bool {
	if counts, known := c.counted[hooks]; known {
		return counts
	}
	c.counted[hooks] = false
	p := c.at(filepath.Dir(filepath.Dir(hooks)))
	if p == nil {
		return false
	}
	for name, k := range p.hooks {
		c.look(filepath.Join(hooks, name))
		c.look(c.store.copyPath(name, k.digest))
		info, err := os.Stat(filepath.Join(hooks, name))
		if !k.everywhere && err == nil && info.IsDir() && c.store.has(name, k.digest) {
			c.counted[hooks] = true
			return true
		}
	}
	return false
}

// TrustAt is Trust for a hook of a project that was read from a path, which may contain links. It
// returns a hook of the user unchanged.
func (c *Check) TrustAt(h *discovery.Hook) *discovery.Hook {
	if h.Scope == discovery.UserScope {
		return h
	}
	root := projectRoot(h.Dir)
	if physical, err := paths.Real(root); err == nil && physical != root {
		h = discovery.ReadHook(filepath.Join(physical, ".agents", "hooks", h.Folder), h.Scope)
	}
	return c.Trust(h)
}

// Trust returns the hook that runs instead of a project's hook: its reviewed copy, or h marked
// as Untrusted, or as Refused if that cannot be decided. Only the folder's path identifies h;
// its state, its trigger and its name are not used, because they may have changed since the
// review.
func (c *Check) Trust(h *discovery.Hook) *discovery.Hook {
	c.seen[h.Dir] = h.File != ""
	if hooks, _ := filepath.Split(h.Dir); hooks != c.hooksDir { // most hooks are in one project
		c.hooksDir, c.root = hooks, projectRoot(h.Dir)
	}
	p := c.at(c.root)
	if p == nil {
		return c.refuse(h, "nothing is trusted: "+c.err.Error())
	}
	if k := p.hooks[h.Folder]; k != nil {
		c.unlinked[p.root] = c.unlinked[p.root] || !p.linked
		return c.reviewed(h, k)
	}
	if p.err != nil {
		return c.refuse(h, "whether it is trusted is not known, because the trust record cannot be read")
	}
	k, content, err := c.unknown(h)
	switch {
	case err != nil:
		return c.refuse(h, "whether it is trusted is not known, because the trust record cannot be read")
	case k != nil:
		if c.toRecord[p.root] == nil {
			c.toRecord[p.root] = map[string]string{}
		}
		c.toRecord[p.root][h.Folder] = k.digest
		return c.reviewed(h, k)
	case content != "" && c.store.has(h.Folder, content):
		h.State, h.Cause = discovery.Untrusted, "not trusted yet in this project (reviewed before, in another one): agent-hooks trust"
	default:
		h.State, h.Cause = discovery.Untrusted, "not trusted yet: agent-hooks trust"
	}
	return h
}

// unknown checks whether the content of a hook that is not in its project's record is trusted
// everywhere. It reads the folder's files only if a hook of this name was ever trusted, so that
// a repository cannot slow down a run.
func (c *Check) unknown(h *discovery.Hook) (k *reviewedHook, content string, err error) {
	c.look(c.store.copies())
	k, err = c.everywhere(h.Folder)
	if err != nil || k == nil && !isDirectory(c.store.namePath(h.Folder)) {
		c.note(err)
		return nil, "", err
	}
	c.compared = true
	folder, err := c.store.compare(h.Dir)
	if err != nil {
		return nil, "", nil // a folder that cannot be read was never trusted
	}
	content = folder.Digest()
	if k != nil && !slices.Contains(k.earlier, content) {
		k = nil
	}
	return k, content, nil
}

func (c *Check) note(err error) {
	if err != nil && !slices.ContainsFunc(c.errs, func(e error) bool { return e.Error() == err.Error() }) {
		c.errs = append(c.errs, err)
	}
}

// refuse marks a hook as a failure according to the policy.
func (c *Check) refuse(h *discovery.Hook, cause string) *discovery.Hook {
	h.State, h.Cause = discovery.Refused, cause
	h.OnFailure, h.OnFailureSet = c.OnFailure, false
	return h
}

// reviewed returns the copy that runs instead of h.
func (c *Check) reviewed(h *discovery.Hook, k *reviewedHook) *discovery.Hook {
	copied := c.copy(h.Dir, k, c.copies)
	if copied == nil {
		h = discovery.PeekHook(h.Dir, h.Scope) // its event
		return c.refuse(h, "its reviewed copy is gone from the trust store: agent-hooks trust")
	}
	copied.Late = func() string { return c.store.notice(h.Dir, k) }
	return copied
}

// copy reads the copy of the hook whose folder is at dir, or returns nil if the copy is
// missing.
func (c *Check) copy(dir string, k *reviewedHook, r *discovery.Reader) *discovery.Hook {
	folder := c.store.copyPath(k.name, k.digest)
	c.lookHook(folder)
	copied := r.Read(folder)
	if copied.File == "" {
		return nil
	}
	copied.Reviewed, copied.Origin = true, dir
	return copied
}

// notice describes how a folder differs from the copy that runs instead; "" if they are equal.
func (s *Store) notice(dir string, k *reviewedHook) string {
	const changed = "changed since it was trusted; the reviewed version runs (agent-hooks trust shows what changed)"
	folder, err := s.compare(dir)
	if errors.Is(err, errTooLarge) {
		return changed
	}
	if err != nil {
		return fmt.Sprintf("changed since it was trusted, and cannot be trusted as it is (%v); the reviewed version runs", err)
	}
	switch digest := folder.Digest(); {
	case digest == k.digest:
		return ""
	case slices.Contains(k.earlier, digest):
		return "rolled back to a version that was reviewed before a later one; the latest reviewed version runs (agent-hooks trust accepts the earlier one)"
	}
	return changed
}

// smallFolder is the size up to which a folder is always compared with the
// reviewed copies.
const smallFolder = 1 << 20

// compare reads a folder of a project to compare it with the copies of its name. It reads a
// large folder only if a copy is as large: a repository must not make every run read 16 MiB per
// hook (D32).
func (s *Store) compare(dir string) (*Folder, error) {
	folder, err := readWithin(dir, smallFolder)
	if errors.Is(err, errTooLarge) {
		if size := s.largest(filepath.Base(dir)); size > smallFolder {
			return readWithin(dir, size)
		}
	}
	return folder, err
}

// largest returns the size of the largest copy of a hook.
func (s *Store) largest(name string) (largest int) {
	for _, digest := range namesIn(s.namePath(name)) {
		size := 0
		_ = filepath.WalkDir(s.copyPath(name, digest), func(_ string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return nil
			}
			if info, err := e.Info(); err == nil {
				size += int(info.Size())
			}
			return nil
		})
		largest = max(largest, size)
	}
	return largest
}

// projectRoot returns the root of the project that contains the hook at dir.
func projectRoot(dir string) string { return filepath.Dir(filepath.Dir(filepath.Dir(dir))) }

// Missing returns the hooks that were trusted in the project, or in a project that contains the
// directory where the search started, but were not found. It returns their reviewed copies if
// the reviewed on-failure is deny or ask, and hooks marked as Missing otherwise. Call Trust
// first for each hook that was found.
func (c *Check) Missing(found place.Project) []*discovery.Hook {
	if found.Start == "" {
		return nil
	}
	if c.err != nil {
		return c.undecided(found.Start)
	}
	var hooks []*discovery.Hook
	counts := found.Hooks != "" && c.Counts(found.Hooks)
	homes := []string{c.Home, c.Search.Physical(c.Home)}
	dirs := c.applicable(found.Start, homes)
	if found.Other != "" {
		for _, dir := range c.applicable(found.Other, homes) {
			if !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	for _, dir := range dirs {
		p := c.at(dir)
		if p == nil {
			return append(hooks, c.undecided(found.Start)...)
		}
		hidden := counts && dir != found.Root && paths.Contains(dir, found.Root)
		hooksOf := filepath.Join(dir, ".agents", "hooks") + separator
		for _, name := range slices.Sorted(maps.Keys(p.hooks)) {
			if name == ConfigName {
				continue
			}
			folder := hooksOf + name
			if !c.seen[folder] {
				c.lookHook(folder)
			}
			if !c.seen[folder] && !(hidden && isHook(folder)) {
				hooks = append(hooks, c.missing(folder, p.hooks[name], hidden)...)
			}
		}
	}
	if len(c.errs) > 0 {
		hooks = append(hooks, c.undecided(found.Start)...)
	}
	return hooks
}

// undecided returns failing hooks in place of hooks that cannot be determined, unless the
// policy allows failures.
func (c *Check) undecided(start string) []*discovery.Hook {
	if c.OnFailure == manifest.Allow {
		return nil
	}
	return c.substitutes("trust-record", start, "which hooks of the project are trusted is not known, because the trust store cannot be read")
}

// substitutes returns a refused hook for the event of the run, or one for each event if hooks are
// loaded for all events, because the trigger is unknown.
func (c *Check) substitutes(name, dir, cause string) []*discovery.Hook {
	events := []spec.EventType{c.Event}
	if c.Event == "" {
		events = nil
		for _, info := range spec.Events() {
			events = append(events, info.Event)
		}
	}
	var hooks []*discovery.Hook
	for _, event := range events {
		h := &discovery.Hook{Scope: discovery.ProjectScope, Folder: name, Dir: dir}
		h.Name, h.Trigger = name, event
		hooks = append(hooks, c.refuse(h, cause))
	}
	return hooks
}

// missing returns the hook that replaces one that was not found at folder.
func (c *Check) missing(folder string, k *reviewedHook, hidden bool) []*discovery.Hook {
	where := fmt.Sprintf("is gone from %s", shown.Path(filepath.Dir(folder)))
	if isHook(folder) {
		where = fmt.Sprintf("is in %s, which the search for the project's hooks does not reach", shown.Path(filepath.Dir(folder)))
	}
	copied := c.copy(folder, k, discovery.NewReader(discovery.ProjectScope, "")) // its policy counts
	if copied == nil {
		return c.substitutes(k.name, folder, "missing: it "+where+", and its reviewed copy is gone from the trust store")
	}
	onFailure := copied.OnFailure
	switch {
	case copied.OnFailureSet:
	case c.Policy != nil:
		onFailure = c.Policy(copied)
	default:
		onFailure = c.OnFailure
	}
	because := fmt.Sprintf("its on-failure is %s", onFailure)
	if onFailure == manifest.Allow && copied.Answer.Restricts() {
		onFailure = copied.Answer.Decision
		because = fmt.Sprintf("its answer is %s", onFailure)
	}
	if by := writable(folder); by != "" && onFailure == manifest.Allow {
		onFailure, because = manifest.Deny, by
	}
	forgets := "agent-hooks trust --remove " + k.name
	if hidden || onFailure == manifest.Allow {
		copied.State, copied.Reviewed = discovery.Missing, false
		copied.Cause = fmt.Sprintf("missing: you trusted it, and it %s (%s removes its record)", where, forgets)
		return []*discovery.Hook{copied}
	}
	copied.Notice = fmt.Sprintf("missing: it %s; its reviewed copy runs, because %s (%s ends that)", where, because, forgets)
	return []*discovery.Hook{copied}
}

// writable returns who else can remove a project's hook, whose copy then runs (D133); "" if nobody can.
func writable(folder string) string {
	for dir, last := filepath.Dir(folder), projectRoot(folder); ; dir = filepath.Dir(dir) {
		if by := reason(paths.CheckDirectory(dir)); by != "" {
			return by
		}
		if dir == last || dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// isHook reports whether there is a HOOK.md in a folder.
func isHook(folder string) bool {
	for _, name := range []string{"HOOK.md", "hook.md"} {
		if _, err := os.Lstat(filepath.Join(folder, name)); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return !isNotFolder(err)
		}
	}
	return false
}

// Remember records the path of a worktree, and the hooks whose content is trusted everywhere, so
// that the reviewed copies still run in this project after the hooks change. It does not wait for
// other processes. If it fails, the next run tries again.
func (c *Check) Remember(now time.Time) {
	if c.err != nil {
		return
	}
	for root := range c.toRecord {
		c.unlinked[root] = true
	}
	for root, note := range c.unlinked {
		if note {
			_ = c.store.remember(root, c.toRecord[root], now)
		}
	}
}

// Warnings reports why trust could not be decided.
func (c *Check) Warnings() []string {
	if c.err != nil {
		return []string{c.err.Error() + "; no hook of a project is trusted"}
	}
	var warnings []string
	for _, err := range c.errs {
		warnings = append(warnings, fmt.Sprintf("the trust record cannot be read: %s; agent-hooks trust replaces it", shown.Path(err.Error())))
	}
	return warnings
}
