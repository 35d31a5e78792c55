package shell

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

// The names of POSIX shells and bash, for CheckName.
const names = "sh or bash"

// CheckName checks the name of a shell that runs a text, and reports whether it
// accepts only the grammar of POSIX sh. The empty name means bash.
func CheckName(name string) (posix bool, err error) {
	switch program := Program(name); {
	case name == "" || program == "bash" || program == "rbash":
		return false, nil
	case slices.Contains(shells[:], program):
		return true, nil
	}
	return false, &Unreadable{fmt.Sprintf("the shell %q is not %s", name, names)}
}

// ForEvent returns the shell that runs the commands of an event's tool: the
// tool's own if its name indicates one, otherwise the agent's on that operating
// system.
func ForEvent(tool, agent, goos string) string {
	lower := strings.ToLower(tool)
	switch {
	case strings.Contains(lower, "powershell"), strings.Contains(lower, "pwsh"):
		return "powershell"
	case goos == "windows" && agent != "" && agent != "claude-code" && tool != "Bash":
		return "powershell" // Claude Code runs Git Bash there
	}
	return ""
}

// ReadEvent adds the commands of an event. name is the shell that runs them; ""
// means ForEvent's. An event of another tool without a command adds none. An
// event of a shell's tool without a command is an error.
func (r *Reader) ReadEvent(event []byte, name, agent, goos string) error {
	e, err := decode(event)
	if err != nil {
		return &Unreadable{"the event is not a JSON object: " + err.Error()}
	}
	var tool string
	for _, v := range e.all("tool_name") {
		tool, _ = v.(string)
	}
	if name == "" {
		name = ForEvent(tool, agent, goos)
	}
	inputs := e.all("tool_input")
	if len(inputs) == 0 {
		inputs = []any{e}
	}
	var found []any
	for _, in := range inputs {
		found = append(found, commandsIn(in)...)
	}
	isShell := tool == "" || slices.Contains(spec.ToolNames(tool), "Shell")
	if len(found) == 0 && isShell && len(e.all("tool_input")) > 0 {
		found = texts(inputs)
		if len(found) == 0 && slices.ContainsFunc(inputs, notEmpty) {
			return nil // such as {"restart": true}
		}
	}
	if len(found) == 0 {
		if isShell {
			return &Unreadable{"the event has no command"}
		}
		return nil
	}
	if r.POSIX, err = CheckName(name); err != nil {
		return err
	}
	for _, c := range found {
		if err := r.readValue(c); err != nil {
			return err
		}
	}
	return nil
}

// readValue reads a command: a text, or a list of its words.
func (r *Reader) readValue(value any) error {
	switch v := value.(type) {
	case string:
		return r.Read(v)
	case []string:
		return r.ReadWords(v)
	}
	return &Unreadable{"a command is neither a string nor a list of strings"}
}

// object is a JSON object with all of its members in order.
type object []member

type member struct {
	key   string
	value any
}

func (o object) all(key string) (values []any) {
	for _, m := range o {
		if m.key == key {
			values = append(values, m.value)
		}
	}
	return values
}

func notEmpty(v any) bool {
	o, ok := v.(object)
	return ok && len(o) > 0
}

// decode reads a JSON object and keeps duplicate keys.
func decode(data []byte) (object, error) {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	d.UseNumber()
	v, err := value(d)
	if err != nil {
		return nil, err
	}
	o, ok := v.(object)
	if !ok {
		return nil, errors.New("it is another kind of value")
	}
	return o, nil
}

func value(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	delimiter, ok := token.(json.Delim)
	if !ok {
		return token, nil
	}
	o, list := object{}, []any{}
	for d.More() {
		var m member
		if delimiter == '{' {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			m.key, _ = key.(string)
		}
		if m.value, err = value(d); err != nil {
			return nil, err
		}
		o, list = append(o, m), append(list, m.value)
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if delimiter == '{' {
		return o, nil
	}
	return list, nil
}

// isCommandKey reports whether agents store a command under that key.
func isCommandKey(key string) bool {
	switch strings.ReplaceAll(strings.ToLower(key), "_", "") {
	case "command", "cmd", "commandline", "commands", "script":
		return true
	}
	return false
}

// commandsIn returns the commands under the command keys at any depth: strings,
// and lists of words as []string.
func commandsIn(v any) (found []any) {
	switch v := v.(type) {
	case string: // some agents send the input as JSON inside a string
		if strings.HasPrefix(strings.TrimSpace(v), "{") {
			if o, err := decode([]byte(v)); err == nil {
				return commandsIn(o)
			}
		}
	case []any:
		for _, e := range v {
			found = append(found, commandsIn(e)...)
		}
	case object:
		for _, m := range v {
			if isCommandKey(m.key) {
				found = append(found, commandsOf(m)...)
			} else {
				found = append(found, commandsIn(m.value)...)
			}
		}
	}
	return found
}

// commandsOf returns the commands in a key's value. A list contains one
// command's words or, under a plural key, several commands.
func commandsOf(m member) []any {
	list, ok := m.value.([]any)
	if !ok {
		if _, ok := m.value.(object); ok {
			return texts([]any{m.value})
		}
		return []any{m.value}
	}
	var words []string
	for _, e := range list {
		if text, ok := e.(string); ok {
			words = append(words, text)
		}
	}
	if len(words) < len(list) || strings.HasSuffix(strings.ToLower(m.key), "s") {
		return texts(list)
	}
	return []any{words}
}

// texts returns every string in values, at any depth.
func texts(values []any) (found []any) {
	for _, v := range values {
		switch v := v.(type) {
		case string:
			found = append(found, v)
		case []any:
			found = append(found, texts(v)...)
		case object:
			for _, m := range v {
				found = append(found, texts([]any{m.value})...)
			}
		}
	}
	return found
}
