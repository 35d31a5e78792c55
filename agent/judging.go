package agent

// Judging says how an agent reads the answers of its own hooks, as far as that
// is not the reverse of its forms (D60). A list of events is separated by
// spaces; "*" is every event.
type Judging struct {
	// Also are other forms that the agent accepts for an ability, wherever the
	// event has it.
	Also []Forms
	// Status2 are events, in addition to those with Exit2, on which exit
	// status 2 blocks; NotStatus2 are those on which it does not.
	Status2, NotStatus2 string
	// NeedsReason says that exit status 2 without a reason is not a block, and
	// StdoutReason that the reason is on stdout.
	NeedsReason, StdoutReason bool
	// AnyStatus says that an answer in JSON counts at every exit status but 2,
	// and Status2JSON that it takes precedence at 2.
	AnyStatus, Status2JSON bool
	// Status2Reason says that the reason of a block in JSON takes precedence
	// over stderr at exit status 2, and StderrToo that stderr is the answer if
	// stdout is empty.
	Status2Reason, StderrToo bool
	// Closed are events on which every other exit status blocks, apart from 1
	// if OneOpens is set. Strict are those on which an answer that cannot be
	// read blocks.
	Closed, Strict string
	OneOpens       bool
	// Exact says that on events that can block, stdout that is neither empty nor
	// an answer is a failure.
	Exact bool
	// Halt is an exit status that blocks and ends the turn; 0 if there is none.
	Halt int
	// Plain are events on which text on stdout is context for the model;
	// elsewhere it is a message for the user, if PlainMessage is set.
	Plain        string
	PlainMessage bool
	// RawJSON says that on Plain events an object without a known key is
	// context, too.
	RawJSON bool
	// NeedsName says that hookSpecificOutput counts only with the event's
	// hookEventName.
	NeedsName bool
	// Keys are the only top-level keys that the agent accepts, and HookKeys
	// those within hookSpecificOutput; an answer with another one is a
	// failure. "" accepts every key.
	Keys, HookKeys string
	// Rejects are forms with which an answer is a failure.
	Rejects []Form
	// NeedsText says that a decision without a reason is a failure.
	NeedsText bool
	// ReplacesInput says that a changed input is the whole input: keys that it
	// lacks are removed. Otherwise it is merged with the current one.
	ReplacesInput bool
	// NoObjection says that an allow is the absence of a deny, and no grant.
	NoObjection bool
}

// The forms of Claude Code that its followers read, too.
var claudeAlso = []Forms{
	{Deny: blockTop, Allow: "decision=approve reason=$reason"},
	{Deny: hsoDeny, Ask: hsoAsk, Allow: hsoAllow},
	{Deny: hsoRefuse, Allow: "hso.decision.behavior=allow", Input: "hso.decision.updatedInput=$input"},
	{Input: "hso.updatedInput=$input", Context: hsoContext, Message: systemMessage, Stop: stopTop},
	{Stop: "continue=false"},
}

const claudePlain = "SessionStart UserPromptSubmit UserPromptExpansion"
