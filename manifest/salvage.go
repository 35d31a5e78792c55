package manifest

import (
	"bytes"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

// salvage reads the triggers and on-failure of a front matter that is not valid
// YAML, so that an invalid guard is a failure on its event, with its own policy
// (D5).
func salvage(front []byte, h *Hook) {
	isBreak := func(r rune) bool { return strings.ContainsRune("\n\r\u0085\u2028\u2029", r) } // as in YAML 1.1
	for line := range bytes.FieldsFuncSeq(front, isBreak) {
		key, value, ok := strings.Cut(string(line), ":")
		event := spec.EventType(bare(value))
		if !ok || strings.TrimLeft(key, " \t") != key || bare(key) != "trigger" || !event.Valid() {
			continue
		}
		if h.Trigger == "" {
			h.Trigger = event
		} else if !slices.Contains(h.Events(), event) {
			h.OtherTriggers = append(h.OtherTriggers, event)
		}
	}
	if policy, ok := salvagePolicy(front); ok {
		h.OnFailure, h.OnFailureSet = policy, true
	}
}

// salvagePolicy returns the strictest on-failure in the lines of a front matter:
// a description may contain one, too. The decision of a constant answer counts
// as one (D77).
func salvagePolicy(front []byte) (strictest OnFailure, found bool) {
	keys := []string{"on-failure", "decision", "answer"}
	if !bytes.Contains(front, []byte("answer")) {
		keys = keys[:1]
	}
	for line := range bytes.Lines(front) {
		text := strings.TrimSpace(string(line))
		if strings.HasPrefix(text, "#") {
			continue
		}
		for _, key := range keys {
			rest := text
			for at := strings.Index(rest, key); at >= 0; at = strings.Index(rest, key) {
				rest = rest[at:]
				if policy, ok := salvageValue(rest, key); ok && (key != "answer" || policy == Deny || policy == Ask) {
					found = true
					strictest = stricter(strictest, policy)
				}
				rest = rest[1:]
			}
		}
	}
	return strictest, found
}

// salvageValue reads the first on-failure or decision in a line, which may be in a
// mapping in braces. A value that is not one of the three is Ask, as in a file that
// parses (D12), except after the answer, which is mostly a mapping.
func salvageValue(line, key string) (OnFailure, bool) {
	_, rest, ok := strings.Cut(line, key)
	rest = strings.TrimLeft(rest, `"' `)
	if !ok || !strings.HasPrefix(rest, ":") {
		return "", false
	}
	value := rest[1:]
	if end := strings.IndexAny(value, ",}]"); end >= 0 {
		value = value[:end]
	}
	value = strings.Trim(bare(value), "[ \"'")
	if key == "on-failure" {
		policy, _ := onFailure(value)
		return policy, true
	}
	policy, known := decision(value)
	return policy, known || key == "decision"
}

// bare strips a comment, spaces and quotes.
func bare(s string) string {
	s, _, _ = strings.Cut(s, " #")
	return strings.Trim(s, "\"' \t\r")
}

func onFailure(text string) (policy OnFailure, known bool) {
	policy = OnFailure(text)
	switch policy {
	case Allow, Deny, Ask:
		return policy, true
	}
	return Ask, false
}

// stricter returns the stricter of two policies.
func stricter(a, b OnFailure) OnFailure {
	order := [...]OnFailure{"", Allow, Ask, Deny}
	return order[max(slices.Index(order[:], a), slices.Index(order[:], b))]
}

// salvagePolicy lets a hook with a defect that may hide its on-failure, such as a
// merge key or a repeated one, fail with the strictest policy in its front matter.
func (r *reader) salvagePolicy() {
	if r.hook.OnFailure == Deny || !slices.ContainsFunc(r.source.diagnostics, spec.Diagnostic.Fatal) {
		return
	}
	if policy, found := salvagePolicy(r.source.front()); found && stricter(policy, r.hook.OnFailure) != r.hook.OnFailure {
		r.hook.OnFailure, r.hook.OnFailureSet = policy, true
	}
}
