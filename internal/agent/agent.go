// Package agent describes how coding agents call hooks: the payloads that they
// send and the answers that they accept. One dialect is one Agent: a table in
// its own file and the few functions that only it needs. A dialect has four
// directions:
//
//	native payload -> event     Agent.Decode   (the agent calls agent-hooks)
//	verdict -> native answer    Call.Encode
//	event -> native payload     Agent.Foreign  (a hook is written for the agent)
//	native answer -> verdict    Agent.Judge
//
// The package is pure: it opens no files, starts no process and reads no clock.
// It installs nothing: internal/setup/install edits the agents' settings.
//
// A table states each fact once. Everything else (mapping, documents,
// installation, recognition, both directions of a form) is derived from it. The
// last section of docs/reference/agents.md describes how to add an agent.
package agent

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Agent is one dialect. Agents are shared and must not be modified.
//
// An embedder needs Name and Title. The other fields are the table from which
// this package, the settings' installer and importer, and docs/reference/agents.md are
// derived.
type Agent struct {
	Name    string   // for --agent and metadata.protocol: "claude-code"
	Aliases []string // other names that Find accepts
	Title   string   // display name: "Claude Code"

	// Live reports that the cells were observed in the running client;
	// otherwise they follow its documentation or source. Version and Date are
	// those of the last verification. Source is the origin of the facts.
	Live                  bool
	Source, Version, Date string

	Variables []string // environment variables that hold the project directory, in order of precedence (D2)
	// OtherVariables are the variables that the agent sets for its hooks in
	// addition to those and to Environment, and those that its users set for
	// the agent, separated by spaces. A name that ends with "_" is a prefix.
	OtherVariables string
	FixedDir       bool     // the working directory of the process is always the project (D2)
	Programs       []string // names of the client's program on PATH
	Settings       []Settings
	Setup          Setup   // for the settings of the agent itself
	Hosts          []Setup // other programs with the same dialect and settings
	// TimeoutUnit is the unit of a timeout in the settings; 0 means a second.
	// MaxTimeout is the longest useful timeout, unless the event has its own (D49);
	// 0 means 600 s.
	TimeoutUnit time.Duration
	MaxTimeout  time.Duration
	// DefaultTimeout is how long the agent waits for a hook without a timeout
	// in the settings, unless the event has its own; 0 means 60 s.
	DefaultTimeout time.Duration
	// Bash lists the systems on which the agent is documented to run commands in
	// bash: "unix", "windows" (D97).
	Bash []string
	// PlainShell means that the command lines of the settings are for sh, or
	// for no shell, instead of bash.
	PlainShell bool

	events func() []NativeEvent // see Events
	once   sync.Once
	rows   []NativeEvent
	Fields []Field
	Tools  []Tool
	Keys   []Key
	Quirks []Quirk

	// AskModes are the permission modes in which a tool is known to wait for a
	// person after an ask; "*" means every mode (D45).
	AskModes []string
	// Proof lists evidence, each piece of which proves that a payload is this
	// agent's, where the command line names none (D42).
	Proof []Evidence
	// Guest says whose hook entries the agent runs in addition to its own, and
	// how its payloads are distinguished there.
	Guest Guest
	// NameKey is the top-level key of the event's native name, or several keys
	// separated by spaces; "" if payloads do not carry the name.
	NameKey string
	// Blocks is how a block is sent where exit status 2 and a form both block.
	Blocks BlockBy

	// Judging defines how the agent reads the answers of its own hooks (D60).
	Judging Judging
	// Base are the members of every payload, and Environment the environment
	// variables of every hook.
	Base, Environment Form
	// Release is where a call says the agent's version: a key of the payload, or an environment
	// variable of hooks, "$NAME"; "" if nowhere.
	Release string
	// Nameless means that Agent.Foreign omits the event's name, although variants of
	// the payload have it.
	Nameless bool
	// Converses means that hooks are processes that read requests and write
	// responses in JSON-RPC, instead of reading a payload and printing an
	// answer.
	Converses bool
	// InProject means that hooks run in the project's root.
	InProject bool

	// spread writes the tool and its input to a payload of an event that has them
	// elsewhere than Fields says, and reports whether it is one; nil if there is no
	// such event.
	spread func(b *builder, o *object, name string, input []byte) bool
	// mcp returns the canonical name of an MCP tool whose native name has the
	// agent's own form, "" for any other name; nil if the agent uses
	// mcp__SERVER__TOOL.
	mcp func(name string, c *Call) string
	// mcpName is the native name of an MCP tool, with SERVER and TOOL; "" means
	// mcp__SERVER__TOOL.
	mcpName string
	// patches is the key of the patch in the input of the agent's only tool for
	// editing files; "" if its tools take a path and texts.
	patches string
	// response converts another agent's tool result to the shape of this
	// agent's results; nil means no conversion.
	response func(b *builder, value []byte) []byte
	// output converts updated_output to the shape that the agent requires, or
	// returns why it cannot; nil accepts any value.
	output func(c *Call, value []byte) ([]byte, error)
	// settle adjusts an answer of the agent's own hooks, where forms do not
	// suffice; nil means no adjustment.
	settle func(j *judgment, a protocol.Answer) protocol.Answer
	// classify adjusts a call after the tables were applied, where a table does
	// not suffice; nil means no adjustment.
	classify func(c *Call)
}

// BlockBy is how an agent is told to block.
type BlockBy int

// The ways to block.
const (
	BlockBriefly     BlockBy = iota // exit status 2 if the verdict is only a reason, otherwise the form
	BlockByForm                     // the form: the agent shows the user every other exit status as a failed hook
	BlockStopsByForm                // as BlockBriefly, but a stop by the form: with the status, people read the command line of the entry
	BlockByStatus                   // exit status 2 before an operation: other output may precede the answer and invalidate it
)

// Guest describes an agent that runs entries in the settings of other agents
// (D86).
type Guest struct {
	Of string // the names of these agents, separated by spaces
	// Proof is evidence that only this guest's payloads meet. It requires keys
	// that only it sends: a missing key proves nothing.
	Proof []Evidence
}

// Evidence are conditions that together prove a payload's sender.
type Evidence []Condition

// Condition is a condition on top-level keys of a payload. Has, Lacks, Is and
// Contains make it.
type Condition struct {
	Keys   []string
	Absent bool
	OneOf  []string // the value is one of these strings
	Part   string   // the value contains the text
}

// Has requires keys.
func Has(keys ...string) Condition { return Condition{Keys: keys} }

// Lacks requires that keys are absent.
func Lacks(keys ...string) Condition { return Condition{Keys: keys, Absent: true} }

// Is requires one of some strings.
func Is(key string, oneOf ...string) Condition { return Condition{Keys: []string{key}, OneOf: oneOf} }

// Contains requires a value with a text in it.
func Contains(key, text string) Condition { return Condition{Keys: []string{key}, Part: text} }

// Settings is one location from which an agent reads hooks, and what install
// writes there. A * in the path matches any name; install writes agent-hooks.
type Settings struct {
	Path string // with / separators, and a leading ~/ for the home directory; project paths are relative
	Home string // environment variable that replaces the path's first directory, or that below ~/.config; "" for none

	// Install writes an Entry for each event into a file with a Layout, and
	// otherwise a file that is entirely its own: a Plugin, a Script, or a Text. If
	// there is nothing of these, it does not write there.
	Layout *Layout
	Entry  Form
	// WindowsEntry replaces Entry on Windows; nil if there is no difference.
	WindowsEntry Form
	// When reports whether the location is used. look returns the content of a
	// settings file, decoded; nil if it does not exist. A nil When means always.
	When   func(look func(path string) any) bool
	Plugin func() string // the body of a JavaScript module
	// Since is the agent's first version that loads Plugin, "" if every version does; earlier ones
	// load Earlier.
	Since   string
	Earlier func() string
	Script  bool // a shell script that calls agent-hooks
	// PerEvent means that the path is a folder, with one script for each event.
	PerEvent bool
	Text     string
	Moved    string // an environment variable with which users can name another file; "" for none
	// Over is a file in which the agent keeps managed settings from a server, which may
	// replace these.
	Over  string
	Cloud bool // a cloud agent reads it, so the reviewed branch is the trust boundary
}

// Scope returns "user", "managed" (the administrator's, D82), "local" (a person's file in a project) or
// "project".
func (s *Settings) Scope() string {
	switch {
	case strings.HasPrefix(s.Path, "~/"):
		return "user"
	case strings.HasPrefix(s.Path, "/"):
		return "managed"
	case strings.Contains(s.Path, ".local."):
		return "local"
	}
	return "project"
}

// HasHooks reports whether the agent looks for hooks there. Otherwise it is a file
// that only the entries of install need.
func (s *Settings) HasHooks() bool { return s.Text == "" && (!s.Script || s.PerEvent) }

// NativeEvent is one of the agent's own events: its meaning and the possible answers.
type NativeEvent struct {
	Name string // the name in payloads and, unless Setting is another one, in settings
	// Setting is the name in settings, and Also are further names of the event,
	// separated by spaces. install registers an event under one name.
	Setting, Also string
	// Means are the hook events that it corresponds to, as Spec returns them. nil
	// means those of Claude Code's event of this name, in any spelling, or none if
	// Claude Code has no such event.
	Means []spec.EventType
	// Failed is the hook event for a failed call, for agents that use one event
	// for success and failure.
	Failed spec.EventType
	// Subagent is an additional hook event for a call of the subagent tool, in
	// agents without an event for it.
	Subagent spec.EventType
	// Tool is the native tool that the event implies, for payloads without a
	// tool's name. If no field is the tool's input, ToolKeys are the payload's
	// keys that form it, separated by spaces.
	Tool, ToolKeys string

	// Base are members of every payload of the event. A field of the event
	// takes precedence (see Agent.Base).
	Base Form

	// The native forms of each part of an answer (D44, D45). An empty form means that
	// the agent cannot express it here.
	Deny, Ask, Allow Form
	Input            Form // modified_input
	Prompt           Form // modified_prompt
	Context          Form // additional_context
	Message          Form // system_message
	Output           Form // updated_output
	Stop             Form // continue: false

	// Native are the keys of an answer that the format cannot express,
	// separated by spaces. Only the agent itself gets them. For other agents
	// they are a failure of the hook; a key that ends with "?" is dropped with a
	// warning.
	Native string
	// InOutput means that text for the model is added to the tool's output,
	// because the event takes it nowhere else.
	InOutput bool
	// Exit2 means that exit status 2 with a reason on stderr blocks. It is used
	// if the verdict is only a reason; otherwise Deny is used.
	Exit2 bool
	// Hides means that the user does not see a block unless a message says it.
	Hides bool
	// Harmless means that Input was shown not to grant the call (D45).
	Harmless bool
	// Silent is the stdout for no opinion; "" means the empty answer.
	Silent string
	// MaxTimeout and DefaultTimeout replace the agent's, if not 0.
	MaxTimeout, DefaultTimeout time.Duration
	// Since is the first version that knows the event, for agents in which an
	// unknown event would disable the whole file; "" if all versions do. Instead are
	// the events that older versions have instead, separated by spaces.
	Since, Instead string
	// Unregistered means that install must not register the event: it
	// duplicates another one, or some versions do not know it.
	Unregistered bool
	// Subject is the field with which a matcher in the settings is compared, if it
	// is not the tool or the one that the event's name suggests; "-" means that the
	// agent ignores the matcher.
	Subject string
	// NotImported is why import skips the event's entries; "" if it does not.
	NotImported string
	// Note is for the documentation: the limitations of the event.
	Note string
}

// Forms are the forms of an event (see NativeEvent), or other ones.
type Forms struct{ Deny, Ask, Allow, Input, Prompt, Context, Message, Output, Stop Form }

// Forms returns the forms of an event.
func (e *NativeEvent) Forms() Forms {
	return Forms{e.Deny, e.Ask, e.Allow, e.Input, e.Prompt, e.Context, e.Message, e.Output, e.Stop}
}

// Field is the location of a canonical field in a payload (D47).
type Field struct {
	Path string // dot-separated keys; a number is an array index
	Name string // the canonical field
	Kind Kind
	// On are the native events for which Agent.Foreign sets the field, separated by
	// spaces; "" means every event without a row of its own.
	On string
}

// Kind is the conversion of a field's value to canonical form.
type Kind byte

// The kinds of fields.
const (
	Plain    Kind = iota // unchanged
	Parts                // an array of content parts, whose texts are joined; a string is unchanged
	Object               // an object, or a string that contains one as JSON
	Millis               // a number of milliseconds since 1970 becomes RFC 3339
	Error                // an object's message, or a non-empty string
	Positive             // true for a number above 0
	JSONText             // like Object; the agent sends a string
	Failure              // the text of a result that is an error; otherwise nothing
	Startup              // "new" becomes "startup"
)

// Tool is one of the agent's tools. Agent.Foreign uses the first row of a canonical
// name.
type Tool struct{ Native, Canonical string }

// Key is one key of a tool's input. Agent.Foreign uses the first row of a canonical
// name. A key with a canonical name of its own, such as url, needs no row unless the
// agent has another key for the same value; only file_path always does.
type Key struct {
	Native, Canonical string // Canonical "file_paths": only listed there
	Tool              string // the canonical tools that it applies to, separated by spaces; "" means every tool
}

// Quirk is a fact about an agent that is not obvious from its documentation
// (D41).
type Quirk struct {
	Number  int // the 1 of Q-claude-code-1
	Text    string
	Source  string // where it was observed or documented, and the version
	Fixture string // the test that fails without it: testdata/NAME/FIXTURE.txt
}

// Events returns the rows of the agent's own events. They are made when they are
// first needed: as data of the program, those of all agents would make each start longer.
func (a *Agent) Events() []NativeEvent {
	a.once.Do(func() { a.rows = a.events() })
	return a.rows
}

// Event returns the row of a native event, nil if there is none.
func (a *Agent) Event(native string) *NativeEvent {
	for i := range a.Events() {
		switch e := &a.Events()[i]; {
		case e.Name == native:
			return e
		case e.Also != "" && hasWord(e.Also, native), e.Setting != "" && e.Setting == native:
			return e.under(native)
		}
	}
	return nil
}

// Rows returns the rows of the table, and then one for each other name of an
// event.
func (a *Agent) Rows() (rows []*NativeEvent) {
	for i := range a.Events() {
		rows = append(rows, &a.Events()[i])
	}
	for _, e := range rows {
		for name := range strings.FieldsSeq(e.Setting + " " + e.Also) {
			rows = append(rows, e.under(name))
		}
	}
	return rows
}

// under returns the row of an event under another name.
func (e *NativeEvent) under(name string) *NativeEvent {
	other := *e
	other.Name, other.Means, other.Setting, other.Also, other.Note = name, e.Spec(), "", "", ""
	other.Unregistered = name != e.Setting
	return &other
}

// Registered reports whether install registers the event under this name.
func (e *NativeEvent) Registered() bool {
	return len(e.Spec()) > 0 && !e.Unregistered && e.Setting == ""
}

// hasWord reports whether a list that is separated by spaces contains a word.
func hasWord(list, word string) bool {
	for rest := list; rest != ""; {
		var first string
		first, rest, _ = strings.Cut(rest, " ")
		if first == word {
			return true
		}
	}
	return false
}

// NameField returns the field of an event that holds the native event's name,
// "" if there is none.
func (a *Agent) NameField() string {
	key, _, _ := strings.Cut(a.NameKey, " ")
	return key
}

// Performs reports whether a hook for one of the agent's events concerns an
// event that its sender calls sent; "" means that this is unknown.
func (a *Agent) Performs(native, sent string) bool {
	hook, event := a.Event(native), a.Event(sent)
	switch {
	case hook == nil:
		return true
	case event == nil || !slices.Equal(hook.Spec(), event.Spec()):
		return !a.Separate(native)
	}
	return native == sent || !a.Separate(native) && !a.Separate(sent)
}

// Separate reports whether an event is an operation of its own, which other events
// of the same hook event are not: it is a part of what another one corresponds to, such
// as an end of a turn by an error, or a compaction that other agents do not have.
func (a *Agent) Separate(event string) bool {
	row := a.Event(event)
	if row == nil || len(row.Spec()) == 0 {
		return false
	}
	return a == &jcli && strings.HasSuffix(event, "micro_compact") || !slices.Equal(row.Spec(), a.EventFor(row.Spec()[0]).Spec())
}

// InSettings returns the row of an event by its name in the agent's settings, nil if there
// is none.
func (a *Agent) InSettings(name string) *NativeEvent {
	for i := range a.Events() {
		if row := &a.Events()[i]; row.Setting == name && name != "" {
			return row
		}
	}
	return a.Event(name)
}

// Attended reports whether somebody may watch the session. getenv returns the
// variables that the agent sets for its hooks.
func (a *Agent) Attended(getenv func(string) string) bool {
	return a != &claudeCode || getenv == nil || getenv(claudeAttended) != "0"
}

// EventFor returns the first row that corresponds to e, nil if there is none.
func (a *Agent) EventFor(e spec.EventType) *NativeEvent {
	for i := range a.Events() {
		if row := &a.Events()[i]; slices.Contains(row.Spec(), e) {
			return row
		}
	}
	for i := range a.Events() {
		if row := &a.Events()[i]; row.Failed == e || row.Subagent == e {
			return row
		}
	}
	return nil
}

// Timeout returns the longest useful timeout of the event (D49).
func (a *Agent) Timeout(e *NativeEvent) time.Duration {
	return cmp.Or(e.MaxTimeout, a.MaxTimeout, 600*time.Second)
}

// Wait returns how long the agent waits for a hook of the event that sets no
// timeout.
func (a *Agent) Wait(e *NativeEvent) time.Duration {
	return cmp.Or(e.DefaultTimeout, a.DefaultTimeout, 60*time.Second)
}

// Owns reports whether an event is one of the agent's own, not only another name
// that it knows.
func (a *Agent) Owns(event string) bool {
	return slices.ContainsFunc(a.Events(), func(e NativeEvent) bool { return e.Name == event || e.Setting == event })
}

func isUpper(name string) bool { return name[0] >= 'A' && name[0] <= 'Z' }

// NamesEvent reports whether payloads name their event. Otherwise the command line
// does.
func (a *Agent) NamesEvent() bool { return a.NameKey != "" && !a.Nameless }
