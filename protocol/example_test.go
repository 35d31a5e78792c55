package protocol_test

import (
	"fmt"
	"log"
	"os"

	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// A hook reads the caller's object with one space after each colon, and with
// the base fields that the caller omitted.
func ExampleParseEvent() {
	sent := []byte(`{"session_id":"s-1","cwd":"/src","tool_name":"Bash","tool_input":{"command":"ls"}}`)
	event, warnings := protocol.ParseEvent(spec.PreToolCall, sent, "2026-01-02T03:04:05Z")
	fmt.Println(len(warnings), "warnings")
	if _, err := event.WriteTo(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 0 warnings
	// {"event_type": "pre-tool-call", "timestamp": "2026-01-02T03:04:05Z", "work_dir": "/src", "context": {}, "session_id": "s-1", "cwd": "/src", "tool_name": "Bash", "tool_input": {"command": "ls"}}
}

func ExampleJudge() {
	for _, exit := range []protocol.Exit{
		{Status: 0, Stdout: []byte(`{"decision": "ask", "reason": "sure?"}`)},
		{Status: 2, Stderr: []byte("not here\n")},
		{Status: 1, Stderr: []byte("jq: command not found\n")},
	} {
		answer, _, err := protocol.Judge(spec.PreToolCall, "guard", exit)
		fmt.Printf("%q %q %v\n", answer.Decision, answer.Reason, err)
	}
	// Output:
	// "ask" "sure?" <nil>
	// "deny" "not here" <nil>
	// "" "" exit status 1: jq: command not found (only exit status 2 blocks)
}

// The strictest decision wins, and its reasons are kept.
func ExampleMerge() {
	merged, err := protocol.Merge([]protocol.Answer{
		{Decision: protocol.Allow, Reason: "harmless"},
		{AdditionalContext: "on branch main"},
		{Decision: protocol.Ask, Reason: "it writes"},
	}).MarshalJSON()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", merged)
	// Output:
	// {"decision":"ask","reason":"it writes","additional_context":"on branch main"}
}
