package matcher

import (
	"strings"
	"unicode/utf8"
)

// plain is an expression of characters and common punctuation, `.`, escaped classes and
// punctuation, sets of characters, classes and some punctuation, anchors, groups,
// look-aheads, look-behinds of letters, groups that ignore case, alternatives, and
// * + ? {n,m} after an atom. All such expressions compile and, with ASCII letters, mean
// the same in every dialect. The words that a matching text must contain are therefore
// known without the engine, and most hooks that do not match need no compilation
// (FuzzPlain).
type plain struct {
	folds    bool // it or a part of it ignores case
	negative bool // it has a negative look-around
	branches []branch
}

// branch is one of the alternatives outside of groups; all of them in an expression that
// refers to groups, whose numbers a part would change.
type branch struct {
	source string
	fold   bool      // it ignores case
	around bool      // it has a look-around or a backreference
	read   bool      // firsts is set
	firsts [2]uint64 // a bit for each ASCII character with which a matching text may begin; 0 if they are not known

	expression *expression // nil until a text may match
}

// maxDepth limits the nesting of groups.
const maxDepth = 16

// scan reads an expression in one pass. It returns false if the expression is not plain.
func scan(source string) (p plain, ok bool) {
	var open [maxDepth]byte // the character after (? of each open group, 0 for a capturing one
	depth, groups, refers := 0, 0, false
	i := 0
	if strings.HasPrefix(source, "(?i)") {
		p.folds, i = true, len("(?i)")
	}
	begin, all, fold := i, len(source)-i, p.folds
	around, atom := false, false // of the alternative; the previous part may be repeated
	for {
		from := i
		i = span(source, i)
		if i == len(source) {
			break
		}
		atom = atom || i > from
		c := source[i]
		i++
		switch c {
		case '|':
			atom = false
			if depth == 0 {
				p.add(branch{source: source[begin : i-1], fold: fold, around: around}, all)
				begin, around = i, false
			}
		case '(':
			kind := byte(0)
			if strings.HasPrefix(source[i:], "?") && i+1 < len(source) {
				kind = source[i+1]
				i += len("?:")
				if strings.IndexByte("<i=!:", kind) < 0 {
					return p, false
				}
			}
			switch kind {
			case '<':
				n := behind(source[i:])
				if n == 0 {
					return p, false
				}
				p.negative, around, atom = p.negative || source[i] == '!', true, false
				i += n
				continue
			case 'i':
				p.folds = true
				if !strings.HasPrefix(source[i:], ":") {
					return p, false
				}
				i++
			case '=', '!':
				p.negative, around = p.negative || kind == '!', true
			}
			if depth == maxDepth {
				return p, false
			}
			open[depth], atom = kind, false
			depth++
		case ')':
			depth--
			if depth < 0 {
				return p, false
			}
			if open[depth] == 0 {
				groups++
			}
			atom = open[depth] != '=' && open[depth] != '!'
		case '[':
			n := set(source[i:])
			if n == 0 {
				return p, false
			}
			i, atom = i+n, true
		case '\\':
			if i == len(source) {
				return p, false
			}
			c = source[i]
			i++
			switch {
			case depth == 0 && c >= '1' && c <= '9' && int(c-'0') <= groups && (i == len(source) || !digit(source[i])):
				around, refers = true, true
			case strings.IndexByte(`sSdDwWntbB\./-()[]{}*+?|^$"'`, c) < 0:
				return p, false
			}
			atom = c != 'b' && c != 'B'
		case '^', '$':
			atom = false
		case '.':
			atom = true
		case '*', '+', '?', '{':
			n := repeat(source[i-1:])
			if !atom || n == 0 {
				return p, false
			}
			i, atom = i+n-1, false
		default:
			r, size := utf8.DecodeRuneInString(source[i-1:])
			if c < utf8.RuneSelf || r == utf8.RuneError {
				return p, false
			}
			i, atom = i+size-1, true
		}
	}
	if depth > 0 {
		return p, false
	}
	p.add(branch{source: source[begin:], fold: fold, around: around}, all)
	if refers {
		p.branches = []branch{{source: "(?:" + source[len(source)-all:] + ")", fold: fold, around: true}}
	}
	return p, true
}

func (p *plain) add(b branch, all int) {
	if p.branches == nil {
		p.branches = make([]branch, 0, 1+all/128)
	}
	p.branches = append(p.branches, b)
}

// firsts returns the set of the characters with which a text may begin that an
// alternative matches; 0 if it is not known.
func firsts(source string) (set [2]uint64) {
	if strings.HasPrefix(source, "^(") {
		for i := len("^("); i < len(source); i++ {
			if !begins(source[i:]) {
				return [2]uint64{}
			}
			set[source[i]>>6] |= 1 << (source[i] & 63)
			i = skip(source, i, true)
			if source[i] == ')' {
				if i+1 < len(source) && isRepeat(source[i+1]) {
					return [2]uint64{}
				}
				return set
			}
		}
	}
	if strings.HasPrefix(source, "^") && begins(source[1:]) {
		set[source[1]>>6] |= 1 << (source[1] & 63)
	}
	return set
}

// begins reports whether a match of a part begins with the part's first character.
func begins(part string) bool {
	return part != "" && isOrdinary(part[0]) && (len(part) == 1 || !isRepeat(part[1]))
}

// skip returns the index at which the group ends that contains source[i], or, with bar,
// its current alternative.
func skip(source string, i int, bar bool) int {
	for depth := 0; i < len(source); i++ {
		i = span(source, i)
		if i == len(source) {
			break
		}
		switch source[i] {
		case '\\':
			i++
		case '[':
			i += strings.IndexByte(source[i:], ']')
		case '(':
			depth++
		case ')':
			depth--
			if depth < 0 {
				return i
			}
		case '|':
			if bar && depth == 0 {
				return i
			}
		}
	}
	return i
}

// sought is a text that is compared with the characters that a plain expression requires.
type sought struct {
	text      string
	continues bool // more of the text follows, which is not known
	fold      bool // case is ignored: the text is in lower case
	source    string
}

// seek returns a text to compare with the branches of an expression, and false if nothing
// excludes it.
func (e *expression) seek(text string, continues bool) (s sought, ok bool) {
	s = sought{text: text, continues: continues, fold: e.branches[0].fold}
	if s.fold {
		s.text = strings.ToLower(text)
	}
	return s, !s.fold || ascii(text)
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// in reports whether a branch may match a text.
func (b *branch) in(s *sought) bool {
	if !b.read && !b.fold {
		b.read, b.firsts = true, firsts(b.source)
	}
	if b.firsts != [2]uint64{} && s.text != "" && (s.text[0] >= utf8.RuneSelf || b.firsts[s.text[0]>>6]>>(s.text[0]&63)&1 == 0) {
		return false
	}
	s.source = b.source
	_, may := s.sequence(0, -1)
	return may
}

// alternatives reports whether one of the alternatives that begin at index i may match,
// and returns the index of their end. The match begins at the offset at of the text, -1
// for any.
func (s *sought) alternatives(i, at int) (end int, may bool) {
	for {
		end, may = s.sequence(i, at)
		end = skip(s.source, end, !may)
		if may || end == len(s.source) || s.source[end] == ')' {
			return end, may
		}
		i = end + 1
	}
}

// sequence is alternatives for one of them, and returns the index up to which it was read.
func (s *sought) sequence(i, at int) (end int, may bool) {
	source := s.source
	for i < len(source) {
		begin, word := i, ""
		switch c := source[i]; c {
		case '|', ')':
			return i, true
		case '^':
			i, at = i+1, 0
			continue
		case '$':
			i++
			continue
		case '(':
			kind := byte(0)
			i++
			if source[i] == '?' {
				kind = source[i+1]
				i += len("?:")
			}
			may := true
			switch kind {
			case '<', '=', '!':
				i = skip(source, i, false) + 1
				continue
			case 'i':
				i = skip(source, i, false)
			default:
				i, may = s.alternatives(i, at)
			}
			i++
			if !may && (i == len(source) || !isRepeat(source[i])) {
				return i, false
			}
		case '.':
			i++
		case '[':
			i += strings.IndexByte(source[i:], ']') + 1
		case '\\':
			i += len(`\.`)
			c = source[i-1]
			switch {
			case c == 'b' || c == 'B':
				continue
			case !letterOrDigit(c):
				word = source[i-1 : i]
			}
		default:
			for i < len(source) && (isOrdinary(source[i]) || source[i] >= utf8.RuneSelf) {
				i++
			}
			word = source[begin:i]
			if s.fold && !ascii(word) {
				word = ""
			}
		}
		repeated := i < len(source) && isRepeat(source[i])
		if repeated {
			i += repeat(source[i:])
			if word != "" {
				_, size := utf8.DecodeLastRuneInString(word)
				word = word[:len(word)-size]
			}
		}
		switch {
		case word != "" && !s.has(word, at):
			return i, false
		case repeated || word == "":
			at = -1
		case at >= 0:
			at += len(word)
		}
	}
	return i, true
}

// has reports whether the text may contain a word, at an offset if that is not negative.
func (s *sought) has(word string, at int) bool {
	if s.fold {
		word = strings.ToLower(word)
	}
	switch {
	case at >= 0 && s.continues:
		rest := s.text[min(at, len(s.text)):]
		return strings.HasPrefix(rest, word) || strings.HasPrefix(word, rest)
	case at >= 0:
		return strings.HasPrefix(s.text[at:], word)
	}
	return s.continues || strings.Contains(s.text, word)
}

// behind returns the length of a look-behind of letters, whose width every dialect
// accepts, after its <; 0 if it is another.
func behind(source string) int {
	text, _, closed := strings.Cut(source, ")")
	if !closed || len(text) < 2 || text[0] != '!' && text[0] != '=' {
		return 0
	}
	for i := 1; i < len(text); i++ {
		if text[i] != '#' && !letterOrDigit(text[i]) {
			return 0
		}
	}
	return len(text) + len(")")
}

// isRange reports whether two characters are a range of lower-case letters, of
// upper-case letters, or of digits.
func isRange(from, to byte) bool {
	in := func(least, most byte) bool { return least <= from && from <= to && to <= most }
	return in('a', 'z') || in('A', 'Z') || in('0', '9')
}

// set returns the length of [abc], [^abc], ranges of letters or digits, classes such as \w,
// escaped punctuation, and a hyphen at the beginning or the end, after the first bracket; 0
// if it is another set.
func set(source string) int {
	text, _, closed := strings.Cut(source, "]")
	n := len(text) + len("]")
	text = strings.TrimPrefix(text, "^")
	if !closed || text == "" {
		return 0
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
			if i == len(text) || strings.IndexByte(`wdsWDS.-/nt"'\`, text[i]) < 0 {
				return 0
			}
		case i+2 < len(text) && text[i+1] == '-' && isRange(c, text[i+2]):
			i += len("-z")
		case c == '-':
			if i > 0 && i < len(text)-1 || i == 0 && (len(text) == 1 || text[1] == '-') {
				return 0
			}
		case c == '|' || c == '&' || c == '~': // doubled, they may become operators
			if i+1 < len(text) && text[i+1] == c {
				return 0
			}
		case c < ' ' || c == '[' || c == '^' || c == 0x7f:
			return 0
		}
	}
	return n
}

// repeat returns the length of *, +, ?, {n}, {n,} or {n,m} at the beginning of a part; 0 if
// there is another.
func repeat(part string) int {
	if part[0] != '{' {
		return 1
	}
	count, _, closed := strings.Cut(part[1:], "}")
	low, high, bounded := strings.Cut(count, ",")
	const digits = 3
	for _, n := range []string{low, high} {
		if len(n) > digits || strings.Trim(n, "0123456789") != "" || len(n) > 1 && n[0] == '0' {
			return 0
		}
	}
	if !closed || low == "" || bounded && high != "" && (len(high) < len(low) || len(high) == len(low) && high < low) {
		return 0
	}
	return len(count) + len("{}")
}

// ordinary has an x for each byte that is a printable ASCII character and matches itself.
const (
	ordinary = none + none + "xxxx.xxx....xx.x" + "xxxxxxxxxxxxxxx." + "xxxxxxxxxxxxxxxx" + "xxxxxxxxxxx....x" + "xxxxxxxxxxxxxxxx" + "xxxxxxxxxxx...x." +
		none + none + none + none + none + none + none + none
	none = "................"
)

// isOrdinary reports whether a byte is a printable ASCII character that matches itself.
func isOrdinary(c byte) bool { return ordinary[c] == 'x' }

// span returns the index of the first character from i on that does not match itself.
func span(source string, i int) int {
	for uint(i) < uint(len(source)) && isOrdinary(source[i]) {
		i++
	}
	return i
}

func isRepeat(c byte) bool { return c == '*' || c == '+' || c == '?' || c == '{' }

func digit(c byte) bool { return c >= '0' && c <= '9' }

func letterOrDigit(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || digit(c)
}
