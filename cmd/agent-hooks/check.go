package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

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
		for _, g := range pack.Commits(locked) {
			if err := job.fetch(g, func(ctx context.Context) error { return g.Verify(ctx, job.git()) }); err != nil {
				g.Differs(err)
			}
		}
	}
	isFine := func(l pack.Locked) bool { return l.State == pack.Same || l.State == pack.Stated }
	other := slices.DeleteFunc(slices.Clone(locked), isFine)
	var weaker []pack.Locked
	if flags.base != "" {
		err := untilSignalOnly(func(ctx context.Context) error {
			base, err := job.git().Base(ctx, job.env.Dir, flags.base)
			if err == nil {
				weaker, err = base.Weaker()
			}
			return err
		})
		switch {
		case errors.Is(err, pack.ErrNoBase):
			job.env.note("there were no hooks at %s", flags.base)
		case err != nil:
			return 0, err
		}
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
	file := env.short(filepath.Join(filepath.Dir(l.Place.Hooks), config.Name))
	switch {
	case l.State == pack.Broken:
		return fmt.Sprintf("%s: %s: %s: %s", file, l.State, l.Name, l.Cause)
	case l.Name == config.Name:
		return fmt.Sprintf("%s: %s%s", file, l.State, because(l.Cause))
	}
	return fmt.Sprintf("hook %s: %s: %s%s", l.Name, l.State, env.short(filepath.Join(l.Place.Hooks, l.Name)), because(l.Cause))
}

// policy returns what is not as the project's and the administrator's policy requires.
func (job *packJob) policy() []pack.Locked {
	managed := &pack.Place{Scope: discovery.ManagedScope, Hooks: place.ManagedHooks()}
	return pack.Policy(append(slices.Clone(job.places), managed), buildVersion().Version, func() []*discovery.Hook { return suite.All(job.env.load(nil).Table) })
}
