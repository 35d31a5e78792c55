package manifest

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/spec"
)

// reader converts the keys of a front matter to a hook.
type reader struct {
	source *source
	folder string
	root   *tree.Node
	hook   Hook
	hints  *hints // nil: nothing is kept

	tool, pattern *tree.Node   // of the matcher, nil if not given
	metadata      []*tree.Node // of the metadata
	when          []*tree.Node // the patterns of hook.When
	unless        []*tree.Node // the expressions of hook.Unless
	undecided     *tree.Node   // metadata.undecided: pass, nil if not given
	own           *tree.Node   // metadata.own: pass, nil if not given
	form          *tree.Node   // metadata.form: marked, nil if not given
}

// readHook reads every key, in the file's order.
func (r *reader) readHook() {
	for _, e := range r.root.Children {
		r.source.key = e.Key
		r.readKey(e)
	}
	for _, key := range [...]string{"name", "description", "trigger"} {
		if r.root.Member(key) == nil {
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
	e := r.root.Member("matcher")
	if e != nil && r.hook.Trigger != "" && !r.hook.Trigger.IsTool() && (e.Tag != tree.Null || r.tool != nil || r.pattern != nil) { // (D15)
		r.source.report("matcher-ignored", e.Begin, fmt.Sprintf("a matcher on %q, where it is ignored; remove it or use a tool event", r.hook.Trigger))
	}
}

// unindented reads tool and pattern at the top level as the matcher's if
// matcher is null, because the format's own text shows them in this way (D9).
func (r *reader) unindented(e *tree.Node) bool {
	if e.Key != "tool" && e.Key != "pattern" {
		return false
	}
	if matcher := r.root.Member("matcher"); matcher == nil || matcher.Tag != tree.Null {
		return false
	}
	r.source.report("matcher-indent", e.Begin, fmt.Sprintf("%q is not indented; it counts as matcher.%s, but indent it: other readers ignore it", e.Key, e.Key))
	r.readMatcher(&tree.Node{Tag: tree.Mapping, Children: []*tree.Node{e}})
	return true
}

// unknownKey reports a key that is not valid in the mapping at prefix. inner
// lists the nested mappings in which the key may belong.
func (r *reader) unknownKey(e *tree.Node, prefix string, inner []string) {
	if len(r.source.diagnostics) >= maxProblems {
		r.source.leftOut++ // count it without the time that a hint takes
		return
	}
	r.source.report("unknown-key", e.Begin, r.hints.get(prefix, e.Key, func() string {
		return fmt.Sprintf("unknown key %q; %s", e.Key, keyHint(e.Key, prefix, inner))
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
	if near, ok := shown.Near(key, known); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	hint := "the keys here are " + strings.Join(known, ", ")
	if prefix == "" {
		hint += "; your own belong under \"metadata\""
	}
	return hint
}

func (r *reader) readDescription(n *tree.Node) {
	text, ok := r.text("description", n, "value-type")
	if !ok {
		return
	}
	r.hook.Description = text
	switch {
	case strings.TrimSpace(text) == "":
		r.source.report("description", n.Start, "an empty description; describe the hook in 1-1024 characters")
	case len(text) > spec.MaxDescription && utf8.RuneCountInString(text) > spec.MaxDescription:
		r.source.report("description", n.Start, fmt.Sprintf("a description of %d characters; the maximum is 1024", utf8.RuneCountInString(text)))
	}
}

func (r *reader) readTrigger(n *tree.Node) {
	if n.Tag == tree.List {
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
	if near, ok := shown.NearEvent(text); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	r.source.report("trigger", n.Start, fmt.Sprintf("unknown event %s; %s", shown.Quote(text), hint))
}

func (r *reader) readMatcher(n *tree.Node) {
	if n.Tag == tree.Null {
		return
	}
	if n.Tag != tree.Mapping {
		r.wrongType(n, "matcher is %s; write a mapping with `tool` or `pattern`, each a regular expression")
		return
	}
	for _, e := range n.Children {
		switch e.Key {
		case "tool":
			r.hook.Tool, r.tool = r.expression(e)
			if r.hook.Tool == "*" { // every tool, as in other systems (D9)
				r.hook.Tool, r.tool = "", nil
				r.source.report("tool-star", e.Start, "matcher.tool is \"*\", which counts as every tool; remove the key: as a regular expression it is invalid")
			}
		case "pattern":
			r.hook.Pattern, r.pattern = r.expression(e)
		default:
			r.unknownKey(e, "matcher.", nil)
		}
	}
}

// expression reads a regular expression. An empty value counts as absent.
func (r *reader) expression(e *tree.Node) (string, *tree.Node) {
	key := "matcher." + e.Key
	if e.Tag == tree.Null {
		r.source.report("value-type", e.Start, key+" is empty, which counts as absent; write an expression, or remove the key")
		return "", nil
	}
	text, ok := r.text(key, e, "wrong-type")
	if !ok {
		return "", nil
	}
	return text, e
}

// readAsync reads async. A hook whose value cannot be read is sync, because an
// async hook cannot block (D85).
func (r *reader) readAsync(n *tree.Node) {
	r.hook.AsyncSet = true
	value, exact, ok := boolean(n)
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
func boolean(n *tree.Node) (value, exact, ok bool) {
	if n.Tag != tree.Bool && n.Tag != tree.String && n.Tag != tree.Int {
		return false, false, false
	}
	switch strings.ToLower(strings.TrimSpace(n.Text)) {
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

// numberOf reads an integer. exact means that it has the type of one.
func numberOf(n *tree.Node) (value int64, exact, ok bool) {
	var err error
	switch n.Tag {
	case tree.Int:
		// The spellings that the parser accepts: 0x10, 0o17, 1_000.
		value, err = strconv.ParseInt(strings.ReplaceAll(n.Text, "_", ""), 0, 64)
		exact = true
	case tree.String:
		value, err = strconv.ParseInt(strings.TrimSpace(n.Text), 10, 64)
	case tree.Float:
		var f float64
		f, err = strconv.ParseFloat(strings.ReplaceAll(n.Text, "_", ""), 64)
		value = int64(f)
		if float64(value) != f {
			return 0, false, false
		}
	default:
		return 0, false, false
	}
	return value, exact, err == nil
}

// integer reads an integer from low to high, and reports anything else with the
// key's own code.
func (r *reader) integer(code string, e *tree.Node, low, high int) (int, bool) {
	name := map[string]string{"timeout": "timeout (milliseconds)", "priority": "priority", "retry": "metadata.retry"}[code]
	if n, exact, ok := numberOf(e); ok && n >= int64(low) && n <= int64(high) {
		if !exact {
			r.problem("value-type", e, fmt.Sprintf("%s is %%s; write %d", name, n))
		}
		return int(n), true
	}
	hint := ""
	if seconds, err := strconv.Atoi(e.Text); err == nil && code == "timeout" && seconds > 0 && seconds < low {
		hint = fmt.Sprintf("; it counts milliseconds: for %d s write %d", seconds, 1000*seconds)
	}
	if d, err := time.ParseDuration(e.Text); err == nil && code == "timeout" && d > 0 && hint == "" && e.Tag == tree.String {
		hint = fmt.Sprintf("; it counts milliseconds: for %s write %d", e.Text, d.Milliseconds())
	}
	r.problem(code, e, fmt.Sprintf("%s is %%s; an integer from %d to %d%s", name, low, high, hint))
	return 0, false
}

// text reads a string, or another scalar as its text. It reports any other
// value with the given code.
func (r *reader) text(key string, n *tree.Node, code string) (string, bool) {
	switch n.Tag {
	case tree.String:
		return n.Text, true
	case tree.Int, tree.Float, tree.Bool, tree.Time:
		r.problem("value-type", n, key+" is %s; put it in quotes to make it a string")
		return n.Text, true
	}
	r.problem(code, n, key+" is %s; a string")
	return "", false
}

func (r *reader) wrongType(n *tree.Node, format string) { r.problem("wrong-type", n, format) }

// problem reports a diagnostic in which the one %s of format is the description
// of the value.
func (r *reader) problem(code string, n *tree.Node, format string) {
	if !refused(n) { // otherwise its tag has been reported
		r.source.report(code, n.Start, fmt.Sprintf(format, describe(n)))
	}
}

// describe describes a value for a message.
func describe(n *tree.Node) string {
	kinds := map[string]string{tree.Mapping: "a mapping", tree.List: "a list", tree.Null: "empty", tree.Int: "the number ", tree.Float: "the number ",
		tree.Bool: "the boolean ", tree.Time: "the date ", tree.String: "the string "}
	kind := kinds[n.Tag]
	if !strings.HasSuffix(kind, " ") {
		return kind
	}
	return kind + shown.Quote(n.Text)
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
