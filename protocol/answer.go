package protocol

import (
	"bytes"
	"encoding/json"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// Decision is a hook's decision about the operation.
type Decision string

// The decisions, weakest first. No opinion is not an allow: the agent's own
// permission flow then decides (D28).
const (
	NoOpinion Decision = ""
	Allow     Decision = "allow"
	Ask       Decision = "ask"
	Deny      Decision = "deny"
)

func (d Decision) level() int {
	switch d {
	case Allow:
		return 1
	case Ask:
		return 2
	case Deny:
		return 3
	}
	return 0
}

// Answer is the answer of one hook, or the merged answer of all hooks (D25,
// SPEC.md 11.3). "" and nil mean that a part is absent.
type Answer struct {
	Decision          Decision
	Reason            string
	ModifiedInput     json.RawMessage // the whole new tool_input, a JSON object; only where spec.EventType.ChangesInput
	WholeInput        bool            // ModifiedInput omits the keys that it removes; for agents that merge inputs (D43)
	ModifiedPrompt    string          // the new prompt; pre-agent-turn only; "" means no change
	UpdatedOutput     json.RawMessage // the tool's new output, a JSON value; post-tool-call only
	AdditionalContext string          // for the model
	SystemMessage     string          // for the user
	Log               string          // for logs
	Stop              bool            // continue: false, the agent stops; on a pre-event together with a deny (D28)
	StopReason        string
	// NativeAsk means that every ask was made by a hook of the calling agent, in
	// the agent's own form.
	NativeAsk bool
	// Native is the part of an answer by a hook for another system that the
	// format cannot express, such as a changed request to the model; nil if
	// there is none. Hooks of the format cannot set it.
	Native json.RawMessage
}

// Empty reports whether a has no content.
func (a Answer) Empty() bool {
	return a.Decision == NoOpinion && a.Reason == "" && a.ModifiedInput == nil && a.ModifiedPrompt == "" && a.UpdatedOutput == nil &&
		a.AdditionalContext == "" && a.SystemMessage == "" && a.Log == "" && !a.Stop && a.StopReason == "" && a.Native == nil
}

// MarshalJSON encodes the answer as a hook would print it, omitting empty
// parts.
func (a Answer) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	var proceed *bool
	if a.Stop {
		proceed = new(bool)
	}
	err := enc.Encode(struct {
		Decision          Decision        `json:"decision,omitempty"`
		Reason            string          `json:"reason,omitempty"`
		ModifiedInput     json.RawMessage `json:"modified_input,omitempty"`
		ModifiedPrompt    string          `json:"modified_prompt,omitempty"`
		UpdatedOutput     json.RawMessage `json:"updated_output,omitempty"`
		AdditionalContext string          `json:"additional_context,omitempty"`
		SystemMessage     string          `json:"system_message,omitempty"`
		Log               string          `json:"log,omitempty"`
		Continue          *bool           `json:"continue,omitempty"`
		StopReason        string          `json:"stop_reason,omitempty"`
		Native            json.RawMessage `json:"native_answer,omitempty"`
	}{a.Decision, a.Reason, a.ModifiedInput, a.ModifiedPrompt, a.UpdatedOutput, a.AdditionalContext, a.SystemMessage, a.Log, proceed, a.StopReason, a.Native})
	return rawjson.EscapeInvisible(bytes.TrimSpace(b.Bytes())), err
}
