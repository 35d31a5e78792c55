package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// page renders the results as the document docs/agents-live.md.
func page(results []result, day time.Time) string {
	var b strings.Builder
	b.WriteString(`# What was seen in the real agents

Written by ` + "`go run . -write`" + ` in [e2e](../e2e): unmodified agents, run headless and offline against a scripted model, with
` + "`agent-hooks install AGENT`" + ` and HOOK.md folders only. Last run: ` + day.Format("2 January 2006") + `.

`)
	list := clientsOf(results)
	b.WriteString("| |")
	for _, c := range list {
		fmt.Fprintf(&b, " %s %s |", c.name, c.version())
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(list)) + "\n")
	for _, sc := range scenarios() {
		if row, found := rowOf(results, list, sc.name); found {
			fmt.Fprintf(&b, "| %s |%s\n", sc.claim, row)
		}
	}
	for _, e := range events() {
		fmt.Fprintf(&b, "| `%s` fires in one conversation |%s\n", e, eventRow(results, list, e))
	}
	b.WriteString(legend)
	return b.String()
}

const legend = `
*blocks*: nothing runs, and the model is told the changed input, so that it can ask for it. *no*: the agent has no way to do it;
` + "`agent-hooks`" + ` then says so instead of dropping it. *permits all*: without a terminal, the agent permits
every tool. *FAULT*: not as it should be. Subagents and compaction do not occur in
this conversation.
`

func clientsOf(results []result) []client {
	return slices.DeleteFunc(clients(), func(c client) bool {
		return !slices.ContainsFunc(results, func(r result) bool { return r.client.name == c.name })
	})
}

func rowOf(results []result, list []client, name string) (string, bool) {
	var b strings.Builder
	found := false
	for _, c := range list {
		r, ok := find(results, c.name, name)
		found = found || ok
		fmt.Fprintf(&b, " %s |", r.cell())
	}
	return b.String(), found
}

func (r result) cell() string {
	if r.fault != "" {
		return words(r.ability, "FAULT")
	}
	return r.ability
}

func eventRow(results []result, list []client, event string) string {
	var b strings.Builder
	for _, c := range list {
		cell := "-"
		if r, _ := find(results, c.name, "silent"); slices.Contains(r.events, event) {
			cell = yes
		}
		fmt.Fprintf(&b, " %s |", cell)
	}
	return b.String()
}

func find(results []result, client, scenario string) (result, bool) {
	i := slices.IndexFunc(results, func(r result) bool { return r.client.name == client && r.scenario.name == scenario })
	if i < 0 {
		return result{}, false
	}
	return results[i], true
}
