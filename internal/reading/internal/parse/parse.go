// Package parse turns shell texts into statements. It knows the grammar of the shells, their dialects
// and their quotes, and nothing of what a text does. The parser is mvdan.cc/sh/v3/syntax.
package parse

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Shells are the shells that may read a text besides bash.
type Shells uint8

// The other shells.
const (
	POSIX Shells = 1 << iota // one that accepts only the grammar of POSIX sh
	Dash                     // one called sh, such as dash
	Zsh
)

// maxNesting limits nested brackets and backquotes.
const maxNesting = 200

// maxRepairs is how often a text is parsed again after a change that all shells read alike.
const maxRepairs = 20

// File is a text that was parsed.
type File struct {
	Stmts []*syntax.Stmt
	Text  string // as it was parsed: the positions of the statements are in it
	Rest  string // what does not parse; "" if all does
	Err   error  // why it does not

	Notes     []Note
	Altered   map[syntax.WordPart]bool // parts that zsh may expand to any words
	Functions []string                 // the functions that the text defines
	Literals  []string                 // that an arithmetic expression may run
	Brackets  bool                     // a literal has a bracket
	Size      int                      // in bytes, without here-documents
}

// Note is a part of a text that shells may read otherwise than the parser.
type Note struct {
	Cause  string
	Source string // the part, in the place of %s in the cause; "" if the cause has none
	Whole  bool   // it is about the text as a whole
}

func (f *File) note(cause, source string) {
	f.Notes = append(f.Notes, Note{Cause: cause, Source: source})
}

func (f *File) noteWhole(cause string) { f.Notes = append(f.Notes, Note{Cause: cause, Whole: true}) }

// Text parses a text that bash and other shells may read. deep means that it has too many brackets
// inside each other to be parsed.
func Text(text string, shells Shells) (file *File, deep bool) {
	var f File
	if strings.Contains(text, "\x00") { // shells drop it
		f.noteWhole("it has a NUL byte")
		text = strings.ReplaceAll(text, "\x00", "")
	}
	if strings.Contains(text, "\r") { // the parser drops it
		f.noteWhole("it has a carriage return")
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", " ")
	}
	if isNested(text) {
		f.noteWhole(fmt.Sprintf("it has more than %d brackets inside each other", maxNesting))
		f.Text = text
		return &f, true
	}
	if shells&POSIX != 0 {
		if _, _, rest, err := parse(text, syntax.LangPOSIX); rest != "" {
			f.noteWhole(err.Error())
		}
	}
	tree, text, rest, err := parse(text, syntax.LangBash)
	f.Stmts, f.Text, f.Rest, f.Err, f.Size = tree.Stmts, text, rest, err, len(text)
	f.check(tree, shells)
	return &f, false
}

// Parses reports whether a text has the grammar of a shell.
func Parses(text string) bool {
	if isNested(text) {
		return false
	}
	_, _, rest, _ := parse(text, syntax.LangBash)
	return rest == ""
}

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
