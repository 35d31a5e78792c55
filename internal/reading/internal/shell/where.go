package shell

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/parse"
)

// maxPlaces is the number of directories of one command above which it may be any.
const maxPlaces = 20

// place is a directory: the path from the one in which the text begins, or an
// absolute one. The empty place is where the text begins.
type place []Piece

// anywhere is a directory that the text does not determine.
var anywhere = place{{Text: "…", Kind: Unquoted}}

// where is what the text determines about the directory of a shell (D95).
type where struct {
	here     []place // of the next command; none if no command follows
	ok, fail []place // after the last statement, if it succeeded and if it failed
	visited  []place // so far
	errexit  bool    // the shell exits if a command fails
	tested   int     // more than 0 where it does not
}

// Dirs returns the directories in which the command at an index may run, each as
// the parts of its path from the one in which the text begins; nothing for that one.
func (r *Reader) Dirs(i int) (dirs [][]Piece) {
	for _, p := range r.Commands[i].places {
		dirs = append(dirs, p)
	}
	if dirs == nil { // it does not run, unless exit is something else
		dirs = [][]Piece{nil, anywhere}
	}
	return dirs
}

func (p place) String() string {
	var b strings.Builder
	for _, piece := range p {
		b.WriteString(piece.Text)
	}
	return b.String()
}

// union returns the places of both lists.
func union(a, b []place) []place {
	all := slices.Clip(a)
	for _, p := range b {
		if !slices.ContainsFunc(all, func(q place) bool { return slices.Equal(p, q) }) {
			all = append(all, p)
		}
	}
	if len(all) > maxPlaces {
		return []place{anywhere}
	}
	return all
}

// stay ends a statement that does not change the directory.
func (w *where) stay() { w.ok, w.fail = w.here, w.here }

// then goes on after a statement.
func (w *where) then() { w.here = union(w.ok, w.fail) }

// isolated reads commands that do not change the directory of this shell.
func (w *where) isolated(read func()) {
	before, errexit, tested := w.here, w.errexit, w.tested
	read()
	w.here, w.errexit, w.tested = before, errexit, tested
	w.stay()
}

// move reads the effect of a command on the directory.
func (r *Reader) move(words []word) {
	w := &r.where
	w.stay()
	for len(words) > 1 && (words[0].text == "builtin" || words[0].text == "command") && words[1].text != "-v" && words[1].text != "-V" {
		words = words[1:]
		for len(words) > 1 && strings.HasPrefix(words[0].text, "-") {
			words = words[1:]
		}
	}
	if len(words) == 0 {
		return
	}
	name, args := words[0].text, words[1:]
	switch {
	case r.functions[name]:
		if mayMove(r.source) {
			w.ok = union(w.ok, []place{anywhere})
			w.fail = w.ok
		}
	case r.isAlias(name):
	case name == "cd" || name == "chdir" || name == "pushd":
		w.visited = union(w.visited, w.here)
		for len(args) > 0 && len(args[0].text) > 1 && args[0].text[0] == '-' && strings.Trim(args[0].text, "-PLe@qsn") == "" {
			args = args[1:]
		}
		w.ok = r.moved(name, args)
		w.visited = union(w.visited, w.ok)
	case name == "popd":
		w.ok = union(w.visited, w.here)
	case name == "exit":
		w.ok, w.fail = nil, nil
	case name == "set":
		for i, a := range args {
			long := i > 0 && strings.HasSuffix(args[i-1].text, "o") && a.text == "errexit"
			short := len(a.text) > 1 && strings.Contains(a.text, "e") && a.text[1] != '-'
			switch {
			case short && a.text[0] == '+', long && args[i-1].text[0] == '+':
				w.errexit = false
			case short && a.text[0] == '-', long:
				w.errexit = true
			}
		}
	}
}

// moved returns the directories after cd with its operands.
func (r *Reader) moved(name string, args []word) (to []place) {
	switch {
	case r.vars.assigned["CDPATH"] || len(args) > 1:
		return []place{anywhere}
	case len(args) == 0 && name != "pushd":
		return []place{{{Text: "~"}}}
	case len(args) == 0 || args[0].text == "-" || name == "pushd" && strings.HasPrefix(args[0].text, "+"):
		if len(r.where.visited) < 2 {
			return []place{anywhere}
		}
		return r.where.visited
	}
	for _, p := range r.where.here {
		to = union(to, []place{Below(p, args[0].parts())})
	}
	return to
}

// parts returns a word as pieces.
func (w word) parts() []Piece {
	switch {
	case w.pieces != nil && !w.filled:
		return w.pieces
	case w.unknown || w.glob || w.filled:
		return []Piece{{Text: w.text, Kind: Unquoted}}
	}
	return []Piece{{Text: w.text}}
}

// Below returns the path of a name in a directory. One that may be absolute is
// alone.
func Below(dir, name []Piece) []Piece {
	if len(name) == 0 || len(dir) == 0 {
		return name
	}
	first := name[0]
	relative := first.Kind == Glob || first.Is == Number || first.Kind == Literal && !strings.HasPrefix(first.Text, "/") && !strings.HasPrefix(first.Text, "~")
	if !relative {
		return name
	}
	return slices.Concat(dir, []Piece{{Text: "/"}}, name)
}

// mayMove reports whether a text may change the directory.
func mayMove(text string) bool {
	return strings.Contains(text, "cd") || strings.Contains(text, "chdir") || strings.Contains(text, "pushd") || strings.Contains(text, "popd")
}

// next goes on after a statement in a list. Under set -e, nothing follows a cd that
// fails.
func (r *Reader) next(s *syntax.Stmt) {
	w := &r.where
	if _, simple := s.Cmd.(*syntax.CallExpr); simple && w.errexit && w.tested == 0 && r.vars.later == 0 && !s.Negated {
		w.fail = nil
	}
	w.then()
}

// condition reads a condition, in which set -e has no effect.
func (r *Reader) condition(read func()) {
	r.where.tested++
	read()
	r.where.tested--
}

// binary reads && and ||.
func (r *Reader) binary(n *syntax.BinaryCmd, at site) {
	w := &r.where
	errexit := w.errexit
	r.condition(func() { r.statement(n.X, at) })
	ok, fail := w.ok, w.fail
	w.here = ok
	if n.Op == syntax.OrStmt {
		w.here = fail
	}
	known := r.vars.known
	r.vars.known = maps.Clone(known)
	if parse.IsAnd(n.X) && n.Op == syntax.AndStmt {
		r.vars.known = maps.Clone(r.succeeded)
	}
	r.vars.nested++
	r.statement(n.Y, at)
	r.vars.nested--
	r.succeeded = maps.Clone(r.vars.known)
	r.vars.keep(known)
	if n.Op == syntax.OrStmt {
		w.ok = union(ok, w.ok)
	} else {
		w.fail = union(fail, w.fail)
	}
	w.errexit = w.errexit && errexit
}

// inLoop reads the commands of a loop. If they change the directory, they may run
// in any. once means that they are read for each turn.
func (r *Reader) inLoop(once bool, read func()) {
	w := &r.where
	start, errexit := w.here, w.errexit
	lines := len(r.Commands)
	read()
	w.then()
	all := union(start, w.here)
	if !once && len(all) > len(start) {
		all = []place{anywhere}
		for i := min(lines, len(r.Commands)); i < len(r.Commands); i++ {
			r.Commands[i].places = all
		}
	}
	w.here, w.errexit = all, w.errexit && errexit
	w.stay()
}

// Scanned reports whether the command is in a text that was not parsed, so that its first word is a
// program only if it is known to be one.
func (c *Command) Scanned() bool { return c.scanned }

// Caller returns the number of the line of the command that runs this one in its
// words; 0 if none does.
func (c *Command) Caller() int { return c.caller }
