package manifest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/spec"
)

// twoValues has two values for each key of the format, with different effects.
var twoValues = map[string][2]string{
	"name":        {"a", "b"},
	"description": {"d", "e"},
	"trigger":     {"pre-tool-call", "post-tool-call"},
	"matcher":     {"{tool: Shell}", "{tool: Grep}"},

	"matcher.tool":        {"Shell", "Grep"},
	"matcher.pattern":     {"x", "y"},
	"timeout":             {"500", "600"},
	"async":               {"true", "false"},
	"priority":            {"1", "2"},
	"metadata":            {"{retry: 1}", "{retry: 2}"},
	"metadata.on-failure": {"deny", "ask"},
	"metadata.retry":      {"1", "2"},
	"metadata.pure":       {"true", "false"},
	"metadata.when":       {"{cwd: x}", "{cwd: y}"},
	"metadata.protocol":   {"cursor", "gemini"},
	"metadata.process":    {"one", "two"},
	"metadata.match":      {"commands", "paths"},
	"metadata.access":     {"[read]", "[write, remove-tree]"},
	"metadata.unless":     {"[x]", "[y]"},
	"metadata.form":       {"marked", "spaced"},
	"metadata.undecided":  {"match", "pass"},
	"metadata.own":        {"pass", "keep"},
	"metadata.answer":     {"{decision: deny}", "{decision: ask}"},

	"metadata.native-event":              {"beforeShellExecution", "beforeReadFile"},
	"metadata.answer.decision":           {"deny", "ask"},
	"metadata.answer.reason":             {"r", "s"},
	"metadata.answer.additional_context": {"r", "s"},
	"metadata.answer.system_message":     {"r", "s"},
}

// TestEveryKey checks each key of spec.Fields: its value is read, repeating it stops a hook unless
// its value is for people, and the other columns of the table have their effect (SPEC.md 4.8).
func TestEveryKey(t *testing.T) {
	for _, field := range spec.Fields() {
		values, ok := twoValues[field.Name]
		if !ok {
			t.Errorf("twoValues in this test lacks %s", field.Name)
			continue
		}
		first, second := parsed(field, values[0]), parsed(field, values[1])
		if cmp.Equal(first.hook, second.hook) {
			t.Errorf("%s: %s and %s have the same effect", field.Name, values[0], values[1])
		}
		repeated := parsed(field, values[:]...)
		if got := slices.Contains(repeated.codes, "duplicate-key"); got == field.People {
			t.Errorf("%s: twice: %v; spec.Fields says People: %v", field.Name, repeated.codes, field.People)
		}
		key, below := strings.CutPrefix(field.Name, "metadata.")
		if below && !strings.Contains(key, ".") {
			_, ds := Parse(fmt.Appendf(nil, "---\ntrigger: pre-tool-call\nmetadata: |\n  %s: x\n---\n", key), "a")
			if got := slices.ContainsFunc(ds, spec.Diagnostic.Fatal); got != field.Deciding {
				t.Errorf("%s: in a text stops the hook: %v; spec.Fields says Deciding: %v", field.Name, got, field.Deciding)
			}
		}
	}
}

// TestScriptKeys checks that each key that concerns only a script is reported next to a constant
// answer, and no other.
func TestScriptKeys(t *testing.T) {
	for _, field := range spec.Fields() {
		key, below := strings.CutPrefix(field.Name, "metadata.")
		if field.Name == "metadata" || strings.HasPrefix(key, "answer") || strings.Contains(key, ".") {
			continue
		}
		text := "---\nname: a\ndescription: d\n"
		if field.Name != "trigger" {
			text += "trigger: pre-tool-call\n"
		}
		line := key + ": " + twoValues[field.Name][0] + "\n"
		if below {
			text += "metadata:\n  answer: {decision: deny}\n  " + line
		} else {
			text += line + "metadata: {answer: {decision: deny}}\n"
		}
		_, ds := Parse([]byte(text+"---\n"), "a")
		if got := slices.ContainsFunc(ds, func(d spec.Diagnostic) bool { return d.Code == "answer" }); got != field.Script {
			t.Errorf("%s: reported next to an answer: %v; spec.Fields says Script: %v", field.Name, got, field.Script)
		}
	}
}

// result is a hook without the values that Parse keeps unread, and the codes of its problems.
type result struct {
	hook  Hook
	codes []string
}

// parsed parses a hook that has a key with each of the values.
func parsed(field spec.Field, values ...string) (r result) {
	path := strings.Split(field.Name, ".")
	indent := strings.Repeat("  ", len(path)-1)
	var b strings.Builder
	b.WriteString("---\n")
	if field.Name != "trigger" {
		b.WriteString("trigger: pre-tool-call\n")
	}
	for i, key := range path[:len(path)-1] {
		b.WriteString(strings.Repeat("  ", i) + key + ":\n")
	}
	for _, value := range values {
		b.WriteString(indent + path[len(path)-1] + ": " + value + "\n")
	}
	if field.Name == "metadata.answer.reason" { // without a decision, it counts for nothing
		b.WriteString(indent + "decision: deny\n")
	}
	hook, ds := Parse([]byte(b.String()+"---\n"), "a")
	hook.Body = 0
	if field.Name != "metadata.native-event" { // the only key that others read there
		hook.Metadata = nil
	}
	for _, d := range ds {
		r.codes = append(r.codes, d.Code)
	}
	r.hook = hook
	return r
}
