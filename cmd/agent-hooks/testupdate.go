package main

import (
	"errors"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/cases"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// update writes what came into the cases that failed, and says of each what
// it did.
func (t *testRun) update() {
	p, ok := t.print.(*testText)
	if !ok {
		return
	}
	p.erase()
	for _, s := range t.suites {
		for _, r := range s.results {
			if r.Status != cases.Failed {
				continue
			}
			switch written, left := p.update(s, r, t.flags.dryRun); {
			case !written:
			case left:
				t.partly++
			default:
				t.updated++
			}
		}
	}
}

// update writes one case, and reports whether it was written and whether it
// still fails then.
func (p *testText) update(s *suite, r *cases.Result, dryRun bool) (written, fails bool) {
	file := visible(p.env.relative(r.Case.Path))
	updated, left, err := r.Update()
	if err == nil && s.hook.Reviewed {
		err = errors.New("it belongs to a reviewed copy, which stays as it was reviewed: name the folder in the project, without --require-trust")
	}
	if err == nil && !dryRun {
		err = r.Case.Write(updated)
	}
	if err != nil {
		p.line("")
		p.line("%s %s: %s", p.paint(red, "not updated"), file, printable(err.Error()))
	} else {
		p.tellUpdate(file, string(r.Case.Source()), string(updated), dryRun)
	}
	for _, l := range left {
		p.text("  "+p.paint(yellow, "left:")+" ", l)
	}
	return err == nil && !dryRun, len(left) > 0
}

func (p *testText) tellUpdate(file, before, after string, dryRun bool) {
	p.line("")
	if !dryRun {
		p.line("%s %s", p.paint(green, "updated"), file)
		return
	}
	p.line("%s %s", p.paint(bold, "would update"), file)
	for _, line := range trust.Diff(before, after) {
		style := map[byte]string{'-': red, '+': green}[line[0]]
		if style == "" {
			style = faint
		}
		p.line("  %s", p.paint(style, visible(strings.TrimSuffix(line, "\r"))))
	}
}
