package discovery

import (
	"fmt"
	"slices"
	"strings"

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
func (s script) checkLanguage(lines []string, protocol string) []spec.Diagnostic {
	if protocol != "" {
		return nil
	}
	for _, l := range languages {
		if i := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, l[0]) }); i >= 0 {
			return []spec.Diagnostic{problemAt(s.path, i+1, "protocol-missing", fmt.Sprintf("answers with %s, as %s's hooks do; add `metadata: {protocol: %[2]s}` to HOOK.md", l[0], l[1]))}
		}
	}
	return nil
}
