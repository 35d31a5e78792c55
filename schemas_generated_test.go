package agenthooks_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/agent-hooks/agent-hooks/internal/testschema"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// valuesOf are values for any key of a HOOK.md, as YAML.
var valuesOf = []string{
	"", "null", "''", "x", "'5000'", "5", "0", "-1", "6", "99", "100", "600000", "600001", "1000", "1001", "1.5", "true", "'true'", "yes", "'0'", "on", "[]", "{}",
	"[x]", "[read, write]", "[remove-tree]", "[5]", "[null]", "{a: b}", "{a: 5}", "{decision: deny}", "{decision: maybe}", "{reason: x}", "deny", "ask", "allow", "block",
	"values", "commands", "pipelines", "paths", "match", "pass", "pre-tool-call", "pre-llm-call", "post-tool", "claude-code", "claude", "j-cli", "nobody",
	"{tool: Shell}", "{tool: 5}", "{pattern: [x]}", "{tools: x}", "'*'", "a-b", "A", "a--b", "-a",
}

// notInSchema are differences between schema/hook.json and the checker that a
// schema cannot express.
var notInSchema = map[string]string{
	"matcher.pattern: '*'":     "an expression that does not compile",
	"metadata.undecided: pass": "only for a constant deny or ask",
	"metadata.own: pass":       "only for a constant deny or ask about removed paths",
}

// TestGeneratedHooks checks that schema/hook.json accepts and rejects what the
// checker does, for each key with each of many values.
func TestGeneratedHooks(t *testing.T) {
	schema, _ := spec.Schema("hook")
	compared := map[bool]int{}
	for _, field := range spec.Fields() {
		for _, value := range valuesOf {
			text := withValue(field.Name, value)
			var decoded map[string]any
			if err := yaml.Unmarshal([]byte(text), &decoded); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			name, _ := decoded["name"].(string)
			_, found := manifest.Check([]byte("---\n"+text+"---\n"), name)
			found = slices.DeleteFunc(found, func(d spec.Diagnostic) bool { return d.Severity != spec.Error })
			wrong, err := testschema.Check(schema, decoded)
			if err != nil {
				t.Fatal(err)
			}
			compared[wrong == ""]++
			if _, known := notInSchema[field.Name+": "+value]; (wrong == "") != (len(found) == 0) && !known {
				t.Errorf("%s: %s\n  the schema says %q, the checker %v", field.Name, value, wrong, found)
			}
		}
	}
	if compared[true] < 100 || compared[false] < 100 {
		t.Errorf("%v", compared)
	}
}

// withValue returns a front matter in which this key has this value.
func withValue(key, value string) string {
	keys := map[string]string{"name": "a", "description": "d", "trigger": "pre-tool-call"}
	text, below, found := "", "", false
	if above, rest, ok := strings.Cut(key, "."); ok {
		below, found = above, true
		if inner, last, ok := strings.Cut(rest, "."); ok {
			extra := ""
			if last != "decision" {
				extra = "    decision: deny\n"
			}
			text = fmt.Sprintf("%s:\n  %s:\n    %s: %s\n%s", below, inner, last, value, extra)
		} else {
			more := ""
			switch rest {
			case "native-event":
				more = "  protocol: cursor\n"
			case "access":
				more = "  match: paths\n"
			}
			text = fmt.Sprintf("%s:\n%s  %s: %s\n", below, more, rest, value)
		}
	}
	if !found {
		keys[key] = value
	}
	var all strings.Builder
	for _, k := range []string{"name", "description", "trigger", "matcher", "timeout", "async", "priority", "metadata"} {
		if v, ok := keys[k]; ok {
			fmt.Fprintf(&all, "%s: %s\n", k, v)
		}
	}
	return all.String() + text
}

// TestGeneratedAnswers checks that schema/answer.json rejects what is a bad
// answer (CORE.md 11.4), and nothing else. Of other systems' keys (ANSWERS.md
// 11.5) it accepts at least what the program reads.
func TestGeneratedAnswers(t *testing.T) {
	schema, _ := spec.Schema("answer")
	values := []string{`null`, `"allow"`, `"deny"`, `"ask"`, `"block"`, `"maybe"`, `""`, `"x"`, `5`, `true`, `false`, `{}`, `{"a": 1}`, `["x"]`}
	keys := []string{
		"decision", "reason", "modified_input", "additional_context", "system_message", "log", "updated_output", "modified_prompt", "continue", "stop_reason",
		"other", "permission", "permissionDecision", "hookSpecificOutput", "cancel", "approved", "action", "Decision", "decison",
	}
	compared := map[bool]int{}
	for _, key := range keys {
		for _, value := range values {
			for _, more := range []string{"", `, "additional_context": "x"`} {
				if more != "" && key == "additional_context" {
					continue
				}
				text := fmt.Sprintf("{%q: %s%s}", key, value, more)
				_, warnings, err := protocol.Judge(spec.PreToolCall, "h", protocol.Exit{Stdout: []byte(text)})
				bad := err != nil || slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, "only restrictions count") })
				var decoded any
				if err := json.Unmarshal([]byte(text), &decoded); err != nil {
					t.Fatal(err)
				}
				wrong, err := testschema.Check(schema, decoded)
				if err != nil {
					t.Fatal(err)
				}
				compared[wrong == ""]++
				own := slices.Contains(keys[:11], key)
				if own && (wrong == "") == bad || wrong != "" && !bad { // a schema cannot judge other systems' words
					t.Errorf("%s: the schema says %q, the program %q and bad: %v", text, wrong, warnings, bad)
				}
			}
		}
	}
	if compared[true] < 100 || compared[false] < 50 {
		t.Errorf("%v", compared)
	}
}
