package spec

// NativeEvents returns the events that Claude Code, Codex or Gemini CLI means
// by a name, the one that fits best first: where an agent has one event for
// several of the format's, all of them. The agents' names do not contradict
// each other. There are none for a name that is unknown.
func NativeEvents(name string) []Event {
	switch name {
	case "SessionStart":
		return []Event{PreSession}
	case "SessionEnd":
		return []Event{PostSession}
	case "UserPromptSubmit", "BeforeAgent":
		return []Event{PreAgentTurn}
	case "Stop", "AfterAgent":
		return []Event{PreAgentTurnStop, PostAgentTurn, PostAgentTurnStop}
	case "PreToolUse", "BeforeTool":
		return []Event{PreToolCall}
	case "PostToolUse":
		return []Event{PostToolCall}
	case "AfterTool":
		return []Event{PostToolCall, PostToolCallFailure}
	case "PostToolUseFailure":
		return []Event{PostToolCallFailure}
	case "SubagentStart":
		return []Event{PreSubagent}
	case "SubagentStop":
		return []Event{PostSubagent}
	case "PreCompact", "PreCompress":
		return []Event{PreContextCompact}
	case "PostCompact":
		return []Event{PostContextCompact}
	}
	return nil
}

// NearestEvent returns the event that a word, which is none, most likely
// stands for: what an agent calls so, or the one whose name is nearest.
func NearestEvent(word string) (event Event, ok bool) {
	if native := NativeEvents(word); len(native) > 0 {
		return native[0], true
	}
	var names []string
	for _, info := range Events() {
		names = append(names, string(info.Event))
	}
	near, ok := Nearest(word, names)
	return Event(near), ok
}
