package manifest

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/near"
	"github.com/agent-hooks/agent-hooks/spec"
)

// readMetadata reads the free-form mapping and the extensions in it (D12).
func (r *reader) readMetadata(n *node) {
	if n.tag == "!!null" {
		return
	}
	if n.tag != "!!map" && !n.refused {
		r.unreadMetadata(n)
		return
	}
	r.metadata = n.entries
	r.hook.Metadata = mapping(n.entries)
	answer := find(n.entries, "answer")
	answers := answer != nil && answer.tag != "!!null"
	for _, e := range n.entries {
		switch e.key {
		case "answer":
			r.readAnswer(e.value)
		case "match":
			r.readMatch(e.value)
		case "on-failure":
			r.readOnFailure(e.value)
		case "retry":
			r.hook.Retry, _ = r.integer("retry", e, 0, spec.MaxRetry)
		case "pure":
			r.readPure(e.value)
		case "protocol":
			if !answers { // otherwise it has no effect (D77)
				r.readProtocol(e.value)
			}
		case "native-event":
			if e.value.tag != "!!str" && !answers {
				r.wrongType(e.value, "metadata.native-event is %s; the name of an event of the protocol")
			}
		case "when":
			r.readWhen(e.value)
		}
	}
}

// unreadMetadata reports a value that is not a mapping. It affects the
// execution only if it contains one, such as a list with a line
// `- on-failure: deny`, or a text with a condition or a protocol. The policy in
// it counts.
func (r *reader) unreadMetadata(n *node) {
	code, text := "value-type", n.text
	for _, item := range n.items {
		text += "\n" + item.text
		if item.tag != "!!str" {
			code, text = "wrong-type", string(r.source.front())
			break
		}
	}
	if decides(text) {
		code = "wrong-type"
	}
	if policy, ok := salvagePolicy([]byte(text)); ok {
		r.hook.OnFailure, r.hook.OnFailureSet = policy, true
	}
	r.problem(code, n, "metadata is %s; write a mapping")
}

// decides reports whether a line of a text begins with a key that decides whether
// a hook runs or what its answer means.
func decides(text string) bool {
	for line := range strings.Lines(text) {
		key, _, found := strings.Cut(line, ":")
		field, _ := spec.FieldAt("metadata." + strings.ToLower(strings.Trim(key, "\"'-{[, \t")))
		if found && field.Deciding {
			return true
		}
	}
	return false
}

func (r *reader) readOnFailure(n *node) {
	policy, known := onFailure(n.text)
	r.hook.OnFailure, r.hook.OnFailureSet = policy, true
	if !known || n.tag != "!!str" {
		r.hook.OnFailure = Ask
		r.problem("on-failure", n, "metadata.on-failure is %s; allow, deny or ask (until then it counts as ask)")
	}
}

func (r *reader) readPure(n *node) {
	value, _, ok := n.boolean()
	switch {
	case !ok:
		r.problem("pure", n, "metadata.pure is %s; true or false (until then it counts as false)")
	case n.tag != "!!bool":
		r.problem("value-type", n, "metadata.pure is %s; true or false")
	}
	r.hook.Pure = value
}

// readWhen reads the conditions on fields of the event.
func (r *reader) readWhen(n *node) {
	if n.tag == "!!null" {
		return
	}
	if n.tag != "!!map" {
		r.wrongType(n, "metadata.when is %s; write a mapping from fields of the event to regular expressions")
		return
	}
	for _, e := range n.entries {
		if e.value.tag == "!!null" {
			r.source.report("value-type", e.value.offset, "metadata.when."+e.key+" is empty, which counts as absent; write an expression, or remove the key")
			continue
		}
		if text, ok := r.text("metadata.when."+e.key, e.value, "wrong-type"); ok {
			r.hook.When = append(r.hook.When, Condition{e.key, text})
			r.when = append(r.when, e.value)
		}
	}
}

func (r *reader) readProtocol(n *node) {
	r.hook.Protocol = n.text
	if n.tag == "!!str" && spec.KnownProtocol(n.text) {
		return
	}
	hint := "the known ones are " + strings.Join(spec.Protocols(), ", ")
	if near, ok := near.Word(n.text, spec.Protocols()); ok && n.text != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	r.problem("protocol", n, "metadata.protocol is %s; "+strings.ReplaceAll(hint, "%", "%%"))
}

// checkMetadataKeys reports keys that are probably misspelled keys of the
// format.
func (r *reader) checkMetadataKeys() {
	for _, e := range r.metadata {
		problem := r.hints.get("metadata.", e.key, func() string { return metadataHint(e.key) })
		if problem != "" {
			r.source.report("metadata-key", e.offset, problem)
		}
	}
}

// metadataHint returns the problem with a key of the metadata; "" if it has none.
func metadataHint(key string) string {
	near, ok := near.Word(key, keysBelow("metadata."))
	distance := utf8.RuneCountInString(near) - utf8.RuneCountInString(key)
	if !ok || near == key || distance > 2 { // it is only a prefix of ours
		return ""
	}
	return fmt.Sprintf("metadata key %q, which has no effect; did you mean %q?", key, near)
}

func mapping(entries []entry) map[string]any {
	m := make(map[string]any, len(entries))
	for _, e := range entries {
		m[e.key] = e.value.plain()
	}
	return m
}

// plain returns the value as string, bool, int64, float64, nil, []any or
// map[string]any.
func (n *node) plain() any {
	switch n.tag {
	case "!!map":
		return mapping(n.entries)
	case "!!seq":
		list := make([]any, len(n.items))
		for i := range n.items {
			list[i] = n.items[i].plain()
		}
		return list
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(n.text, "true")
	case "!!int":
		if i, err := strconv.ParseInt(strings.ReplaceAll(n.text, "_", ""), 0, 64); err == nil {
			return i
		}
	case "!!float":
		// Infinities and NaNs remain text, because JSON cannot represent them.
		if f, err := strconv.ParseFloat(strings.ReplaceAll(n.text, "_", ""), 64); err == nil && f-f == 0 {
			return f
		}
	}
	return n.text
}
