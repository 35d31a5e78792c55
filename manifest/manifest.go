// Package manifest turns the bytes of one HOOK.md into a Hook and everything
// that is wrong with it (D4, D5, D9, D10, D12).
//
// It opens no files and knows no folders but the name that it is told: what
// the file system says of a hook is package discovery's.
package manifest

import (
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

// OnFailure is what a hook's failure does to the operation (D12, D27).
type OnFailure string

// The values of metadata.on-failure.
const (
	Allow OnFailure = "allow" // the operation goes on (the default)
	Deny  OnFailure = "deny"  // the operation is blocked
	Ask   OnFailure = "ask"   // the user is asked
)

// Condition is one entry of metadata.when: Pattern must be found in the
// event's field (D12).
type Condition struct {
	Field   string // dots descend into objects
	Pattern string // a regular expression
}

// Hook is what a HOOK.md says, with defaults for what it leaves out (D9).
type Hook struct {
	Name, Description string
	Trigger           spec.EventType // an event, or "" if it cannot be read
	Tool, Pattern     string         // the matcher's regular expressions, "" if not given
	Timeout           time.Duration  // spec.MinTimeout to spec.MaxTimeout
	Async             bool
	Priority          int // 0 to spec.MaxPriority

	// TimeoutSet, AsyncSet and OnFailureSet say that the file itself gives the
	// value: then no default of a hooks.toml takes its place (D14).
	TimeoutSet, AsyncSet, OnFailureSet bool

	OnFailure OnFailure      // metadata.on-failure
	Retry     int            // metadata.retry, 0 to spec.MaxRetry
	When      []Condition    // metadata.when, in the order of the file
	Protocol  string         // metadata.protocol
	Pure      bool           // metadata.pure: it only inspects the event (D73)
	Metadata  map[string]any // the whole mapping as plain Go values; nil if absent

	Body int // byte offset of the Markdown body in the source
}

// Enough is how many bytes of a HOOK.md Parse needs: the longest front matter
// and the line after it.
const Enough = spec.MaxFrontMatter + 8<<10

// Parse reads a HOOK.md that lies in the directory folder. The diagnostics
// tell what is wrong with it (their Path is left empty); the hook holds what
// could be read, even of a broken file (D5). It compiles no expressions, and
// keeps nothing of source.
//
// A source that was cut after spec.MaxHookFile+1 bytes is reported as too
// large, so a caller never has to read more; for Parse, Enough bytes suffice.
func Parse(source []byte, folder string) (Hook, []spec.Diagnostic) {
	return new(Parser).Parse(source, folder)
}

// Parser parses many files one after another and reuses its memory. The zero
// Parser is ready to use. Not safe for concurrent use.
type Parser struct {
	reader   reader
	source   source
	everyday everyday
}

// Parse is the function Parse.
func (p *Parser) Parse(source []byte, folder string) (Hook, []spec.Diagnostic) {
	r, ok := p.readFast(source, folder)
	if !ok {
		r = read(source, folder)
	}
	return r.hook, r.source.problems()
}

// Peek reads the beginning of a HOOK.md whose hook does not run: what it says
// of itself in everyday front matter, else only its trigger and on-failure.
// It takes little time whatever the bytes are.
func (p *Parser) Peek(source []byte, folder string) (Hook, []spec.Diagnostic) {
	if r, ok := p.readFast(source, folder); ok {
		return r.hook, r.source.problems()
	}
	h := newHook()
	salvage(source, &h)
	return h, nil
}

// Check is Parse and everything else that can be said of the file: that its
// expressions compile, mean the same elsewhere and mean what was surely meant,
// that its metadata keys are spelled as intended. The diagnostics are sorted.
func Check(source []byte, folder string) (Hook, []spec.Diagnostic) {
	r := read(source, folder)
	r.checkTrigger()
	r.checkPatterns()
	r.checkWhen()
	r.checkMetadataKeys()
	r.lintAsync()
	spec.SortDiagnostics(r.source.diagnostics)
	return r.hook, r.source.problems()
}

// readFast is read for front matter that the everyday reader can read, and
// false for others.
func (p *Parser) readFast(bytes []byte, folder string) (*reader, bool) {
	p.source = source{bytes: bytes}
	p.reader = reader{source: &p.source, folder: folder, hook: newHook()}
	r := &p.reader
	if !r.source.fences() {
		return nil, false
	}
	var ok bool
	if r.entries, ok = p.everyday.read(string(r.source.front()), r.source.start); !ok {
		return nil, false
	}
	r.readHook()
	r.hook.Body = r.source.body
	return r, true
}

// newHook is what a HOOK.md says that says nothing (D9).
func newHook() Hook {
	return Hook{Timeout: spec.DefaultTimeout, Priority: spec.DefaultPriority, OnFailure: Allow}
}

// read reads what Parse and Check have in common.
func read(bytes []byte, folder string) *reader {
	r := &reader{source: &source{bytes: bytes}, folder: folder}
	r.hook = newHook()
	ok := r.source.fences()
	if ok {
		r.entries, ok = r.source.parse()
	}
	if ok {
		r.readHook()
	} else {
		salvage(r.source.front(), &r.hook)
	}
	r.hook.Body = r.source.body
	return r
}
