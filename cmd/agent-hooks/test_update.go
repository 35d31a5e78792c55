package main

import (
	"context"
	"errors"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/author/cases"
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// updateCases writes the actual results to the failed cases, and prints what it changed in each.
func updateCases(ctx context.Context, t *suite.Run, dryRun bool) {
	p, ok := t.Print.(*testText)
	if !ok {
		return
	}
	done := 0
	for _, s := range t.Suites {
		for _, r := range s.Results {
			if r.Status != cases.Failed || ctx.Err() != nil {
				continue
			}
			p.Waiting(r.Case, done) // the case runs again
			done++
			if p.update(ctx, s, r, dryRun) {
				t.Updated++
			}
		}
	}
	p.erase()
}

// update writes one case, which then passes, and returns whether it was written.
func (p *testText) update(ctx context.Context, s *suite.Suite, r *cases.Result, dryRun bool) (written bool) {
	file := term.Visible(p.env.relative(r.Case.Path))
	u, err := r.Update(ctx, p.env.Environ)
	if err == nil && s.Hook.Reviewed {
		err = errors.New("it belongs to a reviewed copy, which stays as it was reviewed: name the folder in the project, without --require-trust")
	}
	if err == nil && !dryRun {
		err = r.Case.Write(u.Text)
	}
	if err != nil {
		p.line("")
		p.line("%s %s: %s", p.env.style(term.Red, "not updated"), file, term.Printable(err.Error()))
		p.diff(u.Diff)
	} else {
		p.printUpdate(file, string(r.Case.Source()), string(u.Text), dryRun)
	}
	return err == nil && !dryRun
}

func (p *testText) printUpdate(file, before, after string, dryRun bool) {
	p.line("")
	if !dryRun {
		p.line("%s %s", p.env.style(term.Green, "updated"), file)
		return
	}
	p.line("%s %s", p.env.style(term.Bold, "would update"), file)
	p.diff(trust.Diff(before, after))
}

// diff prints lines that begin with -, + or a space.
func (p *testText) diff(lines []string) {
	for _, line := range lines {
		p.line("  %s", p.env.diffLine(term.Visible(strings.TrimSuffix(line, "\r"))))
	}
}
