package shell

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Note is a part of a text that was not read (D120): there may be commands in it that are not
// among those of the Reader.
type Note struct {
	Part  string // the statement, shortened; "" for the text as a whole
	Cause string
	// Program means that the part was read, and a shell in it runs a program that nobody can
	// know.
	Program bool
}

// Error returns the cause, and the part.
func (n *Note) Error() string {
	if n.Part == "" || strings.Contains(n.Cause, n.Part) {
		return n.Cause
	}
	return n.Cause + ", in " + n.Part
}

// maxNotes limits the notes that are kept: the first ones say enough.
const maxNotes = 20

// note records that something was not read. Reading goes on.
func (r *Reader) note(format string, args ...any) { r.addNote(false, format, args...) }

// unlist records that a shell runs a program that is not listed.
func (r *Reader) unlist(format string, args ...any) { r.addNote(true, format, args...) }

func (r *Reader) addNote(program bool, format string, args ...any) {
	n := Note{Cause: fmt.Sprintf(format, args...), Program: program}
	if r.now != nil {
		n.Part = excerpt(r.slice(r.now))
	}
	for _, known := range r.notes {
		if known == n {
			return
		}
	}
	if len(r.notes) < maxNotes || !program && r.unread() == nil {
		r.notes = append(r.notes, n)
	}
}

// Notes are what was not read, in the order in which it was met.
func (r *Reader) Notes() []Note { return r.notes }

// unread returns the first note that is not only about a program that nobody can know; nil if
// there is none.
func (r *Reader) unread() error {
	for i := range r.notes {
		if !r.notes[i].Program {
			return &r.notes[i]
		}
	}
	return nil
}

// Unlisted returns the first note, nil if there is none.
func (r *Reader) Unlisted() error {
	if err := r.unread(); err != nil || len(r.notes) == 0 {
		return err
	}
	return &r.notes[0]
}

// Overflow reports whether a text is too long even to be searched for words: it may have any
// command.
func (r *Reader) Overflow() bool { return r.overflow }

// exhausted ends a reading whose budget is used up.
type exhausted struct{}

// text reads the commands of a text at a site.
func (r *Reader) text(text string, at site) {
	if r.depth >= maxDepth {
		r.note("it has more than %d texts inside each other", maxDepth)
		r.scan(text, at)
		return
	}
	if len(text) > maxParsed {
		panic(exhausted{})
	}
	if strings.Contains(text, "\x00") { // shells drop it
		r.note("it has a NUL byte")
		text = strings.ReplaceAll(text, "\x00", "")
	}
	if strings.Contains(text, "\r") { // the parser drops it
		r.note("it has a carriage return")
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", " ")
	}
	if isNested(text) {
		r.note("it has more than %d brackets inside each other", maxNesting)
		r.scan(text, at)
		return
	}
	if r.POSIX {
		if _, _, rest, err := parse(text, syntax.LangPOSIX); rest != "" {
			r.note("%v", err)
		}
	}
	delete(r.suspects, text) // what it contains is read now
	r.globs = r.globs || setsGlobs(text)
	file, text, rest, err := parse(text, r.language())
	outer, now := r.source, r.now
	r.source, r.now = text, nil
	if r.depth == 0 {
		r.whole += text + "\n"
	}
	r.depth++
	r.bytes += len(text)
	r.checkText(file) // without the here-documents
	if r.bytes > maxBytes {
		panic(exhausted{})
	}
	r.statements(file.Stmts, at)
	if rest != "" {
		r.now = nil
		if strings.Contains(rest, "`") { // often prose in double quotes
			r.note("%v; a shell runs what is between backticks, unless single quotes are around it", err)
		} else {
			r.note("%v", err)
		}
		r.fragments(rest, at)
	}
	r.depth--
	r.source, r.now = outer, now
}

// setsGlobs reports whether a text may set an option such as nocaseglob.
func setsGlobs(text string) bool {
	return strings.Contains(text, "opt") && strings.Contains(strings.ReplaceAll(strings.ToLower(text), "_", ""), "glob")
}

// language returns the grammar of the texts.
func (r *Reader) language() syntax.LangVariant { return syntax.LangBash }

// maxRepairs is how often a text is parsed again after a change that all shells read alike.
const maxRepairs = 20

// parse parses a text, and returns it as it was parsed: with the delimiters that are missing
// because the end of the text ends a here-document, and with a space in place of a backslash at
// the end of a comment, which only the parser takes for a continued line. If the rest of a text
// does not parse, file has the statements before it, and err is not nil.
func parse(text string, language syntax.LangVariant) (file *syntax.File, as, rest string, err error) {
	const unclosed = "unclosed here-document "
	for attempt := 0; ; attempt++ {
		file, err = syntax.NewParser(syntax.Variant(language), syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
		var wrong syntax.ParseError
		switch {
		case err == nil:
			comment := continued(file)
			if comment < 0 || attempt >= maxRepairs {
				return file, text, "", nil
			}
			text = text[:comment] + " " + text[comment+1:]
			continue
		case errors.As(err, &wrong) && attempt < maxRepairs && !strings.HasSuffix(text, `\`):
			if quoted, ok := strings.CutPrefix(wrong.Text, unclosed); ok {
				if delimiter, err := strconv.Unquote(quoted); err == nil {
					text += "\n" + delimiter
					continue
				}
			}
		}
		break
	}
	file = &syntax.File{}
	end := uint(0)
	parser := syntax.NewParser(syntax.Variant(language), syntax.KeepComments(true))
	for s, wrong := range parser.StmtsSeq(strings.NewReader(text)) {
		if wrong != nil || s == nil {
			break
		}
		file.Stmts = append(file.Stmts, s)
		end = max(end, s.End().Offset())
		for _, redirect := range s.Redirs {
			end = max(end, redirect.End().Offset())
		}
	}
	return file, text, strings.TrimLeft(text[min(end, uint(len(text))):], "; \t\n") + " ", err
}

// continued returns the index of the first backslash at the end of a comment; -1 if there is none.
func continued(file *syntax.File) int {
	at := -1
	syntax.Walk(file, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Comment); ok && at < 0 {
			if i := strings.Index(c.Text, "\\\n"); i >= 0 {
				at = int(c.Hash.Offset()) + 1 + i
			}
		}
		return at < 0
	})
	return at
}

// isNested reports whether a text has so many brackets inside each other, quoted or not, that the
// parser's work is not limited.
func isNested(text string) bool {
	var round, curly, square, quotes int
	for i := range len(text) {
		switch text[i] {
		case '(':
			round++
		case ')':
			round = max(round-1, 0)
		case '{':
			curly++
		case '}':
			curly = max(curly-1, 0)
		case '[':
			square++
		case ']':
			square = max(square-1, 0)
		case '`':
			quotes++
		}
		if max(round, curly) > maxNesting || max(square, quotes) > 10*maxNesting {
			return true
		}
	}
	return false
}

// parses reports whether a text has the grammar of a shell.
func parses(text string) bool {
	if isNested(text) {
		return false
	}
	_, _, rest, _ := parse(text, syntax.LangBash)
	return rest == ""
}

// fragments reads a text that does not parse: its parts between separators outside quotes, each as
// a text if it parses, and otherwise as words.
func (r *Reader) fragments(text string, at site) {
	at.reads, at.printed = nil, false
	for _, part := range separated(text, ";&\n") {
		part = strings.TrimLeft(opened(part), "|& ")
		if part == "" {
			continue
		}
		if parses(part) {
			r.text(part, at)
			continue
		}
		for _, part := range separated(part, "|") {
			part = opened(part)
			if part != "" && parses(part) {
				r.text(part, at)
			} else {
				r.scanned(part, at)
			}
		}
	}
}

// scan reads a text as words between separators, in linear time.
func (r *Reader) scan(text string, at site) {
	for _, part := range separated(text, ";&|\n(){}`") {
		r.scanned(opened(part), at)
	}
}

// scanned adds the words of a part of a text without their quotes.
func (r *Reader) scanned(part string, at site) {
	if part == "" {
		return
	}
	if r.scans == nil {
		r.scans = map[string]bool{}
	}
	if r.scans[part] {
		return
	}
	if len(r.scans) >= maxScanned {
		r.overflow = true
		return
	}
	r.scans[part] = true
	var words []word
	for _, w := range strings.Fields(strings.NewReplacer(`"`, "", "'", "", "`", "", `\`, "").Replace(part)) {
		words = append(words, word{text: w, unknown: strings.ContainsAny(w, "$`")})
	}
	if len(words) == 0 {
		return
	}
	command := Command{Inside: at.inside, scanned: true}
	command.set(words)
	command.Line = len(r.Commands) + 1
	r.Commands = append(r.Commands, command)
}

// opened returns a part of a text without the words before a command, such as then and {.
func opened(part string) string {
	for {
		part = strings.TrimLeft(part, " \t\n(){}!")
		word, rest, _ := strings.Cut(part, " ")
		switch word {
		case "then", "do", "else", "elif", "if", "while", "until", "fi", "done", "esac", "time":
			part = rest
		default:
			return strings.TrimSpace(part)
		}
	}
}

// separated splits a text at characters outside quotes. A quote without an end is a character.
func separated(text, separators string) (parts []string) {
	begin := 0
	lastSingle, lastDouble := strings.LastIndexByte(text, '\''), strings.LastIndexByte(text, '"')
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '\'' && i < lastSingle:
			i += 1 + strings.IndexByte(text[i+1:], '\'')
		case c == '"' && i < lastDouble:
			if end := closing(text[i+1:]); end >= 0 {
				i += 1 + end
			} else {
				lastDouble = i
			}
		case strings.IndexByte(separators, c) >= 0:
			parts = append(parts, text[begin:i])
			begin = i + 1
		}
	}
	return append(parts, text[begin:])
}

// closing returns the index of the double quote that ends a text; -1 if there is none.
func closing(text string) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}
