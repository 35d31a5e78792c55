package record

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// redaction removes the secrets from one event.
type redaction struct {
	altered []Alteration
	more    int // number of alterations that are not listed
	noted   int // number of all alterations
}

// place is the position of a value in the event.
type place struct {
	parent *place
	key    string
	kind   string // the kind of secret that every value below it is; "" for none
	counts bool   // its name suggests that a number here is a count
	nested int    // number of JSON strings that enclose it
}

func (p *place) below(key string) place {
	return place{parent: p, key: key, kind: p.kind, counts: p.counts, nested: p.nested}
}

// pointer returns the place as a JSON pointer.
func (p *place) pointer() string {
	if p == nil || p.parent == nil {
		return ""
	}
	escaped := strings.ReplaceAll(strings.ReplaceAll(p.key, "~", "~0"), "/", "~1")
	return p.parent.pointer() + "/" + escaped
}

func (x *redaction) note(p *place, how string) {
	x.noted++
	for p.nested > 0 && p.parent != nil && p.parent.nested > 0 { // report the enclosing string
		p = p.parent
	}
	a := Alteration{p.pointer(), how}
	if slices.Contains(x.altered, a) {
		return
	}
	if len(x.altered) == maxAltered {
		x.more++
		return
	}
	x.altered = append(x.altered, a)
}

func (x *redaction) list() []Alteration {
	if x.more == 0 {
		return x.altered
	}
	return append(x.altered[:len(x.altered):len(x.altered)], Alteration{"", fmt.Sprintf("%d more", x.more)})
}

// value removes the secrets from n, which it may change, and returns the result.
func (x *redaction) value(n *node, at place) *node {
	switch {
	case n.open == '{':
		x.object(n, at)
	case n.open == '[':
		x.array(n, at)
	case n.isString():
		x.str(n, at)
	case at.kind != "" && rawjson.KindOf(n.raw) == rawjson.Number && !at.counts:
		x.note(&at, at.kind)
		n.setText(mark(at.kind))
	}
	return n
}

func (x *redaction) object(n *node, at place) {
	named := pairKind(n)
	for i := range n.members {
		m := &n.members[i]
		if key, kinds := Text(m.key); len(kinds) > 0 {
			m.raw, m.key = nil, key
			x.note(&at, kinds[0])
		}
		inner := at.below(m.key)
		if inner.kind == "" {
			inner.kind = secretKind(m.key)
			inner.counts = countsTokens(m.key)
		}
		if inner.kind == "" && named != "" && strings.HasPrefix(squeeze(m.key), "value") {
			inner.kind = named
		}
		m.value = x.value(m.value, inner)
	}
}

// pairKind returns the kind of secret in an object with a name and a value, such as a header or
// a variable.
func pairKind(n *node) string {
	for _, m := range n.members {
		switch squeeze(m.key) {
		case "name", "key", "header", "variable", "field", "id":
			if kind := secretKind(m.value.text); m.value.isString() && kind != "" {
				return kind
			}
		}
	}
	return ""
}

// array checks each element together with the previous one, because elements may be the
// arguments of a program, or the lines of a text.
func (x *redaction) array(n *node, at place) {
	flag, key := "", false
	for i := range n.members {
		v := n.members[i].value
		inner := at.below(strconv.Itoa(i))
		text := v.text
		if flag != "" && v.isString() && !strings.HasPrefix(text, "-") && !isHarmless(text) {
			inner.kind = flag
		}
		if key && v.isString() {
			inner.kind = "private-key"
		}
		flag = flagKind(text)
		keys, open := findKeys(text)
		key = open || key && len(keys) == 0
		n.members[i].value = x.value(v, inner)
	}
}

// flagKind returns the kind of secret that follows a flag as the next argument.
func flagKind(arg string) string {
	name := strings.TrimLeft(arg, "-")
	if dashes := len(arg) - len(name); dashes < 1 || dashes > 2 || strings.ContainsAny(name, "= \t\n") {
		return ""
	}
	return secretKind(name)
}

// maxStrings is the maximum nesting of JSON strings that are parsed.
const maxStrings = 3

// maxScanned is the maximum size of a text that is scanned; the rest of a longer one is
// omitted.
const maxScanned = 256 << 10

func (x *redaction) str(n *node, at place) {
	if n.text == "" || isMark(n.text) {
		return
	}
	if at.kind != "" {
		x.note(&at, at.kind)
		n.setText(mark(at.kind))
		return
	}
	text := n.text
	if len(text) > maxScanned {
		// The kept part ends well before this limit, so that no secret is cut.
		kept, kinds := Text(strings.ToValidUTF8(text[:maxScanned], ""))
		for _, kind := range kinds {
			x.note(&at, kind)
		}
		x.note(&at, "cut")
		kept = strings.ToValidUTF8(kept[:min(len(kept), maxText-200)], "")
		n.setText(fmt.Sprintf("%s\n[cut: %d bytes]", kept, len(text)-len(kept)))
		return
	}
	if !x.inner(n, at) {
		x.plain(n, at)
	}
}

func (x *redaction) plain(n *node, at place) {
	redacted, kinds := Text(n.text)
	if len(kinds) == 0 {
		return
	}
	for _, kind := range kinds {
		x.note(&at, kind)
	}
	n.setText(redacted)
}

// inner scans a string that is itself JSON, in which escapes could hide a secret from Text.
func (x *redaction) inner(n *node, at place) bool {
	trimmed := strings.TrimSpace(n.text)
	if at.nested == maxStrings || trimmed == "" || strings.IndexByte(`{["`, trimmed[0]) < 0 {
		return false
	}
	tree, err := parseTree([]byte(trimmed))
	if errors.Is(err, errNesting) {
		x.note(&at, "secret") // it may contain one
		n.setText(mark("secret"))
		return true
	}
	if err != nil {
		return false
	}
	before := x.noted
	inside := at
	inside.nested++
	tree = x.value(tree, inside)
	if x.noted > before {
		n.setText(string(tree.encode()))
	}
	return true
}

// cut shortens each string of more than limit bytes to its head and tail.
func (x *redaction) cut(n *node, limit int, at *place) {
	if at == nil {
		at = &place{}
	}
	for i := range n.members {
		m := &n.members[i]
		key := m.key
		if n.open == '[' {
			key = strconv.Itoa(i)
		}
		inner := at.below(key)
		x.cut(m.value, limit, &inner)
	}
	if n.open == 0 && n.isString() && len(n.text) > limit {
		x.note(at, "cut")
		n.setText(headAndTail(n.text, limit))
	}
}

// headAndTail shortens a text to at most limit bytes, including a note of the number of
// omitted bytes. It does not cut the mark of a secret, which may be longer than the secret.
func headAndTail(text string, limit int) string {
	const note = "\n[cut: 00000000 bytes]\n"
	half := max(0, (limit-len(note))/2)
	head := strings.ToValidUTF8(text[:half], "")
	tail := strings.ToValidUTF8(text[len(text)-half:], "")
	return fmt.Sprintf("%s\n[cut: %d bytes]\n%s", head, len(text)-len(head)-len(tail), tail)
}
