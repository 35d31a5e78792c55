package trust

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Check decides what runs in the place of a project's hooks when trust is
// required (D40). It is made for one run and is not for several goroutines.
type Check struct {
	store    *Store
	err      error               // why nothing is trusted
	projects map[string]*project // by their roots, and by their directories of hooks
	verdicts map[string]verdict  // by the hook's folder
	first    map[*project]map[string]string
	event    spec.EventType // the run's, if it is for one
	seen     map[*Hook]bool // of the records, that have a HOOK.md
}

// NewCheck returns a check by the store in dir. If the store cannot be
// believed, no hook is trusted, and Warnings says so.
func NewCheck(dir string) *Check {
	c := &Check{projects: map[string]*project{}, verdicts: map[string]verdict{}, first: map[*project]map[string]string{}, seen: map[*Hook]bool{}}
	c.store, c.err = Open(dir)
	return c
}

// project is a project's place and what is remembered of its repository.
type project struct {
	place  Place
	record *Record
	hooks  map[string]*Hook // of this project, by name
	err    error
}

// verdict is what holds for one folder: the copy that runs, or why none does.
type verdict struct {
	copy   string
	notice string // what is to be said although it runs
	cause  string
	// first is the digest of a content that was reviewed elsewhere and is
	// new to this repository.
	first string
}

func (c *Check) project(root string) *project {
	if p := c.projects[root]; p != nil {
		return p
	}
	p := &project{place: Locate(root)}
	p.record, p.err = c.store.record(p.place.Repository)
	p.hooks = map[string]*Hook{}
	if p.err == nil {
		for i, h := range p.record.Hooks {
			if h.Project == p.place.Project {
				p.hooks[h.Name] = &p.record.Hooks[i]
			}
		}
	}
	c.projects[root] = p
	return p
}

// Counts reports whether a directory of hooks has one that is trusted; one
// that has none hides no outer one (D2).
func (c *Check) Counts(hooks string) bool {
	if c.err != nil {
		return false
	}
	entries, _ := os.ReadDir(hooks)
	for _, e := range entries {
		if !e.IsDir() && e.Type()&fs.ModeSymlink == 0 {
			continue
		}
		if dir := filepath.Join(hooks, e.Name()); c.remembered(dir) || c.verdict(dir).copy != "" {
			return true
		}
	}
	return false
}

// known returns what the record says of a hook, nil for nothing.
func (c *Check) known(h *discovery.Hook) *Hook {
	if c.err != nil {
		return nil
	}
	hooks := h.Dir[:len(h.Dir)-len(h.Folder)]
	p := c.projects[hooks]
	if p == nil {
		p = c.project(projectRoot(h.Dir))
		c.projects[hooks] = p
	}
	return p.hooks[h.Folder]
}

// remembered reports whether the record's copy of a hook is there: then
// something runs in its place, whatever its folder holds.
func (c *Check) remembered(dir string) bool {
	name := filepath.Base(dir)
	digest := c.project(projectRoot(dir)).hooks[name].latest()
	return digest != "" && c.store.has(name, digest)
}

// Rule is Trust for discovery.Rules.
func (c *Check) Rule(h *discovery.Hook, replaces bool) *discovery.Hook {
	if known := c.known(h); known != nil {
		c.seen[known] = h.File != ""
	}
	if reviewed := c.unread(h, replaces); reviewed != nil {
		return reviewed
	}
	return c.Trust(h)
}

// Trust returns what runs in the place of a project's hook: its reviewed
// copy, or h marked Untrusted. What h says of itself decides nothing, since
// it may have changed since: not its state, nor its trigger.
//
// That includes its having the name of another folder's: one that nobody
// reviewed takes no name from one that was.
func (c *Check) Trust(h *discovery.Hook) *discovery.Hook {
	v := verdict{cause: "nothing is trusted"}
	if c.err == nil {
		v = c.verdict(h.Dir)
	}
	if v.copy == "" {
		h.State, h.Cause = discovery.Untrusted, v.cause
		return h
	}
	if v.first != "" {
		c.remember(h, v.first)
	}
	copied := reviewed(h, v.copy)
	copied.Notice = v.notice
	return copied
}

// reviewed reads a copy of h.
func reviewed(h *discovery.Hook, path string) *discovery.Hook {
	copied := discovery.ReadHook(path, discovery.ProjectScope)
	copied.Reviewed, copied.Origin = true, h.Dir
	return copied
}

func (c *Check) verdict(dir string) verdict {
	if v, ok := c.verdicts[dir]; ok {
		return v
	}
	v := c.decide(dir)
	c.verdicts[dir] = v
	return v
}

const notYet = "not trusted yet: agent-hooks trust"

// decide looks at a hook's folder. It reads the folder's files only if
// something was trusted under its name, so that a repository cannot make a
// run long with what nobody knows.
func (c *Check) decide(dir string) verdict {
	p := c.project(projectRoot(dir))
	if p.err != nil {
		return verdict{cause: "nothing is trusted in this repository: its record cannot be read"}
	}
	name := filepath.Base(dir)
	remembered := p.hooks[name].latest()
	if remembered == "" && !isDirectory(c.store.namePath(name)) {
		return verdict{cause: notYet}
	}
	folder, err := Read(dir)
	digest := ""
	if err == nil {
		digest = folder.Digest()
	}
	switch {
	case err == nil && c.store.has(name, digest):
		v := verdict{copy: c.store.copyPath(name, digest)}
		if remembered == "" {
			v.first = digest
		}
		return v
	case remembered == "":
		return verdict{cause: notYet}
	case !c.store.has(name, remembered):
		return verdict{cause: "its reviewed copy is gone from the trust store: agent-hooks trust"}
	case err != nil:
		return verdict{copy: c.store.copyPath(name, remembered),
			notice: fmt.Sprintf("changed since it was trusted, and cannot be trusted as it is (%v); the reviewed version runs", err)}
	}
	return verdict{copy: c.store.copyPath(name, remembered),
		notice: "changed since it was trusted; the reviewed version runs (agent-hooks trust shows what changed)"}
}

// projectRoot returns the root of the project that has a hook in dir.
func projectRoot(dir string) string { return filepath.Dir(filepath.Dir(filepath.Dir(dir))) }

func (c *Check) remember(h *discovery.Hook, digest string) {
	p := c.project(projectRoot(h.Dir))
	if c.first[p] == nil {
		c.first[p] = map[string]string{}
	}
	c.first[p][h.Folder] = digest
}

// Remember notes the hooks whose content was reviewed in another repository,
// a clone say, so that they go on running here when they are changed. It
// waits for nobody, and nothing depends on it now: the next run tries again.
func (c *Check) Remember(now time.Time) {
	for p, digests := range c.first {
		_ = c.store.remember(p.place, digests, now)
	}
}

// Warnings says why nothing is trusted, and which trusted hooks are gone from
// the project at root or from what lies around it in its repository; for an
// event other than "", only those that it concerned.
func (c *Check) Warnings(root string, event spec.EventType) []string {
	if c.err != nil {
		return []string{c.err.Error() + "; no hook of a project is trusted"}
	}
	if root == "" {
		return nil
	}
	var warnings []string
	for {
		p := c.project(root)
		if p.err != nil {
			return append(warnings, fmt.Sprintf("the trust store: %v; no hook of this repository is trusted", p.err))
		}
		for i, h := range p.record.Hooks {
			if !c.seen[&p.record.Hooks[i]] && p.lost(h) && c.concerned(h, event) {
				warnings = append(warnings, fmt.Sprintf("hook %s, which you trusted, is gone from %s and does not run (agent-hooks untrust --hook %[1]s forgets it)", h.Name, shown(filepath.Dir(p.folder(h)))))
			}
		}
		if !p.place.submodule {
			return warnings
		}
		root = filepath.Dir(p.place.tree)
	}
}

// folder is where a hook of the repository would be in this work tree.
func (p *project) folder(h Hook) string {
	return filepath.Join(p.place.tree, filepath.FromSlash(h.Project), ".agents", "hooks", h.Name)
}

// lost reports whether a hook of the project, or of one around it, has no
// folder with a HOOK.md any more.
func (p *project) lost(h Hook) bool {
	if h.Project != "." && h.Project != p.place.Project && !strings.HasPrefix(p.place.Project, h.Project+"/") {
		return false
	}
	for _, name := range []string{"HOOK.md", "hook.md"} {
		if _, err := os.Lstat(filepath.Join(p.folder(h), name)); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

func (c *Check) concerned(h Hook, event spec.EventType) bool {
	reviewed := discovery.ReadHook(c.store.copyPath(h.Name, h.latest()), discovery.ProjectScope)
	return event == "" || cmp.Or(reviewed.Trigger, event) == event
}

// shown spells a path on one line of a message.
func shown(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(path)
	}
	return path
}
