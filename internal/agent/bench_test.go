package agent_test

import (
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// BenchmarkCall measures what a dialect adds to a run, with a native deny as
// the answer.
func BenchmarkCall(b *testing.B) {
	for _, name := range []string{"claude-code", "gemini-cli", "opencode"} {
		a := agent.Find(name)
		payload := []byte(readFixture(b, "testdata/"+name+"/deny.txt")["payload"])
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a.Sender(payload, "")
				call, err := a.Decode(payload, "")
				if err != nil {
					b.Fatal(err)
				}
				call.Parse(spec.PreToolCall, "2026-01-01T00:00:00Z")
				call.Encode(agent.Verdict{Answer: protocol.Answer{Decision: protocol.Deny, Reason: "no"}, Hook: "guard"})
			}
		})
	}
}
