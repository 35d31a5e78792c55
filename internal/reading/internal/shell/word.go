package shell

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// word is a word after quote removal.
type word struct {
	text    string
	unknown bool   // only the shell can determine its value; text is its source
	glob    bool   // it has an unquoted * ? or [
	splits  bool   // an unquoted expansion may produce several words
	filled  bool   // another program replaces a part of it
	fill    string // what it replaces; {} if it is ""
	output  bool   // it is the output of commands and nothing else
	plain   bool   // it is unknown, but what is unknown in it has no characters that a shell treats in a special way
	named   bool   // it is unknown, but one word, and what follows its last slash is known
	divided bool   // it is a part of a variable's value, which zsh does not divide
	line    bool   // a newline divides it from the word before
	since   int    // of an input: the number of commands before which nothing reads it

	pieces []Piece // of a word with unknown parts, if they are distinguished
}

// Piece is a part of a word (D92).
type Piece struct {
	Text string // of an unknown part, its source
	Kind Kind
	Is   Value // what is known about an unknown part
}

// Value is what is known about an expansion.
type Value uint8

// The kinds of values.
const (
	Undetermined Value = iota
	Number             // one word without a slash, such as the number of a process
	Temporary          // a path that mktemp made
	TemporaryDir       // of a variable that programs set to a directory for temporary files, or empty
)

// Kind is what is unknown about a part of a word.
type Kind uint8

// The kinds of parts.
const (
	Literal  Kind = iota
	Quoted        // any text, which the shell does not split
	Unquoted      // any text, which the shell may split into several words, or none
	Glob          // any text without a slash; such a word is any number of names
)

// words expands the braces of a word, removes its quotes, and splits the
// variables in it whose values the text determines.
func (r *Reader) words(w *syntax.Word) []word {
	split := *w // syntax.Walk does not support braces
	syntax.SplitBraces(&split)
	var all []word
	for _, parts := range r.braces(split.Parts) {
		if len(split.Parts) > 1 && isJoined(parts) {
			r.note("its braces join the name of a variable: %s", excerpt(r.slice(w)))
		}
		fields := r.fields(parts)
		if !r.Bash && (len(fields) > 1 || slices.ContainsFunc(parts, hasList)) && hasBraces(w) {
			r.note("zsh and bash may join %s differently", excerpt(r.slice(w)))
		}
		all = append(all, fields...)
	}
	return all
}

// hasList reports whether a part of a word is, or quotes, an expansion that may be several
// words.
func hasList(part syntax.WordPart) bool {
	quotes, ok := part.(*syntax.DblQuoted)
	name, isName := simple(part)
	return isList(part) || isName && name == "*" || ok && slices.ContainsFunc(quotes.Parts, isList)
}

// hasBraces reports whether the shell expands braces of a word.
func hasBraces(w *syntax.Word) bool {
	split := *w
	syntax.SplitBraces(&split)
	return slices.ContainsFunc(split.Parts, func(p syntax.WordPart) bool {
		_, ok := p.(*syntax.BraceExp)
		return ok
	})
}

// isJoined reports whether parts from a brace expansion are another expansion
// together: {a,$x}y is a and $xy.
func isJoined(parts []syntax.WordPart) bool {
	open, dollar, escape := false, false, false // the parts so far end in a name, in $ or in a backslash
	for _, part := range parts {
		lit, isLit := part.(*syntax.Lit)
		if isLit && lit.Value == "" {
			continue
		}
		if dollar && !(isLit && strings.ContainsRune("/.,:%", rune(lit.Value[0]))) || escape || open && isLit && len(namesIn(lit.Value[:1])) > 0 {
			return true
		}
		p, ok := part.(*syntax.ParamExp)
		open = ok && p.Short && p.Param != nil && p.Param.Value > "9" && len(namesIn(p.Param.Value)) > 0
		dollar, escape = false, false
		if isLit {
			text, ends := strings.CutSuffix(lit.Value, "$")
			escaped := (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1
			dollar, escape = ends && !escaped, !ends && escaped
		}
	}
	return false
}

// word returns a word that the shell does not brace-expand. One that it would
// split has an unknown value.
func (r *Reader) word(w *syntax.Word) word {
	if fields := r.fields(w.Parts); len(fields) == 1 {
		return fields[0]
	}
	return word{text: r.slice(w), unknown: true, splits: true}
}

// braces returns the brace expansion of a word.
func (r *Reader) braces(parts []syntax.WordPart) [][]syntax.WordPart {
	all := [][]syntax.WordPart{nil}
	for _, part := range parts {
		b, ok := part.(*syntax.BraceExp)
		if !ok {
			for i := range all {
				all[i] = append(all[i], part)
			}
			continue
		}
		choices := r.choices(b)
		r.parsed += len(all) * len(choices)
		if r.parsed > maxWords {
			r.note("its braces make more than %d words", maxWords)
			choices = choices[:min(1, len(choices))]
		}
		var longer [][]syntax.WordPart
		for _, before := range all {
			for _, choice := range choices {
				longer = append(longer, append(before[:len(before):len(before)], choice...))
			}
		}
		all = longer
	}
	return all
}

// choices returns the alternatives of a brace expression.
func (r *Reader) choices(b *syntax.BraceExp) [][]syntax.WordPart {
	var all [][]syntax.WordPart
	if b.Sequence {
		for _, text := range r.sequence(b) {
			all = append(all, []syntax.WordPart{&syntax.Lit{Value: text}})
		}
		return all
	}
	for _, e := range b.Elems {
		all = append(all, r.braces(e.Parts)...)
	}
	return all
}

// sequence returns the words of {a..b..step}.
func (r *Reader) sequence(b *syntax.BraceExp) []string {
	first, last := b.Elems[0].Lit(), b.Elems[1].Lit()
	from, err1 := strconv.ParseInt(first, 10, 32)
	to, err2 := strconv.ParseInt(last, 10, 32)
	spell := func(n int64) string { return strconv.FormatInt(n, 10) }
	if err1 != nil || err2 != nil {
		if len(first) != 1 || len(last) != 1 {
			r.note("its braces have a sequence that is not of numbers or letters")
			return []string{first, last}
		}
		from, to = int64(first[0]), int64(last[0])
		spell = func(n int64) string { return "\\" + string(rune(n)) }
	}
	step := int64(1)
	if len(b.Elems) > 2 {
		step, _ = strconv.ParseInt(b.Elems[2].Lit(), 10, 32)
		step = max(step, -step, 1)
	}
	if max(to-from, from-to)/step >= maxWords {
		r.note("its braces make more than %d words", maxWords)
		to = from
	}
	var all []string
	for n := from; from <= to && n <= to || from > to && n >= to; {
		all = append(all, spell(n))
		n += step
		if from > to {
			n -= 2 * step
		}
	}
	return all
}

// builder makes words from the parts of one word.
type builder struct {
	r     *Reader
	split bool // divide unquoted values at white space
	done  []word
	word
	text  strings.Builder
	begun bool // the current word exists even if it is empty
	risky bool // a part is unknown and not plain
	tail  int  // where the known text after the last unknown part begins
	mark  int  // where the text begins that is not in pieces

	whole  bool // zsh may replace known text, too
	open   bool // from piece openAt on, it may be the set or the extended glob that begins there
	openAt int
}

// fields returns the words that a word becomes.
func (r *Reader) fields(parts []syntax.WordPart) []word {
	b := builder{r: r, split: true}
	b.parts(parts)
	b.end()
	if len(parts) == 1 && len(b.done) == 1 {
		b.done[0].output = isOutput(parts[0])
	}
	return b.done
}

// join returns the value of a word that the shell does not split.
func (r *Reader) join(parts []syntax.WordPart) word {
	b := builder{r: r, begun: true}
	b.parts(parts)
	b.end()
	b.done[0].output = len(parts) == 1 && isOutput(parts[0])
	return b.done[0]
}

// end ends the current word.
func (b *builder) end() {
	if !b.begun {
		return
	}
	w := b.word
	w.text = b.text.String()
	w.plain = w.unknown && !b.risky
	w.filled = b.r.fills && hasPlaceholder(w.text)
	w.named = w.unknown && !w.splits && !w.glob && strings.HasPrefix(w.text[b.tail:], "/") && isName(w.text[b.tail:])
	if open := strings.IndexByte(w.text, '['); w.glob && !strings.ContainsAny(w.text, "*?(") {
		w.glob = strings.Contains(w.text[open+1:], "]") // [ itself is a command
	}
	if (b.open || len(b.pieces) > 0) && !b.whole {
		w.pieces = b.all(w.text)
	}
	has := func(kind Kind) bool {
		return slices.ContainsFunc(w.pieces, func(p Piece) bool { return p.Kind == kind })
	}
	removed := b.r.globs && (has(Glob) || has(Unquoted))
	if removed || has(Glob) && strings.Contains(w.text, "//") { // bash makes it one slash
		w.pieces = []Piece{{Text: w.text, Kind: Unquoted}}
	}
	b.done = append(b.done, w)
	*b = builder{r: b.r, split: b.split, done: b.done}
}

// all returns the pieces of the current word.
func (b *builder) all(text string) []Piece {
	b.flush(text)
	if b.open {
		rest := ""
		for _, p := range b.pieces[b.openAt:] {
			rest += p.Text
		}
		if strings.ContainsAny(rest, "])") {
			return append(b.pieces[:b.openAt], Piece{Text: rest, Kind: Unquoted})
		}
	}
	return b.pieces
}

// flush adds the known text since the last unknown part to the pieces.
func (b *builder) flush(text string) {
	if len(text) > b.mark {
		b.pieces = append(b.pieces, Piece{Text: text[b.mark:]})
	}
	b.mark = len(text)
}

// hole adds an unknown part.
func (b *builder) hole(source string, kind Kind) {
	b.flush(b.text.String())
	if last := len(b.pieces) - 1; kind == Glob && source == "*" && last >= 0 && b.pieces[last] == (Piece{Text: source, Kind: kind}) { // ** matches slashes
		kind = Unquoted
	}
	b.pieces = append(b.pieces, Piece{Text: source, Kind: kind})
	b.text.WriteString(source)
	b.mark = b.text.Len()
}

// wild writes a character that begins a set or an extended glob, if it ends
// in the same word.
func (b *builder) wild(c byte) {
	if !b.open {
		b.flush(b.text.String())
		b.open, b.openAt = true, len(b.pieces)
	}
	b.text.WriteByte(c)
}

// parts removes quotes. An expansion that is not determined is kept as written.
func (b *builder) parts(parts []syntax.WordPart) {
	for _, part := range parts {
		value, known := b.r.resolve(part)
		if known && (!b.split || !b.r.vars.split) {
			b.value(value)
			continue
		}
		lit, ok := part.(*syntax.Lit)
		b.begun = b.begun || !ok || lit.Value != "" // of {,a}
		switch p := part.(type) {
		case *syntax.Lit:
			if b.r.altered[part] {
				b.source(part, Unquoted)
				b.splits = true
				continue
			}
			b.unquoted(p.Value)
		case *syntax.SglQuoted:
			if p.Dollar {
				b.literal(b.r.ansi(p.Value))
			} else {
				b.literal(p.Value)
			}
		case *syntax.DblQuoted:
			b.quoted(p.Parts)
		default:
			one := b.r.isDirectory(part)
			if one || !b.r.vars.split && isNumber(part) {
				b.source(part, Quoted)
			} else {
				b.source(part, Unquoted)
			}
			b.splits = b.splits || !one
		}
	}
}

// isNumber reports whether the value of an expansion is a number.
func isNumber(part syntax.WordPart) bool {
	if name, ok := simple(part); ok {
		return name == "?" || name == "$" || name == "#"
	}
	_, ok := part.(*syntax.ArithmExp)
	return ok
}

// literal adds text in quotes.
func (b *builder) literal(text string) {
	for at := strings.IndexByte(text, markByte); at >= 0; at = strings.IndexByte(text, markByte) {
		b.text.WriteString(text[:at])
		text = text[at+b.marked(text[at:], Quoted):]
	}
	b.text.WriteString(text)
}

// marked adds what a text begins with: an unknown part, or a byte. It returns the size.
func (b *builder) marked(text string, kind Kind) int {
	p, size := b.r.marked(text)
	if size == 0 {
		b.text.WriteByte(text[0])
		return 1
	}
	b.hole(p.Text, kind)
	b.pieces[len(b.pieces)-1].Is = p.Is
	b.unknown, b.risky, b.splits = true, true, b.splits || kind == Unquoted
	b.tail = b.text.Len()
	return size
}

// unquoted adds text outside quotes.
func (b *builder) unquoted(text string) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == markByte:
			i += b.marked(text[i:], Unquoted) - 1
		case c == '\\' && i+1 < len(text):
			i++
			if text[i] != '\n' {
				b.text.WriteByte(text[i])
			}
		case c == '*' || c == '?':
			b.glob = true
			b.hole(text[i:i+1], Glob)
		case c == '[':
			b.glob = true
			if end := setEnd(text[i:]); end > 0 {
				b.hole(text[i:i+end], Glob)
				i += end - 1
			} else {
				b.wild(c)
			}
		default:
			b.text.WriteByte(c)
		}
	}
}

// setEnd returns the length of the plain set at the beginning of text, such as
// [a-z]; 0 if there is none.
func setEnd(text string) int {
	end := strings.IndexByte(text, ']')
	if end < 2 || strings.ContainsAny(text[1:end], `[/\!^`) {
		return 0
	}
	return end + 1
}

// source adds an expansion as it is written.
func (b *builder) source(part syntax.WordPart, kind Kind) {
	source := b.r.slice(part)
	b.hole(source, kind)
	last := len(b.pieces) - 1
	if pieces := b.r.partsOf(part, kind); pieces != nil && !b.r.altered[part] && !b.open {
		b.pieces = append(b.pieces[:last], pieces...)
	} else {
		b.pieces[last].Is = b.r.valueOf(part)
	}
	b.whole = b.whole || b.r.altered[part]
	b.unknown = true
	b.risky = b.risky || !b.r.isPlain(part)
	b.tail = b.text.Len()
}

// isName reports whether the base name in a path is literal.
func isName(path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "*?[](){}$`\"\\") && strings.Contains(path, "/")
}

// quoted adds the parts of a word that are in double quotes.
func (b *builder) quoted(parts []syntax.WordPart) {
	for _, part := range parts {
		if lit, ok := part.(*syntax.Lit); ok && !b.r.altered[part] {
			b.literal(quoted(lit.Value, "$`\"\\"))
		} else if value, ok := b.r.resolve(part); ok {
			b.text.WriteString(value)
		} else {
			kind := Quoted
			if isList(part) || b.r.altered[part] {
				kind, b.splits = Unquoted, true
			}
			b.source(part, kind)
		}
	}
}

// value adds the value of an unquoted variable.
func (b *builder) value(value string) {
	for _, c := range []byte(value) {
		if b.split && strings.IndexByte(" \t\n", c) >= 0 {
			b.divided = true
			b.end()
			b.divided, b.line = true, b.line || c == '\n'
			continue
		}
		b.begun = true
		switch {
		case !b.split || strings.IndexByte("*?[(", c) < 0:
			b.text.WriteByte(c)
		case c == '*' || c == '?':
			b.glob = true
			b.hole(string(c), Glob)
		default:
			b.glob = true
			b.wild(c)
		}
	}
}

// isOutput reports whether a word is one command substitution.
func isOutput(part syntax.WordPart) bool {
	if quotes, ok := part.(*syntax.DblQuoted); ok && len(quotes.Parts) == 1 {
		part = quotes.Parts[0]
	}
	_, ok := part.(*syntax.CmdSubst)
	return ok
}

// isList reports whether an expansion produces several words even inside
// quotes.
func isList(part syntax.WordPart) bool {
	p, ok := part.(*syntax.ParamExp)
	return ok && (p.Param != nil && p.Param.Value == "@" || p.Index != nil || p.Names != 0 || p.Excl)
}

// slice returns a node's source; $ for a node of a text around the current one.
func (r *Reader) slice(n syntax.Node) string {
	from, to := n.Pos().Offset(), n.End().Offset()
	if to > uint(len(r.source)) {
		return "$"
	}
	return r.unmarked(r.source[from:to])
}

// unquoted writes text outside quotes without its backslashes.
func unquoted(b *strings.Builder, text string) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' && i+1 < len(text) {
			i++
			if text[i] == '\n' {
				continue
			}
			c = text[i]
		}
		b.WriteByte(c)
	}
}

// quoted removes the backslashes before the characters in escaped.
func quoted(text, escaped string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			switch next := text[i+1]; {
			case next == '\n':
				i++
				continue
			case strings.IndexByte(escaped, next) >= 0:
				i++
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// ansi decodes the escapes of $'...'.
func (r *Reader) ansi(text string) string {
	const letters, values = `abeEfnrtv\'"?`, "\a\b\x1b\x1b\f\n\r\t\v\\'\"?"
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		c := text[i]
		if at := strings.IndexByte(letters, c); at >= 0 {
			b.WriteByte(values[at])
			continue
		}
		digits, base, skip := 0, 16, 1
		switch {
		case c == 'x':
			digits = 2
		case c == 'u':
			digits = 4
		case c == 'U':
			digits = 8
		case '0' <= c && c <= '7':
			digits, base, skip = 3, 8, 0
		case c == 'c':
			r.note("it has an escape \\c in $'...'")
		}
		n, end := number(text[i+skip:], base, digits)
		switch {
		case digits == 0 || end == 0:
			b.WriteByte('\\')
			b.WriteByte(c)
			continue
		case n == 0:
			return b.String() // bash ends the text here
		case c == 'u' || c == 'U':
			b.WriteRune(rune(min(n, utf8.MaxRune+1)))
		default:
			b.WriteByte(byte(n))
		}
		i += skip + end - 1
	}
	return b.String()
}

// number reads at most maxDigits digits.
func number(text string, base, maxDigits int) (n, end int) {
	for end < len(text) && end < maxDigits {
		d, err := strconv.ParseUint(text[end:end+1], base, 8)
		if err != nil {
			break
		}
		n = n*base + int(d)
		end++
	}
	return n, end
}
