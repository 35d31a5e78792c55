// Package agent describes how coding agents call hooks: what each one sends,
// and what it takes for an answer. One dialect is one Agent, a table in a file
// of its own plus the few functions that only it needs. A dialect has four
// directions:
//
//	native payload -> event     Agent.Decode   (the agent calls us)
//	verdict -> native answer    Call.Encode
//	event -> native payload     Agent.Payload  (a hook speaks the agent's language)
//	native answer -> verdict    Agent.Judge
//
// The package is pure: it opens no files, starts nothing and knows no clock.
// It installs nothing either; package install reads the tables.
//
// # How to add an agent
//
// Write NAME.go with one Agent and add it to the list in list.go:
//
//  1. Events: a row for every event name that the agent has, also for those
//     that mean nothing to hooks (Spec empty): an event that is not in the
//     table is a failure (D42). Each cell says what an ability becomes, as a
//     Form; an empty cell means that the agent cannot express it. Fill a cell
//     only from a source, and mark Event.Exit2 only where a block by exit
//     status 2 was seen or is documented.
//  2. Fields: where the payload keeps what hooks find under canonical names.
//  3. Tools and Keys: the agent's tools, and the keys of their inputs.
//  4. Proof: top-level keys that no other agent's payload has.
//  5. Quirks: one numbered entry for each thing that a reader of the agent's
//     documentation would get wrong, with its source and a fixture.
//  6. testdata/NAME/*.txt: one fixture for each payload and each cell (see
//     fixture_test.go). A cell without a fixture fails the tests.
//
// Say nothing twice: what follows from the tables (mapping, documents,
// installation, recognition, both directions of a form) is derived.
package agent

import (
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

// Agent is one dialect. Agents are shared and must not be changed.
type Agent struct {
	Name    string   // for --agent and metadata.protocol: "claude-code"
	Aliases []string // other names that Find accepts
	Title   string   // for people: "Claude Code"
	Tier    int      // 1 or 2

	// Live reports that the cells were seen in the running client; otherwise
	// they follow its documentation or source. Version and Date are those of
	// the last verification, Source says where the facts come from.
	Live                  bool
	Source, Version, Date string

	Variables []string // environment variables that name the project, in order of precedence (D2)
	FixedDir  bool     // the process's directory is the project, whatever the model does (D2)
	Programs  []string // names of the client on PATH
	Settings  []Settings
	// TimeoutUnit is the unit of a timeout in the settings; MaxTimeout the
	// longest useful one, unless the event has its own (D49).
	TimeoutUnit time.Duration
	MaxTimeout  time.Duration

	Events []Event
	Fields []Field
	Tools  []Tool
	Keys   []Key
	Quirks []Quirk

	// AskModes are the permission modes in which a tool is known to wait for
	// a person after an ask; "*" is every mode (D45).
	AskModes []string
	// Kin names the agent whose payloads look the same; "" if there is none.
	Kin string
	// Proof lists conditions, each of which proves that a payload is this
	// agent's (D42): space-separated top-level keys; !key must be absent,
	// key=a|b must be one of these strings.
	Proof []string
	// Guest says how the agent's payloads differ from those of another one
	// whose entries it calls; the zero Guest if it calls nobody's, or if a
	// Proof tells.
	Guest Guest
	// NameKey is the top-level key of the event's native name, or several
	// separated by spaces; "" if payloads do not carry one.
	NameKey string
	// NoisyStdout says that something else may print before the answer, which
	// spoils it: a block is always exit status 2 where that blocks.
	NoisyStdout bool
	// FreshPrompt is a top-level key that only the prompt of a person has, not
	// the continuations for which the agent fires the same event (D30); "" if
	// there is none.
	FreshPrompt string
	// Newline says that the agent's payloads end with a newline.
	Newline bool

	// Judging says how the agent reads the answers of its own hooks (D60).
	Judging Judging
	// Base are the members that every payload has, and Environment the
	// variables that every hook gets, as forms with the variables $session_id,
	// $cwd, $project, $event (the native name), $dir (the hook's folder),
	// $prompt_id, $turn_id, $model, $transcript_path, $timestamp and $millis.
	Base, Environment Form
	// Nameless says that Payload leaves out the event's name, although variants
	// of the payload have it.
	Nameless bool
	// Converses says that hooks are processes that read requests and write
	// responses as JSON-RPC, instead of a payload and an answer.
	Converses bool
	// InProject says that hooks run in the project's root.
	InProject bool

	// mcp returns the canonical name of an MCP tool, "" if name is not one.
	// nil accepts mcp__SERVER__TOOL.
	mcp func(name string, c *Call) string
	// mcpName is the native name of an MCP tool, with SERVER and TOOL; "" if it
	// is mcp__SERVER__TOOL.
	mcpName string
	// payloadOf returns the agent whose payloads a row's look like; nil if
	// there is one form only.
	payloadOf func(row *Event) *Agent
	// patches is the key of the patch that is the input of the agent's only
	// tool for editing files; "" if its tools take a path and texts.
	patches string
	// whole makes the whole answer from what the format has no word for and
	// from context, if there is any of them that the event can deliver; nil:
	// the forms say everything.
	whole func(e *encoder) []byte
	// response gives a result of another agent the shape that the agent's own
	// have; nil keeps it.
	response func(b *builder, value []byte) []byte
	// output gives updated_output the shape that the agent demands, or says
	// why it cannot; nil accepts any value.
	output func(c *Call, value []byte) ([]byte, error)
	// classify adjusts a call after the tables were applied, for what a table
	// cannot say; nil if nothing is left.
	classify func(c *Call)
}

// Guest is a condition like those of Agent.Proof that holds only among the
// callers of the entries of the agent Of.
type Guest struct{ Of, Proof string }

// Settings is one place where an agent reads hooks from.
type Settings struct {
	Scope  string // "user", "project", "local" or "system"
	Path   string // with / and a leading ~/ for the home directory; project paths are relative
	Home   string // environment variable that replaces the path's first directory; "" if none
	Format string // "json", "jsonc", "toml", "yaml", "plugin" or "file"
}

// Event is one native event: what it means and what an answer may say.
type Event struct {
	Name string // as in payloads and settings
	// Spec are the events that it stands for, the one that can block first.
	// The others are derived once that one let it through, and cannot block
	// (D46). Empty: hooks have no such event.
	Spec []spec.EventType
	// Failed is the event if the call failed, for agents that report both
	// with one event.
	Failed spec.EventType
	// Subagent is the event that a call of the subagent tool stands for as
	// well, in agents without an event for it.
	Subagent spec.EventType
	// Tool is the native tool that the event implies, for payloads without a
	// tool's name. ToolKeys are the payload's keys that are its input, if no
	// field is, separated by spaces.
	Tool, ToolKeys string

	// Base are members that every payload of the event has; a field of the
	// event takes precedence (see Agent.Base).
	Base Form

	Forms
	// Exit2 says that exit status 2 with a reason on stderr blocks. It is used
	// if the verdict is only a reason; otherwise Deny is.
	Exit2 bool
	// Harmless says that Input was shown not to grant the call (D45).
	Harmless bool
	// Silent is stdout for no opinion; "" is the empty answer.
	Silent string
	// MaxTimeout replaces the agent's, if not 0.
	MaxTimeout time.Duration
	// Unregistered says that install must not register it: it is a duplicate
	// of another event, or unknown to some versions.
	Unregistered bool
	// Note is for the documentation: what degrades, and how.
	Note string
}

// Forms say what each ability of an answer becomes (D44, D45). An empty form
// means that the agent cannot express it here.
type Forms struct {
	Deny, Ask, Allow Form
	Input            Form // modified_input
	Prompt           Form // modified_prompt
	Context          Form // additional_context
	Message          Form // system_message
	Output           Form // updated_output
	Stop             Form // continue: false
}

// Field says where a payload keeps a canonical field (D47).
type Field struct {
	Path string // dot-separated keys; a number is an array's index
	Name string // the canonical field
	Kind Kind
	// On are the native events whose payloads Payload gives the field,
	// separated by spaces; "" is every event without a row of its own.
	On string
}

// Kind says how a field's value becomes canonical.
type Kind byte

// The kinds of fields.
const (
	Plain    Kind = iota // as it is
	Parts                // an array of content parts, whose texts are joined; a string as it is
	Object               // an object, or a string that holds one as JSON
	Millis               // a number of milliseconds since 1970 becomes RFC 3339
	Error                // an object's message, or a string that is not empty
	Positive             // true for a number above 0
	JSONText             // as Object; the agent sends a string
	Failure              // the text of a result that is an error; nothing otherwise
)

// Tool is one of the agent's tools. The first row of a canonical name is the
// one that Payload uses.
type Tool struct{ Native, Canonical string }

// Key is one key of a tool's input. The first row of a canonical name is the
// one that Payload uses.
type Key struct {
	Native, Canonical string // Canonical "file_paths": listed there only
	Tool              string // the canonical tool that it holds for; "" is every tool
}

// Quirk is a fact about an agent that its documentation does not make
// obvious (D41).
type Quirk struct {
	ID      string // "Q-claude-code-1"
	Text    string
	Source  string // where it was seen or documented, and the version
	Fixture string // a file under testdata that fails without it
}

// Event returns the row of a native event, nil if there is none.
func (a *Agent) Event(native string) *Event {
	for i := range a.Events {
		if a.Events[i].Name == native {
			return &a.Events[i]
		}
	}
	return nil
}

// EventFor returns the first row that stands for e, nil if there is none.
func (a *Agent) EventFor(e spec.EventType) *Event {
	for i := range a.Events {
		row := &a.Events[i]
		for _, s := range row.Spec {
			if s == e {
				return row
			}
		}
	}
	for i := range a.Events {
		if row := &a.Events[i]; row.Failed == e || row.Subagent == e {
			return row
		}
	}
	return nil
}

// Timeout returns the longest useful timeout of the event (D49).
func (a *Agent) Timeout(e *Event) time.Duration {
	if e.MaxTimeout > 0 {
		return e.MaxTimeout
	}
	return a.MaxTimeout
}
