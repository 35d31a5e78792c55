// Package record stores recent events and the hooks' verdicts on them, so that they can be
// replayed: one JSON file of bounded size per event, without the secrets that can be
// recognized.
//
// It runs no hooks. Callers may ignore its errors, which should not make a run fail.
package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

const (
	maxEvent  = 2 << 20   // bytes of an event that is recorded
	maxRecord = 256 << 10 // bytes of a record's file
	maxText   = 16 << 10  // bytes kept of each string in the event
	version   = 1
)

// Record is one event and its results.
type Record struct {
	Version  int             `json:"agent_hooks_record"` // 1
	Time     time.Time       `json:"time"`
	Trigger  spec.EventType  `json:"trigger"`
	Agent    string          `json:"agent,omitempty"`
	Project  string          `json:"project,omitempty"` // the project's root
	WorkDir  string          `json:"work_dir,omitempty"`
	Blocked  bool            `json:"blocked"`
	Decision string          `json:"decision,omitempty"`       // of all hooks together
	Modified bool            `json:"modified_input,omitempty"` // the input was changed
	Gave     string          `json:"gave,omitempty"`           // the other parts of the answer, as in the run log
	Hooks    []Hook          `json:"hooks"`                    // each hook on the trigger, in order
	Altered  []Alteration    `json:"altered,omitempty"`        // what was changed in the event
	LeftOut  string          `json:"left_out,omitempty"`       // why there is no event
	Event    json.RawMessage `json:"event,omitempty"`          // as hooks read it, except for the alterations
}

// Hook is the result of one hook.
type Hook struct {
	Hook       string  `json:"hook"`
	Scope      string  `json:"scope"`
	Async      bool    `json:"async,omitempty"`
	Outcome    string  `json:"outcome"`            // as in a report
	Decision   string  `json:"decision,omitempty"` // the decision for a failure: allow, ask or deny
	Modified   bool    `json:"modified_input,omitempty"`
	Changes    string  `json:"changes,omitempty"` // a short digest of what it changed the event to
	Status     *int    `json:"exit_status,omitempty"`
	DurationMS float64 `json:"duration_ms,omitempty"`
}

// Digest returns a short digest of the changes in an answer, by which a replay
// recognizes others; "" if there are none.
func Digest(input, output []byte, prompt string) string {
	if input == nil && output == nil && prompt == "" {
		return ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", input, output, prompt))
	return hex.EncodeToString(sum[:4])
}

// Alteration is a place in the event that was changed.
type Alteration struct {
	At  string `json:"at"`  // a JSON pointer into the event; "": How counts the omitted ones, "3 more"
	How string `json:"how"` // the kind of secret, or "cut"
}

// maxAltered is the maximum number of alterations in a record.
const maxAltered = 100

// Encode returns the content of the record's file. event, in the form that hooks read, is
// redacted and shortened until everything fits. size is the size of the whole event; event may
// be nil if it is TooLarge.
func (r Record) Encode(event []byte, size int) ([]byte, error) {
	r.Version = version
	r.Project, _ = Text(r.Project)
	r.WorkDir, _ = Text(r.WorkDir)
	if size > maxEvent {
		r.LeftOut = fmt.Sprintf("it has %d bytes", size)
		return r.marshal()
	}
	tree, err := parseTree(event)
	if err != nil {
		r.LeftOut = err.Error()
		return r.marshal()
	}
	x := &redaction{}
	tree = x.value(tree, place{})
	for limit := maxText; limit >= 64; limit /= 4 {
		x.cut(tree, limit, nil)
		r.Event, r.Altered = tree.encode(), x.list()
		text, err := r.marshal()
		if err != nil || len(text) <= maxRecord {
			return text, err
		}
	}
	r.Event, r.Altered, r.LeftOut = nil, nil, "it has too many parts"
	return r.marshal()
}

// TooLarge reports whether an event of that size is omitted from its record.
func TooLarge(size int) bool { return size > maxEvent }

func (r Record) marshal() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return nil, fmt.Errorf("encode the record: %w", err)
	}
	return b.Bytes(), nil
}

// errForeign is the error of Decode for JSON that is not a record.
var errForeign = errors.New("not a record")

// Decode parses a record. foreign reports whether the text is a JSON object other than a
// record, such as an agent's own event.
func Decode(text []byte) (r *Record, foreign bool, err error) {
	var mark struct {
		Version *json.RawMessage `json:"agent_hooks_record"`
	}
	if err := json.Unmarshal(text, &mark); err != nil {
		return nil, false, fmt.Errorf("not a JSON object: %w", inWords(err))
	}
	if !isObject(text) {
		return nil, false, errors.New("not a JSON object: it is null")
	}
	if mark.Version == nil {
		return nil, true, errForeign
	}
	r = new(Record)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, false, fmt.Errorf("not a record: %w", inWords(err))
	}
	switch {
	case r.Version != version:
		return nil, false, fmt.Errorf("a record of version %d; this program reads version %d", r.Version, version)
	case !r.Trigger.Valid():
		return nil, false, fmt.Errorf("a record of an unknown event %q", r.Trigger)
	case r.LeftOut == "" && !isObject(r.Event):
		return nil, false, errors.New("a record without its event")
	}
	return r, false, nil
}

// inWords describes a value of a wrong type without naming Go types.
func inWords(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	what := "a " + wrong.Value
	if wrong.Value == "array" || wrong.Value == "object" {
		what = "an " + wrong.Value
	}
	if wrong.Field == "" {
		return fmt.Errorf("it is %s", what)
	}
	return fmt.Errorf("%q is %s", wrong.Field, what)
}

func isObject(text []byte) bool {
	text = bytes.TrimSpace(text)
	return len(text) > 0 && text[0] == '{'
}
