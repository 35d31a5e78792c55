package call

import (
	"bytes"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/shell"
	"github.com/agent-hooks/agent-hooks/spec"
)

// ShellOf returns the shell that runs the commands of an event's tool: the
// tool's own if its name indicates one, otherwise the system's. bash means that the
// agent is documented to run commands in bash there (D97).
func ShellOf(tool string, bash bool, goos string) string {
	lower := strings.ToLower(tool)
	if strings.Contains(lower, "powershell") || strings.Contains(lower, "pwsh") || goos == "windows" && !bash && lower != "bash" {
		return "powershell"
	}
	return ""
}

// ReadEvent adds the commands of an event to r. name is the shell that runs them; ""
// means ShellOf's. A tool that may be a shell's has the commands under the keys
// by which an unknown tool is guessed (SPEC.md 7.5), also for tools of MCP
// servers: a hook that reads them expects commands. An event of another known
// tool adds none. An event of a shell's tool without a command is an error.
func ReadEvent(r *shell.Reader, event []byte, name string, bash bool, goos string) error {
	event = bytes.TrimSpace(bytes.TrimPrefix(event, []byte("\ufeff")))
	var tools []string
	var inputs [][]byte
	err := rawjson.Members(event, func(key string, value []byte) bool {
		switch key {
		case "tool_name":
			tool, _ := rawjson.Text(value)
			tools = append(tools, tool)
		case "tool_input":
			inputs = append(inputs, value)
		}
		return true
	})
	if err != nil || !rawjson.Valid(event) {
		return &shell.Unreadable{Cause: "the event is not a JSON object"}
	}
	isShell, known := kindOf(tools)
	if known {
		return nil
	}
	if name == "" && len(tools) > 0 {
		name = ShellOf(tools[len(tools)-1], bash, goos)
	} else if name == "" {
		name = ShellOf("", bash, goos)
	}
	found, err := commandsOf(event, inputs, isShell)
	if isShell && isTyped(tools) {
		found, err = typed(inputs)
	}
	if err != nil || len(found) == 0 {
		return err
	}
	if r.POSIX, err = shell.CheckName(name); err != nil {
		return err
	}
	for _, c := range found {
		if err := r.Read(strings.ToValidUTF8(c, "\ufffd")); err != nil { // as decoders do
			return err
		}
	}
	return nil
}

// kindOf reports whether one of an event's tools is a shell's, and whether all
// are known to be others'. An event has several if it repeats the key.
func kindOf(tools []string) (isShell, known bool) {
	isShell, known = len(tools) == 0, len(tools) > 0
	for _, tool := range tools {
		runs := tool == "" || slices.Contains(spec.ToolNames(tool), "Shell")
		isShell = isShell || runs
		known = known && !runs && spec.KnownTool(tool) && !spec.IsMCP(tool)
	}
	return isShell, known
}

// commandsOf returns the commands in the inputs of an event's tool.
func commandsOf(event []byte, inputs [][]byte, isShell bool) (found []string, err error) {
	read := inputs
	if len(inputs) == 0 {
		read = [][]byte{event}
	}
	reading := readInput(read, false)
	for _, v := range reading.Values {
		// An event without an input is no tool's, and its keys may mean anything.
		if v.IsCommand() && (len(inputs) > 0 || v.Name == "command") {
			found = append(found, v.Text)
		}
	}
	switch {
	case reading.Unreadable:
		return nil, &shell.Unreadable{Cause: "the tool's input cannot be read"}
	case !isShell || len(inputs) == 0 && len(found) > 0:
		return found, nil
	case len(found) > 0:
		return withOthers(found, inputs), nil
	case len(inputs) == 0:
		return nil, &shell.Unreadable{Cause: "the event has no command"}
	}
	return withoutKey(inputs)
}

// withoutKey returns every text in the inputs of a shell's tool that have no
// command, unless they have its key. None is an input such as {"restart": true}.
func withoutKey(inputs [][]byte) (found []string, err error) {
	key, wrong, empty := false, false, true
	for _, input := range inputs {
		command := false
		visit := func(t rawjson.Token, text []byte) bool {
			switch t {
			case rawjson.TokenOpen:
				command = command && text[0] == '['
			case rawjson.TokenKey:
				row := spec.KeyOf(string(rawjson.Unquote(text)))
				command = row != nil && row.Canonical == "command"
				key, empty = key || command, false
			case rawjson.TokenScalar:
				if rawjson.KindOf(text) == rawjson.String {
					found = append(found, string(rawjson.Unquote(text)))
				} else {
					wrong = wrong || command
				}
			}
			return true
		}
		w := rawjson.Walker{Buf: input, Visit: visit}
		w.Value(rawjson.SkipSpace(input, 0))
	}
	switch {
	case wrong:
		return nil, &shell.Unreadable{Cause: "a command is neither a string nor a list of strings"}
	case key:
		return nil, nil // an empty one
	case len(found) == 0 && empty:
		return nil, &shell.Unreadable{Cause: "the event has no command"}
	}
	return rotated(found)
}

// textsOf returns the shell texts in a call of a tool with the given names and
// inputs, as ReadEvent finds them, each once, and whether one of the names is a
// shell's. The error is an *shell.Unreadable.
func textsOf(tools []string, inputs [][]byte) (texts []string, isShell bool, err error) {
	isShell, known := kindOf(tools)
	if known {
		return nil, false, nil
	}
	if len(inputs) == 0 {
		return nil, isShell, &shell.Unreadable{Cause: "the event has no command"}
	}
	found, err := commandsOf(nil, inputs, isShell)
	if isShell && isTyped(tools) {
		found, err = typed(inputs)
	}
	for _, text := range found {
		if text = strings.ToValidUTF8(text, "\ufffd"); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts, isShell, err
}
