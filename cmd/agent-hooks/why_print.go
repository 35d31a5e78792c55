package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	agenthooks "github.com/agent-hooks/agent-hooks"
)

// planText prints the rows of a plan for people: a line for each hook, its
// reason on it if that fits, and what could be changed below.
type planText struct {
	env     *Env
	columns columns
	width   int // columns of the terminal; 0: it is none
	text    strings.Builder
}

func (env *Env) printPlan(rows []planRow) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(env.Stdout, "no hooks")
		return err
	}
	p := planText{env: env, width: env.width(env.Stdout)}
	for _, r := range rows {
		cells := r.cells("")
		if p.width > 0 && displayWidth(r.Hook) > p.width/2 {
			cells[1] = "" // stands out
		}
		p.columns.fit(cells)
	}
	for _, r := range rows {
		p.row(r)
	}
	_, err := fmt.Fprint(env.Stdout, p.text.String())
	return err
}

// printDryRun prints what a run would do with the event. Nobody was asked for
// advice, so none is looked for.
func (env *Env) printDryRun(plan *agenthooks.Plan, warnings []string, json bool) error {
	for _, w := range append(warnings, plan.Warnings...) {
		env.warn("%s", w)
	}
	rows := planRows(plan, nil, "")
	if json {
		return env.printJSON(rows)
	}
	return env.printPlan(rows)
}

func (r planRow) cells(reason string) []string {
	return []string{string(r.Verdict), r.Hook, r.Scope, reason}
}

func (p *planText) row(r planRow) {
	reason, values := p.reason(r)
	line := strings.TrimSpace(reason + " " + strings.Join(values, ", "))
	if p.width > 0 && displayWidth(p.columns.line(r.cells(line), unpainted))-1 > p.width {
		head := strings.TrimSuffix(p.columns.line(r.cells(""), p.painter(r)), "\n")
		p.text.WriteString(p.env.paragraph(p.env.Stdout, p.columns.widths[0]+columnGap, head))
		p.below("", reason)
		for _, v := range values {
			p.below("", "  "+v)
		}
	} else {
		p.text.WriteString(p.columns.line(r.cells(line), p.painter(r)))
	}
	switch {
	case r.Hint != "":
		p.below("hint: ", printable(r.Hint))
	case r.closest != nil:
		p.below("closest: ", p.closest(r))
	}
}

// below prints lines that belong to the hook above.
func (p *planText) below(label, text string) {
	const indent = "    "
	for i, line := range wrap(label+text, p.width-len(indent)) {
		if rest, ok := strings.CutPrefix(line, label); ok && i == 0 && label != "" {
			line = p.env.paint(p.env.Stdout, bold, label) + rest
		}
		p.text.WriteString(indent + line + "\n")
	}
}

// painter colours the cells of a row's line.
func (p *planText) painter(r planRow) func(column int, cell string) string {
	styles := [...]string{map[verdict]string{runs: green, passedOver: faint, fails: red}[r.Verdict], bold, faint}
	return func(column int, cell string) string {
		if column >= len(styles) || cell == "" {
			return cell
		}
		return p.env.paint(p.env.Stdout, styles[column], cell)
	}
}

// reason is why the hook is decided as it is, on one line, and the values
// that it is about, if there are several.
func (p *planText) reason(r planRow) (reason string, values []string) {
	if r.Failed != agenthooks.InputMatch || len(r.values) == 0 {
		return cellText(r.Because), nil
	}
	return printable("matcher.pattern " + inQuotes(r.row.Hook.Pattern) + " is not found in"), p.shownValues(r)
}

// shownValues shows the values that a pattern was searched in: all of a few,
// else those in front, the closest before all.
func (p *planText) shownValues(r planRow) (shown []string) {
	const most = 3
	if r.closest != nil {
		shown = append(shown, p.shownValue(r.closest.Key, r.closest.Value, r.closest.Begin, r.closest.End))
	}
	for _, v := range r.values {
		if len(shown) < most && (r.closest == nil || v.Key != r.closest.Key) {
			shown = append(shown, p.shownValue(v.Key, v.Text, 0, 0))
		}
	}
	if more := len(r.values) - len(shown); more > 0 {
		shown = append(shown, "or "+plural(more, "more value"))
	}
	return shown
}

// shownValue shows one value, of a long one the part around a place.
func (p *planText) shownValue(key, text string, begin, end int) string {
	key = cutTo(printable(key), 40)
	most := 120
	if p.width > 0 {
		most = max(20, p.width-displayWidth(key)-len(`      : ""`))
	}
	return key + `: "` + around(text, begin, end, most) + `"`
}

// closest says which part of a pattern is there and which is missing.
func (p *planText) closest(r planRow) string {
	place := "behind"
	if r.closest.Before {
		place = "before"
	}
	return printable(fmt.Sprintf("%s is found in %s, but not %s %s it", inQuotes(r.closest.Found), r.closest.Key, inQuotes(r.closest.Missing), place))
}

// around makes text printable on one line and cuts it to about most columns,
// so that what stands from begin to end is seen.
func around(text string, begin, end, most int) string {
	from := max(0, begin-most/3)
	if len(text) <= most {
		from = 0
	}
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	head := ""
	if from > 0 {
		head = "…"
	}
	rest := text[from:min(len(text), from+4*most)] // what is behind is not seen
	shown := printable(strings.ReplaceAll(strings.ToValidUTF8(rest, "\ufffd"), "\t", `\t`))
	if from+len(rest) < len(text) {
		shown += " "
	}
	return head + cutTo(shown, most-displayWidth(head))
}
