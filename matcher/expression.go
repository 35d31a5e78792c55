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
	err          error    // the error of the compilation
	negative     bool     // it has a negative look-around (D17)
	branches     []branch // its alternatives, if it is plain
	folds        bool     // it is plain, and a part of it ignores case
	simple       bool     // it means the same in every dialect, on printable ASCII text
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
	if p, ok := scan(e.source); ok {
		e.branches, e.negative, e.folds = p.branches, p.negative, p.folds
		return nil
	}
	e.err = e.start()
	return e.err
}

// searched returns the expression of a branch, so that the engine compiles only those
// that may match a text.
func (e *expression) searched(b *branch) *expression {
	if b.expression == nil {
		source := b.source
		if b.fold {
			source = "(?i)" + source
		}
		b.expression = &expression{part: e.part, source: source, ready: true, simple: e.simulates(b)}
	}
	return b.expression
}

// simulates reports whether a branch means the same to Go, on printable ASCII text.
func (e *expression) simulates(b *branch) bool { return !b.around && !(e.folds && !ascii(b.source)) }

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

// excludes reports whether the expression certainly does not match a text. If the text
// continues, only what is known of its beginning is compared.
func (e *expression) excludes(text string, continues bool) bool {
	if e.branches == nil {
		return false
	}
	s, ok := e.seek(text, continues)
	for i := range e.branches {
		if !ok || e.branches[i].in(&s) {
			return false
		}
	}
	return true
}

// search searches for the expression for at most the time left, and subtracts
// the time used. An error is the reason why the search is undecided.
func (e *expression) search(text string, left *time.Duration) (found bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			found, err = false, errors.New("made the engine fail")
		}
	}()
	if e.branches != nil {
		return e.searchBranches(text, left)
	}
	if e.engine == nil && e.simple && isSimple(text) {
		if found, decided := e.simulate(text, left); decided {
			return found, nil
		}
	}
	if *left <= 0 {
		return false, e.late()
	}
	if err := e.start(); err != nil {
		return false, err
	}
	before := *left
	found, err = e.run(text, before, left)
	if err != nil && *left > before/2 {
		// The process has waited for a processor, so the machine is busy.
		found, err = e.run(text, 4**left, left)
	}
	if err != nil {
		// The engine's only error is the timeout; its text quotes the input.
		return false, e.late()
	}
	return found, nil
}

// run searches with the engine for at most limit, and subtracts the processor time used
// from the time left; where the system does not tell it, the time that passed.
func (e *expression) run(text string, limit time.Duration, left *time.Duration) (bool, error) {
	began := time.Now()
	before, ok := processorTime()
	defer func() {
		passed := time.Since(began)
		if after, still := processorTime(); ok && still {
			passed = min(passed, after-before)
		}
		*left -= passed
	}()
	e.engine.MatchTimeout = limit
	return e.engine.MatchString(text)
}

// searchBranches is search for a plain expression.
func (e *expression) searchBranches(text string, left *time.Duration) (found bool, err error) {
	s, ok := e.seek(text, false)
	for i := range e.branches {
		b := &e.branches[i]
		if ok && !b.in(&s) {
			continue
		}
		if !b.fold && span(b.source, 0) == len(b.source) {
			return true, nil
		}
		found, err := e.searched(b).search(text, left)
		if found || err != nil {
			return found, err
		}
	}
	return false, nil
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
