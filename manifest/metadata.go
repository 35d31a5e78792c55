package manifest

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/spec"
)

func (r *reader) keep(e *tree.Node) {
	if r.hook.Metadata == nil {
		r.hook.Metadata = map[string]any{}
	}
	r.hook.Metadata[e.Key] = plain(e)
}

// unreadMetadata reports a value that is not a mapping. It affects the
// execution only if it contains one, such as a list with a line
// `- on-failure: deny`, or a text with a condition or a protocol. The policy in
// it counts.
func (r *reader) unreadMetadata(n *tree.Node) {
	code, text := "value-type", n.Text
	for _, item := range n.Children {
		text += "\n" + item.Text
		if item.Tag != tree.String {
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

func (r *reader) readOnFailure(n *tree.Node) {
	policy, known := onFailure(n.Text)
	r.hook.OnFailure, r.hook.OnFailureSet = policy, true
	if !known || n.Tag != tree.String {
		r.hook.OnFailure = Ask
		r.problem("on-failure", n, "metadata.on-failure is %s; allow, deny or ask (until then it counts as ask)")
	}
}

func (r *reader) readPure(n *tree.Node) {
	value, _, ok := boolean(n)
	switch {
	case !ok:
		r.problem("pure", n, "metadata.pure is %s; true or false (until then it counts as false)")
	case n.Tag != tree.Bool:
		r.problem("value-type", n, "metadata.pure is %s; true or false")
	}
	r.hook.Pure = value
}

// readWhen reads the conditions on fields of the event.
func (r *reader) readWhen(n *tree.Node) {
	if n.Tag == tree.Null {
		return
	}
	if n.Tag != tree.Mapping {
		r.wrongType(n, "metadata.when is %s; write a mapping from fields of the event to regular expressions")
		return
	}
	for _, e := range n.Children {
		if e.Tag == tree.Null {
			r.source.report("value-type", e.Start, "metadata.when."+e.Key+" is empty, which counts as absent; write an expression, or remove the key")
			continue
		}
		if text, ok := r.text("metadata.when."+e.Key, e, "wrong-type"); ok {
			r.hook.When = append(r.hook.When, Condition{e.Key, text})
			r.when = append(r.when, e)
		}
	}
}

func (r *reader) readProtocol(n *tree.Node) {
	r.hook.Protocol = n.Text
	if n.Tag == tree.String && spec.KnownProtocol(n.Text) {
		return
	}
	hint := "the known ones are " + strings.Join(spec.Protocols(), ", ")
	if near, ok := shown.Near(n.Text, spec.Protocols()); ok && n.Text != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	r.problem("protocol", n, "metadata.protocol is %s; "+strings.ReplaceAll(hint, "%", "%%"))
}

// metadataHint returns the problem with a key of the metadata that is probably a
// misspelled key of the format; "" if it has none.
func metadataHint(key string) string {
	near, ok := shown.Near(key, keysBelow("metadata."))
	distance := utf8.RuneCountInString(near) - utf8.RuneCountInString(key)
	if !ok || near == key || distance > 2 { // it is only a prefix of ours
		return ""
	}
	if len(near) < 4 && !strings.EqualFold(near, key) { // owner and on are near own
		return ""
	}
	return fmt.Sprintf("metadata key %q, which has no effect; did you mean %q?", key, near)
}

// plain returns the value as string, bool, int64, float64, nil, []any or
// map[string]any.
func plain(n *tree.Node) any {
	switch n.Tag {
	case tree.Mapping:
		m := make(map[string]any, len(n.Children))
		for _, e := range n.Children {
			m[e.Key] = plain(e)
		}
		return m
	case tree.List:
		list := make([]any, len(n.Children))
		for i := range n.Children {
			list[i] = plain(n.Children[i])
		}
		return list
	case tree.Null:
		return nil
	case tree.Bool:
		return strings.EqualFold(n.Text, "true")
	case tree.Int:
		if i, err := strconv.ParseInt(strings.ReplaceAll(n.Text, "_", ""), 0, 64); err == nil {
			return i
		}
	case tree.Float:
		// Infinities and NaNs remain text, because JSON cannot represent them.
		if f, err := strconv.ParseFloat(strings.ReplaceAll(n.Text, "_", ""), 64); err == nil && f-f == 0 {
			return f
		}
	}
	return n.Text
}
