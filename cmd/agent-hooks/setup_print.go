package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/author/past"
	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

// maxSetupCalls is the number of past calls that setup shows.
const maxSetupCalls = 5

// print shows the plan. s is nil if the guards were not replayed.
func (p *setupPlan) print(s *past.Summary) error {
	p.env.out(2, "Agents: "+term.Printable(p.titles()))
	if len(p.guards) > 0 {
		if err := p.printGuards(s); err != nil {
			return err
		}
	}
	if p.there > 0 {
		p.env.out(2, fmt.Sprintf("\n%s that you have already: unchanged", term.Plural(p.there, "guard")))
	}
	if len(p.changes) > 0 {
		p.env.print("\nSettings that change:\n")
	}
	for _, c := range p.changes {
		text := p.env.short(c.Path)
		if c.Entries > 0 {
			text += ": " + install.Count(c.Entries, "entry", "entries") + " that call agent-hooks"
		}
		if c.Old != nil {
			text += "; a backup stays next to it"
		}
		p.env.out(4, "  "+text)
	}
	return nil
}

func (p *setupPlan) printGuards(s *past.Summary) error {
	stopped := map[string]string{} // "3 denied, 2 asked"
	if s != nil {
		for _, h := range s.Hooks {
			var parts []string
			if h.Denied > 0 {
				parts = append(parts, grouped(h.Denied)+" denied")
			}
			if h.Asked > 0 {
				parts = append(parts, grouped(h.Asked)+" asked")
			}
			stopped[h.Hook] = strings.Join(parts, ", ")
		}
	}
	all := exampleRows()
	var rows []exampleRow
	for _, n := range p.guards {
		row := all[slices.IndexFunc(all, func(e exampleRow) bool { return e.Name == n.name })]
		if short, _, cut := strings.Cut(row.Description, " ("); cut { // the examples are in new --list
			row.Description = short + "."
		}
		rows = append(rows, row)
	}
	p.env.out(2, fmt.Sprintf("\n%s for all your projects, in %s:", term.Plural(len(rows), "guard"), p.env.short(p.guards[0].place.Hooks)))
	if err := p.env.printFamilies(rows, func(e exampleRow) string { return stopped[e.Name] }); err != nil || s == nil {
		return err
	}
	p.env.print("\n")
	if s.Calls == 0 {
		return p.env.out(2, fmt.Sprintf("What they would have done is not known: there are no transcripts of the last %d days.", pastDays))
	}
	text := fmt.Sprintf("In your last %d days, they would have stopped or asked about %s of %s", pastDays, grouped(s.Compare.Denied), pastTotals(s))
	if len(s.Compare.Newly) == 0 {
		return p.env.out(2, text+".")
	}
	p.env.out(2, text+":")
	var shown []*past.Group
	for _, g := range s.Compare.Newly[:min(len(s.Compare.Newly), maxSetupCalls)] {
		alone := *g
		alone.Was = "" // there was no other hook
		shown = append(shown, &alone)
	}
	if err := p.env.print(p.env.groupTable(shown)); err != nil || len(s.Compare.Newly) == len(shown) {
		return err
	}
	return p.env.out(4, fmt.Sprintf("  … then: agent-hooks replay --since %dd shows all of them", pastDays))
}
