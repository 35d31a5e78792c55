package shell

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/parse"
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
	delete(r.suspects, text) // what it contains is read now
	file, deep := parse.Text(text, r.shells())
	r.noteAll(file, true)
	if deep {
		r.scan(file.Text, at)
		return
	}
	r.globs = r.globs || parse.SetsGlobs(text)
	outer, now := r.source, r.now
	r.source, r.now = file.Text, nil
	if r.depth == 0 {
		r.whole += file.Text + "\n"
	}
	r.depth++
	r.noteAll(file, false)
	r.learn(file)
	r.statements(file.Stmts, at)
	if file.Rest != "" {
		r.now = nil
		if strings.Contains(file.Rest, "`") { // often prose in double quotes
			r.note("%v; a shell runs what is between backticks, unless single quotes are around it", file.Err)
		} else {
			r.note("%v", file.Err)
		}
		r.fragments(file.Rest, at)
	}
	r.depth--
	r.source, r.now = outer, now
}

// shells returns the shells that may read a text.
func (r *Reader) shells() (all parse.Shells) {
	if r.POSIX {
		all |= parse.POSIX
	}
	if r.dash {
		all |= parse.Dash
	}
	if !r.Bash {
		all |= parse.Zsh
	}
	return all
}

// noteAll notes what shells may read otherwise than the parser: in a text as a whole, or in its parts.
func (r *Reader) noteAll(file *parse.File, whole bool) {
	for _, n := range file.Notes {
		switch {
		case n.Whole != whole:
		case n.Source != "":
			r.note(n.Cause, excerpt(r.unmarked(n.Source)))
		default:
			r.note("%s", n.Cause)
		}
	}
}

// learn records what a text defines and contains.
func (r *Reader) learn(file *parse.File) {
	for _, name := range file.Functions {
		if r.defined == nil {
			r.defined = map[string]bool{}
		}
		r.defined[name] = true
	}
	for part := range file.Altered {
		if r.altered == nil {
			r.altered = map[syntax.WordPart]bool{}
		}
		r.altered[part] = true
	}
	for _, text := range file.Literals {
		if r.suspects == nil {
			r.suspects = map[string]bool{}
		}
		r.suspects[text] = true
	}
	r.brackets = r.brackets || file.Brackets
	r.bytes += file.Size
	if r.bytes > maxBytes {
		panic(exhausted{})
	}
}

// fragments reads a text that does not parse: its parts between separators outside quotes, each as
// a text if it parses, and otherwise as words.
func (r *Reader) fragments(text string, at site) {
	at.reads, at.printed = nil, false
	parts, parses := parse.Fragments(text)
	for i, part := range parts {
		if parses[i] {
			r.text(part, at)
		} else {
			r.scanned(part, at)
		}
	}
}

// scan reads a text as words between separators, in linear time.
func (r *Reader) scan(text string, at site) {
	for _, part := range parse.Scan(text) {
		r.scanned(part, at)
	}
}

// scanned adds the words of a part of a text without their quotes.
func (r *Reader) scanned(part string, at site) {
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
	for _, w := range strings.Fields(parse.Bare(part)) {
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
