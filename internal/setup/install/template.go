package install

import (
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
	"github.com/agent-hooks/agent-hooks/spec"
)

// values are the values of a template's variables for one event.
type values struct {
	event   Event
	command string   // the command line for the shell of this system
	bash    string   // the same for sh
	power   string   // the same for PowerShell
	cmd     string   // the same for cmd.exe
	words   []string // the same, as words
	script  string   // path of the script that runs it
}

// render returns the object that a template describes: space-separated
// KEY=VALUE pairs, where dots in KEY create nested objects.
func (v values) render(template string) settings.Object {
	var o settings.Object
	for field := range strings.FieldsSeq(template) {
		key, value, _ := strings.Cut(field, "=")
		o = set(o, strings.Split(key, "."), v.value(value))
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

func (v values) value(text string) any {
	switch text {
	case "$command":
		return v.command
	case "$bash":
		return v.bash
	case "$powershell":
		return v.power
	case "$cmd":
		return v.cmd
	case "$program":
		return v.words[0]
	case "$args":
		return v.words[1:]
	case "$words":
		return v.words
	case "$script":
		return v.script
	case "$event":
		return v.event.Name
	case "$name":
		return "agent-hooks-" + v.event.Name
	case "$s":
		return int(v.event.Timeout / time.Second)
	case "$ms":
		return int(v.event.Timeout / time.Millisecond)
	case "$priority":
		return spec.DefaultPriority
	case "true", "false":
		return text == "true"
	}
	if list, ok := strings.CutPrefix(text, "list:"); ok {
		return strings.Split(list, ",")
	}
	return text
}

func isCore(e spec.EventType) bool {
	info, ok := spec.Info(e)
	return ok && !info.Extension
}
