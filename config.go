package agenthooks

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
)

// configuration is the hooks.toml files that apply to a call (D14).
type configuration struct {
	config.Config              // the files that apply
	project       *config.File // the project's file, whether it applies or not
	file          string       // the path of the user's file, which need not exist
	ignored       bool         // no file applies
	trusted       bool         // trust is required, so the project's file applies as the user has reviewed it
	unreviewed    string       // why project does not apply as it is; "" if it does, or says nothing
	managed       bool         // User is the managed file
}

// userConfig reads the user's file.
func (o located) userConfig() *configuration {
	c := &configuration{ignored: o.NoConfig || o.Isolated}
	if !c.ignored {
		c.User, c.file = config.Read(o.Hooks, discovery.UserScope), filepath.Join(filepath.Dir(o.Hooks), config.Name)
	}
	c.trusted = !o.Isolated && (!o.TrustProject || c.RequireTrust())
	return c
}

// ofHook returns the files that apply to a hook.
func (h *Hooks) ofHook(hook *discovery.Hook) *configuration {
	if isManaged(hook) && h.managed != nil {
		return h.managed
	}
	return h.configuration()
}

func isManaged(hook *discovery.Hook) bool { return hook.Scope == discovery.ManagedScope }

// readProject reads the hooks.toml of the project. If trust is required, it
// applies as the user has reviewed it.
func (c *configuration) readProject(hooks string, check *trust.Check) {
	if c.ignored {
		return
	}
	if check == nil {
		c.project = config.Read(hooks, discovery.ProjectScope)
		c.Project = c.project
		return
	}
	c.project = config.ReadUnowned(hooks)
	reviewed, notice := check.Config(hooks)
	c.unreviewed = notice
	if reviewed != nil {
		c.Project = config.Parse(reviewed, filepath.Join(filepath.Dir(hooks), config.Name), discovery.ProjectScope)
	} else if !c.project.Blank() {
		c.unreviewed = cmp.Or(notice, "it does not apply until you have reviewed it")
	}
}

// check returns the check of the project's hooks, nil if trust is not required.
func (c *configuration) check(o located) *trust.Check {
	if !c.trusted {
		return nil
	}
	dir := o.State
	if dir != "" {
		dir = filepath.Join(dir, "trust")
	}
	options := trust.Options{Store: dir, Home: o.Home, Search: o.search, Event: o.Only, Stamped: o.stamped, OnFailure: c.OnFailure(), Policy: c.PolicyOf}
	if o.Event != nil {
		options.Event = o.Event.Type
	}
	if o.Keep == nil {
		options.Only = o.Only
	}
	return trust.NewCheck(options)
}

// counts returns the condition for a directory of hooks to end the search for
// the project, nil if trust is not required.
func counts(check *trust.Check) func(hooks string) bool {
	if check == nil {
		return nil
	}
	return check.Counts
}

// diagnostics returns the problems of both files. table holds the hooks that
// they may name.
func (c *configuration) diagnostics(table discovery.Table) []spec.Diagnostic {
	var diagnostics []spec.Diagnostic
	for _, f := range []*config.File{c.User, c.project} {
		if f != nil {
			diagnostics = append(diagnostics, f.Diagnostics...)
		}
	}
	if c.User == nil && c.Project == nil {
		return diagnostics
	}
	var all []*discovery.Hook
	for _, rows := range table {
		for _, hook := range rows {
			if isManaged(hook) == c.managed {
				all = append(all, hook)
			}
		}
	}
	return append(diagnostics, c.Unused(all)...)
}

// Paused returns a line about the hooks that the user's hooks.toml disables for a
// time; "" if there are none.
func (h *Hooks) Paused() string {
	paused := h.configuration().User.Paused()
	if len(paused) == 0 {
		return ""
	}
	return "paused: " + strings.Join(paused, ", ") + " (agent-hooks pause NAME --until now)"
}

// expired reports whether a part of a hooks.toml has ended to apply.
func (h *Hooks) expired() bool {
	for _, c := range []*configuration{h.config, h.managed} {
		if c == nil {
			continue
		}
		for _, f := range []*config.File{c.User, c.Project} {
			if end := f.Expires(); !end.IsZero() && !time.Now().Before(end) {
				return true
			}
		}
	}
	return false
}

// Pending are the project's hooks that do not run as they are now, because the
// user has not reviewed them (D83).
type Pending struct {
	Awaiting []string // folders of the hooks that do not run before a review
	Changed  []string // folders of the hooks that changed since; their reviewed versions run
	Config   string   // why the project's hooks.toml does not apply as it is; "" if it does
	// Content is a digest of the names and files of these hooks. At most 20
	// small folders are read for it.
	Content string
}

// maxPending limits the folders that Pending reads, because a repository chose
// their number.
const maxPending = 20

// Pending returns the project's hooks that await a review. It is empty unless
// RequiresTrust; load the hooks of all events (Options.Only unset) or for
// pre-session.
func (h *Hooks) Pending() Pending {
	var p Pending
	if !h.RequiresTrust() {
		return p
	}
	var dirs []string
	for _, rows := range h.Table {
		for _, hook := range rows {
			switch {
			case hook.Scope != discovery.ProjectScope:
				continue
			case hook.State == discovery.Untrusted:
				p.Awaiting, dirs = append(p.Awaiting, hook.Folder), append(dirs, hook.Dir)
			case hook.Reviewed && hook.News() != "":
				p.Changed, dirs = append(p.Changed, hook.Folder), append(dirs, hook.Origin)
			}
		}
	}
	slices.Sort(p.Awaiting)
	slices.Sort(p.Changed)
	p.Awaiting, p.Changed = slices.Compact(p.Awaiting), slices.Compact(p.Changed)
	slices.Sort(dirs)
	names := append(slices.Clone(p.Awaiting), p.Changed...)
	p.Config = h.config.unreviewed
	if p.Config != "" {
		names = append(names, p.Config)
		if f, err := trust.ReadConfig(h.Project.Hooks); err == nil && f != nil {
			names = append(names, f.Digest())
		}
	}
	p.Content = trust.Digests(dirs[:min(len(dirs), maxPending)], names)
	return p
}

// Message returns a line for the user; "" if nothing awaits a review. It shows
// only names of lower-case letters, digits and hyphens, because a repository
// chose them.
func (p Pending) Message() string {
	var parts []string
	say := func(hooks []string, one, many string) {
		switch len(hooks) {
		case 0:
		case 1:
			parts = append(parts, "1 hook "+one+names(hooks))
		default:
			parts = append(parts, fmt.Sprintf("%d hooks %s%s", len(hooks), many, names(hooks)))
		}
	}
	say(p.Awaiting, "of this project does not run until you have reviewed it", "of this project do not run until you have reviewed them")
	say(p.Changed, "changed since you reviewed it, and the reviewed version runs", "changed since you reviewed them, and the reviewed versions run")
	if p.Config != "" {
		parts = append(parts, "this project's hooks.toml: "+p.Config)
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + " (agent-hooks trust)"
}

// names lists, after a colon, the names that contain nothing but [a-z0-9-], and counts the
// others. It returns "" if there are no such names.
func names(all []string) string {
	const most = 10
	var plain []string
	for _, name := range all {
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && len(name) <= 64 && len(plain) < most {
			plain = append(plain, name)
		}
	}
	if len(plain) == 0 {
		return ""
	}
	if others := len(all) - len(plain); others > 0 {
		plain = append(plain, fmt.Sprintf("and %d more", others))
	}
	return ": " + strings.Join(plain, ", ")
}
