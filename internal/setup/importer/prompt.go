package importer

import (
	"cmp"
	"math"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

// PromptFile is the question of an imported hook that asks a model (D79), relative
// to the hook's folder.
const PromptFile = "prompt.md"

// prompt returns the text of a handler that asks a model, and whether it is one.
func (e *entry) prompt() (text string, ok bool) {
	if e.source.eventKey == "type" {
		return "", false
	}
	switch e.handler["type"] {
	case "prompt", "llm", "agent":
		text, _ = e.handler["prompt"].(string)
		return text, true
	}
	return "", false
}

// wait returns how long the agent waits for an entry without a timeout.
func (b *builder) usualWait() time.Duration {
	usual := b.agent.Wait(b.row)
	if b.hook.Prompt == "" {
		return usual
	}
	p := b.agent.Setup.Prompts
	if b.entry.handler["type"] == "agent" {
		return cmp.Or(p.Agent, usual)
	}
	return cmp.Or(p.Prompt, usual)
}

// retries returns how often a failure is repeated.
func (b *builder) retries() int {
	n, ok := number(b.entry.handler["retry"])
	if !ok && b.hook.Prompt != "" {
		return b.agent.Setup.Prompts.Retry
	}
	if most := float64(spec.MaxRetry); n > most && !spec.TimesEachAttempt(b.agent.Name) {
		b.warnf("its retry %v is above %v, the maximum here", n, most)
		n = most
	}
	return int(min(max(n, 0), math.MaxInt32))
}

// question returns the line of the script that asks the model.
func (b *builder) question() string {
	protocol := b.agent.Name
	if b.agent.Nameless {
		protocol += "/" + b.row.Name // its payload does not name the event
	}
	return `exec "${AGENT_HOOKS_PROGRAM:-agent-hooks}" judge --protocol ` + protocol + ` "$AGENT_HOOKS_HOOK_DIR/` + PromptFile + `"` + "\n"
}
