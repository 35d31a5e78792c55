package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// Schema lists the values that an agent accepts in an answer of its own hooks.
// Null counts as absent.
type Schema struct {
	On     string // native events, separated by spaces; "*" means every event
	Values []Value
}

// Value describes the accepted values of some paths, with paths as in a Form.
type Value struct {
	Paths              []string
	Words              []string // these texts
	Text, Bool, Object bool     // or any of the kind
	Required           bool
}

func words(path string, accepted ...string) Value {
	return Value{Paths: []string{path}, Words: accepted}
}
func texts(paths ...string) Value   { return Value{Paths: paths, Text: true} }
func bools(paths ...string) Value   { return Value{Paths: paths, Bool: true} }
func objects(paths ...string) Value { return Value{Paths: paths, Object: true} }

// The schemas of Claude Code and of the agents that follow it.
var claudeSchema = []Schema{
	{"*", []Value{
		words("decision", "block", "approve"), texts("reason"), bools("continue"), texts("stopReason", "systemMessage"), bools("suppressOutput"),
		texts("hso.additionalContext", "hso.permissionDecisionReason"), words("hso.decision.behavior", "allow", "deny"), texts("hso.decision.message"),
	}},
	{"PreToolUse", []Value{words("hso.permissionDecision", "allow", "deny", "ask", "defer")}},
}

// mismatch returns what in an answer breaks the agent's schema, "" if nothing
// does.
func (r *formReader) mismatch() string {
	for _, s := range r.agent.Judging.Schema {
		if !r.on(s.On) {
			continue
		}
		for i := range s.Values {
			if fault := r.faultOf(&s.Values[i]); fault != "" {
				return fault
			}
		}
	}
	return ""
}

// faultOf returns what in an answer is not as described.
func (r *formReader) faultOf(v *Value) string {
	for _, path := range v.Paths {
		path = Part{Path: path}.keys()
		if strings.HasPrefix(path, specificOutput) && r.agent.Judging.NeedsName && !r.named() {
			continue
		}
		found := slices.DeleteFunc(descend(r.object, path), func(v []byte) bool { return string(v) == "null" })
		if v.Required && len(found) == 0 {
			return path + " is missing"
		}
		for _, value := range found {
			if !v.accepts(value) {
				return fmt.Sprintf("%s is %s", path, clip(string(value)))
			}
		}
	}
	return ""
}

func (v *Value) accepts(value []byte) bool {
	text, isText := rawjson.Text(value)
	return isText && (v.Text || slices.Contains(v.Words, text)) || v.Object && isObject(value) ||
		v.Bool && (string(value) == "true" || string(value) == "false")
}

// broken judges an answer that breaks the agent's schema: it blocks where the
// agent blocks, and is a failure elsewhere. A restriction in it counts.
func (j *judgment) broken(a protocol.Answer, fault string) (protocol.Answer, error) {
	text := "not what " + j.agent.Title + " reads: " + fault
	switch {
	case a.Decision == protocol.Deny:
		return a, nil
	case j.on(j.agent.Judging.Strict):
		return j.deny("its answer is " + text), nil
	case a.Decision == protocol.Ask:
		return protocol.Answer{Decision: protocol.Ask, Reason: a.Reason}, nil
	}
	return protocol.Answer{}, errors.New("bad answer: " + text)
}
