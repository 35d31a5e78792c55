package matcher

import (
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

// Finds reports whether source is found in text. It is false if source does not compile, or if the
// search is not finished by the deadline. It is for messages about a match; Match decides what
// matches.
func Finds(source, text string, deadline time.Time) (found bool) {
	defer func() { found = recover() == nil && found }()
	left := time.Until(deadline)
	e, err := compileEngine("", source)
	if err != nil || left <= 0 || len(text) > spec.MaxSearched {
		return false
	}
	e.engine.MatchTimeout = left
	found, err = e.engine.MatchString(text)
	return found && err == nil
}
