// Package script has the types between the engine and the agents' dialects: how hooks run that
// are written for another hook system (metadata.protocol, D60), and what a calling agent can
// express. It decides nothing.
package script

import (
	"errors"

	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Call is one call by an agent that sends events in its own form.
type Call interface {
	// Fit adapts a sync hook's answer to what the agent can apply. An error is a failure of the hook
	// (D27).
	Fit(*protocol.Event, protocol.Answer) (protocol.Answer, error)
	// Speaks returns the agent's name if it reads the exit of a hook as at least the decision,
	// otherwise "".
	Speaks(protocol.Exit, protocol.Decision) string
	// Changed returns an event that a hook has changed with the same change under the agent's own
	// keys (D88).
	Changed(*protocol.Event) *protocol.Event
	// TakesInput reports whether the agent accepts a changed input on the event.
	TakesInput() bool
	// Holds reports whether a block keeps the agent working (D30).
	Holds() bool
}

// System is a hook system for which hooks are written.
type System interface {
	// Check returns why a hook cannot run on an event; nil if it can. native is the system's event
	// that the hook is written for; "" for any.
	Check(event spec.EventType, native string) error
	// Concerns reports whether event is the operation that a hook is written for, and otherwise the
	// operation that it is.
	Concerns(event *protocol.Event, native string) (sent string, yes bool)
	// Tool returns the system's name of a tool. known means that name is itself one of its names.
	Tool(name string) (native string, known bool)
	// Sent reports whether the system itself sent the call, which may be nil.
	Sent(Call) bool
	// Parts divides an event into those that a hook reads one by one; nil if that is the event
	// itself.
	Parts(*protocol.Event, Call) ([]*protocol.Event, error)
	// Run prepares a run of a hook; nil if the system has no such event.
	Run(*protocol.Event, Call, Hook) Run
	// JudgeLater judges the exit of an async hook that read Input.Native.
	JudgeLater(native string, own bool, hook string, exit protocol.Exit) (protocol.Answer, error)
}

// Hook is a hook that is about to run.
type Hook struct {
	Project string // the project's root
	WorkDir string // where hooks run (D22)
	Dir     string // the hook's folder
	Event   string // the native event that the hook is written for; "" for any
	Process string // the hook's process; "" if the hook does not name one
	// Rebuilt builds the payload from the event even if the agent itself called:
	// the event's tool is a guess (D87), so that the agent would not have called.
	Rebuilt bool
	// IgnoreEdits drops a change of an edit that the calling agent sends in another form, with a
	// warning. Otherwise, Judge denies the call (D45).
	IgnoreEdits bool
}

// Input is what a hook reads.
type Input struct {
	// Stdin is the native payload. If the agent itself called, it is the
	// caller's own bytes, with only the parts replaced that hooks have changed.
	Stdin []byte
	// Environ are the agent's variables, in the form KEY=value. If the agent
	// itself called, the values that it has set take precedence.
	Environ []string
	Dir     string // the working directory
	Own     bool   // the agent itself called
	Native  string // the native event
}

// Run is one run of a hook.
type Run interface {
	// Reads returns the hook's input.
	Reads() *Input
	// Judge returns the meaning of the hook's exit and output. An error is a failure of the hook
	// (D27).
	Judge(e *protocol.Event, hook string, exit protocol.Exit) (protocol.Answer, []string, error)
	// Changed returns the event as changed by a native answer, e itself if that changes nothing.
	Changed(e *protocol.Event, native []byte) *protocol.Event
	// Combined returns a native answer together with that of the hooks before, which may be nil.
	Combined(before, native []byte) []byte
	// Dialog returns how to talk with a process that reads requests and writes responses; nil if the
	// hook reads its input and prints an answer.
	Dialog() Dialog
}

// Dialog is one event for a process that reads requests and writes responses.
type Dialog interface {
	// Hello performs the handshake with a process that was started for a hook. If it returns an
	// error, the caller must end the process.
	Hello(t Talk, hook string) error
	// Converse sends the event and returns the result, which Judge reads; nil for a notification.
	Converse(t Talk) ([]byte, error)
	// Notifies reports whether the event is a notification, which has no response.
	Notifies() bool
	// Refusal returns the most restrictive of the results in an answer to one request, nil if none
	// restricts. line is the whole answer if it is not valid: a restriction in it counts.
	Refusal(results [][]byte, line []byte) []byte
}

// Talk is the connection to a hook process.
type Talk struct {
	// Ask sends a request and returns its result. The error is a *HookError if
	// the hook answered with one, and ErrLeft if the hook ended without an
	// answer. A result with any other error counts only if it restricts.
	Ask func(method string, params []byte) (result []byte, err error)
	// Tell sends a notification.
	Tell func(method string, params []byte) error
}

// HookError is an error response to a request.
type HookError struct{ Object []byte } // JSON

// Error returns the error's JSON text.
func (e *HookError) Error() string {
	return "the hook answered with the error " + shown.Cut(string(e.Object), 80)
}

// ErrLeft is returned if the hook ended with exit status 0 instead of answering.
var ErrLeft = errors.New("bad answer: the hook did not answer the request")

// ErrRedirected is the failure of a hook that changes the call into one of
// another tool, for an agent that cannot do that. The hook did not mean the
// original call to run.
var ErrRedirected = errors.New("the hook changes the tool")
