package agent

import "github.com/agent-hooks/agent-hooks/spec"

// meanings are the hook events of Claude Code's events, whose names many agents
// have.
var meanings = [...]struct {
	name   string
	events []spec.EventType
}{
	{"PreToolUse", on(spec.PreToolCall)},
	{"PostToolUse", on(spec.PostToolCall)},
	{"PostToolUseFailure", on(spec.PostToolCallFailure)},
	{"PermissionRequest", on(spec.PermissionRequest)},
	{"UserPromptSubmit", on(spec.PreAgentTurn)},
	{"Stop", endOfTurn},
	{"StopFailure", on(spec.PostAgentTurn)},
	{"SessionStart", on(spec.PreSession)},
	{"SessionEnd", on(spec.PostSession)},
	{"SubagentStart", on(spec.PreSubagent)},
	{"SubagentStop", on(spec.PostSubagent)},
	{"PreCompact", on(spec.PreContextCompact)},
	{"PostCompact", on(spec.PostContextCompact)},
	{"Notification", on(spec.Notification)},
	{"TaskCompleted", on(spec.TaskCompleted)},
}

var (
	endOfTurn = []spec.EventType{spec.PreAgentTurnStop, spec.PostAgentTurnStop, spec.PostAgentTurn}
	none      = []spec.EventType{}
)

func on(events ...spec.EventType) []spec.EventType { return events }

// Spec returns the hook events that a native event corresponds to, starting with the
// one that can block. The others are derived after that one has allowed the
// operation, and cannot block (D46). The result is empty if hooks have no such event.
func (e *NativeEvent) Spec() []spec.EventType {
	if e.Means != nil {
		return e.Means
	}
	for i := range meanings {
		if sameName(meanings[i].name, e.Name) {
			return meanings[i].events
		}
	}
	return nil
}

// sameName reports whether a name is the Pascal-case one in another spelling, such
// as preToolUse or pre_tool_use.
func sameName(pascal, name string) bool {
	i := 0
	for j := range len(name) {
		if name[j] == '_' {
			continue
		}
		if i == len(pascal) || pascal[i]|0x20 != name[j]|0x20 {
			return false
		}
		i++
	}
	return i == len(pascal)
}
