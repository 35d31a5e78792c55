package shown

import "github.com/agent-hooks/agent-hooks/spec"

// NearEvent returns the event that an invalid word most likely means: the event that has this name
// in an agent or an older version of the format, or the event with the nearest name.
func NearEvent(word string) (event spec.EventType, ok bool) {
	switch word { // older versions of the format
	case "before_tool":
		return spec.PreToolCall, true
	case "after_tool":
		return spec.PostToolCall, true
	case "before_stop":
		return spec.PreAgentTurnStop, true
	}
	if native := spec.NativeEvents(word); len(native) > 0 {
		return native[0], true
	}
	var names []string
	for _, info := range spec.Events() {
		names = append(names, string(info.Event))
	}
	nearest, ok := Near(word, names)
	return spec.EventType(nearest), ok
}
