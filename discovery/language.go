package discovery

import (
	"bytes"
	"fmt"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/spec"
)

const maxLanguage = 256 << 10 // bytes of a script that are searched

// languages maps words that occur only in the answers of another hook system to
// that system.
var languages = [...][2]string{
	{"hookSpecificOutput", "claude-code"}, {"permission_decision", "settings-engine"}, {"permissionDecision", "copilot"},
	{"followup_message", "cursor"}, {"user_message", "cursor"}, {"userMessage", "cursor"}, {"agent_message", "cursor"},
	{"retry_feedback", "j-cli"}, {"inject_messages", "j-cli"}, {`"action": "skip"`, "j-cli"}, {`"action":"skip"`, "j-cli"}, {`"action": "stop"`, "j-cli"},
	{"contextModification", "cline"}, {"injectSteps", "antigravity"}, {"deny_tool", "picoclaw"},
}

// checkLanguage reports a script that answers in another system's protocol
// without declaring it (D60).
func (s script) checkLanguage(protocol string) []spec.Diagnostic {
	if protocol != "" {
		return nil
	}
	text, _, _ := paths.Read(s.path, maxLanguage) // an error is reported elsewhere
	for _, l := range languages {
		if line := codeLine(text, l[0]); line > 0 {
			d := problem(s.path, "protocol-missing", fmt.Sprintf("answers with %s, as %s's hooks do; add `metadata: {protocol: %[2]s}` to HOOK.md", l[0], l[1]))
			d.Line, d.Column = line, 1
			return []spec.Diagnostic{d}
		}
	}
	return nil
}

// codeLine returns the first line that contains word and is not a comment; 0 if
// there is none.
func codeLine(text []byte, word string) int {
	number := 0
	for line := range bytes.Lines(text) {
		number++
		trimmed := bytes.TrimSpace(line)
		if bytes.Contains(line, []byte(word)) && !bytes.HasPrefix(trimmed, []byte("#")) && !bytes.HasPrefix(trimmed, []byte("//")) {
			return number
		}
	}
	return 0
}
