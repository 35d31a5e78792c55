package agent

// Judging defines how an agent reads the answers of its own hooks where that is
// not the reverse of its forms (D60). A list of events is separated by spaces;
// "*" means every event.
type Judging struct {
	// Also are further forms that the agent accepts for a part of an answer, on
	// every event that supports it.
	Also []Forms
	// Status2 are events, in addition to those with Exit2, on which exit status
	// 2 blocks. NotStatus2 are events on which it does not.
	Status2, NotStatus2 string
	// NeedsReason means that exit status 2 without a reason is not a block.
	// StdoutReason means that the reason is on stdout.
	NeedsReason, StdoutReason bool
	// AnyStatus means that an answer in JSON counts at every exit status except
	// 2. Status2JSON means that it takes precedence at 2.
	AnyStatus, Status2JSON bool
	// Status2Reason means that, at exit status 2, the reason of a block in JSON
	// takes precedence over stderr. StderrToo means that stderr is the answer
	// if stdout is empty.
	Status2Reason, StderrToo bool
	// Closed are events on which every other exit status blocks, except 1 if
	// OneOpens is set. Strict are events on which an unreadable answer blocks, and one that breaks
	// Schema.
	Closed, Strict string
	OneOpens       bool
	// Exact means that on events that can block, stdout that is neither empty
	// nor an answer is a failure.
	Exact bool
	// Halt is an exit status that blocks and ends the turn; 0 if there is none.
	Halt int
	// Plain are events on which text on stdout is context for the model. On
	// other events it is a message for the user if PlainMessage is set.
	Plain        string
	PlainMessage bool
	// Feedback are events on which context keeps the agent working, as a block
	// does.
	Feedback string
	// RawJSON means that on Plain events an object without a known key is also
	// context.
	RawJSON bool
	// NeedsName means that hookSpecificOutput counts only with the event's
	// hookEventName.
	NeedsName bool
	// Keys are the only top-level keys that the agent accepts, and HookKeys
	// those within hookSpecificOutput. An answer with any other key is a
	// failure. "" accepts every key.
	Keys, HookKeys string
	// Rejects are forms that make an answer a failure.
	Rejects []Form
	// Schema are the values that the agent accepts. An answer that breaks it
	// blocks on Strict events, and is a failure on others.
	Schema []Schema
	// NoText are events on which stdout that is not JSON is a failure.
	NoText string
	// NeedsText means that a decision without a reason is a failure.
	NeedsText bool
	// ReplacesInput means that a changed input is the whole input: keys that it
	// lacks are removed. Otherwise it is merged with the current one.
	ReplacesInput bool
	// NoObjection means that an allow is only the absence of a deny, not a
	// grant.
	NoObjection bool
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
