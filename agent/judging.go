package agent

import "github.com/agent-hooks/agent-hooks/protocol"

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
	// on which an unreadable answer blocks, and one that breaks Schema.
	Closed, Strict string
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

// The forms of Claude Code that agents following it also read.
var claudeAlso = []Forms{
	{Deny: blockTop, Allow: Form{Set("decision", "approve"), Var("reason", Reason)}},
	{Deny: hsoDeny, Ask: hsoAsk, Allow: hsoAllow},
	{Deny: hsoRefuse, Allow: hsoPermit, Input: hsoPermitInput},
	{Input: hsoInput, Context: hsoContext, Message: systemMessage, Stop: stopTop},
	{Stop: stopBare},
}

const claudePlain = "SessionStart UserPromptSubmit UserPromptExpansion"
