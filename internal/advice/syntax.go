package advice

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxBytes is the maximum size of an expression.
const maxBytes = 8 << 10

// expression is an expression that compiles, split into its alternatives.
type expression struct {
	source string
	rows   []row
	flags  string // the flags set anywhere in it, of i, m and s, as source
}

// row is one alternative: items in a row, without settings of flags.
type row struct {
	begin, end int // bytes in the source
	items      []*item
}

// item is one character, assertion or group, with its quantifier.
type item struct {
	kind             kind
	begin, atom, end int // the quantifier is from atom to end
	char             rune
	quantifier       string
	rows             []row // of a group
}

// kind is the type of an item. The values are the indexes of groups in compileTokens.
type kind int

const (
	assertion kind = 1 + iota // ^ $ \A \Z \b \B
	class                     // one character of a set or escape, such as [a-z], \w or \n
	dot                       // .
	setting                   // of flags
	look                      // the beginning of a look-around
	group                     // the beginning of any other group
	closing                   // of a group
	bar                       // |
	quantity                  // a quantifier
	literal                   // the character char
)

// compileTokens returns an expression for the first token of an expression that compiles. Characters by
// their number, references and rare groups are not understood. It is not a variable, because most
// commands do not need it.
func compileTokens() *regexp.Regexp {
	return regexp.MustCompile(`(?s)\A(?:([$^]|\\[AbBZz])|(\\[wWdDsSntrfva]|\[\^?\]?(?:\\.|[^\]\\])*\])|(\.)|(\(\?[imsu-]+\))|(\(\?<?[=!])|` +
		`(\((?:\?(?:P?<[^>]+>|[imsu-]*:))?)|(\))|(\|)|((?:[*+?]|\{(?:\d+(?:,\d*)?|,\d*)\})\??)|(\\[^a-zA-Z0-9]|[^\\\[]))`)
}

// parse splits an expression that compiles. ok is false if it uses syntax that is not understood,
// or is too large; then there is one alternative without items.
func parse(source string) (x expression, ok bool) {
	x = expression{source: source, rows: []row{{end: len(source)}}}
	if len(source) > maxBytes || !utf8.ValidString(source) {
		return x, false
	}
	open := []*item{{rows: []row{{}}}} // the groups around the current token; the first one is the whole
	last := (*item)(nil)               // what a quantifier applies to
	flags, at := "", 0
	tokens := compileTokens()
	for at < len(source) {
		token := tokens.FindStringSubmatchIndex(source[at:])
		if token == nil {
			return x, false
		}
		k := assertion
		for token[2*k] < 0 {
			k++
		}
		begin, end := at, at+token[1]
		at = end
		text := source[begin:end]
		in := open[len(open)-1]
		current := &in.rows[len(in.rows)-1]
		switch k {
		case quantity:
			if last == nil {
				return x, false
			}
			last.end, last.quantifier, last = end, text, nil
		case setting:
			flags, last = flags+text, nil
		case bar:
			current.end, last = begin, nil
			in.rows = append(in.rows, row{begin: end})
		case closing:
			if len(open) == 1 {
				return x, false
			}
			current.end, in.atom, in.end, last = begin, end, end, in
			open = open[:len(open)-1]
		default:
			last = &item{kind: k, begin: begin, atom: end, end: end}
			last.char, _ = utf8.DecodeLastRuneInString(text)
			current.items = append(current.items, last)
			if k == group || k == look {
				flags += text
				last.rows = []row{{begin: end}}
				open, last = append(open, last), nil
			}
		}
	}
	if len(open) > 1 {
		return x, false
	}
	whole := open[0]
	whole.rows[len(whole.rows)-1].end = at
	x.rows = whole.rows
	for _, flag := range [...]string{"i", "m", "s"} {
		if strings.Contains(flags, flag) {
			x.flags += "(?" + flag + ")"
		}
	}
	return x, true
}

// branches returns the alternatives, also if groups enclose all of them.
func branches(rows []row) []row {
	for len(rows) == 1 && len(rows[0].items) == 1 && rows[0].items[0].is(group) {
		rows = rows[0].items[0].rows
	}
	return rows
}

// core is like branches, and ignores assertions at both ends.
func (x expression) core() []row {
	rows := branches(x.rows)
	if items := bare(rows[0].items); len(rows) == 1 && len(items) == 1 && items[0].is(group) {
		return branches(items[0].rows)
	}
	return rows
}

// bare returns items without the assertions at both ends.
func bare(items []*item) []*item {
	for len(items) > 0 && items[0].is(assertion) {
		items = items[1:]
	}
	for len(items) > 0 && items[len(items)-1].is(assertion) {
		items = items[:len(items)-1]
	}
	return items
}

// walk calls visit for each row of rows and of the groups in them.
func walk(rows []row, visit func(row)) {
	for _, r := range rows {
		visit(r)
		for _, i := range r.items {
			walk(i.rows, visit)
		}
	}
}

// is reports whether i is of a kind and has no quantifier.
func (i *item) is(k kind) bool { return i.kind == k && i.quantifier == "" }

// isStart reports whether i is ^ or \A, isEnd whether it is $ or \Z.
func (i *item) isStart() bool { return i.is(assertion) && (i.char == '^' || i.char == 'A') }
func (i *item) isEnd() bool   { return i.is(assertion) && strings.ContainsRune("$Zz", i.char) }

func (i *item) isLetter() bool {
	return i.is(literal) && (i.char == '_' || unicode.IsLetter(i.char) || unicode.IsDigit(i.char))
}

// counts returns how often i occurs at least, and whether it may occur any number of times more.
func (i *item) counts() (least int, endless bool) {
	switch i.quantifier[0] {
	case '*':
		return 0, true
	case '+':
		return 1, true
	case '?':
		return 0, false
	}
	from, to, comma := strings.Cut(strings.Trim(i.quantifier, "{}?"), ",")
	least, _ = strconv.Atoi(from) // "" is 0
	return least, comma && to == ""
}
