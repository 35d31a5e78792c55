package manifest

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/spec"
)

// The everyday reader reads the front matter that most hooks have: lines of
// the form `key: value`, with one level of mapping below matcher and metadata,
// and nothing to be said against any of them. It is a shortcut and nothing
// else: what it accepts is what the YAML parser and the reader behind it would
// have made of it (FuzzEveryday holds the two against each other), and
// whatever it is not sure of is left to them. Runs read every HOOK.md, and the
// parser takes some sixty times as long.
type everyday struct {
	hook   Hook
	folder string
	seen   seen

	section string // the mapping whose lines are read: matcher, metadata or ""
	depth   int    // how far these lines are indented, 0 before the first
}

// seen is a set of the format's keys.
type seen uint

const (
	seenName seen = 1 << iota
	seenDescription
	seenTrigger
	seenMatcher
	seenTool
	seenPattern
	seenTimeout
	seenAsync
	seenPriority
	seenMetadata
)

const seenRequired = seenName | seenDescription | seenTrigger

// readEveryday reports false if the front matter is for the YAML parser to
// read.
func readEveryday(front, folder string) (Hook, bool) {
	e := everyday{hook: newHook(), folder: folder}
	for line, rest := cutLine(front); line != "" || rest != ""; line, rest = cutLine(rest) {
		if line != "" && !e.line(line) {
			return Hook{}, false
		}
	}
	return e.hook, e.complete()
}

// cutLine returns the first line of text, without its end, and what follows.
func cutLine(text string) (line, rest string) {
	end := strings.IndexByte(text, '\n')
	if end < 0 {
		return text, ""
	}
	return strings.TrimSuffix(text[:end], "\r"), text[end+1:]
}

// line takes one line; false ends the attempt.
func (e *everyday) line(line string) bool {
	depth := indentation(line)
	key, value, ok := splitLine(line[depth:])
	switch {
	case !ok:
		return false
	case depth > 0:
		return e.inner(depth, key, value)
	case !e.closed():
		return false
	case value == "":
		return e.open(key)
	}
	e.section = ""
	tag, text, ok := scalar(value)
	return ok && e.outer(key, tag, text)
}

// closed reports whether no mapping is open that has no line yet: that would
// be null.
func (e *everyday) closed() bool { return e.section == "" || e.depth > 0 }

// open takes the key of a mapping.
func (e *everyday) open(key string) bool {
	e.section, e.depth = key, 0
	switch key {
	case "matcher":
		return e.once(seenMatcher)
	case "metadata":
		e.hook.Metadata = map[string]any{}
		return e.once(seenMetadata)
	}
	return false
}

// once reports whether a key stands for the first time.
func (e *everyday) once(key seen) bool {
	first := e.seen&key == 0
	e.seen |= key
	return first
}

// outer takes a key of the front matter and its value.
func (e *everyday) outer(key, tag, text string) bool {
	h := &e.hook
	switch key {
	case "name":
		h.Name = normal(text)
		return tag == "!!str" && e.once(seenName) && h.Name == normal(e.folder) && nameProblem(h.Name) == ""
	case "description":
		h.Description = text
		return tag == "!!str" && e.once(seenDescription) && strings.TrimSpace(text) != "" &&
			(len(text) <= spec.MaxDescription || utf8.RuneCountInString(text) <= spec.MaxDescription)
	case "trigger":
		h.Trigger = spec.Event(text)
		return tag == "!!str" && e.once(seenTrigger) && h.Trigger.Valid()
	case "timeout":
		ms, ok := within(tag, text, int(spec.MinTimeout.Milliseconds()), int(spec.MaxTimeout.Milliseconds()))
		h.Timeout, h.TimeoutSet = time.Duration(ms)*time.Millisecond, true
		return ok && e.once(seenTimeout)
	case "async":
		h.Async, h.AsyncSet = text == "true", true
		return tag == "!!bool" && e.once(seenAsync)
	case "priority":
		n, ok := within(tag, text, 0, spec.MaxPriority)
		h.Priority = n
		return ok && e.once(seenPriority)
	}
	return false
}

// inner takes a line of a mapping.
func (e *everyday) inner(depth int, key, value string) bool {
	if e.section == "" || value == "" || e.depth > 0 && e.depth != depth {
		return false
	}
	e.depth = depth
	tag, text, ok := scalar(value)
	if !ok {
		return false
	}
	if e.section == "metadata" {
		return e.metadata(key, tag, text)
	}
	switch key {
	case "tool":
		e.hook.Tool = text
		return tag == "!!str" && e.once(seenTool)
	case "pattern":
		e.hook.Pattern = text
		return tag == "!!str" && e.once(seenPattern)
	}
	return false
}

func (e *everyday) metadata(key, tag, text string) bool {
	h := &e.hook
	if _, twice := h.Metadata[key]; twice || !isKey(key) {
		return false
	}
	n := node{tag: tag, text: text}
	h.Metadata[key] = n.plain()
	switch key {
	case "on-failure":
		policy, known := onFailure(text)
		h.OnFailure = policy
		return known && tag == "!!str"
	case "retry":
		retry, ok := within(tag, text, 0, spec.MaxRetry)
		h.Retry = retry
		return ok
	case "protocol":
		return false
	}
	return true
}

// within reads a decimal integer from low to high.
func within(tag, text string, low, high int) (int, bool) {
	if tag != "!!int" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= low && n <= high
}

// complete reports whether nothing is missing and nothing is in vain.
func (e *everyday) complete() bool {
	return e.closed() && e.seen&seenRequired == seenRequired && (e.seen&seenMatcher == 0 || e.hook.Trigger.IsTool())
}

func indentation(line string) int {
	depth := 0
	for depth < len(line) && line[depth] == ' ' {
		depth++
	}
	return depth
}

// splitLine splits `key: value`; the value is "" if nothing but blanks
// follows the colon.
func splitLine(line string) (key, value string, ok bool) {
	colon := strings.IndexByte(line, ':')
	if colon < 0 {
		return "", "", false
	}
	value = line[colon+1:]
	trimmed := value[indentation(value):]
	return line[:colon], trimmed, trimmed == "" || len(trimmed) < len(value)
}

// isKey reports whether a key is a word to YAML, too.
func isKey(key string) bool {
	for i := range len(key) {
		if c := key[i]; !letter(c) && !digit(c) && c != '-' && c != '_' {
			return false
		}
	}
	return key != "" && letter(key[0]) && len(key) <= 64
}

// scalar reads a value that stands on one line: a plain or quoted string
// without escapes, a decimal integer, true or false.
func scalar(text string) (tag, value string, ok bool) {
	text = strings.TrimRight(text, " ")
	if !printable(text) {
		return "", "", false
	}
	switch first := text[0]; {
	case first == '"' || first == '\'':
		inner, ok := unquoted(text)
		return "!!str", inner, ok
	case digit(first):
		return "!!int", text, decimal(text)
	case text == "true" || text == "false":
		return "!!bool", text, true
	case !letter(first) && strings.IndexByte(`^\(/$`, first) < 0:
		return "", "", false // it may mean something to YAML
	}
	return "!!str", text, !meansMore(text) && !isWord(text)
}

// unquoted takes a pair of quotes off that has none and no escapes within.
func unquoted(text string) (inner string, ok bool) {
	quote, last := text[0], len(text)-1
	if last < 1 || text[last] != quote {
		return "", false
	}
	inner = text[1:last]
	return inner, strings.IndexByte(inner, quote) < 0 && (quote == '\'' || strings.IndexByte(inner, '\\') < 0)
}

// meansMore reports whether there is more than one string in text without
// quotes: a mapping, a comment.
func meansMore(text string) bool {
	return strings.IndexByte(text, ':') >= 0 && (strings.Contains(text, ": ") || text[len(text)-1] == ':') ||
		strings.IndexByte(text, '#') >= 0 && strings.Contains(text, " #")
}

// isWord reports whether text is a spelling of a boolean or of null.
func isWord(text string) bool {
	return len(text) <= len("false") &&
		(strings.EqualFold(text, "true") || strings.EqualFold(text, "false") || strings.EqualFold(text, "null"))
}

// decimal reports whether text is an integer in its one plain spelling.
func decimal(text string) bool {
	if len(text) > 18 || text[0] == '0' && text != "0" {
		return false
	}
	for i := range len(text) {
		if !digit(text[i]) {
			return false
		}
	}
	return true
}

// printable refuses tabs, control characters, what YAML takes for a line end
// or a byte-order mark, and what is no character.
func printable(text string) bool {
	for i := range len(text) {
		if c := text[i]; c-' ' >= 0x7f-' ' { // below the blank, it wraps around
			return c >= utf8.RuneSelf && printableRunes(text[i:])
		}
	}
	return true
}

func printableRunes(text string) bool {
	for _, r := range text {
		switch {
		case r < ' ', r >= 0x7f && r <= 0xa0:
			return false
		case r == '\u2028' || r == '\u2029' || r == '\ufeff' || r >= 0xfff0 && r <= 0xffff:
			return false
		}
	}
	return true
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func digit(c byte) bool { return c >= '0' && c <= '9' }
