package agent_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// payloadsOf returns the payloads of an agent's fixtures that can be decoded,
// each with its event from the command line.
func payloadsOf(t testing.TB, a *agent.Agent) (payloads []fixture) {
	paths, err := filepath.Glob(filepath.Join("testdata", a.Name, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		f := readFixture(t, path)
		if _, bad := f["error"]; !bad {
			payloads = append(payloads, f)
		}
	}
	return payloads
}

// sees reports whether a hook with the two expressions matches the event.
func sees(event *protocol.Event, tool, pattern string) bool {
	var s matcher.Subject
	s.Own, s.NamesUnknown = event.ToolNames()
	for _, name := range append(append([]string{}, s.Own...), event.OtherToolNames()...) {
		s.Names = append(s.Names, spec.ToolNames(name)...)
	}
	s.Input = func() ([]string, string, string) {
		in := event.Input()
		return in.Values, in.Text, in.Unknown
	}
	return matcher.New(tool, pattern).Match(s).Matched
}

// TestOneGuard checks that one matcher finds a shell command in every agent's
// payload, under the format's name of the tool and Claude Code's, and that its
// deny blocks.
func TestOneGuard(t *testing.T) {
	for _, a := range agent.All() {
		found := false
		for _, f := range payloadsOf(t, a) {
			call, err := a.Decode([]byte(f["payload"]), f["event"])
			if err != nil || len(call.Events) == 0 || call.Events[0] != spec.PreToolCall {
				continue
			}
			event, _ := call.Parse(spec.PreToolCall, "")
			own, _ := event.ToolNames()
			if others := event.OtherToolNames(); len(others) != 1 || others[0] != "Shell" {
				continue
			}
			found = true
			for _, tool := range []string{"Shell", "^Bash$"} {
				if !sees(event, tool, "") {
					t.Errorf("%s: %s does not match %v", a.Name, tool, own)
				}
			}
			if sees(event, "^(Read|ReadFile)$", "") {
				t.Errorf("%s: a guard of reads matches %v", a.Name, own)
			}
			out := call.Encode(agent.Verdict{Answer: protocol.Answer{Decision: protocol.Deny, Reason: "no"}, Hook: "guard"})
			if !out.Blocked || !strings.Contains(string(out.Stdout)+out.Stderr, "hook guard: no") {
				t.Errorf("%s: no deny: %+v", a.Name, out)
			}
		}
		if !found {
			t.Errorf("%s has no fixture of a shell command before its execution", a.Name)
		}
	}
}

// TestHostilePayloads mutates each tool call's payload. A mutant either is a
// failure or still matches the guard that matched the original.
func TestHostilePayloads(t *testing.T) {
	for _, a := range agent.All() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			done := map[*agent.NativeEvent]bool{}
			for _, f := range payloadsOf(t, a) {
				call, err := a.Decode([]byte(f["payload"]), f["event"])
				if err != nil || len(call.Events) == 0 || !call.Events[0].IsTool() || done[call.Row] {
					continue
				}
				done[call.Row] = true
				for _, m := range mutations(f["payload"]) {
					concerned(t, a, f["event"], m)
				}
			}
		})
	}
}

// concerned checks one mutated payload.
func concerned(t *testing.T, a *agent.Agent, event, payload string) {
	t.Helper()
	call, err := a.Decode([]byte(payload), event)
	if err != nil {
		out := call.Encode(agent.Verdict{Answer: protocol.Answer{Decision: protocol.Deny, Reason: "failed"}})
		if !out.Blocked && !out.NotEnforced {
			t.Errorf("%s: a failure cannot deny: %+v for %.300s", a.Name, out, payload)
		}
		return
	}
	if len(call.Events) == 0 || !call.Events[0].IsTool() {
		t.Errorf("%s: not concerned: %.300s", a.Name, payload)
		return
	}
	e, _ := call.Parse(call.Events[0], "")
	if own, unknown := e.ToolNames(); len(own) == 0 && unknown == "" {
		t.Errorf("%s: the tool is missing, but not undecided: %.300s", a.Name, payload)
	}
	if in := e.Input(); in.Unknown == "" && in.Text == "" {
		t.Errorf("%s: the input is missing, but not undecided: %.300s", a.Name, payload)
	}
	var b bytes.Buffer
	if _, err := e.WriteTo(&b); err != nil {
		t.Errorf("%s: %v", a.Name, err)
	}
	if json.Valid([]byte(payload)) && !json.Valid(b.Bytes()) {
		t.Errorf("%s: the event is not JSON: %.500s", a.Name, b.String())
	}
}

// mutations returns variants of a payload that keep the name of its event.
func mutations(payload string) (all []string) {
	var members []struct{ key, value string }
	_ = rawjson.Members([]byte(payload), func(key string, value []byte) bool {
		members = append(members, struct{ key, value string }{key, string(value)})
		return true
	})
	write := func(change int, value string) string {
		var b strings.Builder
		for i, m := range members {
			if i == change {
				m.value = value
			}
			fmt.Fprintf(&b, ",%q:%s", m.key, m.value)
		}
		return "{" + strings.TrimPrefix(b.String(), ",") + "}"
	}
	for i, m := range members {
		if strings.Contains(strings.ToLower(m.key), "event") || m.key == "agent_action_name" || m.key == "hookName" {
			continue
		}
		for _, value := range []string{`7`, `[]`, `{}`, `null`, `""`, `"x"`, `tru`, strings.Repeat("[", 20000) + strings.Repeat("]", 20000)} {
			all = append(all, write(i, value))
		}
		all = append(all, write(i, m.value+fmt.Sprintf(",%q:%s", m.key, m.value)))
		all = append(all, write(i, `"x",`+fmt.Sprintf("%q:%s", m.key, m.value)))
	}
	return all
}

func TestHugePayload(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("a", 5<<20)
	payload := `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"` + big + ` rm -rf /"}}`
	call, err := agent.Find("claude-code").Decode([]byte(payload), "")
	if err != nil {
		t.Fatal(err)
	}
	event, _ := call.Parse(spec.PreToolCall, "")
	if !sees(event, "Shell", "rm -rf") {
		t.Error("a command after 5 MiB is not found")
	}
}

func TestTruncatedPayloads(t *testing.T) {
	t.Parallel()
	for _, a := range agent.All() {
		for _, f := range payloadsOf(t, a) {
			payload := f["payload"]
			for i := 0; i < len(payload); i += 1 + len(payload)/40 {
				call, err := a.Decode([]byte(payload[:i]), f["event"])
				if err == nil && len(call.Events) > 0 {
					concernedOrUndecided(t, call)
				}
				_ = call.Encode(agent.Verdict{})
			}
		}
	}
}

// concernedOrUndecided checks that a truncated payload counts as matched.
func concernedOrUndecided(t *testing.T, call *agent.Call) {
	t.Helper()
	e, warnings := call.Parse(call.Events[0], "")
	if _, unknown := e.ToolNames(); unknown == "" && len(warnings) == 0 && e.Type.IsTool() {
		t.Errorf("%s: a truncated payload is not undecided", call.Agent.Name)
	}
}

func TestCompleteKeepsPayloads(t *testing.T) {
	t.Parallel()
	for _, a := range agent.All() {
		for _, f := range payloadsOf(t, a) {
			payload := []byte(f["payload"])
			for _, e := range []spec.EventType{spec.PreToolCall, spec.PreAgentTurn} {
				got, proven := agent.Complete(payload, e)
				if proven == nil && !bytes.Equal(got, payload) {
					t.Errorf("%s: an unknown payload changed: %s", a.Name, got)
				}
				if json.Valid(payload) && !json.Valid(got) {
					t.Errorf("%s: not JSON: %s", a.Name, got)
				}
				if !bytes.HasPrefix(got, payload[:len(payload)-1]) {
					t.Errorf("%s: more than added: %s", a.Name, got)
				}
			}
		}
	}
}

// TestProof checks that no payload proves another agent than its own.
func TestProof(t *testing.T) {
	for _, a := range agent.All() {
		for _, f := range payloadsOf(t, a) {
			if _, proven := agent.Complete([]byte(f["payload"]), ""); proven != nil && proven != a && !(a.Name == "kilo" && proven.Name == "opencode") {
				t.Errorf("a payload of %s proves %s: %.300s", a.Name, proven.Name, f["payload"])
			}
		}
	}
}

// TestRecognized checks that agents that run Claude Code's entries are
// distinguished from it, and that data from the model makes no difference.
func TestRecognized(t *testing.T) {
	for payload, want := range map[string]string{
		`{"hook_event_name":"PreToolUse","session_id":"s","timestamp":"t","cwd":"/r","tool_name":"Bash","tool_input":{}}`:      "copilot",
		`{"hook_event_name":"Stop","session_id":"s","timestamp":"t","cwd":"/r","stop_reason":"end_turn"}`:                      "copilot",
		`{"hook_event_name":"PreToolUse","session_id":"s","prompt_id":"p","tool_name":"edit","tool_input":{}}`:                 "devin",
		`{"hook_event_name":"Stop","session_id":"s","prompt_id":"p","stop_hook_active":false}`:                                 "devin",
		`{"hook_event_name":"PreToolUse","session_id":"s","cursor_version":"3.9","tool_name":"Shell","tool_input":{}}`:         "cursor",
		`{"hook_event_name":"SessionStart","session_id":"s","transcript_path":"/t","cwd":"/r","timestamp":"t","source":"new"}`: "",
		`{"hook_event_name":"PreToolUse","cursor_version":"3.9","agent_action_name":"pre_run_command"}`:                        "",
		`{"hook_event_name":7,"cwd":"/r"}`: "",
		`{"hook_event_name":"PreToolUse","session_id":"s","transcript_path":"/t","cwd":"/r","permission_mode":"default","prompt_id":"p","tool_name":"exec","tool_input":{"timestamp":1,"cursor_version":"1"}}`: "claude-code",
		`{"hook_event_name":"PreToolUse","session_id":"s","transcript_path":"/t","cwd":"/r","timestamp":"t","permission_mode":"default","tool_name":"Bash","tool_input":{"hook_execution_id":"1"}}`:            "qwen-code",
	} {
		got := ""
		if _, a := agent.Complete([]byte(payload), ""); a != nil {
			got = a.Name
		}
		if got != want {
			t.Errorf("recognized %q, want %q: %s", got, want, payload)
		}
	}
}

// TestSender checks which agent calls an entry of another agent: the entry's
// owner, unless the payload has what only one of its guests sends (D86).
func TestSender(t *testing.T) {
	for _, c := range []struct{ owner, event, payload, want string }{
		{"claude-code", "", `{"hook_event_name":"SubagentStop","session_id":"s","timestamp":"t","cwd":"/r","last_assistant_message":"done"}`, "claude-code"},
		{"claude-code", "", `{"hook_event_name":"PreToolUse","session_id":"s","timestamp":"t","cwd":"/r","tool_name":"Bash","tool_input":{}}`, "claude-code"},
		{"codex", "", `{"hook_event_name":"PreToolUse","session_id":"s","timestamp":"t","cwd":"/r","tool_name":"Bash","tool_input":{}}`, "codex"},
		{"codex", "", `{"hook_event_name":"Stop","session_id":"s","timestamp":"t","cwd":"/r","stop_reason":"end_turn"}`, "codex"},
		{"claude-code", "", `{"hook_event_name":"Stop","session_id":"s","timestamp":"t","cwd":"/r","stop_reason":"end_turn"}`, "copilot"},
		{"claude-code", "", `{"hook_event_name":"Stop","session_id":"s","timestamp":"t","transcript_path":"/home/u/.copilot/x.jsonl"}`, "copilot"},
		{"claude-code", "", `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"run_in_terminal","tool_input":{}}`, "copilot"},
		{"claude-code", "", `{"hookEventName":"Stop","sessionId":"s","timestamp":"t"}`, "copilot"},
		{"claude-code", "", `{"hook_event_name":"Stop","conversation_id":"s","generation_id":"g"}`, "cursor"},
		{"claude-code", "", `{"hook_event_name":"PreToolUse","conversation_id":"s","workspace_roots":["/r"],"tool_name":"Shell"}`, "cursor"},
		{"claude-code", "", `{"hook_event_name":"Notification","conversation_id":"s","cursor_version":"3.9"}`, "claude-code !"},
		{"claude-code", "post-session", `{"hookEventName":"Stop","hook_event_name":"TaskCompleted","sessionId":"s"}`, "claude-code !"},
		{"claude-code", "", `{"hook_event_name":"PreToolUse","session_id":"s","prompt_id":"p","tool_name":"exec","tool_input":{}}`, "devin"},
		{"claude-code", "", `{"hook_event_name":"Stop","session_id":"s","prompt_id":"p","stop_hook_active":false}`, "claude-code"},
		{"claude-code", "", `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"timestamp":"t","cursor_version":"1"}}`, "claude-code"},
		{"claude-code", "", `{"hook_event_name":"PreToolUse","cursor_version":"1","tool_name":"exec"}`, "claude-code"},
		{"claude-code", "", `{"hook_event_name":"Stop","cursor_version":"1","x":}`, "claude-code"},
		{"claude-code", "", `{"hook_event_name":"PreToolUse","agent_action_name":"pre_run_command"}`, "claude-code"},
		{"cursor", "", `{"hook_event_name":"sessionStart","conversation_id":"s","workspace_roots":["/r"]}`, "cursor"},
		{"cursor", "", `{"hook_event_name":"preToolUse","session_id":"s","timestamp":"t","cwd":"/r","tool_name":"Shell"}`, "cursor"},
		{"cursor", "", `{"hookEventName":"pre_tool_use","sessionId":"s","workspaceRoot":"/r","toolName":"x"}`, "grok"},
		{"auggie", "", `{"hook_event_name":"Stop","conversation_id":"s","workspace_roots":["/r"],"cursor_version":"1"}`, "auggie"},
		{"kilo", "", `{"hook_event_name":"chat.message","input":{}}`, "kilo"},
		{"gemini-cli", "", `{"hook_event_name":"SessionStart","session_id":"s","cwd":"/r","timestamp":"t","source":"startup"}`, "gemini-cli"},
	} {
		sender, warning := agent.Find(c.owner).Sender([]byte(c.payload), c.event)
		got := sender.Name
		if warning != "" {
			got += " !"
		}
		if got != c.want {
			t.Errorf("an entry of %s: sender %q (%s), want %q: %s", c.owner, got, warning, c.want, c.payload)
		}
	}
}

// TestSenders gives each agent's payloads to the entries of each: under its own
// name, none is taken for another's, and under another name only for one of a
// guest. Those that were seen in a running client are taken for no third agent's
// (D86).
func TestSenders(t *testing.T) {
	owner := map[string]*agent.Agent{"claude": agent.Find("claude-code"), "codex": agent.Find("codex"), "gemini": agent.Find("gemini-cli"), "opencode": agent.Find("opencode")}
	check := func(from *agent.Agent, payload []byte, seen bool) {
		for _, a := range agent.All() {
			sender, _ := a.Sender(payload, "")
			if sender != a && (a == from || !slices.Contains(a.Guests(), sender) || seen && sender != from) {
				t.Errorf("a payload of %s to an entry of %s is taken for one of %s: %.300s", from.Name, a.Name, sender.Name, payload)
			}
		}
	}
	for _, a := range agent.All() {
		for _, f := range payloadsOf(t, a) {
			check(a, []byte(f["payload"]), false)
		}
	}
	entries, err := os.ReadDir("../../testdata/events/agents")
	if err != nil || len(entries) < 40 {
		t.Fatal(err, len(entries))
	}
	for _, entry := range entries {
		payload, err := os.ReadFile("../../testdata/events/agents/" + entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(entry.Name(), "-")
		check(owner[name], bytes.TrimSpace(payload), true)
		// A later version may send more keys.
		check(owner[name], append([]byte(`{"timestamp":"2026-02-09T10:30:00.000Z","turn_id":"t",`), bytes.TrimSpace(payload)[1:]...), true)
	}
}

// TestGuestProof checks that the proofs of guests require keys.
func TestGuestProof(t *testing.T) {
	for _, a := range agent.All() {
		for _, p := range a.Guest.Proof {
			if slices.ContainsFunc(p, func(c agent.Condition) bool { return c.Absent }) {
				t.Errorf("%s: the proof %v relies on a missing key", a.Name, p)
			}
		}
		for _, of := range strings.Fields(a.Guest.Of) {
			if agent.Find(of) == nil || len(a.Guest.Proof) == 0 {
				t.Errorf("%s: bad guest of %s", a.Name, of)
			}
		}
	}
}
