package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

func (r result) file(cache string) string {
	return filepath.Join(cache, "results", r.Client+"-"+r.Version, r.Scenario+".json")
}

// save stores the result for the document.
func (r result) save(cache string) error {
	path := r.file(cache)
	if err := writeFile(path, "", 0o600); err != nil {
		return err
	}
	return writeJSON(path, r)
}

// saved returns the last result of each conversation.
func saved(cache string) ([]result, error) {
	var results []result
	for _, c := range clients() {
		for _, sc := range scenarios() {
			r := result{Client: c.name, Version: c.version(), Scenario: sc.name}
			err := readJSON(r.file(cache), &r)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			if err == nil {
				results = append(results, r)
			}
		}
	}
	return results, nil
}

// writePage writes docs/reference/agents-live.md.
func writePage(ctx context.Context, cache string) error {
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	results, err := saved(cache)
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(root, "docs", "reference", "agents-live.md"), page(results), 0o644)
}

const pageHead = `# What was observed in the real agents

` + "`cd e2e && go run . -write`" + ` ([e2e](../../e2e)) writes this page. It runs unmodified agents, without a terminal and offline, against a scripted
model, with ` + "`agent-hooks install AGENT`" + ` and HOOK.md folders only. Last run: %s.

`

const pageLegend = `
* *blocks*: nothing runs; the reason shows the model the changed input, so that it can request it.
* *no such tool*, *no such mode*: the agent has none, without a terminal.
* *no*: the agent has no way to do it; ` + "`agent-hooks`" + ` reports that with a warning.
* *no version*: its calls do not say which version they are from.
* *permits all*: without a terminal, the agent permits every tool, so there is nothing to grant.
* *FAULT*: the check failed.
* *-*: it did not occur. Most of these conversations are too short for a compaction.
`

// page formats the results.
func page(results []result) string {
	list := slices.DeleteFunc(clients(), func(c client) bool {
		return !slices.ContainsFunc(results, func(r result) bool { return r.Client == c.name })
	})
	var b strings.Builder
	fmt.Fprintf(&b, pageHead, lastDay(results))
	b.WriteString("| |")
	for _, c := range list {
		fmt.Fprintf(&b, " %s %s |", c.name, c.version())
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(list)) + "\n")
	for _, sc := range scenarios() {
		row(&b, list, sc.claim, func(c client) string { return cell(results, c.name, sc.name) })
	}
	for _, e := range events() {
		row(&b, list, "`"+e+"` fires", func(c client) string { return eventCell(results, c.name, e) })
	}
	b.WriteString(pageLegend)
	b.WriteString(attemptsTable(list, results))
	for _, c := range list {
		for _, name := range slices.Sorted(maps.Keys(c.headless)) {
			fmt.Fprintf(&b, "\n%s, %s: %s.\n", c.name, name, c.headless[name])
		}
	}
	return b.String()
}

func row(b *strings.Builder, list []client, claim string, cell func(client) string) {
	fmt.Fprintf(b, "| %s |", claim)
	for _, c := range list {
		fmt.Fprintf(b, " %s |", cell(c))
	}
	b.WriteString("\n")
}

func lastDay(results []result) string {
	last := result{}
	for _, r := range results {
		if r.Day.After(last.Day) {
			last = r
		}
	}
	return last.Day.Format("2 January 2006")
}

func cell(results []result, client, scenario string) string {
	r, found := find(results, client, scenario)
	switch {
	case !found:
		return "-"
	case r.Fault != "" && r.Attempts == nil: // which another table shows
		return words(r.Ability, "FAULT")
	}
	return r.Ability
}

func eventCell(results []result, client, event string) string {
	for _, name := range []string{"silent", "subagent"} {
		if r, _ := find(results, client, name); slices.Contains(r.Events, event) {
			return yes
		}
	}
	return "-"
}

func find(results []result, client, scenario string) (result, bool) {
	i := slices.IndexFunc(results, func(r result) bool { return r.Client == client && r.Scenario == scenario })
	if i < 0 {
		return result{}, false
	}
	return results[i], true
}
