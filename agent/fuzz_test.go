package agent_test

import (
	"encoding/json"
	"testing"

	"github.com/agent-hooks/agent-hooks/agent"
	"github.com/agent-hooks/agent-hooks/protocol"
)

func FuzzClaudeCode(f *testing.F)     { fuzzDialect(f, "claude-code") }
func FuzzCodex(f *testing.F)          { fuzzDialect(f, "codex") }
func FuzzGeminiCli(f *testing.F)      { fuzzDialect(f, "gemini-cli") }
func FuzzQwenCode(f *testing.F)       { fuzzDialect(f, "qwen-code") }
func FuzzKimiCode(f *testing.F)       { fuzzDialect(f, "kimi-code") }
func FuzzOpencode(f *testing.F)       { fuzzDialect(f, "opencode") }
func FuzzCursor(f *testing.F)         { fuzzDialect(f, "cursor") }
func FuzzCopilot(f *testing.F)        { fuzzDialect(f, "copilot") }
func FuzzAntigravity(f *testing.F)    { fuzzDialect(f, "antigravity") }
func FuzzDevin(f *testing.F)          { fuzzDialect(f, "devin") }
func FuzzJCli(f *testing.F)           { fuzzDialect(f, "j-cli") }
func FuzzSettingsEngine(f *testing.F) { fuzzDialect(f, "settings-engine") }
func FuzzBlade(f *testing.F)          { fuzzDialect(f, "blade") }
func FuzzPicoclaw(f *testing.F)       { fuzzDialect(f, "picoclaw") }
func FuzzKimiCli(f *testing.F)        { fuzzDialect(f, "kimi-cli") }
func FuzzFactoryDroid(f *testing.F)   { fuzzDialect(f, "factory-droid") }
func FuzzKiro(f *testing.F)           { fuzzDialect(f, "kiro") }
func FuzzCline(f *testing.F)          { fuzzDialect(f, "cline") }
func FuzzGoose(f *testing.F)          { fuzzDialect(f, "goose") }
func FuzzCrush(f *testing.F)          { fuzzDialect(f, "crush") }
func FuzzAmp(f *testing.F)            { fuzzDialect(f, "amp") }
func FuzzPi(f *testing.F)             { fuzzDialect(f, "pi") }
func FuzzHermes(f *testing.F)         { fuzzDialect(f, "hermes") }
func FuzzKilo(f *testing.F)           { fuzzDialect(f, "kilo") }
func FuzzJunie(f *testing.F)          { fuzzDialect(f, "junie") }
func FuzzAuggie(f *testing.F)         { fuzzDialect(f, "auggie") }
func FuzzGrok(f *testing.F)           { fuzzDialect(f, "grok") }
func FuzzQoder(f *testing.F)          { fuzzDialect(f, "qoder") }
func FuzzOpenhands(f *testing.F)      { fuzzDialect(f, "openhands") }
func FuzzWindsurf(f *testing.F)       { fuzzDialect(f, "windsurf") }

// fuzzDialect decodes any payload and encodes any answer. Nothing panics; an
// event decoded from a JSON payload is JSON; a deny is enforced or reported; no
// opinion grants nothing; and a changed input reaches the agent as JSON.
func fuzzDialect(f *testing.F, name string) {
	a := agent.Find(name)
	for _, fixture := range payloadsOf(f, a) {
		f.Add([]byte(fixture["payload"]), fixture["event"], []byte(`{"command": "x", "file_path": "y"}`))
	}
	f.Fuzz(func(t *testing.T, payload []byte, event string, change []byte) {
		call, err := a.Decode(payload, event)
		out := call.Encode(agent.Verdict{Answer: protocol.Answer{Decision: protocol.Deny, Reason: "no"}, Hook: "h"})
		if !out.Blocked && !out.NotEnforced {
			t.Errorf("a deny is neither enforced nor reported: %+v", out)
		}
		none := call.Encode(agent.Verdict{})
		if none.Status != 0 || none.Blocked {
			t.Errorf("no opinion blocks: %+v", none)
		}
		if err != nil || len(call.Events) == 0 {
			return
		}
		if json.Valid(payload) && !json.Valid(call.Object) {
			t.Errorf("the event is not JSON: %s", call.Object)
		}
		parsed, _ := call.Parse(call.Events[0], "2026-01-01T00:00:00Z")
		answer := protocol.Answer{Decision: protocol.Allow, ModifiedInput: change}
		var object map[string]json.RawMessage
		if json.Unmarshal(change, &object) != nil || object == nil || !json.Valid(payload) || parsed.ToolInput() == nil {
			return
		}
		if answer, err = call.Fit(parsed, answer); err != nil {
			return
		}
		if !json.Valid(answer.ModifiedInput) {
			t.Errorf("the merged input is not JSON: %s", answer.ModifiedInput)
		}
		if native := call.Encode(agent.Verdict{Answer: answer}); len(native.Stdout) > 0 && !json.Valid(native.Stdout) {
			t.Errorf("the answer is not JSON: %s", native.Stdout)
		}
	})
}
