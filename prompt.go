package agenthooks

import (
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Prompt describes the hooks that run to a model. String formats it as the
// block for an agent's system prompt.
type Prompt []PromptHook

// PromptHook is one hook of a Prompt. Each text is a single line without
// invisible characters, because the model must treat it as data.
type PromptHook struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Trigger     spec.EventType `json:"trigger"`
	Location    string         `json:"location"` // the HOOK.md that is used
	Matcher     *PromptMatcher `json:"matcher,omitempty"`
}

// PromptMatcher is the matcher of a PromptHook; "" for a part that is not set.
type PromptMatcher struct {
	Tool    string `json:"tool,omitempty"`
	Pattern string `json:"pattern,omitempty"`
}

// Prompt returns the hooks that run, sorted by event and in run order, and a
// warning for each hook that does not (D70).
func (h *Hooks) Prompt() (Prompt, []string) {
	var warnings []string
	p := Prompt{}
	for _, info := range spec.Events() {
		for _, hook := range h.Table[info.Event] {
			if cause := h.keptFromRunning(hook); cause != "" {
				warnings = append(warnings, fmt.Sprintf("%s hook %s is omitted: %s", hook.Scope, hook.Shown(), cause))
				continue
			}
			p = append(p, newPromptHook(hook))
		}
	}
	for _, hook := range h.Table[""] {
		warnings = append(warnings, fmt.Sprintf("%s hook %s is omitted: its trigger cannot be read: %s", hook.Scope, hook.Shown(), hook.TriggerCause()))
	}
	return p, warnings
}

// keptFromRunning returns why a hook does not run on its event; "" if it does.
func (h *Hooks) keptFromRunning(hook *discovery.Hook) string {
	if hook.State != discovery.Active {
		return fmt.Sprintf("%s: %s", hook.State, hook.Cause)
	}
	if err := hook.Runnable(h.path); err != nil {
		return shown.Line(err.Error())
	}
	return ""
}

func newPromptHook(h *discovery.Hook) PromptHook {
	p := PromptHook{Name: shown.Text(h.Folder), Description: shown.Line(h.Description), Trigger: h.Trigger, Location: shown.Text(h.File)}
	if h.Tool != "" || h.Pattern != "" {
		p.Matcher = &PromptMatcher{promptExpression(h.Tool), promptExpression(h.Pattern)}
	}
	return p
}

// promptExpression keeps the spaces of an expression, because they are
// significant.
func promptExpression(expression string) string {
	return strings.ReplaceAll(shown.Text(expression), "\t", `\t`)
}

// String formats the hooks like the format's reference implementation: each tag
// and each text on its own line, with five characters escaped as Python's
// html.escape does.
func (p Prompt) String() string {
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;")
	var b strings.Builder
	tag := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "<%s>\n%s\n</%s>\n", name, escape.Replace(text), name)
		}
	}
	b.WriteString("<available_hooks>\n")
	for _, h := range p {
		b.WriteString("<hook>\n")
		tag("name", h.Name)
		tag("description", h.Description)
		tag("trigger", string(h.Trigger))
		tag("location", h.Location)
		if h.Matcher != nil {
			b.WriteString("<matcher>\n")
			tag("tool", h.Matcher.Tool)
			tag("pattern", h.Matcher.Pattern)
			b.WriteString("</matcher>\n")
		}
		b.WriteString("</hook>\n")
	}
	b.WriteString("</available_hooks>\n")
	return b.String()
}
