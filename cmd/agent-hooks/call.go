package main

import (
	"flag"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// callFlags describe a tool's call, in place of an event on stdin.
type callFlags struct{ tool, command, path string }

func (f *callFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&f.tool, "tool", "", "use a call of the tool `NAME` as the event; default: Bash with --command, Write with --path")
	fs.StringVar(&f.command, "command", "", "use a call with the command `TEXT` as the event, instead of one on stdin")
	fs.StringVar(&f.path, "path", "", "use a call with the path `PATH` as the event, instead of one on stdin")
}

// given reports whether the event is not on stdin.
func (f *callFlags) given() bool { return *f != callFlags{} }

// event returns the event that a word names; without a word, pre-tool-call for a call.
func (f *callFlags) event(command, word string) (spec.EventType, error) {
	if word == "" && f.given() {
		return spec.PreToolCall, nil
	}
	event, err := eventArgument(command, word)
	if err == nil && f.given() && !event.IsTool() {
		err = usagef("agent-hooks "+command+" "+string(spec.PreToolCall)+" …", "%s: %s has no tool call, as --tool, --command and --path describe", command, event)
	}
	return event, err
}

// object returns the call as the JSON of an event.
func (f *callFlags) object() []byte {
	tool, input := f.tool, []byte("{")
	add := func(key, value, usual string) {
		if value == "" {
			return
		}
		if tool == "" {
			tool = usual
		}
		if len(input) > 1 {
			input = append(input, ", "...)
		}
		input = append(append(rawjson.AppendText(input, key), ": "...), rawjson.AppendText(nil, value)...)
	}
	add("command", f.command, "Bash")
	add("file_path", f.path, "Write")
	raw := append([]byte(`{"tool_name": `), rawjson.AppendText(nil, tool)...)
	return append(append(append(raw, `, "tool_input": `...), input...), "}}"...)
}
