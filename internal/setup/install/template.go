package install

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
	"github.com/agent-hooks/agent-hooks/spec"
)

// values are the values of a form's variables for one event.
type values struct {
	event   Event
	command string   // the command line for the shell of this system
	bash    string   // the same for sh
	power   string   // the same for PowerShell
	cmd     string   // the same for cmd.exe
	words   []string // the same, as words
	script  string   // path of the script that runs it
}

// render returns the object that a form describes. Dots in a path create nested
// objects.
func (v values) render(form agent.Form) settings.Object {
	var o settings.Object
	for _, p := range form {
		o = set(o, strings.Split(p.Path, "."), v.value(p))
	}
	return o
}

func set(o settings.Object, keys []string, value any) settings.Object {
	if len(keys) == 1 {
		return append(o, settings.Field{Key: keys[0], Value: value})
	}
	if last := len(o) - 1; last >= 0 && o[last].Key == keys[0] {
		if inner, ok := o[last].Value.(settings.Object); ok {
			o[last].Value = set(inner, keys[1:], value)
			return o
		}
	}
	return append(o, settings.Field{Key: keys[0], Value: set(nil, keys[1:], value)})
}

func (v values) value(p agent.Part) any {
	switch p.Var {
	case agent.CommandLine:
		return v.command
	case agent.ShellLine:
		return v.bash
	case agent.PowerShellLine:
		return v.power
	case agent.CmdLine:
		return v.cmd
	case agent.ProgramPath:
		return v.words[0]
	case agent.Arguments:
		return v.words[1:]
	case agent.Words:
		return v.words
	case agent.ScriptPath:
		return v.script
	case agent.EventName:
		return v.event.Name
	case agent.EntryName:
		return "agent-hooks-" + v.event.Name
	case agent.Seconds:
		return int(v.event.Timeout / time.Second)
	case agent.Milliseconds:
		return int(v.event.Timeout / time.Millisecond)
	case agent.Priority:
		return spec.DefaultPriority
	}
	if !p.Raw {
		return p.Text
	}
	var number int
	var list []string
	switch {
	case json.Unmarshal([]byte(p.Text), &number) == nil:
		return number
	case json.Unmarshal([]byte(p.Text), &list) == nil:
		return list
	}
	return p.Text == "true"
}
