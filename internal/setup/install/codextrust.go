package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
)

// codexTrust reports the entries that Codex skips because they were never
// trusted there, have changed since, or were disabled.
func (t Target) codexTrust(entries []Entry) []Finding {
	known, _ := settings.At(t.codexConfig(), "hooks", "state")
	states, _ := known.(map[string]any)
	skipped := skippedHooks{total: len(entries)}
	for _, e := range entries {
		state := codexState(states, e)
		hash, _ := settings.At(state, "trusted_hash")
		enabled, _ := settings.At(state, "enabled")
		switch current := codexHash(e, t.GOOS); {
		case hash == nil:
			skipped.untrusted++
		case current != "" && hash != current:
			skipped.modified++
		case enabled == false:
			skipped.disabled++
		}
	}
	return skipped.findings()
}

// skippedHooks counts the entries that Codex does not run.
type skippedHooks struct{ total, missing, untrusted, modified, disabled int }

func (s skippedHooks) findings() []Finding {
	const review = "review them in Codex with /hooks"
	var found []Finding
	add := func(n int, what, fix string) {
		if n > 0 {
			found = append(found, Finding{Broken, fmt.Sprintf("%d of %d entries %s, which skips them silently", n, s.total, what), fix})
		}
	}
	add(s.missing, "were not loaded by Codex", "look for an error in Codex's settings")
	add(s.untrusted, "are not trusted in Codex", review)
	add(s.modified, "changed since they were trusted in Codex", review)
	add(s.disabled, "are switched off in Codex", "switch them on in Codex with /hooks")
	return found
}

// codexState returns what Codex recorded about an entry. The key is
// PATH:EVENT:GROUP:HANDLER, with the path as Codex found it.
func codexState(states map[string]any, e Entry) any {
	place := fmt.Sprintf(":%s:%d:%d", snakeCase(e.Event), e.Group, e.Index)
	if e.plugin != "" { // Codex also compares the plugin's other files: only its own list shows that (doctor --live)
		return states[e.plugin+":"+pluginHooks+place]
	}
	if state, ok := states[e.Path+place]; ok {
		return state
	}
	if real, err := filepath.EvalSymlinks(e.Path); err == nil {
		return states[real+place]
	}
	return nil
}

// codexHash returns the hash that Codex computes for an entry: the SHA-256 of
// its event, matcher and handler as canonical JSON (observed in 0.169.0). It is
// "" for an entry with members that install does not write.
func codexHash(e Entry, goos string) string {
	group, handler := codexHandler(e)
	normal := map[string]any{"async": false}
	for key, value := range handler {
		switch key {
		case "type", "command", "timeout", "async", "statusMessage":
			normal[key] = value
		case "commandWindows": // it replaces the command there
		default:
			return ""
		}
	}
	if line, ok := handler["commandWindows"]; ok && goos == "windows" {
		normal["command"] = line
	}
	identity := map[string]any{"event_name": snakeCase(e.Event), "hooks": []any{normal}}
	switch matcher, ok := group["matcher"]; e.Event {
	case "UserPromptSubmit", "Stop", "Interrupt": // events without a matcher
	default:
		if ok {
			identity["matcher"] = matcher
		}
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if handler == nil || enc.Encode(identity) != nil {
		return ""
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256(bytes.TrimSuffix(text.Bytes(), []byte("\n"))))
}

// codexHandler returns an entry as stored in its file, and the group around it.
func codexHandler(e Entry) (group, handler map[string]any) {
	text, err := os.ReadFile(e.Path)
	if err != nil {
		return nil, nil
	}
	decoded, _ := settings.Decode(settings.FormatOf(e.Path), text)
	groups, _ := settings.At(decoded, "hooks", e.Event)
	group, _ = element(groups, e.Group).(map[string]any)
	handler, _ = element(group["hooks"], e.Index).(map[string]any)
	return group, handler
}

func element(list any, i int) any {
	if elements, ok := list.([]any); ok && i < len(elements) {
		return elements[i]
	}
	return nil
}

func (t Target) codexConfig() any {
	text, err := os.ReadFile(t.expand("~/.codex/config.toml", "CODEX_HOME"))
	if err != nil {
		return nil
	}
	decoded, _ := settings.Decode(settings.TOML, text)
	return decoded
}

func snakeCase(name string) string {
	var b strings.Builder
	for i, r := range name {
		if r >= 'A' && r <= 'Z' && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}
