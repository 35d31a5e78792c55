package manifest

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/near"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

// reader converts the keys of a front matter to a hook.
type reader struct {
	source  *source
	folder  string
	entries []entry
	hook    Hook
	hints   *hints // nil: nothing is kept

	tool, pattern *node   // of the matcher, nil if not given
	metadata      []entry // of the metadata
	when          []*node // the patterns of hook.When
}

// readHook reads every key, in the file's order.
func (r *reader) readHook() {
	for _, e := range r.entries {
		r.source.key = e.key
		r.readKey(e)
	}
	for _, key := range [...]string{"name", "description", "trigger"} {
		if find(r.entries, key) == nil {
			r.source.key = key
			code := "missing-key"
			if key == "trigger" {
				code = "trigger"
			}
			r.source.report(code, 0, fmt.Sprintf("no key %q; the format requires name, description and trigger", key))
		}
	}
	r.source.key = "metadata"
	r.checkAnswer()
	r.keepDecision()
	r.source.key = ""
	r.checkIgnored()
}

// checkIgnored warns about a matcher on an event that has no tool (D15).
func (r *reader) checkIgnored() {
	if r.hook.Trigger == "" || r.hook.Trigger.IsTool() {
		return
	}
	for _, e := range r.entries {
		if e.key == "matcher" && (e.value.tag != "!!null" || r.tool != nil || r.pattern != nil) {
			r.source.report("matcher-ignored", e.offset, fmt.Sprintf("a matcher on %q, where it is ignored; remove it or use a tool event", r.hook.Trigger))
		}
	}
}

func (r *reader) readKey(e entry) {
	switch e.key {
	case "name":
		r.readName(e.value)
	case "description":
		r.readDescription(e.value)
	case "trigger":
		r.readTrigger(e.value)
	case "matcher":
		r.readMatcher(e.value)
	case "timeout":
		if ms, ok := r.integer("timeout", e, int(spec.MinTimeout.Milliseconds()), int(spec.MaxTimeout.Milliseconds())); ok {
			r.hook.Timeout, r.hook.TimeoutSet = time.Duration(ms)*time.Millisecond, true
		}
	case "async":
		r.readAsync(e.value)
	case "priority":
		if n, ok := r.integer("priority", e, 0, spec.MaxPriority); ok {
			r.hook.Priority = n
		}
	case "metadata":
		r.readMetadata(e.value)
	default:
		if !r.unindented(e) {
			r.unknownKey(e, "", []string{"matcher", "metadata"})
		}
	}
}

// unindented reads tool and pattern at the top level as the matcher's if
// matcher is null, because the format's own text shows them in this way (D9).
func (r *reader) unindented(e entry) bool {
	matcher := find(r.entries, "matcher")
	if e.key != "tool" && e.key != "pattern" || matcher == nil || matcher.tag != "!!null" {
		return false
	}
	r.source.report("matcher-indent", e.offset, fmt.Sprintf("%q is not indented; it counts as matcher.%s, but indent it: other readers ignore it", e.key, e.key))
	r.readMatcher(&node{tag: "!!map", entries: []entry{e}})
	return true
}

// unknownKey reports a key that is not valid in the mapping at prefix. inner
// lists the nested mappings in which the key may belong.
func (r *reader) unknownKey(e entry, prefix string, inner []string) {
	if len(r.source.diagnostics) >= maxProblems {
		r.source.leftOut++ // count it without the time that a hint takes
		return
	}
	r.source.report("unknown-key", e.offset, r.hints.get(prefix, e.key, func() string {
		return fmt.Sprintf("unknown key %q; %s", e.key, keyHint(e.key, prefix, inner))
	}))
}

// hints keeps the messages about keys, by mapping and key. The files of one
// author have the same keys, and comparing a key with all others takes longer
// than reading the rest of a file.
type hints struct{ texts map[[2]string]string }

// get returns a kept message or, for a new key, that of message.
func (h *hints) get(mapping, key string, message func() string) string {
	if h == nil {
		return message()
	}
	text, ok := h.texts[[2]string{mapping, key}]
	if ok {
		return text
	}
	if h.texts == nil {
		h.texts = map[[2]string]string{}
	}
	text = message()
	const limit = 64 // a hostile file has many keys
	if len(h.texts) < limit {
		h.texts[[2]string{mapping, strings.Clone(key)}] = text
	}
	return text
}

func keyHint(key, prefix string, inner []string) string {
	for _, mapping := range inner {
		for _, name := range keysBelow(mapping + ".") {
			if strings.EqualFold(name, key) {
				return fmt.Sprintf("%q belongs under %q", name, mapping)
			}
		}
	}
	known := keysBelow(prefix)
	if near, ok := near.Word(key, known); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	hint := "the keys here are " + strings.Join(known, ", ")
	if prefix == "" {
		hint += "; your own belong under \"metadata\""
	}
	return hint
}

func (r *reader) readDescription(n *node) {
	text, ok := r.text("description", n, "value-type")
	if !ok {
		return
	}
	r.hook.Description = text
	length := utf8.RuneCountInString(text)
	switch {
	case strings.TrimSpace(text) == "":
		r.source.report("description", n.offset, "an empty description; describe the hook in 1-1024 characters")
	case length > spec.MaxDescription:
		r.source.report("description", n.offset, fmt.Sprintf("a description of %d characters; the maximum is 1024", length))
	}
}

func (r *reader) readTrigger(n *node) {
	if n.tag == "!!seq" {
		r.wrongType(n, "trigger is %s; a hook has one event: make a folder for each")
		return
	}
	text, ok := r.text("trigger", n, "wrong-type")
	if !ok {
		return
	}
	if event := spec.EventType(text); event.Valid() {
		r.hook.Trigger = event
		return
	}
	var names []string
	for _, info := range spec.Events() {
		if !info.Extension {
			names = append(names, string(info.Event))
		}
	}
	hint := "it is one of " + strings.Join(names, ", ")
	if near, ok := near.Event(text); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	r.source.report("trigger", n.offset, fmt.Sprintf("unknown event %s; %s", shown.Quote(text), hint))
}

func (r *reader) readMatcher(n *node) {
	if n.tag == "!!null" {
		return
	}
	if n.tag != "!!map" {
		r.wrongType(n, "matcher is %s; write a mapping with `tool` or `pattern`, each a regular expression")
		return
	}
	for _, e := range n.entries {
		switch e.key {
		case "tool":
			r.hook.Tool, r.tool = r.expression(e)
			r.anyTool(e)
		case "pattern":
			r.hook.Pattern, r.pattern = r.expression(e)
		default:
			r.unknownKey(e, "matcher.", nil)
		}
	}
}

// anyTool accepts "*" for every tool, as other systems do (D9).
func (r *reader) anyTool(e entry) {
	if r.hook.Tool == "*" {
		r.hook.Tool, r.tool = "", nil
		r.source.report("tool-star", e.value.offset, "matcher.tool is \"*\", which counts as every tool; remove the key: as a regular expression it is invalid")
	}
}

// expression reads a regular expression. An empty value counts as absent.
func (r *reader) expression(e entry) (string, *node) {
	key := "matcher." + e.key
	if e.value.tag == "!!null" {
		r.source.report("value-type", e.value.offset, key+" is empty, which counts as absent; write an expression, or remove the key")
		return "", nil
	}
	text, ok := r.text(key, e.value, "wrong-type")
	if !ok {
		return "", nil
	}
	return text, e.value
}

// readAsync reads async. A hook whose value cannot be read is sync, because an
// async hook cannot block (D85).
func (r *reader) readAsync(n *node) {
	r.hook.AsyncSet = true
	value, exact, ok := n.boolean()
	switch {
	case !ok:
		r.problem("async", n, "async is %s; true or false (until then the hook is sync)")
	case !exact:
		r.problem("value-type", n, "async is %s; true or false")
	}
	r.hook.Async = value
}

// boolean reads true, false, and the words that people write for them. exact
// means that the format has the word (SPEC.md 4.6).
func (n *node) boolean() (value, exact, ok bool) {
	if n.tag != "!!bool" && n.tag != "!!str" && n.tag != "!!int" {
		return false, false, false
	}
	switch strings.ToLower(strings.TrimSpace(n.text)) {
	case "true", "yes", "1":
		return true, true, true
	case "on":
		return true, false, true
	case "false", "no", "0":
		return false, true, true
	case "off":
		return false, false, true
	}
	return false, false, false
}

// number reads an integer. exact means that it has the type of one.
func (n *node) number() (value int64, exact, ok bool) {
	var err error
	switch n.tag {
	case "!!int":
		// The spellings that the parser accepts: 0x10, 0o17, 1_000.
		value, err = strconv.ParseInt(strings.ReplaceAll(n.text, "_", ""), 0, 64)
		exact = true
	case "!!str":
		value, err = strconv.ParseInt(strings.TrimSpace(n.text), 10, 64)
	case "!!float":
		var f float64
		f, err = strconv.ParseFloat(strings.ReplaceAll(n.text, "_", ""), 64)
		if value = int64(f); float64(value) != f {
			return 0, false, false
		}
	default:
		return 0, false, false
	}
	return value, exact, err == nil
}

// integer reads an integer from low to high, and reports anything else with the
// key's own code.
func (r *reader) integer(code string, e entry, low, high int) (int, bool) {
	name := map[string]string{"timeout": "timeout (milliseconds)", "priority": "priority", "retry": "metadata.retry"}[code]
	if n, exact, ok := e.value.number(); ok && n >= int64(low) && n <= int64(high) {
		if !exact {
			r.problem("value-type", e.value, fmt.Sprintf("%s is %%s; write %d", name, n))
		}
		return int(n), true
	}
	hint := ""
	if seconds, err := strconv.Atoi(e.value.text); err == nil && code == "timeout" && seconds > 0 && seconds < low {
		hint = fmt.Sprintf("; it counts milliseconds: for %d s write %d", seconds, 1000*seconds)
	}
	if d, err := time.ParseDuration(e.value.text); err == nil && code == "timeout" && d > 0 && hint == "" && e.value.tag == "!!str" {
		hint = fmt.Sprintf("; it counts milliseconds: for %s write %d", e.value.text, d.Milliseconds())
	}
	r.problem(code, e.value, fmt.Sprintf("%s is %%s; an integer from %d to %d%s", name, low, high, hint))
	return 0, false
}

// text reads a string, or another scalar as its text. It reports any other
// value with the given code.
func (r *reader) text(key string, n *node, code string) (string, bool) {
	switch n.tag {
	case "!!str":
		return n.text, true
	case "!!int", "!!float", "!!bool", "!!timestamp":
		r.problem("value-type", n, key+" is %s; put it in quotes to make it a string")
		return n.text, true
	}
	r.problem(code, n, key+" is %s; a string")
	return "", false
}

func (r *reader) wrongType(n *node, format string) { r.problem("wrong-type", n, format) }

// problem reports a diagnostic in which the one %s of format is the description
// of the value.
func (r *reader) problem(code string, n *node, format string) {
	if !n.refused { // otherwise its tag has been reported
		r.source.report(code, n.offset, fmt.Sprintf(format, n.describe()))
	}
}

// describe describes a value for a message.
func (n *node) describe() string {
	kinds := map[string]string{"!!map": "a mapping", "!!seq": "a list", "!!null": "empty", "!!int": "the number ", "!!float": "the number ",
		"!!bool": "the boolean ", "!!timestamp": "the date ", "!!str": "the string "}
	kind := kinds[n.tag]
	if !strings.HasSuffix(kind, " ") {
		return kind
	}
	return kind + shown.Quote(n.text)
}

// keysBelow returns the names of the keys directly below prefix: "" for the front
// matter itself, "matcher." or "metadata." for a mapping in it.
func keysBelow(prefix string) []string {
	fields := spec.Fields()
	names := make([]string, 0, len(fields))
	for _, field := range fields {
		name, ok := strings.CutPrefix(field.Name, prefix)
		if ok && !strings.Contains(name, ".") {
			names = append(names, name)
		}
	}
	return names
}
