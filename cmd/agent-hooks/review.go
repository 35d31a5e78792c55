package main

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/setup/install"
)

// noteReview prints a note about the project's hooks that agents do not run as they are, because
// the user has not reviewed them (D83). shows selects the hooks that the command shows, by their
// folders; nil means all.
func (env *Env) noteReview(where projectFlags, shows func(folder string) bool) {
	where.requireTrust = true
	pending := env.load(where, nil).Pending()
	if shows != nil {
		hidden := func(folder string) bool { return !shows(folder) }
		pending.Awaiting = slices.DeleteFunc(pending.Awaiting, hidden)
		pending.Changed = slices.DeleteFunc(pending.Changed, hidden)
	}
	message := pending.Message()
	if message == "" {
		return
	}
	if agents := env.withoutReview(); len(agents) > 0 {
		message += "; entries without --require-trust run them: " + strings.Join(agents, ", ")
	}
	env.note("in agents, %s", message)
}

// withoutReview returns the agents whose entries run a project's hooks without a review.
func (env *Env) withoutReview() (agents []string) {
	s := env.system()
	for _, c := range install.All() {
		if slices.ContainsFunc(s.Target(c).AllInstalled(), func(e install.Entry) bool {
			return len(e.Words) > 1 && !slices.Contains(e.Words, "--require-trust")
		}) {
			agents = append(agents, c.Name)
		}
	}
	return agents
}
