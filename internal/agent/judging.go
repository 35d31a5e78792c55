package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// Judging defines how an agent reads the answers of its own hooks where that is
// not the reverse of its forms (D60). A list of events is separated by spaces;
// "*" means every event.
type Judging struct {
	// Also are further forms that the agent accepts for a part of an answer, on
	// every event that supports it.
	Also []Forms
	// Status2 are events, in addition to those with Exit2, on which exit status
	// 2 blocks.
	Status2 string
	// NeedsReason means that exit status 2 without a reason is not a block.
	NeedsReason bool
	// AnyStatus means that an answer in JSON counts at every exit status except
	// 2. Status2JSON means that it takes precedence at 2.
	AnyStatus, Status2JSON bool
	// Status2Reason means that, at exit status 2, the reason of a block in JSON
	// takes precedence over stderr. OneStream means that stdout or, if that is empty,
	// stderr is both the answer and the reason.
	Status2Reason, OneStream bool
	// Closed are events on which every other exit status blocks. Strict are events
	// on which an unreadable answer blocks, and one that breaks Schema. TextPasses
	// means that text there is no answer, unless it begins like JSON.
	Closed, Strict string
	TextPasses     bool
	// Plain are events on which text on stdout is context for the model. On
	// other events it is a message for the user if PlainMessage is set.
	Plain        string
	PlainMessage bool
	// NeedsName means that hookSpecificOutput counts only with the event's
	// hookEventName.
	NeedsName bool
	// Schema are the values that the agent accepts. An answer that breaks it
	// blocks on Strict events, and is a failure on others.
	Schema []Schema
	// NoText are events on which stdout that is not JSON is a failure.
	NoText string
	// ReplacesInput means that a changed input is the whole input: keys that it
	// lacks are removed. Otherwise it is merged with the current one.
	ReplacesInput bool
	// NoObjection means that an allow is only the absence of a deny, not a
	// grant.
	NoObjection bool

	// exit judges an exit status with a meaning of its own; the zero answer without
	// an error means that it has none. nil means that no status has.
	exit func(j *judgment) (protocol.Answer, error)
	// reject returns why the agent rejects an answer in JSON; nil rejects none.
	reject func(r *formReader) error
}

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
