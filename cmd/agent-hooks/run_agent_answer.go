package main

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/agent"
	"github.com/agent-hooks/agent-hooks/internal/memory"
	"github.com/agent-hooks/agent-hooks/spec"
)

// answer writes the native answer and returns its exit status (D44, D45).
func (r *agentRun) answer() int {
	r.status = r.write(r.encode())
	return r.status
}

// encode returns the native answer.
func (r *agentRun) encode() agent.Output {
	r.answered = true
	r.verdict.Failures = r.untold()
	out := r.call.Encode(r.verdict)
	if out.NotEnforced && len(r.reports) > 0 {
		notEnforced(r.reports[0])
	}
	if out.Blocked && r.call.Holds() {
		r.memory().First(r.fact("reason", strings.TrimSpace(out.Reason))...)
	}
	if r.flags.report != "" && len(r.reports) > 0 {
		if err := r.env.writeReport(r.flags.report, r.reports[0]); err != nil {
			r.warnings = append(r.warnings, err.Error())
		}
	}
	return out
}

// write writes the answer. If the status makes the agent read stderr, it contains only the
// reason; otherwise the warnings.
func (r *agentRun) write(out agent.Output) int {
	if out.Status == spec.ExitBlock {
		_, _ = r.env.Stderr.Write([]byte(out.Stderr + "\n"))
		return spec.ExitBlock
	}
	for _, w := range r.onceEach(append(r.warnings, out.Warnings...)) {
		r.env.warn("%s", strings.TrimPrefix(w, "agent-hooks: "))
	}
	if len(out.Stdout) == 0 || r.flags.report == "-" {
		return spec.ExitContinue
	}
	if _, err := r.env.Stdout.Write(out.Stdout); err != nil && out.Blocked {
		r.env.warn("%s", out.Reason)
		return spec.ExitBlock // the only remaining form of a block
	}
	return spec.ExitContinue
}

// onceEach removes repeated warnings.
func (r *agentRun) onceEach(warnings []string) (once []string) {
	for _, w := range warnings {
		if !slices.Contains(once, w) {
			once = append(once, w)
		}
	}
	return once
}

// untold returns the messages that have not been shown in this session (D45): all of them if
// the session is unknown, or the answer cannot show them.
func (r *agentRun) untold() (news []string) {
	remember := r.session != "" && r.call.Shows()
	for _, f := range r.failures {
		if !slices.Contains(news, f.text) && (!remember || r.memory().First(r.fact("told", f.cause)...)) {
			news = append(news, f.text)
		}
	}
	return news
}

// continues reports whether a prompt does not come from a person: some agents also fire the
// prompt event for each continuation (D30).
func (r *agentRun) continues(event spec.EventType) bool {
	if event != spec.PreAgentTurn || r.session == "" {
		return false
	}
	if prompt := strings.TrimSpace(r.call.Text("prompt")); prompt != "" && r.memory().Has(r.fact("reason", prompt)...) {
		return true
	}
	fresh := r.call.Agent.FreshPrompt
	switch {
	case fresh == "":
		return false
	case r.call.Has(fresh):
		r.memory().First(r.fact("fresh", fresh)...)
		return false
	}
	// A missing mark means a continuation only if the client is known to mark fresh prompts.
	return r.memory().Has(r.fact("fresh", fresh)...)
}

func (r *agentRun) fact(kind, text string) []string {
	return []string{kind, r.call.Agent.Name, r.session, text}
}

func (r *agentRun) memory() memory.Memory { return memory.In(r.env.state()) }
