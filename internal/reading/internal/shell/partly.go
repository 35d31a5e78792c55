package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/parse"
)

// valueOf returns what is known about an expansion whose value is not.
func (r *Reader) valueOf(part syntax.WordPart) Value {
	if name, ok := parse.Variable(part); ok {
		switch {
		case name == "$" || name == "?" || name == "#" || name == "!",
			name == "RANDOM" && !r.vars.opaque && !r.dark && !r.vars.assigned[name]:
			return Number
		case slices.Contains(temporaryDirs[:], name) && !r.vars.opaque && !r.dark && !r.vars.assigned[name] && r.vars.later+r.loops == 0 && r.depth == 1:
			return TemporaryDir
		}
		return Undetermined
	}
	s, ok := part.(*syntax.CmdSubst)
	switch {
	case !ok || r.vars.opaque || r.dark || r.vars.assigned["PATH"]:
		return Undetermined
	case r.isTemporary(s.Stmts):
		return Temporary
	case r.isPlain(part):
		return Number
	}
	return Undetermined
}

// temporaryDirs are variables that systems and runners set to a directory for temporary
// files.
var temporaryDirs = [...]string{"TMPDIR", "TMP", "TEMP", "RUNNER_TEMP"}

// isTemporary reports whether all commands of a substitution are mktemp.
func (r *Reader) isTemporary(list []*syntax.Stmt) bool {
	if len(list) != 1 || list[0].Negated || list[0].Background {
		return false
	}
	switch c := list[0].Cmd.(type) {
	case *syntax.BinaryCmd:
		return c.Op == syntax.OrStmt && r.isTemporary([]*syntax.Stmt{c.X}) && r.isTemporary([]*syntax.Stmt{c.Y})
	case *syntax.CallExpr:
		return len(c.Args) > 0 && len(c.Assigns) == 0 && c.Args[0].Lit() == "mktemp" && !r.redefines("mktemp")
	}
	return false
}

// A value that is known in part begins with a mark: of one in which what is unknown
// is plain, or not. Each unknown part of it is between two others.
const (
	partlyPlain = plainValue + "p"
	partlyOther = plainValue + "u"
	partlyNames = plainValue + "n" // a name of a file, by a glob
	partBegin   = "\x01"
	partEnd     = "\x02"
)

// partly returns an assigned value of which only numbers and the names that mktemp
// makes are unknown.
func (r *Reader) partly(parts []syntax.WordPart) (value string, ok bool) {
	for _, part := range parts {
		text, known := r.resolve(part)
		if !known {
			known = true
			switch p := part.(type) {
			case *syntax.Lit:
				text = p.Value
				known = !strings.ContainsAny(text, "\\~") && strings.IndexByte(text, markByte) < 0
			case *syntax.SglQuoted:
				text, known = p.Value, !p.Dollar && strings.IndexByte(p.Value, markByte) < 0
			case *syntax.DblQuoted:
				text, ok = r.partly(p.Parts)
				if !ok {
					return "", false
				}
				value += text
				continue
			default:
				is := r.valueOf(part)
				if is == Undetermined {
					return "", false
				}
				value += partBegin + string('0'+rune(is)) + r.slice(part) + partEnd
				continue
			}
		}
		if !known || strings.ContainsAny(text, partBegin+partEnd+plainValue) {
			return "", false
		}
		value += text
	}
	return value, true
}

// value returns the value that a word of a for loop gives the variable: of one with globs, the name
// of a file (D124). ok is false if the word has other unknown parts.
func (w *word) value() (value string, ok bool) {
	if !w.glob {
		return w.text, !w.unknown
	}
	if w.unknown || w.filled || w.pieces == nil {
		return "", false
	}
	for _, p := range w.pieces {
		switch {
		case strings.ContainsAny(p.Text, partBegin+partEnd+plainValue), p.Kind == Unquoted:
			return "", false
		case p.Kind == Literal:
			value += p.Text
		default:
			value += partBegin + string('0'+rune(Number)) + p.Text + partEnd
		}
	}
	return partlyNames + value, true
}

// setPartly records an assignment of a value that is known in part, and reports
// whether it is.
func (r *Reader) setPartly(name string, parts []syntax.WordPart) bool {
	plain := r.isPlainWord(parts)
	value, ok := r.partly(parts)
	switch {
	case ok && plain:
		r.vars.set(name, partlyPlain+value)
	case ok:
		r.vars.set(name, partlyOther+value)
	case plain:
		r.vars.set(name, plainValue)
	}
	return ok || plain
}

// partsOf returns the parts of a variable's value that is known in part; nil if it is
// not, or if the shell might divide it.
func (r *Reader) partsOf(part syntax.WordPart, kind Kind) (pieces []Piece) {
	name, ok := parse.Variable(r.given(part))
	v := &r.vars
	if !ok || !v.isFollowed(name) {
		return nil
	}
	value, ok := strings.CutPrefix(v.known[name], partlyPlain)
	if !ok {
		value, ok = strings.CutPrefix(v.known[name], partlyNames)
	}
	if !ok && kind == Quoted {
		value, ok = strings.CutPrefix(v.known[name], partlyOther)
	}
	if !ok || kind != Quoted && v.split {
		return nil
	}
	for value != "" {
		before, rest, more := strings.Cut(value, partBegin)
		if before != "" {
			pieces = append(pieces, Piece{Text: before})
		}
		value = rest
		if more {
			var source string
			source, value, _ = strings.Cut(rest, partEnd)
			pieces = append(pieces, Piece{Text: source[1:], Kind: kind, Is: Value(source[0] - '0')})
		}
	}
	return pieces
}
