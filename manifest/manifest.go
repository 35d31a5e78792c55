// Package manifest parses the bytes of one HOOK.md into a Hook and diagnostics
// (D4, D5, D9, D10, D12).
//
// It opens no files. Its only other input is the name of the hook's folder.
// Package discovery checks everything that depends on the file system.
package manifest

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// OnFailure is the effect of a hook's failure on the operation (D12, D27).
type OnFailure string

// The values of metadata.on-failure.
const (
	Allow OnFailure = "allow" // the operation continues (the default)
	Deny  OnFailure = "deny"  // the operation is blocked
	Ask   OnFailure = "ask"   // the user is asked
)

// Condition is one entry of metadata.when: Pattern must match the event's field
// (D12).
type Condition struct {
	Field   string // dots descend into objects
	Pattern string // a regular expression
}

// Hook is the content of a HOOK.md, with defaults for missing keys (D9).
type Hook struct {
	Name, Description string
	Trigger           spec.EventType   // an event, or "" if it cannot be read
	OtherTriggers     []spec.EventType // further events that an invalid file names as its trigger: it fails on each
	Tool, Pattern     string           // the matcher's regular expressions, "" if not given
	Timeout           time.Duration    // spec.MinTimeout to spec.MaxTimeout
	Async             bool
	Priority          int // 0 to spec.MaxPriority

	// TimeoutSet, AsyncSet and OnFailureSet mean that the file itself sets the
	// value, so that defaults in a hooks.toml do not apply (D14).
	TimeoutSet, AsyncSet, OnFailureSet bool

	OnFailure OnFailure      // metadata.on-failure
	Process   string         // metadata.process
	Retry     int            // metadata.retry, 0 to spec.MaxRetry; without a limit if spec.TimesEachAttempt
	When      []Condition    // metadata.when, in the order of the file
	Protocol  string         // metadata.protocol
	Pure      bool           // metadata.pure: the hook only inspects the event (D73)
	Match     Match          // metadata.match; "" means Values
	Access    Access         // metadata.access; 0 means any, under every name of a path
	Unless    []string       // metadata.unless
	Marked    bool           // metadata.form: marked, with match: commands
	Own       bool           // metadata.own: pass
	Pass      bool           // metadata.undecided: pass, on a constant deny or ask
	Answer    *Answer        // metadata.answer; nil if the hook has a script
	Metadata  map[string]any // native-event and the keys of metadata that are not the format's, as plain Go values; nil if there are none

	Body int // byte offset of the Markdown body in the source
}

// readKey reads a key at the top level.
func (r *reader) readKey(e *tree.Node) {
	switch e.Key {
	case "name":
		r.readName(e)
	case "description":
		r.readDescription(e)
	case "trigger":
		r.readTrigger(e)
	case "matcher":
		r.readMatcher(e)
	case "timeout":
		if ms, ok := r.integer("timeout", e, int(spec.MinTimeout.Milliseconds()), int(spec.MaxTimeout.Milliseconds())); ok {
			r.hook.Timeout, r.hook.TimeoutSet = time.Duration(ms)*time.Millisecond, true
		}
	case "async":
		r.readAsync(e)
	case "priority":
		if n, ok := r.integer("priority", e, 0, spec.MaxPriority); ok {
			r.hook.Priority = n
		}
	case "metadata":
		r.readMetadata(e)
	default:
		if !r.unindented(e) {
			r.unknownKey(e, "", []string{"matcher", "metadata"})
		}
	}
}

// readMetadata reads the free-form mapping and the extensions in it (D12).
func (r *reader) readMetadata(n *tree.Node) {
	if n.Tag == tree.Null {
		return
	}
	if n.Tag != tree.Mapping && !refused(n) {
		r.unreadMetadata(n)
		return
	}
	r.metadata = n.Children
	answer := n.Member("answer")
	answers := answer != nil && answer.Tag != tree.Null
	for _, e := range n.Children {
		switch e.Key {
		case "answer":
			r.readAnswer(e)
		case "match":
			r.readMatch(e)
		case "access":
			r.readAccess(e)
		case "unless":
			r.readUnless(e)
		case "form":
			r.readForm(e)
		case "undecided":
			r.readUndecided(e)
		case "own":
			r.readOwn(e)
		case "on-failure":
			r.readOnFailure(e)
		case "retry":
			most := spec.MaxRetry
			if p := n.Member("protocol"); p != nil && spec.TimesEachAttempt(p.Text) {
				most = math.MaxInt32
			}
			r.hook.Retry, _ = r.integer("retry", e, 0, most)
		case "pure":
			r.readPure(e)
		case "protocol":
			if !answers { // otherwise it has no effect (D77)
				r.readProtocol(e)
			}
		case "process":
			r.hook.Process, _ = r.text("metadata.process", e, "value-type")
		case "native-event":
			r.keep(e)
			if e.Tag != tree.String && !answers {
				r.wrongType(e, "metadata.native-event is %s; the name of an event of the protocol")
			}
		case "when":
			r.readWhen(e)
		default:
			r.keep(e)
		}
	}
}

// Enough is the number of bytes of a HOOK.md that Parse needs: the longest
// front matter and the line after it. Package discovery reads no more of a file.
const Enough = spec.MaxFrontMatter + 8<<10

// Parse parses a HOOK.md in the directory called folder. The diagnostics
// describe all its problems (their Path is empty). The hook holds what could be
// read, even from an invalid file (D5). Parse compiles no expressions and does
// not retain source.
//
// A source truncated after spec.MaxHookFile+1 bytes is reported as too large,
// so a caller never has to read more. For Parse, Enough bytes suffice.
func Parse(source []byte, folder string) (Hook, []spec.Diagnostic) {
	return new(Parser).Parse(source, folder)
}

// Parser parses files one after another and reuses its memory. The zero Parser
// is ready to use. Not safe for concurrent use.
type Parser struct {
	reader   reader
	source   source
	everyday everyday
	hints    hints
}

// Parse is like the function Parse.
func (p *Parser) Parse(source []byte, folder string) (Hook, []spec.Diagnostic) {
	r, ok := p.readFast(source, folder)
	if !ok {
		r = read(source, folder)
	}
	return r.hook, r.source.problems()
}

// Peek reads the beginning of a HOOK.md whose hook does not run: all keys if
// the everyday parser accepts the front matter, otherwise only its trigger and
// on-failure. It is fast for any input.
func (p *Parser) Peek(source []byte, folder string) (Hook, []spec.Diagnostic) {
	if r, ok := p.readFast(source, folder); ok {
		return r.hook, r.source.problems()
	}
	h := newHook()
	salvage(source, &h)
	return h, nil
}

// Check is Parse with all further checks of the file: expressions that do not
// compile, mean something else in other dialects or clearly do not mean what
// the author meant, and misspelled metadata keys. The diagnostics are sorted.
func Check(source []byte, folder string) (Hook, []spec.Diagnostic) {
	r := read(source, folder)
	if info, _ := spec.Info(r.hook.Trigger); info.Extension && r.root.Member("trigger") != nil { // (D48)
		r.source.report("trigger-extension", r.root.Member("trigger").Start,
			fmt.Sprintf("%s is an extension event, which not every agent fires; the format has thirteen (agent-hooks events)", r.hook.Trigger))
	}
	_, toolErr := matcher.Compile(r.hook.Tool, "")
	_, patternErr := matcher.Compile("", r.hook.Pattern)
	r.checkPattern("tool", r.tool, toolErr)
	r.checkPattern("pattern", r.pattern, patternErr)
	r.checkWhen()
	r.checkUnless()
	if r.undecided != nil && !r.hook.Passes() {
		r.source.report("undecided", r.undecided.Begin, "metadata.undecided: pass is for a constant deny or ask; remove it (until then what is undecided matches)")
	}
	if r.own != nil && !r.hook.PassesOwn() {
		r.source.report("own", r.own.Begin, "metadata.own: pass is for a constant deny or ask with match: paths and an access that only removes; remove it (until then nothing is excepted)")
	}
	if r.form != nil && (r.hook.Match != Commands || r.hook.Pattern == "") {
		r.source.report("match-ignored", r.form.Begin, "metadata.form has no effect without matcher.pattern and metadata.match: commands; remove it")
	}
	for _, e := range r.metadata {
		if problem := metadataHint(e.Key); problem != "" {
			r.source.report("metadata-key", e.Begin, problem)
		}
	}
	r.lintAsync()
	r.lintMatch()
	r.lintNames()
	r.lintWhen()
	r.lintAllow()
	spec.SortDiagnostics(r.source.diagnostics)
	return r.hook, r.source.problems()
}

// readFast is like read for front matter that the everyday parser accepts; it
// returns false for any other.
func (p *Parser) readFast(bytes []byte, folder string) (*reader, bool) {
	p.source = source{bytes: bytes}
	p.reader = reader{source: &p.source, folder: folder, hook: newHook(), hints: &p.hints}
	r := &p.reader
	if !r.source.fences() {
		return nil, false
	}
	var ok bool
	r.root, ok = p.everyday.read(string(r.source.front()), r.source.start)
	if !ok {
		return nil, false
	}
	r.readHook()
	r.salvagePolicy()
	r.hook.Body = r.source.body
	return r, true
}

// Limit returns the time of all attempts of the hook together (SPEC.md 12.4).
func (h *Hook) Limit() time.Duration {
	if !spec.TimesEachAttempt(h.Protocol) {
		return h.Timeout
	}
	attempts := min(h.Retry, int(spec.MaxAttempts/spec.MinTimeout)) + 1
	return max(h.Timeout, min(h.Timeout*time.Duration(attempts), spec.MaxAttempts))
}

// Events returns the events on which the hook runs or, if it is invalid, fails: its trigger, which
// may be "", and OtherTriggers.
func (h *Hook) Events() []spec.EventType {
	return append([]spec.EventType{h.Trigger}, h.OtherTriggers...)
}

// named adds the events that a file names as its trigger, if it does so more than once.
func (h *Hook) named(triggers []spec.EventType) {
	for _, event := range triggers {
		switch {
		case len(triggers) < 2 || slices.Contains(h.Events(), event):
		case h.Trigger == "":
			h.Trigger = event
		default:
			h.OtherTriggers = append(h.OtherTriggers, event)
		}
	}
}

// newHook returns the hook of an empty HOOK.md (D9).
func newHook() Hook {
	return Hook{Timeout: spec.DefaultTimeout, Priority: spec.DefaultPriority, OnFailure: Allow}
}

// read does the part common to Parse and Check.
func read(bytes []byte, folder string) *reader {
	r := &reader{source: &source{bytes: bytes}, folder: folder}
	r.hook = newHook()
	ok := r.source.fences()
	if ok {
		r.root, ok = r.source.parse()
	}
	if ok {
		r.readHook()
		r.hook.named(r.source.triggers)
		r.salvagePolicy()
	} else {
		salvage(r.source.front(), &r.hook)
	}
	r.hook.Body = r.source.body
	return r
}
