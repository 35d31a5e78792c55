package agent_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

var update = flag.Bool("update", false, "rewrite the files of TestCells")

// abilities are the possible parts of an answer, alone and in pairs that affect each other.
var abilities = []struct{ name, answer string }{
	{"none", ``},
	{"deny", `{"decision": "deny", "reason": "R"}`},
	{"deny+message", `{"decision": "deny", "reason": "R", "system_message": "M"}`},
	{"deny+stop", `{"decision": "deny", "reason": "R", "continue": false, "stop_reason": "S"}`},
	{"ask", `{"decision": "ask", "reason": "R"}`},
	{"allow", `{"decision": "allow", "reason": "R"}`},
	{"input", `{"modified_input": {"K": "V"}}`},
	{"input+ask", `{"decision": "ask", "reason": "R", "modified_input": {"K": "V"}}`},
	{"input+allow", `{"decision": "allow", "reason": "R", "modified_input": {"K": "V"}}`},
	{"prompt", `{"modified_prompt": "P"}`},
	{"context", `{"additional_context": "C"}`},
	{"message", `{"system_message": "M"}`},
	{"output", `{"updated_output": "O"}`},
	{"deny+output", `{"decision": "deny", "reason": "R", "updated_output": "O"}`},
	{"stop", `{"continue": false, "stop_reason": "S"}`},
}

// TestCells checks the native answer of every agent to every event and ability, one per line of
// testdata/NAME.cells. After an intended change, run go test ./internal/agent -run TestCells -update and
// read the difference.
func TestCells(t *testing.T) {
	for _, a := range agent.All() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			got := cells(t, a)
			path := filepath.Join("testdata", a.Name+".cells")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v; go test ./internal/agent -run TestCells -update writes it", err)
			}
			if got != string(want) {
				t.Errorf("%s differs:\n%s", path, difference(string(want), got))
			}
		})
	}
}

func cells(t *testing.T, a *agent.Agent) string {
	var b strings.Builder
	modes := append([]string{""}, a.AskModes...)
	for _, row := range a.Rows() {
		if len(row.Spec()) == 0 {
			continue
		}
		for _, ability := range abilities {
			if !fits(ability.name, row.Spec()) {
				continue // package protocol drops it
			}
			mode := modes[len(modes)-1]
			fmt.Fprintf(&b, "%s %s: %s\n", row.Name, ability.name, cell(t, a, row, ability.answer, mode))
			if mode != "" && (strings.Contains(ability.name, "ask") || ability.name == "input") {
				fmt.Fprintf(&b, "%s %s (unknown mode): %s\n", row.Name, ability.name, cell(t, a, row, ability.answer, ""))
			}
		}
	}
	return b.String()
}

// fits reports whether one of the events can have the ability.
func fits(ability string, events []spec.EventType) bool {
	switch {
	case strings.HasPrefix(ability, "input"):
		return slices.ContainsFunc(events, spec.EventType.ChangesInput)
	case strings.HasSuffix(ability, "output"):
		return slices.Contains(events, spec.PostToolCall)
	case ability == "prompt":
		return slices.Contains(events, spec.PreAgentTurn)
	}
	return true
}

// cell returns the native answer in one line.
func cell(t *testing.T, a *agent.Agent, row *agent.NativeEvent, text, mode string) string {
	t.Helper()
	call, err := a.Decode([]byte(`{"permission_mode": "`+mode+`"}`), row.Name)
	if err != nil {
		t.Fatal(err)
	}
	answer, _, err := protocol.DecodeAnswer([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if answer.UpdatedOutput != nil {
		event, _ := call.Parse(call.Events[0], "2026-01-01T00:00:00Z")
		if answer, err = call.Fit(event, answer); err != nil {
			return "failure: " + err.Error()
		}
	}
	out := call.Encode(agent.Verdict{Answer: answer, Hook: hookOf(answer)})
	line := fmt.Sprintf("exit %d", out.Status)
	if len(out.Stdout) > 0 {
		line += " stdout " + strings.TrimSpace(string(out.Stdout))
	}
	if out.Stderr != "" {
		line += fmt.Sprintf(" stderr %q", out.Stderr)
	}
	if out.NotEnforced {
		line += " not-enforced"
	}
	for _, w := range out.Warnings {
		line += fmt.Sprintf(" warning %q", w)
	}
	if weak := weakened(answer, out); weak != "" {
		t.Errorf("%s %s: %s: %s", a.Name, row.Name, weak, line)
	}
	return line
}

func hookOf(a protocol.Answer) string {
	if a.Decision == protocol.NoOpinion && a.ModifiedInput == nil {
		return ""
	}
	return "H"
}

// weakened returns what an answer silently lost (D45), "" if nothing.
func weakened(a protocol.Answer, out agent.Output) string {
	said := string(out.Stdout) + out.Stderr + strings.Join(out.Warnings, "\n")
	for _, part := range []struct{ text, what string }{
		{a.Reason, "the reason"}, {a.AdditionalContext, "the context"}, {a.SystemMessage, "the message"}, {a.ModifiedPrompt, "the prompt"},
	} {
		if part.text == "" || a.Decision == protocol.Allow && part.text == a.Reason {
			continue
		}
		if !strings.Contains(said, part.text) && len(out.Warnings) == 0 {
			return part.what + " is lost silently"
		}
	}
	switch {
	case a.Decision == protocol.Deny && !out.Blocked && !out.NotEnforced:
		return "a deny is neither enforced nor reported"
	case a.Stop && said == "":
		return "continue: false is lost silently"
	case a.UpdatedOutput != nil && said == "":
		return "the output is lost silently"
	case a.ModifiedInput != nil && said == "":
		return "the input is lost silently"
	case a.Decision == protocol.NoOpinion && strings.Contains(string(out.Stdout), `"allow"`) && a.ModifiedInput == nil && !silentAllow(said):
		return "no opinion grants"
	}
	return ""
}

// silentAllow reports whether stdout is the silent form of an agent whose allow grants nothing.
func silentAllow(stdout string) bool {
	return strings.Contains(stdout, `"decision":"allow"`) || strings.Contains(stdout, `"permission":"allow"`)
}

func difference(want, got string) string {
	var b strings.Builder
	before := strings.Split(want, "\n")
	seen := map[string]bool{}
	for _, line := range before {
		seen[line] = true
	}
	for line := range strings.Lines(got) {
		if !seen[strings.TrimSuffix(line, "\n")] {
			b.WriteString("+ " + line)
		}
	}
	return b.String()
}
