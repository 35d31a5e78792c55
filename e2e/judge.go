package main

import (
	"fmt"
	"strings"
)

const (
	yes = "yes"
	no  = "no"
)

// blocked judges a guard that blocks the tool call.
func blocked(reason string) func(seen) (string, string) {
	return func(s seen) (string, string) {
		if s.left(ranFile) {
			return no, "the tool ran despite the block"
		}
		return yes, once(s, reason)
	}
}

// blockedEach judges several commands that a guard blocks, each with its reason.
func blockedEach(reason string, calls int) func(seen) (string, string) {
	return func(s seen) (string, string) {
		if s.left(ranFile) {
			return no, "a command ran despite the block"
		}
		if lines := s.reached(reason); len(lines) != calls && !s.ends {
			return yes, fmt.Sprintf("%q reaches the model %d times, not %d: %q", reason, len(lines), calls, lines)
		}
		return yes, ""
	}
}

// once returns a fault unless a text reaches the model exactly once, without the JSON of an
// answer.
func once(s seen, text string) string {
	lines := s.reached(text)
	switch {
	case len(lines) == 0 && s.ends:
		return ""
	case len(lines) == 0:
		return fmt.Sprintf("%q does not reach the model", text)
	case len(lines) > 1:
		return fmt.Sprintf("%q reaches the model %d times: %q", text, len(lines), lines)
	case strings.ContainsAny(lines[0], "{}"):
		return fmt.Sprintf("%q reaches the model with its wrapping: %q", text, lines[0])
	}
	return ""
}

// contextOnce judges an added context: it reaches the model exactly once and without JSON, or
// the client cannot add it.
func contextOnce(text string) func(seen) (string, string) {
	return func(s seen) (string, string) {
		fault := ""
		if !s.left(ranFile) {
			fault = "the tool did not run"
		}
		if !s.everReached(text) {
			return no, fault
		}
		return yes, words(fault, once(s, text))
	}
}

func toolRan(s seen) (string, string) {
	if !s.left(ranFile) {
		return no, "the tool did not run"
	}
	if !s.everReached("from-the-tool") {
		return yes, "its output did not reach the model"
	}
	return yes, ""
}

func nothingRan(s seen) (string, string) {
	if s.left(ranFile) || s.left(changedFile) {
		return no, "a tool ran that nobody permitted"
	}
	if len(s.requests) == 0 {
		return yes, "the model was never asked"
	}
	return yes, ""
}

// changedInput judges a changed input: either it runs, or nothing runs.
func changedInput(s seen) (string, string) {
	if s.left(ranFile) {
		return no, "the tool ran with the input as it was"
	}
	if s.left(changedFile) {
		return yes, ""
	}
	if !s.everReached("changed-by-hook") && !s.ends {
		return "blocks", "nothing ran, and the model does not learn of the changed input"
	}
	return "blocks", ""
}
