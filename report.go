package agenthooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Outcome is the result of one hook in a run.
type Outcome string

// The outcomes. HookReport.Cause is the cause of a failure, and
// HookReport.Effect its effect on the operation.
const (
	NotConcerned Outcome = "not-concerned" // a condition failed: it did not run
	NotReached   Outcome = "not-reached"   // an earlier hook blocked
	NotNeeded    Outcome = "not-needed"    // a pure hook that was stopped because an earlier hook blocked (D73)
	OutcomeNone  Outcome = "none"          // it ran and had no opinion
	OutcomeAllow Outcome = "allow"
	OutcomeAsk   Outcome = "ask"
	OutcomeDeny  Outcome = "deny"
	NotEnforced  Outcome = "not-enforced" // a deny that the caller cannot enforce on the event (D44)
	Failed       Outcome = "failure"      // D27
	TimedOut     Outcome = "timeout"      // D27
	Started      Outcome = "started"      // async: its outcome is in the run log
	Canceled     Outcome = "canceled"     // the run's context ended before the hook had decided (D71)
)

// Report describes one run (D32).
type Report struct {
	Event   spec.EventType `json:"event"`
	Agent   string         `json:"agent,omitempty"`
	Project string         `json:"project"` // the project's root
	WorkDir string         `json:"work_dir"`
	// Blocked means that the operation must not continue as intended: a hook
	// blocked it, the run was canceled, or the hooks were not loaded or the
	// event is not one of the format.
	Blocked   bool   `json:"blocked"`
	BlockedBy string `json:"blocked_by,omitempty"` // the hook that blocked; "" if no hook did
	// Canceled means that the run's context ended before every hook had decided
	// (D71). Blocked is then true, and the answer is a deny.
	Canceled bool            `json:"canceled,omitempty"`
	Answer   protocol.Answer `json:"answer"` // the merged answer of all hooks (D28)
	Hooks    []*HookReport   `json:"hooks"`  // each hook considered, in order
	// Warnings are all warnings of the run as single lines for the user: those
	// of the plan, then those of the hooks, which begin with "hook NAME: ".
	Warnings []string      `json:"warnings,omitempty"`
	Duration time.Duration `json:"-"`

	event   *protocol.Event // as the hooks first read it
	records records
}

// HookReport is the result of one hook.
type HookReport struct {
	Hook     string // its name
	Scope    string // a discovery.Scope
	File     string // its HOOK.md, absolute; "" if it has none
	Async    bool
	Matched  bool      // the hook applies to the event
	Failed   Condition // the first condition that failed
	Saw      string    // the value that the condition saw
	Outcome  Outcome
	Cause    string // cause of a failure
	Status   int    // exit status; -1 if there is none
	Signal   string // "SIGKILL" …
	Runs     int    // number of processes started, including retries and further passes
	Duration time.Duration
	Answer   protocol.Answer
	Would    string // for a hook that is only observed (D76): allow, ask, deny, change or none; otherwise ""
	Stdout   string // of the last process, possibly truncated
	Stderr   string
	Dropped  int64  // bytes of both that exceeded the limits
	Found    string // the text in which the hook's pattern was found (D78); "" if there is none
	// Unvouched is the reason why a constant allow did not count (D78); otherwise "".
	Unvouched string
	Guessed   string // why an unknown tool counts as one that the hook's matcher names (D87); otherwise ""
	Warnings  []string

	failure error  // the error of Cause, if the hook ran
	reason  string // that the hook gave for a block or a question, for the run log (D90)
}

// LogCause returns the cause of a failure for logs, without any text from the
// hook (D33).
func (h *HookReport) LogCause() string {
	if h.Cause == "" || h.failure == nil {
		return h.Cause
	}
	return logCause(h.failure)
}

func logCause(failure error) string {
	var quoting *protocol.QuotingError
	if errors.As(failure, &quoting) {
		var explained *explainedError
		if errors.As(failure, &explained) {
			return quoting.Class + " (" + explained.why + ")"
		}
		return quoting.Class
	}
	return failure.Error()
}

// MarshalJSON encodes the report of one hook, with durations in ms, and omits
// the fields of steps that were not reached.
func (h *HookReport) MarshalJSON() ([]byte, error) {
	type process struct {
		Status   *int    `json:"exit_status,omitempty"`
		Signal   string  `json:"signal,omitempty"`
		Runs     int     `json:"runs"`
		Duration float64 `json:"duration_ms"`
		Stdout   string  `json:"stdout,omitempty"`
		Stderr   string  `json:"stderr,omitempty"`
		Dropped  int64   `json:"dropped_bytes,omitempty"`
	}
	var proc *process
	if h.Runs > 0 {
		proc = &process{Signal: h.Signal, Runs: h.Runs, Duration: milliseconds(h.Duration), Stdout: h.Stdout, Stderr: h.Stderr, Dropped: h.Dropped}
		if h.Status >= 0 {
			proc.Status = &h.Status
		}
	}
	var answer *protocol.Answer
	if !h.Answer.Empty() {
		answer = &h.Answer
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // as in an answer; json.Marshal escapes it again in the enclosing value
	err := enc.Encode(struct {
		Hook     string           `json:"hook"`
		Scope    string           `json:"scope"`
		File     string           `json:"file"`
		Async    bool             `json:"async"`
		Matched  bool             `json:"matched"`
		Failed   Condition        `json:"failed_condition,omitempty"`
		Saw      string           `json:"saw,omitempty"`
		Outcome  Outcome          `json:"outcome"`
		Cause    string           `json:"cause,omitempty"`
		Process  *process         `json:"process,omitempty"`
		Answer   *protocol.Answer `json:"answer,omitempty"`
		Would    string           `json:"would,omitempty"`
		Found    string           `json:"found,omitempty"`
		Unvouch  string           `json:"unvouched,omitempty"`
		Guessed  string           `json:"guessed,omitempty"`
		Warnings []string         `json:"warnings,omitempty"`
	}{h.Hook, h.Scope, h.File, h.Async, h.Matched, h.Failed, h.Saw, h.Outcome, h.Cause, proc, answer, h.Would, h.Found, h.Unvouched, h.Guessed, h.Warnings})
	return bytes.TrimSpace(b.Bytes()), err
}

func milliseconds(d time.Duration) float64 {
	return float64(d.Round(10*time.Microsecond)) / float64(time.Millisecond)
}

func (h *HookReport) warnf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	for _, w := range h.Warnings {
		if w == text {
			return
		}
	}
	h.Warnings = append(h.Warnings, text)
}
