package agent

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Setup is what installing, examining and importing need to know about one
// program with the agent's dialect. Nothing of it is used while an event is
// handled.
type Setup struct {
	// Name, Title and Programs differ from the agent's only where several programs
	// share its dialect; otherwise they are empty.
	Name, Title string
	Programs    []string
	Folders     []string // settings folders; if one exists, the program is installed
	// Headless are the arguments that precede a prompt and run the first of
	// Programs without a terminal; "" if that is not possible.
	Headless string
	Steps    []Step   // what only a person can do after install
	Switches []Switch // settings that disable hooks
	Traces   []Trace  // what each session changes, also one without hooks
	Flaws    Flaws    // what it loses by which flaw of a settings file
	Windows  Shell    // the shell that runs a command line on Windows
	// LoginShell means that elsewhere the user's login shell runs it.
	LoginShell bool
	// FailClosed are the members that make an entry fail closed, FailSince the first
	// version that supports them, and FailOn the only event whose entries may have
	// them, "" for all. A plugin can always fail closed.
	FailClosed        Form
	FailSince, FailOn string
	// Reviews means that the program runs only entries that the user reviewed in
	// it, and a changed one not before.
	Reviews bool
	// Reads are other agents' files that it also reads, if not simply those whose
	// Guest the agent is.
	Reads []Reading
	// Harnesses are other agents that the program's sessions can run instead of its own,
	// with the settings of those agents.
	Harnesses []string
	// Snippet is the text to add by hand if there is no file, with %s for the command
	// line.
	Snippet string
	Managed Managed
	// Unguarded says which calls do not reach the hooks, or were not seen to, although
	// others of subagents, background tasks and modes do; "" if the program is not Live.
	Unguarded string
	// Trust reports the program's own conditions for running the entries that are
	// not met according to its files; nil if there are none.
	Trust func(m *Machine, entries []Entry) []Finding
	// MCPFailure says when an entry that calls an MCP tool does not guard, as seen in the running program;
	// "" if it has no such entries.
	MCPFailure string
	// Left returns what a person wrote for the entries and an uninstall leaves, with the command that
	// removes it; "" if there is nothing.
	Left func(m *Machine) string
	// Listed compares the entries with the program's own list of its hooks; nil if
	// it has none.
	Listed func(m *Machine, entries []Entry) ([]Finding, error)
	// Plugins returns the program's plugins that are switched on; nil if it has no
	// plugins with hooks.
	Plugins func(m *Machine) []Plugin

	// Matcher returns how a matcher of an event is read; nil means as an expression,
	// with * for everything.
	Matcher func(row *NativeEvent) Matcher
	// SecondsBelow is the number below which a timeout is in seconds, whatever the
	// unit.
	SecondsBelow float64
	// NoShell means that the program starts the words of a command line itself,
	// without a shell that would set variables for them.
	NoShell bool
	// RunsIn returns the directory in which the program runs the entries of a file,
	// which may be the user's own or belong to a plugin; "" for the project. A nil
	// RunsIn means the project.
	RunsIn func(file string, own bool, plugin string) string
	// Substitutes are the variables that the program replaces with quoted text
	// before a shell reads the command line, and PathVariables those that it
	// replaces in the words of a program that it starts without a shell, separated
	// by spaces.
	Substitutes, PathVariables string
	// PluginFiles mark the root of a plugin, in which commands use the variable
	// PluginRoot, besides those in Environment.
	PluginFiles []string
	PluginRoot  string
	// Prompts describes entries that ask a model; nil if the program is not known to
	// run such entries.
	Prompts *Prompts
}

// Trace is a folder or a pattern of files that every session changes.
type Trace struct {
	Path string // like that of Settings
	Home string // environment variable that replaces the path's first directory; "" for none
}

// Prompts are the rules for entries that ask a model.
type Prompts struct {
	// Prompt and Agent are the timeouts of entries without one, for a model and for an
	// agent with tools; 0 means that of other entries.
	Prompt, Agent time.Duration
	Retry         int // how often a failure is repeated
}

// Matcher is how an agent reads a matcher in its settings.
type Matcher struct {
	All []string // the texts that match everything
	// Split are the separators of a list of exact names, whose other characters are
	// letters, digits, _ and those of List; "" if there are no lists.
	List, Split string
	Whole       bool // an expression must match the whole value
	Literal     bool // no expressions: the value must be equal
	Portable    bool // the canonical names and Claude Code's match, too
	Invalid     bool // an invalid expression is compared letter for letter; otherwise it matches nothing
}

// MatcherOn returns how the agent reads a matcher of an event.
func (a *Agent) MatcherOn(row *NativeEvent) Matcher {
	if a.Setup.Matcher == nil {
		return Matcher{All: []string{"*"}}
	}
	return a.Setup.Matcher(row)
}

// barMatcher is that of several agents which follow Claude Code.
func barMatcher(*NativeEvent) Matcher {
	return Matcher{All: []string{"*"}, List: "|-", Split: "|"}
}

// PluginRoots returns the variables that hold the folder of an agent's plugin:
// those of several agents, which scripts for any of them use, and others.
func PluginRoots() (shared, others []string) {
	count := map[string]int{}
	for _, a := range agents {
		for _, p := range a.Environment {
			if p.Var == HookDir {
				count[p.Path]++
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		if count[name] > 1 {
			shared = append(shared, name)
		} else {
			others = append(others, name)
		}
	}
	for _, a := range agents {
		if a.Setup.PluginRoot != "" {
			others = append(others, a.Setup.PluginRoot)
		}
	}
	return shared, others
}

// PathVariables returns the variables that agents replace in the words of a
// program that they start without a shell.
func PathVariables() (names []string) {
	for _, a := range agents {
		names = append(names, strings.Fields(a.Setup.PathVariables)...)
	}
	return names
}

// PluginFiles returns the files that mark the root of an agent's plugin.
func PluginFiles() (names []string) {
	for _, a := range agents {
		names = append(names, a.Setup.PluginFiles...)
	}
	return names
}

// EventKey returns the key of an entry that holds the event's name; "" if the
// lists of entries have it.
func (a *Agent) EventKey() string {
	for _, s := range a.Settings {
		for _, p := range s.Entry {
			if p.Var == EventName {
				return p.Path
			}
		}
	}
	return ""
}

// NamesHooks reports whether the top level of the settings holds names of hooks,
// with the events of each below.
func (a *Agent) NamesHooks() bool {
	return slices.ContainsFunc(a.Settings, func(s Settings) bool {
		return s.Layout != nil && slices.Equal(s.Layout.Root, []string{"agent-hooks"})
	})
}

// Managed are facts about a program's managed settings, for doctor --managed (D82).
type Managed struct {
	// Lock is the setting with which the program runs only managed hooks, in one of
	// LockIn, whose names may end with *.json; "" if it has none.
	Lock   string
	LockIn []string
	Ways   []string // the ways around managed hooks that are left, for people
}

// Step is a manual step after install.
type Step struct {
	Scope string // "": both
	Text  string
}

// Switch is a setting that disables hooks.
type Switch struct {
	Paths    []string // of the files, as in Settings
	Home     string
	Keys     []string
	Bad      any    // the value that disables hooks: a boolean, or a text in a list
	Variable string // an environment variable, instead of a file
	Says     string // what it does, if it does not disable hooks
}

// folders are folders of settings on Linux, macOS and Windows.
var folders = [...][3]string{
	{"/etc/augment/", "/etc/augment/", "C:/ProgramData/augment/"},
	{"/etc/claude-code/", "/Library/Application Support/ClaudeCode/", "C:/Program Files/ClaudeCode/"},
	{"/etc/cursor/", "/Library/Application Support/Cursor/", "C:/ProgramData/Cursor/"},
	{"/etc/gemini-cli/", "/Library/Application Support/GeminiCli/", "C:/ProgramData/gemini-cli/"},
	{"/etc/opencode/", "/Library/Application Support/opencode/", "C:/ProgramData/opencode/"},
	{"/etc/qwen-code/", "/Library/Application Support/QwenCode/", "C:/ProgramData/qwen-code/"},
	{"/etc/windsurf/", "/Library/Application Support/Windsurf/", "C:/ProgramData/Windsurf/"},
	{"~/.config/Code/", "~/Library/Application Support/Code/", "~/AppData/Roaming/Code/"},
}

// On returns the path of a settings file of the tables on a system.
func On(goos, path string) string {
	column := slices.Index([]string{"darwin", "windows"}, goos) + 1
	for _, f := range folders {
		if rest, below := strings.CutPrefix(path, f[0]); below {
			return f[column] + rest
		}
	}
	return path
}

// Reading says that a program also reads the files of another agent.
type Reading struct {
	Agent   string
	Scope   string // only these files; "" means all
	Setting string // only if this setting is true; "" means always
}

// Shell is the program that interprets a command line.
type Shell int

// The shells.
const (
	Posix      Shell = iota
	CmdExe           // Windows: %COMSPEC% /C
	PowerShell       // Windows: powershell -Command
)

// Layout describes where a settings file stores lists of hooks, and how they are
// written.
type Layout struct {
	Root []string // the keys of the mapping that holds one list per event; empty: the document
	// OrTop means that the mapping is the document itself in a file without Root.
	OrTop   bool
	Grouped bool     // an element is a group with its handlers under "hooks"; otherwise a handler
	Flat    bool     // the list at Root itself holds the handlers of all events
	Key     string   // the mapping at Root holds the only handler, under this key; JSON only
	Top     Form     // initial members of a new document
	Pin     Form     // members of every document with entries
	Plain   []string // events without groups
	Group   Form     // the other members of a group
}

// The layouts that several agents use.
var (
	grouped      = Layout{Root: []string{"hooks"}, Grouped: true}
	groupedTop   = Layout{Grouped: true}
	groupedOrTop = Layout{Root: []string{"hooks"}, Grouped: true, OrTop: true}
	// Managed settings, which take precedence over the user's.
	groupedFeatures = Layout{Root: []string{"hooks"}, Grouped: true, Pin: Form{JSON("features.hooks", "true")}}
	groupedEnabled  = Layout{Root: []string{"hooks"}, Grouped: true, Pin: Form{JSON("hooksConfig.enabled", "true")}}
	groupedOn       = Layout{Root: []string{"hooks"}, Grouped: true, Pin: Form{JSON("disableAllHooks", "false")}}
	listed          = Layout{Root: []string{"hooks"}}
	listedOne       = Layout{Root: []string{"hooks"}, Top: Form{JSON("version", "1")}}
	oneList         = Layout{Root: []string{"hooks"}, Flat: true}
)

// The variables of entries.
const (
	CommandLine    Variable = "command_line" // for the shell of this system
	ShellLine      Variable = "shell_line"   // for sh
	PowerShellLine Variable = "power_shell_line"
	CmdLine        Variable = "cmd_line"
	ProgramPath    Variable = "program"
	Arguments      Variable = "arguments"
	Words          Variable = "words"  // the program and its arguments
	ScriptPath     Variable = "script" // of the script that runs it
	EntryName      Variable = "entry_name"
	Seconds        Variable = "seconds" // the timeout
	Milliseconds   Variable = "milliseconds"
	Priority       Variable = "priority"
)

// The entries that several agents use.
var (
	commandEntry = Form{Set("type", "command"), Var("command", CommandLine), Var("timeout", Seconds)}
	shellEntry   = Form{Var("command", ShellLine), Var("timeout", Seconds)}
	eventEntry   = Form{Var("event", EventName), Var("command", CommandLine), Var("timeout", Seconds)}
)

// Restarts reports whether the step is to restart running sessions.
func (s Step) Restarts() bool { return s.Text == restart }

const restart = "restart running sessions: settings are read at the start"

// Setups returns the agent's programs with their names: its own, and others with
// its dialect and its settings.
func (a *Agent) Setups() []Setup {
	all := append([]Setup{a.Setup}, a.Hosts...)
	for i := range all {
		if s := &all[i]; s.Name == "" {
			s.Name, s.Programs = a.Name, a.Programs
		}
		if s := &all[i]; s.Title == "" {
			s.Title = a.Title
		}
	}
	return all
}

// Machine is what the functions of an agent's Setup may use of the machine:
// package agent itself opens no file and starts no process. A path and home are
// as in Settings.
type Machine struct {
	Title   string // of the program
	Program string // its path; "" if it was not found
	Project string
	GOOS    string
	// Replaced reports whether a variable replaces a directory.
	Replaced func(home string) bool
	// Read returns a file's content; nil if it cannot be read. Decoded returns that
	// of a settings file as maps, lists, texts, numbers and booleans.
	Read    func(path, home string) []byte
	Decoded func(path, home string) any
	// Real returns a path without links, or the path itself.
	Real func(path string) string
	// Newest returns the entry of a folder with the highest version for a name; ""
	// if it has none.
	Newest func(path, home string) string
	// Below returns the files in a folder, or some levels below, whose paths end
	// with a name, or with an extension. It reads neither node_modules nor .git.
	Below func(path, home, name string) []string
	// Talk starts Program in Dir, writes a text to its stdin, and calls each with
	// each line of stdout until it returns false.
	Dir  string
	Talk func(args []string, stdin string, each func(line []byte) bool) error
}

// Entry is a call of agent-hooks in an agent's settings.
type Entry struct {
	Path         string // of the file, absolute
	Plugin       string // ID of the agent's plugin that contains the file; "" for settings
	Event        string // native; "" if the file does not name it
	Line         string // as the agent runs it; "" if it uses no shell
	Group, Index int    // index of the group in the event, and of the handler in the group

	Words   []string // the program and its arguments
	Only    string   // the matcher of the group, which somebody added; "" if every call is checked
	Wrapped bool     // somebody added other commands to the command line
	Closed  bool     // it blocks operations that agent-hooks could not check
	Setting bool     // it has the agent's own setting for that
}

// Plugin is one of the agent's own plugins, which the user has switched on.
type Plugin struct {
	ID     string // NAME@MARKETPLACE
	Dir    string // absolute
	Update string // the command that updates it
	Remove string // the command that removes it
	OffBy  string // the project's file that switches it off; "" if it is on
}

// Finding is one result of a check of an agent.
type Finding struct {
	Level string `json:"level"`
	Text  string `json:"text"`
	Fix   string `json:"fix,omitempty"` // what to do about it
	Step  bool   `json:"-"`             // it is one of the agent's Steps, which every install needs
}

// Levels of findings.
const (
	OK      = "ok"
	Note    = "note"
	Warning = "warning"
	Broken  = "broken"
)

// trusted reports that the program does not trust the project, according to a
// file with a value for each folder. keys lead to the value; "" stands for the
// folder.
func (m *Machine) trusted(path, home string, want any, keys ...string) []Finding {
	decoded := m.Decoded(path, home)
	for dir := m.Project; ; dir = filepath.Dir(dir) {
		at := slices.Clone(keys)
		at[slices.Index(keys, "")] = dir
		if valueAt(decoded, at...) == want {
			return nil
		}
		if dir == filepath.Dir(dir) {
			return []Finding{{Level: Warning, Text: m.Title + " does not trust the folder " + m.Project + " yet, so it runs no hooks there", Step: true}}
		}
	}
}

// valueAt returns a value in nested objects, nil if there is none.
func valueAt(decoded any, keys ...string) any {
	for _, key := range keys {
		object, _ := decoded.(map[string]any)
		decoded = object[key]
	}
	return decoded
}
