package reading

import (
	"bytes"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/reading/internal/shell"
	"github.com/agent-hooks/agent-hooks/spec"
)

// shellOf returns the shell that runs the commands of an event's tool: the
// tool's own if its name indicates one, otherwise the system's. bash means that the
// agent is documented to run commands in bash there (D97).
func shellOf(tool string, bash bool, goos string) string {
	lower := strings.ToLower(tool)
	if strings.Contains(lower, "powershell") || strings.Contains(lower, "pwsh") || goos == "windows" && !bash && lower != "bash" {
		return "powershell"
	}
	return ""
}

// readEvent adds the commands of an event to r (ListEvent).
func readEvent(r *shell.Reader, event []byte, name string, bash bool, goos string) error {
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
		name = shellOf(tools[len(tools)-1], bash, goos)
	} else if name == "" {
		name = shellOf("", bash, goos)
	}
	var found []string
	if len(inputs) > 0 {
		found, err = readInput(inputs, isShell).shellTexts(isShell, isTyped(tools))
	} else {
		found, err = commandsIn(event, isShell)
	}
	if err != nil || len(found) == 0 {
		return err
	}
	r.POSIX, err = shell.CheckName(name)
	if err != nil {
		return err
	}
	for _, c := range found {
		_ = r.Read(strings.ToValidUTF8(c, "\ufffd")) // as decoders do; r has the notes
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

// commandsIn returns the commands of an event without an input. It is no tool's, and its
// other keys may mean anything.
func commandsIn(event []byte, isShell bool) (found []string, err error) {
	reading := readInput([][]byte{event}, false)
	for _, v := range reading.Values {
		if v.IsCommand() && v.Name == "command" {
			found = append(found, v.Text)
		}
	}
	switch {
	case reading.Unreadable:
		return nil, &shell.Unreadable{Cause: "the tool's input cannot be read"}
	case isShell && len(found) == 0:
		return nil, &shell.Unreadable{Cause: "the event has no command"}
	}
	return found, nil
}

// shellTexts returns the commands in the inputs of a call. The error is an *shell.Unreadable.
func (r *reading) shellTexts(isShell, isTyped bool) (found []string, err error) {
	if isShell && isTyped {
		return r.typed()
	}
	for _, v := range r.Values {
		if v.IsCommand() {
			found = append(found, v.Text)
		}
	}
	switch {
	case r.Unreadable:
		return nil, &shell.Unreadable{Cause: "the tool's input cannot be read"}
	case !isShell:
		return found, nil
	case len(found) > 0:
		return r.withOthers(found), nil
	case r.wrongCommand:
		return nil, &shell.Unreadable{Cause: "a command is neither a string nor a list of strings"}
	case r.commandKey:
		return nil, nil // an empty one
	case len(r.texts) == 0 && !r.keys: // one such as {"restart": true} has none
		return nil, &shell.Unreadable{Cause: "the event has no command"}
	}
	return rotated(r.texts)
}
