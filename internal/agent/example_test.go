package agent_test

import (
	"fmt"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// A program that Claude Code calls decodes the payload, runs the hooks of each
// of the call's events, and answers in Claude Code's form.
func ExampleAgent_Decode() {
	payload := []byte(`{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm -rf /"}}`)
	call, err := agent.Find("claude-code").Decode(payload, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(call.Events) // plan and run call.Parse of each, with RunOptions.Caller set to call
	fmt.Printf("%s\n", call.Object())

	deny := protocol.Answer{Decision: protocol.Deny, Reason: "rm is not allowed here"}
	out := call.Encode(agent.Verdict{Answer: deny, Hook: "no-rm"})
	fmt.Printf("%d %s%s\n", out.Status, out.Stdout, out.Stderr)
	// Output:
	// [pre-tool-call]
	// {"hook_event_name": "PreToolUse", "tool_name": "Shell", "native_tool_name": "Bash", "tool_input": {"command": "rm -rf /"}}
	// 2 hook no-rm: rm is not allowed here
}
