package main

import (
	"path/filepath"
	"slices"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/examples"
	"github.com/agent-hooks/agent-hooks/internal/author/explain"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// printExamples prints which example guards would stop a call of a user without hooks, and the
// commands that add them. The examples have a constant answer, so nothing is run.
func (env *Env) printExamples(hooks *agenthooks.Hooks, input *protocol.Event) error {
	var tried []*discovery.Hook
	for _, name := range examples.Names() {
		if hook, _ := examples.Find(name); hook.Trigger == spec.PreToolCall && hook.Answer.Restricts() {
			tried = append(tried, &discovery.Hook{Hook: hook, Scope: discovery.UserScope, Folder: name, Dir: name, File: filepath.Join(name, "HOOK.md"), State: discovery.Active})
		}
	}
	var stopped []string
	for _, row := range hooks.WithTable(discovery.Table{spec.PreToolCall: tried}).Plan(input).Rows {
		matched := row.Runs || row.Failed == agenthooks.Safe // which fails without a folder
		if !matched || row.Warning != "" || row.Passed != "" {
			continue
		}
		does := "deny"
		if row.Hook.Answer.Decision == manifest.Ask {
			does = "ask about"
		}
		stopped = append(stopped, row.Hook.Name)
		if err := env.out(2, explain.Shown("the example "+row.Hook.Name+" would "+does+" it: "+row.Hook.Answer.Reason)); err != nil {
			return err
		}
	}
	if len(stopped) == 0 {
		return nil
	}
	setup := setupExamples()
	if slices.Contains(setup, stopped[0]) {
		env.say("hint", term.Bold, "agent-hooks setup adds it and "+term.Plural(len(setup)-1, "other guard")+", and lets your agents call them")
	}
	env.say("hint", term.Bold, "agent-hooks new --user --from "+strings.Join(stopped, " "))
	return nil
}

// setupExamples returns the guards that setup adds. Those with a script are left out: they may need an
// interpreter.
func setupExamples() (names []string) {
	for _, family := range []string{"data loss", "credentials"} {
		for _, name := range exampleNames(family) {
			if hook, _ := examples.Find(name); hook.Answer != nil && hook.Trigger == spec.PreToolCall {
				names = append(names, name)
			}
		}
	}
	return names
}
