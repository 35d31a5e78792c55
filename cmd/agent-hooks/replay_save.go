package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/author/cases"
	"github.com/agent-hooks/agent-hooks/internal/author/past"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

// saveCommand returns the command that makes a test case of the first call in the report; "" if there
// is none.
func (flags replayFlags) saveCommand(s *past.Summary) string {
	var of *past.Group
	hook, shown := "", 0
	if s.Compare != nil && len(s.Compare.Newly) > 0 {
		of, hook = s.Compare.Newly[0], s.Compare.Newly[0].Hook
	}
	for _, h := range s.Hooks {
		if len(h.Groups) > 0 {
			shown++
		}
		i := slices.IndexFunc(h.Groups, func(g *past.Group) bool { return g.Effect != "failed" }) // which is no decision
		if of == nil && i >= 0 {
			of, hook = h.Groups[i], h.Hook
		}
	}
	if of == nil || of.Agent == past.Events.Name {
		return ""
	}
	text := "agent-hooks replay --from " + of.Agent
	if flags.with != "" {
		text += " --with " + shellWord(flags.with)
	}
	if flags.allHooks {
		text += " --all-hooks"
	}
	if shown > 1 {
		text += " --hook " + shellWord(hook)
	}
	return text + " --save " + of.Call
}

// saveCall writes the call that --save names as a test case of a hook, after showing it.
func (flags replayFlags) saveCall(ctx context.Context, env *Env, o past.Options, s *past.Summary) error {
	f, err := flags.foundCall(o, s)
	if err != nil {
		return err
	}
	if f.Agent == past.Events {
		return usagef("agent-hooks test --samples shows how to write a case by hand", "replay: --save is for calls in the transcripts of agents")
	}
	g, err := flags.hookOf(f)
	if err != nil {
		return err
	}
	folder := cmp.Or(g.Hook.Origin, g.Hook.Dir)
	c, err := cases.New(g.Hook, folder, "call-"+f.ID[:max(8, len(flags.save))], cases.Call{
		Agent: f.Agent, Payload: f.Payload, Dir: f.Dir, Home: env.home(), Decision: g.Decision, Input: g.Input,
		Comment: fmt.Sprintf("A call of %s, %s, with what the hook decided on %s.", f.Agent.Title, day(f.At), day(time.Now())),
	})
	if err != nil {
		return fmt.Errorf("replay: call %s: %w", flags.save, err)
	}
	if r := c.Run(ctx, env.Environ); r.Status != cases.Passed {
		return fmt.Errorf("replay: call %s: as a test case, in an empty directory, %s, so nothing was written", flags.save, failure(r))
	}
	if err := env.out(2, env.short(c.Path)); err != nil {
		return err
	}
	for line := range strings.Lines(string(c.Source())) {
		if err := env.print("  " + term.Visible(strings.TrimSuffix(line, "\n")) + "\n"); err != nil {
			return err
		}
	}
	switch {
	case flags.yes:
	case !env.interactive():
		return errors.New("replay: stdin and stdout are not a terminal, so nobody can be asked; nothing was written (--yes writes without asking)")
	case !env.yes("Write it? [y/N] "):
		return errors.New("replay: nothing was written")
	}
	if err := c.Create(); err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	env.note("wrote %s; if the hook should decide otherwise, change the case's expect", env.short(c.Path))
	if g.Hook.Origin != "" {
		env.note("you have reviewed this hook without the case: agent-hooks trust")
	}
	return nil
}

// foundCall returns the call that --save names.
func (flags replayFlags) foundCall(o past.Options, s *past.Summary) (*past.Found, error) {
	if len(s.Found) == 0 {
		return nil, usagef("agent-hooks replay --all shows calls with their IDs", "replay: the transcripts of %s have no call %s with what a hook needs", titles(o.Agents), flags.save)
	}
	var ids []string
	for _, f := range s.Found {
		ids = append(ids, f.ID[:min(len(f.ID), 2*max(8, len(flags.save)))])
	}
	if len(ids) > 1 {
		slices.Sort(ids)
		return nil, usagef("--save "+ids[0], "replay: several calls are %s: %s", flags.save, strings.Join(ids, ", "))
	}
	return s.Found[0], nil
}

// hookOf returns the hook that the case is for: the only one that did something to the call, or that
// ran on it. One that --with tries takes precedence.
func (flags replayFlags) hookOf(f *past.Found) (*past.Given, error) {
	var ran []*past.Given
	for i := range f.Verdicts {
		g := &f.Verdicts[i]
		if g.With { // it replaces an installed one of its name
			ran = slices.DeleteFunc(ran, func(o *past.Given) bool { return o.Hook.Folder == g.Hook.Folder })
		}
		ran = append(ran, g)
	}
	for _, is := range []func(*past.Given) bool{(*past.Given).HasEffect, func(g *past.Given) bool { return g.With }} {
		if slices.ContainsFunc(ran, is) {
			ran = slices.DeleteFunc(ran, func(g *past.Given) bool { return !is(g) })
		}
	}
	var names []string
	for _, g := range ran {
		names = append(names, g.Hook.Folder)
	}
	switch {
	case len(ran) == 0 && flags.hook != "":
		return nil, usagef("agent-hooks test --samples shows how to write a case by hand", "replay: hook %q did not run on call %s", flags.hook, flags.save)
	case len(ran) == 0:
		return nil, usagef("agent-hooks replay --all shows which hooks ran", "replay: no hook ran on call %s", flags.save)
	case len(ran) > 1:
		return nil, usagef("--hook "+shellWord(names[0]), "replay: several hooks did something to call %s, or ran on it: %s", flags.save, strings.Join(names, ", "))
	case ran[0].Failed:
		return nil, fmt.Errorf("replay: hook %q failed on call %s, so there is no decision to expect: %s", names[0], flags.save, ran[0].Cause)
	}
	return ran[0], nil
}
