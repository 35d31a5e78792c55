package program

import (
	"slices"
	"strings"
)

// Word is a word of a command.
type Word struct {
	Text    string
	Known   int  // the bytes at its beginning that are literal
	Several bool // it may be several words, or none
}

// Literal returns a word that is known.
func Literal(text string) Word { return Word{Text: text, Known: len(text)} }

func (w Word) is(text string) bool { return w.Text == text && w.Known == len(text) }

// mayBe reports whether only the shell knows how a word begins.
func (w Word) mayBe() bool { return w.Known == 0 && w.Text != "" }

func (w Word) isOption() bool {
	return w.Known > 0 && w.Text[0] == '-' && !(w.is("-"))
}

// Args are the words of a command by what they are. Numbers are indexes of words.
type Args struct {
	Name     string // the subcommand's, such as git/add
	Start    int    // of the first word after the names
	Options  []Given
	Operands []int
	Starts   []int // where the command may begin that the program runs; the last is the likeliest
	Unsure   bool  // the row lacks an option
}

// Given is an option of a command.
type Given struct {
	Name   string // as in the row
	Does   Does
	Listed bool // it is in the row
	At     int
	Value  int // the word of its argument, and where the argument begins in it; -1 without one
	From   int // or where it would begin in the word of the option
	End    int // of Exec and Tail: after the last word
	Begin  int // where the name is in its word
	Until  int
}

// Acts reports whether an allow covers the option only if its pattern names it (D126). An archive that
// is read or written is what the program is for.
func (o *Given) Acts() bool {
	does := o.Does
	if does&(Read|Write) == Read|Write {
		does &^= Write
	}
	return does&acting != 0
}

// Any reports whether an option does one of some things.
func (a *Args) Any(does Does) bool {
	return slices.ContainsFunc(a.Options, func(o Given) bool { return o.Does&does != 0 })
}

// Each calls visit for the arguments of the options that do one of some things.
func (a *Args) Each(does Does, visit func(o *Given)) {
	for i := range a.Options {
		if o := &a.Options[i]; o.Does&does != 0 && o.Value >= 0 {
			visit(o)
		}
	}
}

// Parse returns the row of a command, which begins with the program's name: that of its subcommand, if
// there is one. If no row has it, listed is false.
func Parse(words []Word) (p *Program, a Args, listed bool) {
	name := Name(words[0].Text)
	p, listed = Of(name)
	if words[0].Known < len(words[0].Text) {
		p, listed = &Unlisted, false
	}
	a.Name, a.Start = name, 1
	q := parser{p: p, words: words} // the options so far
	for path, at := name, 1; index.subs[path]; {
		q.p = p
		q.options(at)
		if q.at >= len(words) || words[q.at].Known < len(words[q.at].Text) {
			break
		}
		sub := path + "/" + words[q.at].Text
		row, found := index.rows[sub]
		switch {
		case found:
			p, listed = row, true
			a.Name, a.Start = sub, q.at+1
			a.Options, a.Unsure = slices.Clone(q.Options), q.Unsure
		case index.subs[sub]: // git worktree remove
		case q.Unsure: // the word may be the argument of an option
			at = q.at + 1
			continue
		}
		path, at = sub, q.at+1
	}
	q = parser{p: p, words: words, Args: a}
	q.parse(a.Start)
	return p, q.Args, listed
}

// Parse returns the words after the program's names by what they are.
func (p *Program) Parse(words []Word) Args {
	q := parser{p: p, words: words}
	q.parse(0)
	return q.Args
}

// parser reads words by a row.
type parser struct {
	p     *Program
	words []Word
	at    int // index of the next word
	Args
}

func (q *parser) parse(at int) {
	switch runs := q.p.Runs; {
	case runs&(Command|Joined|Typed) != 0:
		q.command(at)
	case runs&(Script|Foreign|Language) != 0:
		q.options(at)
		for ; q.at < len(q.words); q.at++ {
			q.Operands = append(q.Operands, q.at)
		}
	default:
		q.all(at)
	}
}

// all reads options and operands in any order.
func (q *parser) all(at int) {
	for q.at = at; q.at < len(q.words); {
		w := q.words[q.at]
		switch {
		case w.is("--"):
			for q.at++; q.at < len(q.words); q.at++ {
				q.Operands = append(q.Operands, q.at)
			}
		case w.isOption():
			q.option()
		case w.Known > 1 && w.Text[0] == '+' && q.p.Has(Helper) && q.plus():
		case !q.named():
			q.Operands = append(q.Operands, q.at)
			q.at++
		}
	}
}

// named reads an operand that is an option, such as if=FILE, and reports whether it is one.
func (q *parser) named() bool {
	w := q.words[q.at]
	name, _, ok := strings.Cut(w.Text[:w.Known], "=")
	if !ok {
		return false
	}
	o, _ := q.p.find(name + "=")
	if o.Does == 0 {
		o, _ = q.p.find("*=")
	}
	if o.Does == 0 {
		return false
	}
	o.At, o.Value, o.From, o.Until = q.at, q.at, len(name)+1, len(name)
	q.Options = append(q.Options, o)
	q.at++
	return true
}

// plus reads a word of a program that runs what follows its +, and reports whether it is one.
func (q *parser) plus() bool {
	o, _ := q.p.find("+")
	if o.Does == 0 {
		return false
	}
	o.At, o.Value, o.From = q.at, q.at, 1
	q.Options = append(q.Options, o)
	q.at++
	return true
}

// options reads the options before the first operand.
func (q *parser) options(at int) {
	for q.at = at; q.at < len(q.words); {
		w := q.words[q.at]
		switch {
		case w.is("--"), w.is("-") && q.p.Runs&Script != 0:
			q.at++
			return
		case w.isOption(), w.Known > 1 && w.Text[0] == '+' && q.p.Runs&Script != 0:
			q.option()
		default:
			return
		}
	}
}

// command reads the options before the command that the program runs. After an option that the row
// lacks, the command may begin with the next word, or with the one after it.
func (q *parser) command(at int) {
	begins := func(i int) { q.Starts = append(q.Starts, i+q.p.Skip) }
	if q.p.Runs&Dashes != 0 {
		if i := slices.IndexFunc(q.words[at:], func(w Word) bool { return w.is("--") }); i >= 0 {
			q.options(at)
			q.late()
			q.Starts = []int{at + i + 1}
			return
		}
	}
	for q.at = at; q.at < len(q.words); {
		w := q.words[q.at]
		if w.is("--") {
			q.at++
			break
		}
		if q.p.Runs&Assigns != 0 && strings.IndexByte(w.Text, '=') > 0 && w.Text[0] != '-' && isName(w.Text[:strings.IndexByte(w.Text, '=')], w) {
			q.at++
			continue
		}
		hyphen, _ := q.p.in(q.p.Flags, "-")
		if w.mayBe() {
			begins(q.at + 1)
			break
		}
		if !w.isOption() && !(w.is("-") && hyphen != "") {
			break
		}
		before, unsure := q.at, q.Unsure
		q.Unsure = false
		q.option()
		if o := &q.Options[len(q.Options)-1]; q.Unsure && q.at == before+1 && o.Value < 0 && q.at < len(q.words) && !strings.HasPrefix(q.words[q.at].Text, "-") {
			begins(q.at)
			q.at++
		}
		q.Unsure = q.Unsure || unsure
	}
	if next := q.at + q.p.Skip; q.p.Runs&Mixed != 0 && q.at+1 < len(q.words) && q.words[q.at+1].isOption() {
		last := *q.p
		last.Runs, last.Skip = Command, 0
		rest := parser{p: &last, words: q.words}
		rest.command(next)
		q.Options, q.Unsure, q.Starts = append(q.Options, rest.Options...), q.Unsure || rest.Unsure, append(q.Starts, rest.Starts...)
		return
	}
	begins(q.at)
	q.late()
}

// isName reports whether a text before = is the name of a variable; for a word that is known, any.
func isName(name string, w Word) bool {
	return w.Known == len(w.Text) || !strings.ContainsFunc(name, func(c rune) bool {
		return c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	}) && (name[0] < '0' || name[0] > '9')
}

// late reads the options with a command that follow an operand before --: mise exec node@20 -c COMMAND.
func (q *parser) late() {
	if q.p.Runs&Dashes == 0 || !q.p.Has(Run|Tail) {
		return
	}
	for i := q.at; i < len(q.words) && !q.words[i].is("--"); i++ {
		if w := q.words[i]; w.isOption() {
			one := parser{p: q.p, words: q.words, at: i}
			one.option()
			one.Options = slices.DeleteFunc(one.Options, func(o Given) bool { return o.Does&(Run|Tail) == 0 })
			q.Options = append(q.Options, one.Options...)
		}
	}
}

// find returns the option of a name, which may be cut short.
func (p *Program) find(name string) (o Given, listed bool) {
	o = Given{Name: name, Value: -1}
	cut := false
	try := func(list string, does Does) bool {
		full, exact := p.in(list, name)
		if full != "" && (exact || !cut) {
			o.Name, o.Does, o.Listed, cut = full, does, true, true
		}
		return exact
	}
	for _, row := range p.Options {
		if try(row.Names, row.Does) {
			return o, true
		}
	}
	if !try(p.Values, Text) && !try(p.Flags, 0) && !o.Listed {
		_, o.Listed = p.in(p.Flags, "*")
		if name == "--env-file" || name == "--kubeconfig" { // of any program
			o.Does = Load
		}
	}
	return o, o.Listed
}

// in returns an option of a list; "" if the list lacks it. exact is false if the name is cut short.
func (p *Program) in(list, name string) (full string, exact bool) {
	for field := range strings.FieldsSeq(list) {
		switch long := strings.HasPrefix(name, "--"); {
		case field == name:
			return field, true
		case p.Is&Words != 0 && long && field == name[1:]:
			return field, true
		case p.Is&Words == 0 && len(name) == 2 && !long && len(field) > 1 && field[0] == name[0] && field[1] != '-' && strings.IndexByte(field[1:], name[1]) >= 0:
			return name, true
		case long && len(name) > len("--") && strings.HasPrefix(field, name) && full == "":
			full = field
		}
	}
	return full, false
}

// option reads the word of one or more options, and the argument in the next one.
func (q *parser) option() {
	w := q.words[q.at]
	first := q.at
	q.at++
	if q.p.Is&Words != 0 || strings.HasPrefix(w.Text[:w.Known], "--") || q.p.Runs&Script != 0 && q.isLong(w) {
		name, _, attached := strings.Cut(w.Text[:w.Known], "=")
		if q.p.Runs&Script != 0 && !strings.HasPrefix(name, "--") {
			name = "-" + name
		}
		o, listed := q.p.find(name)
		o.At, o.Until = first, len(name)
		if attached {
			o.From = strings.IndexByte(w.Text, '=') + 1
			q.extend(&o, first)
		} else if o.Does&argument != 0 && o.Does&Attached == 0 {
			q.argument(&o)
		}
		q.Options = append(q.Options, o)
		q.Unsure = q.Unsure || !listed
		return
	}
	apart := q.p.Runs&Script != 0 // their letters have arguments in the next words
	for n := 1; n < w.Known || n == 1 && w.is("-"); n++ {
		name := w.Text[:1]
		if n < w.Known {
			name += w.Text[n : n+1]
		}
		o, listed := q.p.find(name)
		o.At, o.From, o.Begin, o.Until = first, n+1, n, min(n+1, len(w.Text))
		takes := o.Does&argument != 0
		if takes && n+1 < len(w.Text) && !apart {
			q.extend(&o, first)
		} else if takes && o.Does&Attached == 0 {
			q.argument(&o)
		}
		q.Options = append(q.Options, o)
		q.Unsure = q.Unsure || !listed
		if o.Value == first && takes || o.Does&Attached != 0 && !apart {
			return
		}
	}
	if w.Known < len(w.Text) {
		q.Unsure = true
	}
}

// isLong reports whether a word is a long option of a shell after one hyphen.
func (q *parser) isLong(w Word) bool {
	if w.Known < len(w.Text) || len(w.Text) < 3 {
		return false
	}
	_, exact := q.p.in(q.p.Flags+q.p.Values, "-"+w.Text)
	return exact
}

// argument reads the argument of an option in the next words.
func (q *parser) argument(o *Given) {
	if q.at < len(q.words) {
		o.From = 0
		q.at++
		q.extend(o, q.at-1)
	}
}

// extend sets the word of an option's argument, and those that belong to it.
func (q *parser) extend(o *Given, value int) {
	o.Value, o.End = value, value+1
	switch {
	case o.Does&(Tail|Module) != 0:
		o.End, q.at = len(q.words), len(q.words)
	case o.Does&Exec != 0:
		end := o.Value
		for end < len(q.words) && !q.words[end].is(";") && !(q.words[end].is("+") && q.words[end-1].Text == "{}") {
			end++
		}
		o.End, q.at = end, min(end+1, len(q.words))
	}
}
