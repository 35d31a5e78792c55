package spec

import (
	"iter"
	"slices"
)

// Field is one key of a HOOK.md's front matter (D9, D12). Name is its path,
// with a dot between a mapping and its key ("matcher.tool").
type Field struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Default     string `json:"default,omitempty"` // "" if there is none
	Range       string `json:"range,omitempty"`   // "" if any value of the type is valid
	Description string `json:"description"`
	Required    bool   `json:"required"`
	Extension   bool   `json:"extension"` // not part of the original format

	// People means that the value is for people, so that a defect in it does not
	// stop a hook (SPEC.md 4.8). Deciding means that the value decides whether the
	// hook runs or what its answer means, also in a text in place of metadata.
	// Script means that it concerns only the process of a script.
	People, Deciding, Script bool `json:"-"`
}

var fields = [...]Field{
	{Name: "name", Type: "string", Range: "1-64 characters", Required: true, People: true,
		Description: "the hook's name: lower-case letters, digits and single hyphens, the same as its folder's"},
	{Name: "description", Type: "string", Range: "1-1024 characters", Required: true, People: true,
		Description: "a description of the hook for people"},
	{Name: "trigger", Type: "event", Required: true,
		Description: "the event that the hook runs on"},
	{Name: "matcher", Type: "mapping",
		Description: "the tool calls for which the hook runs; default: all"},
	{Name: "matcher.tool", Type: "regular expression",
		Description: "searched in all known names of the tool"},
	{Name: "matcher.pattern", Type: "regular expression",
		Description: "searched in the tool's input"},
	{Name: "timeout", Type: "integer", Default: "30000", Range: "100-600000", Script: true,
		Description: "milliseconds until the hook is stopped"},
	{Name: "async", Type: "boolean", Default: "false", Script: true,
		Description: "whether the agent continues without waiting; such a hook cannot decide"},
	{Name: "priority", Type: "integer", Default: "100", Range: "0-1000",
		Description: "higher runs first"},
	{Name: "metadata", Type: "mapping",
		Description: "anything else"},
	{Name: "metadata.on-failure", Type: "string", Default: "allow", Range: "allow, deny, ask", Extension: true,
		Description: "the effect of a failure: allow, deny or ask"},
	{Name: "metadata.retry", Type: "integer", Default: "0", Range: "0-5", Extension: true, Script: true,
		Description: "how often a failed hook is restarted, within its timeout"},
	{Name: "metadata.pure", Type: "boolean", Default: "false", Extension: true, Script: true,
		Description: "whether the hook only inspects its event and changes nothing; adjacent pure hooks run concurrently"},
	{Name: "metadata.when", Type: "mapping", Extension: true, Deciding: true,
		Description: "regular expressions that must be found in fields of the event"},
	{Name: "metadata.protocol", Type: "string", Range: "the name of an agent", Extension: true, Deciding: true, Script: true,
		Description: "the hook system whose format the script uses, if not this one"},
	{Name: "metadata.native-event", Type: "string", Range: "an event of metadata.protocol", Extension: true, Deciding: true, Script: true,
		Description: "the event of that system for which the script is written, if several map to the trigger"},
	{Name: "metadata.process", Type: "string", Extension: true, Script: true,
		Description: "the name that a process which answers requests is told; default: the hook's name"},
	{Name: "metadata.match", Type: "string", Default: "values", Range: "values, commands, pipelines, paths", Extension: true, Deciding: true,
		Description: "what the pattern is searched in: the values of the input, the commands that a shell would run, their pipelines, or the paths that the call names"},
	{Name: "metadata.access", Type: "list", Range: "read, show, write, remove, remove-tree", Extension: true, Deciding: true,
		Description: "which paths count with match: paths, by what the call does with them; default: all"},
	{Name: "metadata.form", Type: "string", Range: "marked", Extension: true, Deciding: true,
		Description: "the form of a command in which the pattern is searched with match: commands: only the marked one, in which the white space in a word is a mark; default: both"},
	{Name: "metadata.unless", Type: "list of regular expressions", Extension: true, Deciding: true,
		Description: "exceptions from the pattern: what one of them matches as a whole"},
	{Name: "metadata.undecided", Type: "string", Default: "match", Range: "match, pass", Extension: true, Deciding: true,
		Description: "what happens if the pattern cannot be decided, for a constant deny or ask that only reminds: it matches, or it passes"},
	{Name: "metadata.own", Type: "string", Range: "pass", Extension: true, Deciding: true,
		Description: "pass: what the session itself has made is excepted, for a constant deny or ask with match: paths and an access that only removes"},
	{Name: "metadata.answer", Type: "mapping", Extension: true, Deciding: true,
		Description: "the answer to every event that the hook matches; such a hook has no script"},
	{Name: "metadata.answer.decision", Type: "string", Range: "deny, ask, allow", Extension: true,
		Description: "the decision"},
	{Name: "metadata.answer.reason", Type: "string", Extension: true,
		Description: "the reason; default: the description"},
	{Name: "metadata.answer.additional_context", Type: "string", Extension: true,
		Description: "text for the model"},
	{Name: "metadata.answer.system_message", Type: "string", Extension: true,
		Description: "text for the user"},
}

// Fields returns the front-matter keys in the format's order, with the
// extensions under metadata last.
func Fields() []Field { return slices.Clone(fields[:]) }

// FieldAt returns the key with that path; ok is false if the front matter has none.
func FieldAt(name string) (f Field, ok bool) {
	for i := range fields {
		if fields[i].Name == name {
			return fields[i], true
		}
	}
	return Field{}, false
}

// ScriptKeys returns the paths of the keys that concern only the process of a script.
func ScriptKeys() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range fields {
			if fields[i].Script && !yield(fields[i].Name) {
				return
			}
		}
	}
}
