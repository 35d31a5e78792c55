package matcher

import (
	"errors"
	"fmt"
	"strings"
	"time"

	gosyntax "regexp/syntax"

	"github.com/agent-hooks/agent-hooks/spec"
	"github.com/dlclark/regexp2"
	"github.com/dlclark/regexp2/syntax"
)

// expression is one part of a matcher. It is analyzed when it is first needed.
type expression struct {
	part, source string // source is "" if the part is not given
	ready        bool
	err          error        // the error of the compilation
	negative     bool         // it has a negative look-around (D17)
	words        words        // the words that it requires, if known
	unread       bool         // words is not set yet
	firsts       string       // the beginnings of texts that it matches; "" if they are not known
	branches     []expression // its alternatives, if it is searched by these
	plain        bool         // it means the same in every dialect, on printable ASCII text
	engine       *regexp2.Regexp
	opened       bool           // program is set
	program      *gosyntax.Prog // for lines with unknown parts; nil if it is not known
	found        string         // the text in which the expression was last found
}

func (e *expression) given() bool { return e.source != "" }

func newExpression(part, source string) expression { return expression{part: part, source: source} }

// prepare analyzes the expression. It compiles it unless it is plain, and therefore
// compiles; then the engine is created for a text of which nothing simpler decides. An
// error is an *Error.
func (e *expression) prepare() error {
	if e.ready || !e.given() {
		return e.err
	}
	e.ready = true
	p := plain{src: e.source, quick: true}
	if _, ok := p.parse(); ok {
		e.plain, e.negative = p.simulated(), p.negative
		if e.unread = true; len(p.branches) > 1 {
			e.split(&p)
		} else if !p.refers { // otherwise it may have alternatives
			e.firsts = firsts(e.source)
		}
		return nil
	}
	e.err = e.start()
	return e.err
}

// split makes the expression search by its alternatives, so that the engine
// compiles only those whose words a text contains.
func (e *expression) split(p *plain) {
	e.branches = make([]expression, len(p.branches))
	for i, b := range p.branches {
		e.branches[i] = expression{part: e.part, source: b.source, ready: true, unread: true, firsts: firsts(b.source), plain: !b.ahead && (!p.folds || p.simulated())}
	}
}

func compileEngine(part, source string) (*expression, error) {
	e := &expression{part: part, source: source, ready: true}
	return e, e.start()
}

// start creates the engine if there is none.
func (e *expression) start() (err error) {
	if e.engine != nil {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = &Error{e.part, e.source, -1, fmt.Errorf("the engine cannot compile it: %v", p)}
		}
	}()
	t := translate(e.source)
	if t.err != nil {
		return &Error{e.part, e.source, t.err.offset, t.err}
	}
	engine, err := regexp2.Compile(string(t.out), regexp2.None)
	if err != nil {
		return &Error{e.part, e.source, -1, cause(err)}
	}
	e.negative, e.engine = t.negative, engine
	return nil
}

// excludes reports whether the expression matches no text that begins as a text does.
func (e *expression) excludes(text string) bool {
	for i := range e.branches {
		if !e.branches[i].excludes(text) {
			return false
		}
	}
	if e.branches != nil {
		return true
	}
	for i := 0; i < len(e.firsts); i += 2 {
		if text != "" && e.firsts[i] == text[0] && (e.firsts[i+1] == 0 || len(text) > 1 && e.firsts[i+1] == text[1]) {
			return false
		}
	}
	return e.firsts != ""
}

// without decides without the engine if possible.
func (e *expression) without(text string) (found, decided bool) {
	if e.branches != nil {
		return false, false
	}
	if e.excludes(text) {
		return false, true
	}
	if e.unread {
		e.unread = false
		e.words, _, _ = parsePlain(e.source)
	}
	if !e.words.known() {
		return false, false
	}
	if e.words.in(text) {
		return true, e.words.exact
	}
	return false, true
}

// search searches for the expression for at most the time left, and subtracts
// the time used. An error is the reason why the search is undecided.
func (e *expression) search(text string, left *time.Duration) (found bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			found, err = false, errors.New("made the engine fail")
		}
	}()
	if found, decided := e.without(text); decided {
		return found, nil
	}
	if *left <= 0 {
		return false, e.late()
	}
	for i := range e.branches {
		if found, err := e.branches[i].search(text, left); found || err != nil {
			return found, err
		}
	}
	if e.branches != nil {
		return false, nil
	}
	began := time.Now()
	defer func() { *left -= time.Since(began) }()
	if e.engine == nil && e.plain && isSimple(text) {
		if found, decided := e.simulate(text); decided {
			return found, nil
		}
	}
	if err := e.start(); err != nil {
		return false, err
	}
	e.engine.MatchTimeout = *left
	if found, err = e.engine.MatchString(text); err != nil {
		// The engine's only error is the timeout; its text quotes the input.
		return false, e.late()
	}
	return found, nil
}

func (e *expression) late() error {
	return fmt.Errorf("was not decided within %v", spec.MatchBudget)
}

// undecided returns why a part counts as matched.
func (e *expression) undecided(why error) string {
	return fmt.Sprintf("%s %q %v", e.part, e.source, why)
}

// cause removes the expression, which the engine repeats, from its error.
func cause(err error) error {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return err
	}
	return errors.New(strings.TrimPrefix(fmt.Sprintf(e.Code.String(), e.Args...), "regexp/syntax: "))
}
