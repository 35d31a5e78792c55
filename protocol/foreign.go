package protocol

import (
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// foreign collects what other hook systems' keys in an answer mean. A script
// that uses them expects them to be obeyed, so restrictions count. Permissions
// and changes do not, because only the system's own rules define what they
// grant (D25).
type foreign struct {
	key      string // the first key that was recognized, as the hook wrote it
	decision Decision
	reason   string
	speaks   func(Decision) string // Exit.Speaks
}

// maxForeignDepth is the depth up to which containers are searched for
// decisions.
const maxForeignDepth = 3

// member reads one member at a depth of containers. key is decoded.
func (f *foreign) member(key string, value []byte, depth int) {
	switch name := foreignName(key); name {
	case "hookspecificoutput":
		f.recognize(key)
		f.container(value, depth)
	case "result", "output", "response":
		inner := foreign{decision: f.decision}
		inner.container(value, depth)
		if inner.key != "" {
			f.recognize(key)
			f.restrict(inner.decision, inner.reason)
		}
	case "decision":
		if depth > 0 {
			f.word(key, value, depth)
		} else if rawjson.KindOf(value) == rawjson.Object {
			f.container(value, depth)
		}
	case "permission", "permissiondecision", "behavior", "behaviour", "action", "verdict":
		f.word(key, value, depth)
	case "cancel", "block", "blocked", "blockcompletion", "blockcompaction", "deny", "denied", "reject", "rejected", "abort", "halt":
		f.flag(key, value, "true", Deny)
	case "review":
		f.flag(key, value, "true", Ask)
	case "allow", "allowed", "approve", "approved", "ok", "permitted", "proceed":
		f.flag(key, value, "false", Deny)
	case "continue":
		if depth > 0 {
			f.flag(key, value, "false", Deny)
		}
	case "reason", "message", "permissiondecisionreason", "stopreason", "usermessage", "agentmessage", "errormessage", "retryfeedback", "blockreason", "continuereason":
		if s, ok := rawjson.Text(value); ok && f.reason == "" {
			f.reason = s
		}
	}
}

// foreignName normalizes a key: lower case, without hyphens and underscores.
func foreignName(key string) string {
	name := make([]byte, 0, 40)
	for i := range len(key) {
		switch c := key[i]; {
		case c == '_' || c == '-':
		case c >= 'A' && c <= 'Z':
			name = append(name, c|0x20)
		default:
			name = append(name, c)
		}
	}
	return string(name)
}

func (f *foreign) recognize(key string) {
	if f.key == "" {
		f.key = key
	}
}

func (f *foreign) restrict(d Decision, reason string) {
	if d.level() > f.decision.level() {
		f.decision = d
	}
	if f.reason == "" {
		f.reason = reason
	}
}

func (f *foreign) container(value []byte, depth int) {
	if rawjson.KindOf(value) != rawjson.Object || depth >= maxForeignDepth {
		return
	}
	_ = rawjson.Each(value, func(keyText, element []byte) bool {
		if key, ok := rawjson.Text(keyText); ok && rawjson.KindOf(element) != rawjson.Null {
			f.member(key, element, depth+1)
		}
		return true
	})
}

// word reads a decision given as a word, or as an object that holds one.
func (f *foreign) word(key string, value []byte, depth int) {
	if rawjson.KindOf(value) == rawjson.Object {
		f.container(value, depth)
		return
	}
	if s, ok := rawjson.Text(value); ok {
		if d, known := foreignDecision(s); known {
			f.recognize(key)
			f.restrict(d, "")
		}
	}
}

// flag reads a boolean decision, of which one value restricts.
func (f *foreign) flag(key string, value []byte, restricts string, d Decision) {
	if rawjson.KindOf(value) != rawjson.Bool {
		return
	}
	f.recognize(key)
	if string(value) == restricts {
		f.restrict(d, "")
	}
}

// foreignDecision interprets another system's word. A word that permits or
// changes is no opinion.
func foreignDecision(word string) (d Decision, known bool) {
	switch foreignName(strings.TrimSpace(word)) {
	case "deny", "denied", "denytool", "block", "blocked", "skip", "reject", "rejected", "rejectandcontinue", "stop", "abort", "abortturn", "hardabort", "cancel", "halt":
		return Deny, true
	case "ask", "askuser", "forceask", "prompt", "confirm", "review":
		return Ask, true
	case "allow", "allowed", "approve", "approved", "accept", "continue", "proceed", "modify", "respond", "synthesize", "defer":
		return NoOpinion, true
	}
	return NoOpinion, false
}

// warning names the front-matter line that declares the script's protocol
// (D60).
func (f *foreign) warning() string {
	name := ""
	if f.speaks != nil {
		name = f.speaks(f.decision)
	}
	switch key := foreignName(f.key); {
	case name != "":
	case key == "hookspecificoutput":
		name = "claude-code"
	case key == "permission":
		name = "cursor"
	default:
		name = "NAME"
	}
	return fmt.Sprintf("its answer has another hook system's key %q: restrictions count, permissions and changes do not; if the script uses that system's protocol, add `metadata: {protocol: %s}` to its HOOK.md", clip(f.key, 40), name)
}
