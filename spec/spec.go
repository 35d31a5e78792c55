// Package spec defines the Agent Hooks format as data: the events and what a
// block means on each, the front-matter fields and their limits, exit statuses,
// the names under which agents know their tools, and the diagnostics that
// describe an invalid hook. It embeds the normative text (SPEC.md) and the JSON
// Schemas.
//
// It does no I/O, starts no process and depends only on the standard library,
// so that every other package can import it.
package spec

import (
	"strings"
	"time"
)

// EventType is the name of an event: a point in an agent's work at which hooks
// may run (SPEC.md 2).
type EventType string

// The thirteen events of the format.
const (
	PreSession          EventType = "pre-session"
	PostSession         EventType = "post-session"
	PreAgentTurn        EventType = "pre-agent-turn"
	PostAgentTurn       EventType = "post-agent-turn"
	PreAgentTurnStop    EventType = "pre-agent-turn-stop"
	PostAgentTurnStop   EventType = "post-agent-turn-stop"
	PreToolCall         EventType = "pre-tool-call"
	PostToolCall        EventType = "post-tool-call"
	PostToolCallFailure EventType = "post-tool-call-failure"
	PreSubagent         EventType = "pre-subagent"
	PostSubagent        EventType = "post-subagent"
	PreContextCompact   EventType = "pre-context-compact"
	PostContextCompact  EventType = "post-context-compact"
)

// The extension events, which several agents fire (D48).
const (
	PreLLMCall        EventType = "pre-llm-call"
	PostLLMCall       EventType = "post-llm-call"
	PermissionRequest EventType = "permission-request"
	Notification      EventType = "notification"
	TaskCompleted     EventType = "task-completed"
)

// Valid reports whether e is one of the format's thirteen events or an
// extension event.
func (e EventType) Valid() bool {
	_, ok := Info(e)
	return ok
}

// IsTool reports whether e carries a tool call, so that matchers apply to it
// (D15): the format's three tool events and permission-request.
func (e EventType) IsTool() bool {
	return e == PreToolCall || e == PostToolCall || e == PostToolCallFailure || e == PermissionRequest
}

// IsPre reports whether e fires before the operation that it announces, so that
// a block prevents it (D28, D30).
func (e EventType) IsPre() bool {
	return strings.HasPrefix(string(e), "pre-") || e == PermissionRequest || e == TaskCompleted
}

// ChangesInput reports whether a hook may change the tool's input on e (D29,
// D48).
func (e EventType) ChangesInput() bool { return e == PreToolCall || e == PermissionRequest }

// The file that makes a folder a hook, and the fallback if there is no HookFile
// (D3).
const (
	HookFile      = "HOOK.md"
	OtherHookFile = "hook.md"
)

// Limits of a HOOK.md (D4, D9, D12).
const (
	MaxName         = 64                     // characters of a hook's name
	MaxDescription  = 1024                   // characters of a description
	MinTimeout      = 100 * time.Millisecond // smallest timeout
	MaxTimeout      = 10 * time.Minute       // largest timeout
	DefaultTimeout  = 30 * time.Second       // timeout of a hook that sets none
	MaxPriority     = 1000                   // largest priority, the smallest is 0
	DefaultPriority = 100                    // priority of a hook that sets none
	MaxRetry        = 5                      // largest metadata.retry, unless each attempt has its own timeout
	MaxAttempts     = 30 * time.Second       // time of all attempts of a hook whose attempts have their own timeouts
	MaxFrontMatter  = 64 << 10               // bytes of front matter
	MaxHookFile     = 1 << 20                // bytes of a HOOK.md
)

// Limits of a hooks.toml (D14).
const (
	MaxConfigFile    = 64 << 10 // bytes
	DefaultStopLimit = 5        // blocks of a stop in a row, if the user sets no stop-limit
	MaxStopLimit     = 50       // largest stop-limit, the smallest is 1
)

// Limits of one run (D18-D36).
const (
	MaxLoad      = 5 * time.Second        // reading a project's hooks
	MatchBudget  = 250 * time.Millisecond // one matcher on one event
	MaxSearched  = 1 << 20                // bytes of the largest value that a matcher searches
	MaxOwn       = 1000                   // files and folders of one call that are checked for being the session's own
	MaxParts     = 1000                   // files of one call for a script whose system takes one file per call
	MaxPartBytes = 64 << 20               // bytes of their inputs together
	StallTimeout = 10 * time.Second       // no progress inside the event on stdin
	MaxOutput    = 1 << 20                // bytes kept of a hook's stderr; of its stdout this and twice the event
	MaxReason    = 8 << 10                // bytes of a reason, head and tail
	MaxEnvValue  = 4 << 10                // bytes of an AGENT_HOOKS_ variable taken from the event
	MaxDepth     = 3                      // hooks that start agents that start hooks
	KillGrace    = 1 * time.Second        // between SIGTERM and SIGKILL
	PipeGrace    = 250 * time.Millisecond // for a pipe that outlives the hook
	KeptOutput   = 64 << 10               // bytes kept of an async hook's last output
)

// Exit statuses of agent-hooks (SPEC.md 14.1, D31) and, the first three, of a
// hook (SPEC.md 11.1).
const (
	ExitContinue = 0  // go on
	ExitError    = 1  // an error; the operation continues
	ExitBlock    = 2  // blocked
	ExitUsage    = 64 // wrong usage of any command but run
)
