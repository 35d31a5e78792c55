package spec

// NativeEvents returns the events that correspond to an event name of Claude
// Code, Codex or Gemini CLI, best match first. It returns several where an
// agent has one event for several of the format's, and none for an unknown
// name. The agents' names do not conflict with each other.
func NativeEvents(name string) []EventType {
	switch name {
	case "SessionStart":
		return []EventType{PreSession}
	case "SessionEnd":
		return []EventType{PostSession}
	case "UserPromptSubmit", "BeforeAgent":
		return []EventType{PreAgentTurn}
	case "Stop", "AfterAgent":
		return []EventType{PreAgentTurnStop, PostAgentTurn, PostAgentTurnStop}
	case "PreToolUse", "BeforeTool":
		return []EventType{PreToolCall}
	case "PostToolUse":
		return []EventType{PostToolCall}
	case "AfterTool":
		return []EventType{PostToolCall, PostToolCallFailure}
	case "PostToolUseFailure":
		return []EventType{PostToolCallFailure}
	case "SubagentStart":
		return []EventType{PreSubagent}
	case "SubagentStop":
		return []EventType{PostSubagent}
	case "PreCompact", "PreCompress":
		return []EventType{PreContextCompact}
	case "PostCompact":
		return []EventType{PostContextCompact}
	case "BeforeModel":
		return []EventType{PreLLMCall}
	case "AfterModel":
		return []EventType{PostLLMCall}
	case "PermissionRequest":
		return []EventType{PermissionRequest}
	case "Notification":
		return []EventType{Notification}
	case "TaskCompleted":
		return []EventType{TaskCompleted}
	}
	return nil
}
