package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// Schema lists the values that an agent accepts in an answer of its own hooks,
// as space-separated "path=kind|kind", with paths as in a Form. A kind is a
// word, true, false, $text, $bool or $object. Null counts as absent. A path that
// ends with "!" must be present.
type Schema struct {
	On   string // native events, separated by spaces; "*" means every event
	Keys string
}

// The schemas of Claude Code and of the agents that follow it.
var claudeSchema = []Schema{
	{"*", "decision=block|approve reason=$text continue=$bool stopReason=$text systemMessage=$text suppressOutput=$bool" +
		" hso.additionalContext=$text hso.permissionDecisionReason=$text hso.decision.behavior=allow|deny hso.decision.message=$text"},
	{"PreToolUse", "hso.permissionDecision=allow|deny|ask|defer"},
}

// mismatch returns what in an answer breaks the agent's schema, "" if nothing
// does.
func (r *formReader) mismatch() (fault string) {
	for _, s := range r.agent.Judging.Schema {
		if !r.on(s.On) {
			continue
		}
		Form(s.Keys).assignments(func(path, kinds string) {
			path, required := strings.CutSuffix(path, "!")
			if strings.HasPrefix(path, "hookSpecificOutput.") && r.agent.Judging.NeedsName && !r.named() {
				return
			}
			found := slices.DeleteFunc(descend(r.object, path), func(v []byte) bool { return string(v) == "null" })
			if required && len(found) == 0 && fault == "" {
				fault = path + " is missing"
			}
			for _, value := range found {
				if fault == "" && !isKind(value, kinds) {
					fault = fmt.Sprintf("%s is %s", path, clip(string(value)))
				}
			}
		})
	}
	return fault
}

// isKind reports whether a value is of one of the kinds.
func isKind(value []byte, kinds string) bool {
	for kind := range strings.SplitSeq(kinds, "|") {
		_, isText := rawjson.Text(value)
		switch {
		case kind == "$text" && isText, kind == "$object" && isObject(value),
			kind == "$bool" && (string(value) == "true" || string(value) == "false"), isLiteral(value, kind):
			return true
		}
	}
	return false
}

// broken judges an answer that breaks the agent's schema: it blocks where the
// agent blocks, and is a failure elsewhere. A restriction in it counts.
func (j *judgment) broken(a protocol.Answer, fault string) (protocol.Answer, error) {
	text := "not what " + j.agent.Title + " reads: " + fault
	switch {
	case a.Decision == protocol.Deny:
		return a, nil
	case j.on(j.agent.Judging.Strict):
		return j.deny("its answer is " + text), nil
	case a.Decision == protocol.Ask:
		return protocol.Answer{Decision: protocol.Ask, Reason: a.Reason}, nil
	}
	return protocol.Answer{}, errors.New("bad answer: " + text)
}
