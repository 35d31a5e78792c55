package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/pack"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

// check is `agent-hooks update --check`: it compares the hooks with hooks.lock and, if the user wants
// that, hooks.lock with its sources and the project with an earlier commit.
func (job *packJob) check(locked []pack.Locked, flags updateFlags) (int, error) {
	if flags.online {
		job.online(locked)
	}
	isFine := func(l pack.Locked) bool { return l.State == pack.Same || l.State == pack.Stated }
	other := slices.DeleteFunc(slices.Clone(locked), isFine)
	weaker, err := job.weaker(flags.base)
	if err != nil {
		return 0, err
	}
	required := job.policy()
	weaker = append(weaker, required...)
	bad := slices.DeleteFunc(slices.Clone(weaker), isFine)
	status := exitStatus(len(other)+len(bad) > 0)
	if flags.json {
		return status, job.env.printJSON(slices.Concat([]pack.Locked{}, locked, weaker))
	}
	for _, l := range slices.Concat(other, weaker) {
		job.env.line("%s", job.env.deviation(l))
	}
	job.env.line("%s as in hooks.lock, %d not", term.Plural(len(locked)-len(other), "hook"), len(other))
	if flags.base != "" {
		job.env.line("%s weaker than at %s", term.Plural(len(bad)-len(required), "hook"), flags.base)
	}
	if len(bad) > len(required) {
		job.env.note("if that is meant, say so at the end of a commit message: Hooks-changed: %s", bad[0].Name)
	}
	return status, nil
}

// deviation describes a hook that is not as it should be.
func (env *Env) deviation(l pack.Locked) string {
	if l.State == pack.Broken {
		return fmt.Sprintf("%s: %s: %s: %s", env.short(filepath.Join(filepath.Dir(l.Place.Hooks), config.Name)), l.State, l.Name, l.Cause)
	}
	if l.Name == config.Name {
		return fmt.Sprintf("%s: %s%s", env.short(filepath.Join(filepath.Dir(l.Place.Hooks), config.Name)), l.State, because(l.Cause))
	}
	return fmt.Sprintf("hook %s: %s: %s%s", l.Name, l.State, env.short(filepath.Join(l.Place.Hooks, l.Name)), because(l.Cause))
}

// policy returns what is not as the [policy] of the project's and of the administrator's file
// requires (D108).
func (job *packJob) policy() (rows []pack.Locked) {
	managed := &pack.Place{Scope: discovery.ManagedScope, Hooks: place.ManagedHooks()}
	for _, at := range append(slices.Clone(job.places), managed) {
		if at.Scope == discovery.UserScope {
			continue
		}
		file := config.Read(at.Hooks, at.Scope)
		policy := file.Policy()
		note := func(name, cause string) {
			rows = append(rows, pack.Locked{Name: name, Scope: at.Scope, State: pack.Broken, Cause: cause, Place: at})
		}
		if err := file.Unusable(); err != nil {
			note(config.Name, err.Error())
		}
		if policy.Version != "" && !pack.AtLeast(buildVersion().Version, policy.Version) {
			note("agent-hooks", "this is version "+buildVersion().Version+", and at least "+policy.Version+" is required")
		}
		if len(policy.Require) == 0 {
			continue
		}
		places := []*pack.Place{at}
		if at == managed { // which may require hooks of the user, too
			places = append(places, slices.DeleteFunc(slices.Clone(job.places), func(p *pack.Place) bool { return p.Scope != discovery.UserScope })...)
			if err := managed.Open(); err != nil {
				note(pack.LockName, err.Error())
				continue
			}
		}
		for _, name := range policy.Require {
			if cause := job.lacks(name, places); cause != "" {
				note(name, cause)
			}
		}
	}
	return rows
}

// lacks returns why none of the places has a hook as its lock says, or why that does not run.
func (job *packJob) lacks(name string, places []*pack.Place) (cause string) {
	cause = "it is in no " + pack.LockName
	for _, at := range places {
		for _, l := range at.Locked() {
			if l.Name != name {
				continue
			}
			if l.State != pack.Same {
				cause = "it is " + string(l.State) + because(l.Cause)
				continue
			}
			for _, h := range suite.All(job.env.load(nil).Table) {
				switch {
				case h.Folder != name || h.Scope != at.Scope:
				case h.State != discovery.Active && h.State != discovery.Untrusted:
					return fmt.Sprintf("it is %s: %s", h.State, h.Cause)
				case h.Observe:
					return "it is only observed"
				}
			}
			return ""
		}
	}
	return cause
}

// online compares the entries of the lock with what their sources have, and sets their states.
func (job *packJob) online(locked []pack.Locked) {
	groups := map[packGroup][]int{}
	for i, l := range locked {
		g := packGroup{l.Place, l.Source, l.Ref + " " + l.Commit, path.Dir(l.Folder)}
		groups[g] = append(groups[g], i)
	}
	for g, indices := range groups {
		rows := make([]pack.Locked, len(indices))
		for i, at := range indices {
			rows[i] = locked[at]
		}
		if err := job.verify(g, rows); err != nil {
			for i := range rows {
				if rows[i].State == pack.Same {
					rows[i].State, rows[i].Cause = pack.Other, err.Error()
				}
			}
		}
		for i, at := range indices {
			locked[at] = rows[i]
		}
	}
}

// verify compares the entries of one commit of one source.
func (job *packJob) verify(g packGroup, rows []pack.Locked) error {
	source, err := rows[0].Place.SourceOf(rows[0].Hook)
	if err != nil {
		return err
	}
	if err := job.read(source, rows[0].Commit, g.dir, func(p *pack.Pack) error { p.Verify(rows); return nil }); err != nil || !source.Git {
		return err
	}
	return untilSignalOnly(func(ctx context.Context) error {
		return job.git().Holds(ctx, source, rows[0].Ref, rows[0].Commit)
	})
}

// weaker compares the project's hooks with those at a commit of its repository; none for "".
func (job *packJob) weaker(ref string) (rows []pack.Locked, err error) {
	if ref == "" {
		return nil, nil
	}
	var base *pack.Base
	err = untilSignalOnly(func(ctx context.Context) (err error) {
		base, err = job.git().Base(ctx, job.env.Dir, ref)
		return err
	})
	if errors.Is(err, pack.ErrNoBase) {
		job.env.note("there were no hooks at %s", ref)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	at := &pack.Place{Scope: discovery.ProjectScope, Hooks: filepath.Join(base.Root, ".agents", "hooks")}
	found, err := base.Weaker()
	for _, w := range found {
		row := pack.Locked{Name: w.Name, Scope: at.Scope, State: pack.Weak, Cause: strings.Join(w.Causes, "; "), Place: at}
		if w.Said {
			row.State = pack.Stated
		}
		rows = append(rows, row)
	}
	return rows, err
}
