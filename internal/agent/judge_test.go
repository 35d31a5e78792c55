package agent_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// TestJudge checks that a hook's output means the same as in the hook's own
// system. want is a decision, "fails", or keys of the answer with values.
func TestJudge(t *testing.T) {
	const hso = `{"hookSpecificOutput":{"hookEventName":"PreToolUse",`
	for _, c := range []struct {
		agent, event   string
		status         int
		stdout, stderr string
		want           string
	}{
		// Blocking as observed in the running client.
		{"gemini", "BeforeTool", 2, "", "no", "deny no"},
		{"gemini", "BeforeTool", 2, "", "", "fails"},
		{"gemini", "BeforeTool", 2, "no", "", "deny no"},
		{"gemini", "BeforeTool", 0, `{"decision":"block","reason":"no"}`, "", "deny no"},
		{"gemini", "BeforeTool", 0, `{"decision":"deny","reason":"no"}`, "", "deny no"},
		{"gemini", "BeforeTool", 0, hso + `"permissionDecision":"deny","permissionDecisionReason":"no"}}`, "", "none"},
		{"gemini", "BeforeTool", 0, `{"decision":"ask","reason":"sure?"}`, "", "ask sure?"},
		{"gemini", "BeforeTool", 0, `{"continue":false,"stopReason":"over"}`, "", "stop over"},
		{"gemini", "BeforeTool", 0, "hello\n" + `{"decision":"deny","reason":"no"}`, "", `message hello` + "\n" + `{"decision":"deny","reason":"no"}`},
		{"gemini", "BeforeTool", 1, `{"decision":"deny","reason":"no"}`, "", "deny no"},
		{"gemini", "BeforeTool", 1, "", "oops", "fails"},
		{"gemini", "BeforeTool", 3, "", "oops", "deny oops"},
		{"gemini", "BeforeTool", 3, "out", "err", "deny out"},
		{"gemini", "BeforeTool", 3, "", "", "fails"},
		{"gemini", "BeforeTool", 0, "", `{"decision":"deny","reason":"no"}`, "deny no"},
		{"gemini", "BeforeTool", 0, "", "note", "message note"},
		{"gemini", "BeforeTool", 2, "", `{"decision":"allow"}`, "none"},
		{"gemini", "BeforeTool", 0, `{"hookSpecificOutput":{"tool_input":{"command":"ls"}}}`, "", `input {"command":"ls"}`},
		{"gemini", "BeforeTool", 0, hso + `"updatedInput":{"command":"ls"}}}`, "", "none"},
		{"gemini", "BeforeTool", 0, `{"decision":"allow"}`, "", "none"},
		{"gemini", "BeforeAgent", 0, `{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"note"}}`, "", "context note"},
		{"gemini", "AfterTool", 0, `{"decision":"deny","reason":"secret"}`, "", "deny secret"},

		{"codex", "PreToolUse", 2, "", "no", "deny no"},
		{"codex", "PreToolUse", 2, "no", "", "fails"},
		{"codex", "PreToolUse", 0, `{"decision":"block","reason":"no"}`, "", "deny no"},
		{"codex", "PreToolUse", 0, `{"decision":"deny","reason":"no"}`, "", "fails"},
		{"codex", "PreToolUse", 0, hso + `"permissionDecision":"deny","permissionDecisionReason":"no"}}`, "", "deny no"},
		{"codex", "PreToolUse", 0, hso + `"permissionDecision":"deny"}}`, "", "fails"},
		{"codex", "PreToolUse", 0, `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}`, "", "none"},
		{"codex", "PreToolUse", 0, hso + `"permissionDecision":"deny","permissionDecisionReason":"no","x":1}}`, "", "fails"},
		{"codex", "PreToolUse", 0, `{"suppressOutput":true,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`, "", "fails"},
		{"codex", "PreToolUse", 0, `{"x":1,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`, "", "fails"},
		{"codex", "PreToolUse", 0, hso + `"permissionDecision":"ask","permissionDecisionReason":"no"}}`, "", "fails"},
		{"codex", "PreToolUse", 0, `{"continue":false}`, "", "fails"},
		{"codex", "PreToolUse", 1, `{"decision":"block","reason":"no"}`, "", "fails"},
		{"codex", "PreToolUse", 0, hso + `"permissionDecision":"allow","updatedInput":{"command":"ls"}}}`, "", `allow input {"command":"ls"}`},
		{"codex", "UserPromptSubmit", 0, "be brief", "", "context be brief"},
		{"codex", "Stop", 0, `{"decision":"block","reason":"tests"}`, "", "deny tests"},
		{"codex", "Stop", 0, `all done`, "", "fails"},
		{"codex", "PreToolUse", 0, hso + `"permissionDecision":"denyy","permissionDecisionReason":"no"}}`, "", "fails"},
		{"pi", "tool_call", 0, `{"block":true,"reason":"no"}`, "", "deny no"},
		{"opencode", "tool.execute.before", 0, `{"block":true}`, "", "deny blocked by hook h"},
		{"opencode", "tool.execute.before", 0, `{"block":7}`, "", "fails"},

		{"claude", "PreToolUse", 2, "", "no", "deny no"},
		{"claude", "PreToolUse", 2, "", "", "deny blocked by hook h"},
		{"claude", "PreToolUse", 2, "no", "", "deny blocked by hook h"},
		{"claude", "PreToolUse", 0, `{"decision":"block","reason":"no"}`, "", "deny no"},
		{"claude", "PreToolUse", 0, `{"decision":"deny","reason":"no"}`, "", "fails"},
		{"claude", "PreToolUse", 0, `{"decision":"approve","reason":"ok"}`, "", "allow ok"},
		{"claude", "PreToolUse", 0, hso + `"permissionDecision":"deny","permissionDecisionReason":"no"}}`, "", "deny no"},
		{"claude", "PreToolUse", 0, hso + `"permissionDecision":"deny"}}`, "", "deny blocked by hook h"},
		{"claude", "PreToolUse", 0, `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}`, "", "none"},
		{"claude", "PreToolUse", 0, `{"x":1,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`, "", "deny no"},
		{"claude", "PreToolUse", 0, hso + `"permissionDecision":"ask","permissionDecisionReason":"sure?"}}`, "", "ask sure?"},
		{"claude", "PreToolUse", 0, `{"continue":false,"stopReason":"over"}`, "", "stop over"},
		{"claude", "PreToolUse", 0, "hello\n" + hso + `"permissionDecision":"deny"}}`, "", "none"},
		{"claude", "PreToolUse", 1, hso + `"permissionDecision":"deny","permissionDecisionReason":"no"}}`, "", "deny no"},
		{"claude", "PreToolUse", 1, "", "oops", "fails"},
		{"claude", "PreToolUse", 0, hso + `"permissionDecision":"allow","updatedInput":{"command":"ls"}}}`, "", `allow input {"command":"ls"}`},
		{"claude", "PreToolUse", 0, hso + `"permissionDecision":"allow","updatedInput":"ls"}}`, "", "fails"},
		{"claude", "PreToolUse", 0, hso + `"permissionDecision":"allow","updatedInput":null}}`, "", "allow"},
		{"claude", "PreToolUse", 0, hso + `"permissionDecision":"deny","permissionDecisionReason":"no","updatedInput":"ls"}}`, "", "deny no"},
		{"claude", "PreToolUse", 0, hso + `"additionalContext":"note"}}`, "", "context note"},
		{"claude", "PreToolUse", 0, `{"suppressOutput":true}`, "", "none"},
		{"claude", "PreToolUse", 0, `{"decision":}`, "", "fails"},
		{"claude", "UserPromptSubmit", 0, "be brief\n", "", "context be brief"},
		{"claude", "SessionStart", 0, "branch main", "", "context branch main"},
		{"claude", "SessionStart", 2, "", "no", "message no"},
		{"claude", "PostToolUse", 0, "done", "", "none"},
		{"claude", "PostToolUse", 0, `{"decision":"block","reason":"lint"}`, "", "deny lint"},
		{"claude", "Stop", 0, `{"decision":"block","reason":"tests"}`, "", "deny tests"},
		{"claude", "PermissionRequest", 0, `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no"}}}`, "", "deny no"},
		{"claude", "PermissionRequest", 0, `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`, "", "allow"},
		{"claude", "PermissionRequest", 2, "", "no", "message no"},

		{"qwen", "PreToolUse", 2, "", "", "fails"},
		{"qwen", "PreToolUse", 2, "no", "", "fails"},
		{"qwen", "PreToolUse", 0, `{"decision":"deny","reason":"no"}`, "", "deny no"},
		{"qwen", "PreToolUse", 0, `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}`, "", "deny no"},
		{"qwen", "PreToolUse", 0, `{"continue":false,"stopReason":"over"}`, "", "deny over stop over"},
		{"qwen", "PreToolUse", 1, hso + `"permissionDecision":"deny","permissionDecisionReason":"no"}}`, "", "deny no"},
		{"qwen", "PreToolUse", 0, hso + `"permissionDecision":"allow","updatedInput":{"command":"ls"}}}`, "", "none"}, // PreToolUse ignores an allow

		{"kimi", "PreToolUse", 2, "", "", "deny blocked by hook h"},
		{"kimi", "PreToolUse", 0, `{"decision":"block","reason":"no"}`, "", "none"},
		{"kimi", "PreToolUse", 0, `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}`, "", "deny no"},
		{"kimi", "PreToolUse", 1, `{"hookSpecificOutput":{"permissionDecision":"deny"}}`, "", "fails"},
		{"kimi", "UserPromptSubmit", 0, "be brief", "", "context be brief"},
		{"kimi", "UserPromptSubmit", 0, `{"message":"be brief"}`, "", "context be brief"},
		{"kimi", "UserPromptSubmit", 0, `{"x":1}`, "", `context {"x":1}`},

		{"cursor", "preToolUse", 2, "", "", "deny blocked by hook h"},
		{"cursor", "preToolUse", 0, `{"permission":"deny","user_message":"no","agent_message":"no no"}`, "", "deny no"},
		{"cursor", "preToolUse", 0, `{"permission":"allow"}`, "", "none"},
		{"cursor", "preToolUse", 0, `{"permission":"ask","user_message":"sure?"}`, "", "ask sure?"},
		{"cursor", "preToolUse", 0, `{"permission":"allow","updated_input":{"command":"ls"}}`, "", `input {"command":"ls"}`},
		{"cursor", "preToolUse", 0, `ok`, "", "deny its answer is not the JSON that Cursor reads"},
		{"cursor", "preToolUse", 1, "", "oops", "fails"},
		{"cursor", "preToolUse", 0, `{"permission":"denyy"}`, "", `deny its answer is not what Cursor reads: permission is "denyy"`},
		{"cursor", "preToolUse", 0, `{"permission":"allow","permission":"denyy"}`, "", `deny its answer is not what Cursor reads: permission is "denyy"`},
		{"cursor", "preToolUse", 0, `{"permission":true}`, "", `deny its answer is not what Cursor reads: permission is true`},
		{"cursor", "preToolUse", 0, `{"permission":"allow","updated_input":"ls"}`, "", `deny its answer is not what Cursor reads: updated_input is "ls"`},
		{"cursor", "preToolUse", 0, `{"permission":"deny","user_message":"no","agent_message":7}`, "", "deny no"},
		{"cursor", "preToolUse", 0, `{"permission":"deny"} {}`, "", "deny its answer is not the JSON that Cursor reads"},
		{"cursor", "preToolUse", 0, `note` + "\n" + `{"permission":"allow"}`, "", "deny its answer is not the JSON that Cursor reads"},
		{"cursor", "preToolUse", 0, `["deny"]`, "", "deny its answer is not the JSON that Cursor reads"},
		{"cursor", "preToolUse", 0, `{}`, "", "none"},
		{"cursor", "preToolUse", 0, ``, "", "none"},
		{"cursor", "beforeReadFile", 0, `{"permission":"ask"}`, "", `deny its answer is not what Cursor reads: permission is "ask"`},
		{"cursor", "stop", 0, `{"followup_message":7}`, "", "fails"},
		{"cursor", "postToolUse", 0, `ok`, "", "none"},
		{"cursor", "beforeSubmitPrompt", 0, `{"continue":false,"user_message":"no"}`, "", "deny no"},
		{"cursor", "stop", 0, `{"followup_message":"tests"}`, "", "deny tests"},
		{"cursor", "postToolUse", 0, `{"additional_context":"note"}`, "", "context note"},

		{"copilot", "preToolUse", 0, `{"permissionDecision":"deny","permissionDecisionReason":"no"}`, "", "deny no"},
		{"copilot", "preToolUse", 1, "", "oops", "deny oops"},
		{"copilot", "preToolUse", 0, `{"permissionDecision":"allow","modifiedArgs":{"command":"ls"}}`, "", `allow input {"command":"ls"}`},
		{"copilot", "postToolUse", 1, "", "oops", "fails"},
		{"copilot", "agentStop", 0, `{"decision":"block","reason":"tests"}`, "", "deny tests"},
		{"copilot", "PreToolUse", 0, hso + `"permissionDecision":"deny","permissionDecisionReason":"no"}}`, "", "deny no"},

		{"qoder", "PreToolUse", 0, `{"decision":"deny","reason":"no"}`, "", "deny no"},
		{"qoder", "PreToolUse", 0, `{"hookSpecificOutput":{"permissionDecision":"allow"}}`, "", "deny its answer is rejected: hookSpecificOutput without hookEventName is rejected"},
		{"qoder", "PreToolUse", 0, `{"decision":`, "", "deny its answer is not the JSON that Qoder reads"},
		{"qoder", "PreToolUse", 0, `ok`, "", "none"},
		{"qoder", "PreToolUse", 0, hso + `"updatedInput":{"command":"ls"}}}`, "", `input {"command":"ls"}`},
		{"qoder", "Stop", 0, `{"hookSpecificOutput":{"additionalContext":"x"}}`, "", "fails"},
		{"qoder", "PreCompact", 0, `keep the plan`, "", "context keep the plan"},

		{"antigravity", "PreToolUse", 0, "", "", "deny blocked by hook h"},
		{"antigravity", "PreToolUse", 0, `{"decision":"allow"}`, "", "none"},
		{"antigravity", "PreToolUse", 1, "", "oops", "deny oops"},
		{"antigravity", "PreToolUse", 0, `{}`, "", "deny its answer is not what Antigravity reads: decision is missing"},
		{"antigravity", "PreToolUse", 0, `{"decision":null}`, "", "deny its answer is not what Antigravity reads: decision is missing"},
		{"antigravity", "PreToolUse", 0, `{"decision":"denyy"}`, "", `deny its answer is not what Antigravity reads: decision is "denyy"`},
		{"antigravity", "PreToolUse", 0, `{"decision":"allow","reason":7}`, "", "deny its answer is not what Antigravity reads: reason is 7"},
		{"antigravity", "PreToolUse", 0, `ok`, "", "deny its answer is not the JSON that Antigravity reads"},
		{"antigravity", "PreToolUse", 0, `{"decision":"force_ask","reason":"sure?"}`, "", "ask sure?"},
		{"antigravity", "Stop", 0, `{}`, "", "none"},
		{"antigravity", "Stop", 0, `{"decision":"continue","reason":"tests"}`, "", "deny tests"},
		{"antigravity", "PreInvocation", 0, `{"injectSteps":[{"ephemeralMessage":"note"}]}`, "", "context note"},

		{"j-cli", "pre_tool_execution", 0, `{"action": "skip"}`, "", "deny blocked by hook h"},
		{"j-cli", "pre_tool_execution", 0, `{}`, "", "none"},
		{"j-cli", "pre_tool_execution", 1, ``, "oops", "fails"},
		{"j-cli", "pre_tool_execution", 0, `{"tool_arguments":"{\"command\":\"ls\"}"}`, "", `input {"command":"ls"}`},
		{"j-cli", "pre_send_message", 0, `{"user_input":"[12:00] hi"}`, "", "prompt [12:00] hi"},
		{"j-cli", "pre_send_message", 0, `{"action":"stop","retry_feedback":"no"}`, "", "deny no"},
		{"j-cli", "stop", 0, `{"action":"stop","retry_feedback":"tests"}`, "", "deny tests"},
		{"j-cli", "post_tool_execution", 0, `{"tool_result":"b"}`, "", `output "b"`},

		{"settings-engine", "PreToolUse", 0, `{"permission_decision":"deny","reason":"no"}`, "", "deny no"},
		{"settings-engine", "PreToolUse", 0, `{"permission_decision":"ask","reason":"sure?"}`, "", "ask sure?"},
		{"settings-engine", "PreToolUse", 0, `{"updated_input":{"command":"ls"},"additional_context":"note"}`, "", `input {"command":"ls"} context note`},
		{"settings-engine", "PreToolUse", 2, "", "no", "deny no"},

		{"blade", "PreToolUse", 0, hso + `"permissionDecision":"deny","permissionDecisionReason":"危险"}}`, "", "deny 危险"},
		{"blade", "Stop", 0, `{"hookSpecificOutput":{"hookEventName":"Stop","continue":true,"continueReason":"tests"}}`, "", "deny tests"},
		{"blade", "SubagentStop", 0, `{"hookSpecificOutput":{"hookEventName":"SubagentStop","continue":false,"continueReason":"more"}}`, "", "deny more"},
		{"blade", "TaskCompleted", 0, `{"hookSpecificOutput":{"hookEventName":"TaskCompleted","blockCompletion":true,"blockReason":"tests"}}`, "", "deny tests"},
		{"blade", "PermissionRequest", 0, `{"hookSpecificOutput":{"permissionDecision":"approve"}}`, "", "allow"},
		{"blade", "UserPromptSubmit", 2, "", `{"decision": "block", "reason": "secret"}`, `deny {"decision": "block", "reason": "secret"}`},
		{"blade", "UserPromptSubmit", 0, `{"updatedPrompt":"hello"}`, "", "prompt hello"},

		// Other answers from the systems' documentation.
		{"claude", "PostToolUse", 0, `{"decision":"block","reason":"no","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"note"}}`, "", "deny no"},
		{"claude", "PostToolUseFailure", 0, `{"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"note"}}`, "", "context note"},
		{"claude", "UserPromptSubmit", 0, `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"note","sessionTitle":"t"}}`, "", "context note"},
		{"claude", "PermissionRequest", 0, `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{"command":"ls"},"updatedPermissions":[]}}}`, "", `allow input {"command":"ls"}`},
		{"claude", "PreCompact", 0, `{"decision":"block","reason":"no"}`, "", "deny no"},
		{"claude", "PreToolUse", 0, `{"async":true,"asyncTimeout":1000}`, "", "none"},
		{"codex", "PostToolUse", 0, `{"decision":"block","reason":"no","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"note"}}`, "", "deny no"},
		{"codex", "PermissionRequest", 0, `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`, "", "allow"},
		{"gemini", "AfterAgent", 0, `{"decision":"deny","reason":"tests","clearContext":true}`, "", "deny tests"},
		{"cursor", "postToolUse", 0, `{"additional_context":"note","updated_mcp_tool_output":{"a":1}}`, "", `output {"a":1} context note`},
		{"cursor", "sessionStart", 0, `{"additional_context":"note","env":{}}`, "", "context note"},
		{"cursor", "subagentStop", 0, `{"followup_message":"more"}`, "", "deny more"},
		{"cursor", "preCompact", 0, `{"user_message":"note"}`, "", "message note"},
		{"copilot", "postToolUse", 0, `{"modifiedResult":{"resultType":"success","textResultForLlm":"b"},"additionalContext":"note"}`, "", `output "b" context note`},
		{"copilot", "permissionRequest", 0, `{"behavior":"deny","message":"no","interrupt":true}`, "", "deny no stop"},
		{"copilot", "preToolUse", 0, `{"permissionDecision":"allow","updatedInput":{"command":"ls"}}`, "", `allow input {"command":"ls"}`},
		{"copilot", "Stop", 0, `{"hookSpecificOutput":{"hookEventName":"Stop","decision":"block","reason":"tests"}}`, "", "deny tests"},
		{"copilot", "Stop", 0, `{"decision":"block","reason":"tests"}`, "", "deny tests"},
		{"copilot", "UserPromptSubmit", 0, `{"continue":false,"stopReason":"no"}`, "", "deny no stop no"},
		{"qwen", "PermissionRequest", 0, `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{"command":"ls"}}}}`, "", `allow input {"command":"ls"}`},
		{"kimi", "UserPromptSubmit", 0, `{"hookSpecificOutput":{"message":"note"}}`, "", "context note"},
		{"droid", "PreToolUse", 0, hso + `"permissionDecision":"allow","updatedInput":{"command":"ls"}}}`, "", `allow input {"command":"ls"}`},
		{"cline", "PostToolUse", 0, `{"contextModification":"note"}`, "", "context note"},
		{"crush", "PreToolUse", 0, `{"version":1,"decision":"allow","halt":false,"reason":"","context":"note","updated_input":{"command":"ls"}}`, "", `allow input {"command":"ls"} context note`},
		{"crush", "PreToolUse", 0, `{"halt":true,"reason":"over"}`, "", "stop over"},
		{"crush", "PreToolUse", 0, `{"version":1,"decision":null,"context":["a","b"]}`, "", "context a\nb"},
		{"auggie", "Stop", 0, `{"hookSpecificOutput":{"hookEventName":"Stop","decision":"block","reason":"tests"}}`, "", "none"},
		{"auggie", "Stop", 2, "", "tests", "message tests"},
		{"grok", "pre_tool_use", 0, `{"decision":"allow"}`, "", "none"},
		{"devin", "PreToolUse", 0, `{"decision":"approve"}`, "", "allow"},
		{"devin", "PreToolUse", 1, "", "oops", "fails"},
		{"antigravity", "PreToolUse", 0, `{"decision":"force_ask","reason":"sure?"}`, "", "ask sure?"},
		{"antigravity", "PreInvocation", 0, `{"injectSteps":[{"userMessage":"note"}]}`, "", "context note"},
		{"junie", "PreToolUse", 0, `{"decision":"allow","updatedInput":{"command":"ls"}}`, "", `allow input {"command":"ls"}`},
		{"windsurf", "pre_run_command", 2, "", "no", "deny no"},
		{"windsurf", "post_run_command", 2, "", "no", "message no"},
		{"windsurf", "pre_run_command", 0, `{"decision":"deny"}`, "", "none"},
		{"cline", "PreToolUse", 0, `{"cancel":true,"errorMessage":"no"}`, "", "deny no"},
		{"cline", "PreToolUse", 2, "", "no", "fails"},
		{"j-cli", "pre_tool_execution", 2, "", "no", "fails"},
		{"j-cli", "pre_tool_execution", 2, `{"action":"skip"}`, "", "fails"},
		{"mistral-vibe", "pre_tool", 2, "", "no", "fails"},
		{"goose", "PreToolUse", 1, `{"decision":"block","reason":"no"}`, "", "deny no"},
		{"crush", "PreToolUse", 0, `{"decision":"deny","reason":"no"}`, "", "deny no"},
		{"crush", "PreToolUse", 49, "", "no", "deny no stop no"},
		{"crush", "PreToolUse", 50, "", "no", "fails"},
		{"goose", "PreToolUse", 0, `{"decision":"deny","reason":"no"}`, "", "fails"},
		{"goose", "PreToolUse", 0, `{}`, "", "fails"},
		{"goose", "PreToolUse", 0, `checked`, "", "fails"},
		{"goose", "PreToolUse", 0, `{"decision":"allow"}`, "", "none"},
		{"goose", "PostToolUse", 0, `{}`, "", "none"},
		{"goose", "SessionStart", 0, `{"banner":"hello"}`, "", "message hello"},
		{"goose", "Stop", 2, "", "tests", "deny tests"},
		{"kimi-cli", "Stop", 0, `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}`, "", "deny no"},
		{"kimi-cli", "UserPromptSubmit", 0, `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}`, "", "deny no"},
		{"cline", "tool_call", 0, `{"overrideInput":{"command":"ls"}}`, "", `input {"command":"ls"}`},
		{"cline", "PreToolUse", 0, `{"context":"note"}`, "", "context note"},
		{"hermes", "pre_tool_call", 2, "", "no", "deny no"},
		{"hermes", "pre_tool_call", 2, `{"decision":"block","reason":"json"}`, "no", "deny json"},
		{"hermes", "pre_tool_call", 2, `{"decision":"block"}`, "no", "deny no"},
		{"hermes", "pre_tool_call", 2, `{"decision":"block","reason":"json"`, "no", "deny no"},
		{"hermes", "pre_tool_call", 2, `{"context":"note"}`, "no", "deny no"},
		{"hermes", "pre_tool_call", 0, `{"decision":"modify","tool_input":{"command":"ls"}}`, "", `input {"command":"ls"}`},
		{"hermes", "pre_tool_call", 0, `{"action":"modify","args":{"command":"ls"}}`, "", `input {"command":"ls"}`},
		{"hermes", "pre_llm_call", 0, `{"context":"note"}`, "", "context note"},
		{"hermes", "pre_tool_call", 0, `{"action":"block","message":"no"}`, "", "deny no"},
		{"hermes", "pre_verify", 0, `{"action":"continue","message":"tests"}`, "", "deny tests"},
		{"grok", "pre_tool_use", 3, `{"decision":"deny","reason":"no"}`, "", "deny no"},
		{"grok", "pre_tool_use", 0, `{"decision":"block","reason":"no"}`, "", "fails"},
		{"junie", "PreToolUse", 0, `mind the style`, "", "context mind the style"},
		{"junie", "Stop", 0, `{"continue":false,"stopReason":"over"}`, "", "stop over"},
		{"devin", "PreToolUse", 0, `{"decision":"deny","reason":"no"}`, "", "deny no"},
		{"auggie", "PreToolUse", 0, `{"decision":"block","reason":"no"}`, "", "none"},
		{"auggie", "PreToolUse", 0, `{"continue":false}`, "", "deny blocked by hook h"},
		{"grok", "pre_tool_use", 0, hso + `"updatedInput":{"command":"ls"}}}`, "", `input {"command":"ls"}`},
		{"grok", "stop", 0, `{"decision":"block","reason":"test first"}`, "", "deny test first"},
		{"grok", "subagent_stop", 2, "", "test first", "deny test first"},
		{"qoder", "PreToolUse", 0, hso + `"permissionDecision":"deny","permissionDecisionReason":"no"}}`, "", "deny no"},
		{"j-cli", "pre_tool_execution", 0, `{"tool_arguments":"ls"}`, "", "fails"},
		{"copilot", "permissionRequest", 0, `{"-":""}`, "", "none"},
		{"kiro", "PreToolUse", 2, "no", "", "fails"},
		{"kiro", "PreToolUse", 0, `{"decision":"block"}`, "", "none"},
		{"devin", "PreToolUse", 0, `{"decision":"block","reason":"no"}`, "", "deny no"},
		{"openhands", "pre_tool_use", 0, `{"decision":"deny","reason":"no"}`, "", "deny no"},
	} {
		a := agent.Find(c.agent)
		row := a.Event(c.event)
		if row == nil {
			t.Errorf("%s has no event %s", c.agent, c.event)
			continue
		}
		answer, _, err := a.Judge(row, "h", protocol.Exit{Status: c.status, Stdout: []byte(c.stdout), Stderr: []byte(c.stderr)}, false)
		if got := describe(answer, err); got != c.want {
			t.Errorf("%s %s: status %d, stdout %s, stderr %q: %s, want %s", c.agent, c.event, c.status, c.stdout, c.stderr, got, c.want)
		}
	}
}

func describe(a protocol.Answer, err error) string {
	if err != nil {
		return "fails"
	}
	var words []string
	if a.Decision != protocol.NoOpinion {
		words = append(words, string(a.Decision))
	}
	if a.Reason != "" {
		words = append(words, a.Reason)
	}
	add := func(name, value string) {
		if value != "" {
			words = append(words, name, value)
		}
	}
	add("input", string(a.ModifiedInput))
	add("prompt", a.ModifiedPrompt)
	add("output", string(a.UpdatedOutput))
	add("context", a.AdditionalContext)
	add("message", a.SystemMessage)
	if a.Stop {
		words = append(words, "stop")
		if a.StopReason != "" {
			words = append(words, a.StopReason)
		}
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, " ")
}

// FuzzJudge judges any exit of a hook in every system's protocol.
func FuzzJudge(f *testing.F) {
	f.Add(0, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`, "")
	f.Add(2, "", "no")
	f.Add(1, `{"decision":"block","reason":"no"}`, "oops")
	f.Add(0, `{"injectSteps":[{"ephemeralMessage":"x"}],"tool_arguments":"{}","continue":false}`, "")
	f.Fuzz(func(t *testing.T, status int, stdout, stderr string) {
		for _, a := range agent.All() {
			for i, row := range a.Rows() {
				answer, _, err := a.Judge(row, "h", protocol.Exit{Status: status, Stdout: []byte(stdout), Stderr: []byte(stderr)}, i%2 == 0)
				if err == nil && answer.Decision == protocol.Deny && answer.Reason == "" {
					t.Errorf("%s %s: a deny without a reason", a.Name, row.Name)
				}
			}
		}
	})
}

// TestSchema checks for every agent and event that an answer that breaks the
// agent's own schema never permits anything: it blocks where the agent blocks,
// and is a failure elsewhere. A deny next to the fault counts.
func TestSchema(t *testing.T) {
	without := []string{"picoclaw", "goose", "kiro", "windsurf"} // checked by Converse, by Exact; no JSON
	for _, a := range agent.All() {
		rules := &a.Judging
		if len(rules.Schema) == 0 && !slices.Contains(without, a.Name) {
			t.Errorf("%s has no schema", a.Name)
		}
		for _, s := range rules.Schema {
			for _, row := range a.Rows() {
				if len(row.Spec()) == 0 || s.On != "*" && !slices.Contains(strings.Fields(s.On), row.Name) {
					continue
				}
				for _, v := range s.Values {
					faults := []string{"[7]"}
					if !v.Text {
						faults = append(faults, `"denyy"`, `""`)
					}
					for _, path := range v.Paths {
						for _, fault := range faults {
							stdout := answerWith(path, fault, row.Name)
							got, _, err := a.Judge(row, "h", protocol.Exit{Stdout: []byte(stdout)}, true)
							strict := slices.Contains(strings.Fields(rules.Strict), row.Name)
							if strict && got.Decision != protocol.Deny || !strict && err == nil && got.Decision != protocol.Deny {
								t.Errorf("%s %s: %s is %q, %v", a.Name, row.Name, stdout, got.Decision, err)
							}
						}
					}
				}
			}
		}
	}
}

// answerWith returns an answer with a value at a path.
func answerWith(path, value, event string) string {
	rest, nested := strings.CutPrefix(path, "hso.")
	for _, key := range slices.Backward(strings.Split(rest, ".")) {
		value = `{"` + key + `":` + value + `}`
	}
	if nested {
		return `{"hookSpecificOutput":{"hookEventName":"` + event + `",` + value[1:] + `}`
	}
	return value
}
