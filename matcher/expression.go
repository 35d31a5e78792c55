package matcher

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/dlclark/regexp2/syntax"
)

// expression is one compiled part of a matcher.
type expression struct {
	part, source string
	negative     bool  // it has a negative look-around (D17)
	words        words // what it requires, if that is known
	engine       *regexp2.Regexp
}

// compile returns nil for an expression that is not given. One of which it
// is known what it requires gets its engine when a text contains that.
func compile(part, source string) (*expression, error) {
	if source == "" {
		return nil, nil
	}
	if words, ok := requiredWords(source); ok && len(words.any) > 0 {
		return &expression{part: part, source: source, words: words}, nil
	}
	return compileEngine(part, source)
}

func compileEngine(part, source string) (e *expression, err error) {
	defer func() {
		if p := recover(); p != nil {
			e, err = nil, &Error{part, source, -1, fmt.Errorf("the engine cannot compile it: %v", p)}
		}
	}()
	t := translate(source)
	if t.err != nil {
		return nil, &Error{part, source, t.err.offset, t.err}
	}
	engine, err := regexp2.Compile(t.out.String(), regexp2.None)
	if err != nil {
		return nil, &Error{part, source, -1, cause(err)}
	}
	return &expression{part: part, source: source, negative: t.negative, engine: engine}, nil
}

// without decides without the engine, if that is possible.
func (e *expression) without(text string) (found, decided bool) {
	if len(e.words.any) == 0 {
		return false, false
	}
	for _, word := range e.words.any {
		if strings.Contains(text, word) {
			return true, e.words.exact
		}
	}
	return false, true
}

// start makes sure that there is an engine.
func (e *expression) start() error {
	if e.engine != nil {
		return nil
	}
	compiled, err := compileEngine(e.part, e.source)
	if err == nil {
		e.engine = compiled.engine
	}
	return err
}

// search looks for the expression until the deadline. An error says why that
// is not decided.
func (e *expression) search(text string, deadline time.Time) (found bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			found, err = false, errors.New("made the engine fail")
		}
	}()
	left := time.Until(deadline)
	if left <= 0 {
		return false, e.late()
	}
	if found, decided := e.without(text); decided {
		return found, nil
	}
	if err := e.start(); err != nil {
		return false, err
	}
	e.engine.MatchTimeout = left
	if found, err = e.engine.MatchString(text); err != nil {
		// The engine's only error is the timeout; its text quotes the input.
		return false, e.late()
	}
	return found, nil
}

func (e *expression) late() error {
	return fmt.Errorf("was not decided within %v", Budget)
}

// undecided words the warning about a part that counts as matched.
func (e *expression) undecided(why error) string {
	return fmt.Sprintf("%s %q %v; counted as matched", e.part, e.source, why)
}

// cause takes the engine's repetition of the expression out of its error.
func cause(err error) error {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return err
	}
	return errors.New(strings.TrimPrefix(fmt.Sprintf(e.Code.String(), e.Args...), "regexp/syntax: "))
}
