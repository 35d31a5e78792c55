package scaffold

import "github.com/agent-hooks/agent-hooks/spec"

// The kinds of script.
const (
	shell  = "shell"  // blocks a program that a shell command runs
	guard  = "guard"  // blocks tool calls with a text in their input
	refuse = "refuse" // blocks every call that the matcher selects
	words  = "words"  // searches the event for a text
	notes  = "notes"  // gives NOTES.md to the model
	todo   = "todo"   // searches TODO.md for open items
)

// The kinds of answer.
const (
	block   = "block"
	context = "context" // additional_context, for the model
	message = "message" // system_message, for the user
)

// plan is the initial behavior of a new hook on its event.
type plan struct {
	kind  string
	about string // the description
	key   string
	word  string // searched for in the value of key
	gives string // the kind of answer
	says  string // the answer's text

	fires, passes string // values of key with and without word, for the test cases
}

// planOf returns the plan of an event. It is a function, so that no package variable needs
// initialization.
func planOf(e spec.EventType) plan {
	switch e {
	case spec.PreSession:
		return plan{kind: notes, about: "Begins a session with the project's NOTES.md.", key: "source"}
	case spec.PostSession:
		return plan{kind: todo, about: "Lists the open items of TODO.md for the user when a session ends.", gives: message, says: "The session is over, and TODO.md has open items"}
	case spec.PreAgentTurn:
		return plan{kind: words, about: "Reminds the agent of a rule when a prompt concerns it.", key: "prompt",
			word: "deploy", gives: context, says: "Deployments need a green build and the user's approval.", fires: "deploy the new version", passes: "run the tests"}
	case spec.PostAgentTurn:
		return plan{kind: words, about: "Tells the user about a TODO in the agent's answer.", key: "last_message",
			word: "TODO", gives: message, says: "The answer has a TODO in it.", fires: "Done, with one TODO left.", passes: "Done."}
	case spec.PreAgentTurnStop:
		return plan{kind: todo, about: "Keeps the agent working while TODO.md has open items.", gives: block, says: "TODO.md has open items; finish them, or ask the user"}
	case spec.PostAgentTurnStop:
		return plan{kind: words, about: "Tells the user when the agent has stopped but is not sure.", key: "last_message",
			word: "should work", gives: message, says: "The agent has not tested its claim.", fires: "It should work now.", passes: "The tests pass."}
	case spec.PreToolCall:
		return plan{kind: guard, about: "Blocks tool calls with words that are not for agents."}
	case spec.PostToolCall:
		return plan{kind: words, about: "Points out warnings in a tool's output to the agent.", key: "tool_output",
			word: "warning", gives: context, says: "The output has warnings; fix them before you continue.", fires: "warning: x is deprecated", passes: "ok"}
	case spec.PostToolCallFailure:
		return plan{kind: words, about: "Tells the agent what to do about a missing program.", key: "tool_error",
			word: "not found", gives: context, says: "A program is missing; ask the user before you install it.", fires: "sh: rg: not found", passes: "exit status 1"}
	case spec.PreSubagent:
		return plan{kind: words, about: "Gives subagents that explore an additional rule.", key: "agent_type",
			word: "explore", gives: context, says: "You explore: change no files.", fires: "explore", passes: "builder"}
	case spec.PostSubagent:
		return plan{kind: words, about: "Sends back a subagent's work that has a TODO in it.", key: "last_message",
			word: "TODO", gives: block, says: "the subagent has left a TODO; do it, or tell the user", fires: "Done, with one TODO left.", passes: "Found them."}
	case spec.PreContextCompact:
		return plan{kind: todo, about: "Keeps the open items of TODO.md in a compacted context.", gives: context, says: "Keep these open items of TODO.md in mind"}
	case spec.PreLLMCall:
		return plan{kind: words, about: "Tells the user when one model is called.", key: "model",
			word: "preview", gives: message, says: "A preview model is called.", fires: "example-preview", passes: "example-1"}
	case spec.PostLLMCall:
		return plan{kind: words, about: "Tells the user about a TODO in the model's answer.", key: "last_message",
			word: "TODO", gives: message, says: "The model mentions a TODO.", fires: "Done, with one TODO left.", passes: "Done."}
	case spec.PermissionRequest:
		return plan{kind: guard, about: "Refuses permission for tool calls with words that are not for agents."}
	case spec.Notification:
		return plan{kind: words, about: "Tells the user what an agent waits for.", key: "message",
			word: "permission", gives: message, says: "The agent waits for a permission.", fires: "needs your permission", passes: "done"}
	case spec.TaskCompleted:
		return plan{kind: todo, about: "Keeps a task open while TODO.md has open items.", gives: block, says: "TODO.md has open items; finish them, or ask the user"}
	default: // post-context-compact
		return plan{kind: notes, about: "Gives the agent the project's NOTES.md again after its context is compacted.", key: "compact_summary"}
	}
}
