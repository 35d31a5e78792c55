package agenthooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/async"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/internal/trust"
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
	Failed       Outcome = "failure"      // neither an answer nor a block (D27)
	TimedOut     Outcome = "timeout"      // the hook was stopped (D27)
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

// HookReport is the result of one hook. In JSON, Status to Dropped are the object
// "process", with the duration in ms, which is missing if no process was started.
type HookReport struct {
	Hook     string          `json:"hook"`  // its name
	Scope    string          `json:"scope"` // a discovery.Scope
	File     string          `json:"file"`  // its HOOK.md, absolute; "" if it has none
	Async    bool            `json:"async"`
	Matched  bool            `json:"matched"`                    // the hook applies to the event
	Failed   Condition       `json:"failed_condition,omitempty"` // the first condition that failed
	Saw      string          `json:"saw,omitempty"`              // the value that the condition saw
	Outcome  Outcome         `json:"outcome"`
	Cause    string          `json:"cause,omitempty"` // cause of a failure
	Status   int             `json:"-"`               // exit status; -1 if there is none
	Signal   string          `json:"-"`               // "SIGKILL" …
	Runs     int             `json:"-"`               // number of processes started, including retries and further passes
	Duration time.Duration   `json:"-"`
	Stdout   string          `json:"-"` // of the last process, possibly truncated
	Stderr   string          `json:"-"`
	Dropped  int64           `json:"-"`                 // bytes of both that exceeded the limits
	Answer   protocol.Answer `json:"-"`                 // in JSON, "answer"
	Would    string          `json:"would,omitempty"`   // for a hook that is only observed (D76): allow, ask, deny, change or none; otherwise ""
	Found    string          `json:"found,omitempty"`   // the text in which the hook's pattern was found or may be (D78); "" if there is none
	Unknown  string          `json:"unknown,omitempty"` // the part of Found because of which that is not decided (D92); "" if it is
	Passed   string          `json:"passed,omitempty"`  // why the hook passed although its pattern may match (D94); otherwise ""
	// Unvouched is the reason why a constant allow did not count (D78); otherwise "".
	Unvouched string `json:"unvouched,omitempty"`
	// Exception says how the user lets the call pass about which the hook asks, with an
	// override for hooks.toml; "" if no exception does.
	Exception string   `json:"-"`
	Guessed   string   `json:"guessed,omitempty"` // why an unknown tool counts as one that the hook's matcher names (D87); otherwise ""
	Warnings  []string `json:"warnings,omitempty"`

	hook    *discovery.Hook
	failure error  // the error of Cause, if the hook ran
	reason  string // that the hook gave for a block or a question, for the run log (D90)
}

// LogCause returns the cause of a failure for logs, without any text from the
// hook (D33).
func (h *HookReport) LogCause() string {
	if h.Passed != "" {
		return "it passed undecided"
	}
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

// MarshalJSON encodes the report of one hook.
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
	type fields HookReport
	report := struct {
		*fields
		Process *process         `json:"process,omitempty"`
		Answer  *protocol.Answer `json:"answer,omitempty"`
	}{fields: (*fields)(h)}
	if h.Runs > 0 {
		ms := float64(h.Duration.Round(10*time.Microsecond)) / float64(time.Millisecond)
		report.Process = &process{Signal: h.Signal, Runs: h.Runs, Duration: ms, Stdout: h.Stdout, Stderr: h.Stderr, Dropped: h.Dropped}
		if h.Status >= 0 {
			report.Process.Status = &h.Status
		}
	}
	if !h.Answer.Empty() {
		report.Answer = &h.Answer
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // as in an answer; json.Marshal escapes it again in the enclosing value
	err := enc.Encode(report)
	return bytes.TrimSpace(b.Bytes()), err
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

// records holds where the results of hooks are kept for the user (D33). The
// zero records keep nothing.
type records struct {
	state   string         // the directory; "" if there is none
	config  *configuration // nil: keep nothing
	scripts func(protocol string) script.System
}

func (o located) records(s *configuration) records {
	if o.NoLog || o.Isolated {
		return records{scripts: o.script}
	}
	return records{state: o.State, config: s, scripts: o.script}
}

// Log appends the run to the user's run log. Run calls it unless
// RunOptions.LogLater is set. It logs each hook that ran or failed. The warnings
// are single lines about hooks that the log leaves out; a log that cannot be
// written causes none (D33).
func (r *Report) Log() (warnings []string) {
	if r.records.config == nil {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			warnings = append(warnings, fmt.Sprintf("the run log: internal error: %v", p))
		}
	}()
	var entries []runlog.Entry
	project, reasons := 0, r.records.config.LogsReasons()
	for _, h := range r.Hooks {
		if !h.Matched || h.Outcome == NotReached || h.Outcome == Started {
			continue
		}
		if h.Scope == string(discovery.ProjectScope) {
			project++
			if project > maxLogged && h.Outcome != OutcomeDeny {
				continue
			}
		}
		entry := runlog.Entry{
			Time: time.Now(), Hook: h.Hook, Scope: h.Scope, Event: string(r.Event), Agent: r.Agent, Project: r.Project,
			Outcome: string(h.Outcome), Decision: h.Effect(), Gave: gave(h.Answer), Would: h.Would,
			DurationMS: float64(h.Duration) / float64(time.Millisecond), Cause: h.LogCause(), Reason: h.reason,
			Session: r.event.SessionID, Tool: toolName(r.event),
		}
		identify(&entry, h.hook.Dir, h.hook.Origin)
		if entry.User != "" {
			entry.Call = callOf(r.event)
		}
		if d := cmp.Or(h.Would, string(h.Answer.Decision)); isManaged(h.hook) && (d == string(protocol.Deny) || d == string(protocol.Ask)) {
			runlog.System(entry) // not a choice of the user's (D82)
		}
		if !reasons {
			entry.Reason = ""
		}
		entries = append(entries, entry)
	}
	if len(entries) == 0 {
		return nil
	}
	if dir := r.records.state; dir != "" {
		_ = runlog.Append(dir, entries...)
	}
	if project > maxLogged {
		return []string{fmt.Sprintf("the run log has only %d of the %d hooks of the project that this run concerned", maxLogged, project)}
	}
	return nil
}

// maxLogged limits how many of a project's hooks one run logs, so that a
// project with many hooks does not push older records out of the log. A deny is
// always logged.
const maxLogged = 100

// toolName returns the tool's name as the agent calls it; "" for none.
func toolName(e *protocol.Event) string {
	names, _ := e.ToolNames()
	return strings.Join(names, " ")
}

// callOf returns the agent's identifier of a tool call, as its transcripts have it; "" if it has none.
func callOf(e *protocol.Event) string {
	for _, key := range []string{"tool_call_id", "tool_use_id"} { // Qwen Code sends both, and keeps the first
		if ids, undecided := e.Field(key); undecided == "" && len(ids) == 1 {
			return ids[0]
		}
	}
	return ""
}

// identify adds who and what to the entry of a hook that has an opinion or failed:
// the account, the host, the digest of what ran, and where it is from. origin is
// the folder of which dir is a reviewed copy, or "".
func identify(e *runlog.Entry, dir, origin string) {
	if e.Outcome == string(OutcomeNone) && e.Would == "" && e.Gave == "" {
		return
	}
	e.User = cmp.Or(place.AccountName(), strconv.Itoa(os.Getuid()))
	e.Host, _ = os.Hostname()
	e.Source = runlog.Source(cmp.Or(origin, dir))
	if folder, err := trust.Read(dir); err == nil {
		e.Digest = folder.Digest()
	}
}

// gave names the parts of an answer other than its decision, for the run log.
func gave(a protocol.Answer) string {
	var parts []string
	for _, part := range []struct {
		name string
		has  bool
	}{
		{"input", a.ModifiedInput != nil}, {"prompt", a.ModifiedPrompt != ""}, {"output", a.UpdatedOutput != nil},
		{"context", a.AdditionalContext != ""}, {"message", a.SystemMessage != ""}, {"stop", a.Stop},
	} {
		if part.has {
			parts = append(parts, part.name)
		}
	}
	return strings.Join(parts, "+")
}

// logJob logs how an async hook ended and keeps the end of its output.
func (r records) logJob(job async.Job, result exec.Result) {
	if r.config == nil || r.state == "" {
		return
	}
	outcome, cause := r.outcome(job, result)
	reason := ""
	if outcome == OutcomeDeny || outcome == OutcomeAsk {
		reason = "async: it ran too late to block"
	}
	entry := runlog.Entry{
		Time: time.Now(), Hook: job.Label["hook"], Scope: job.Label["scope"], Event: job.Label["event"],
		Agent: job.Label["agent"], Project: job.Label["project"], Session: job.Label["session"], Tool: job.Label["tool"],
		Outcome: string(outcome), Decision: effect(outcome, true, protocol.NoOpinion),
		DurationMS: float64(result.Duration) / float64(time.Millisecond), Cause: cause,
		Reason: reason,
	}
	identify(&entry, job.Label["dir"], job.Label["origin"])
	_ = runlog.Append(r.state, entry) // the run log never causes a failure (D33)
	_ = runlog.KeepOutput(r.state, job.Label["hook"], result.Stdout.Data, result.Stderr.Data)
}

// Effect returns the effect on the operation if the outcome does not state it:
// allow, ask or deny for a failure, allow for a deny that did not count, none
// for an async or observed hook; otherwise "".
func (h *HookReport) Effect() string {
	if h.Would != "" && h.Outcome != OutcomeNone && h.Outcome != Canceled {
		return "none"
	}
	return effect(h.Outcome, h.Async, h.Answer.Decision)
}

func effect(outcome Outcome, async bool, d protocol.Decision) string {
	switch {
	case outcome == OutcomeNone:
		return ""
	case async || outcome == Canceled || outcome == NotEnforced:
		return "none"
	case outcome == Failed, outcome == TimedOut, outcome == OutcomeDeny:
		if d == protocol.NoOpinion {
			d = protocol.Allow
		}
	}
	if string(d) == string(outcome) {
		return ""
	}
	return string(d)
}
