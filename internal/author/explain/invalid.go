package explain

import (
	"fmt"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/manifest"
)

// Invalid describes how run treats a hook whose HOOK.md is invalid (D5): run does not use the
// last valid version, which watch keeps.
func Invalid(kept *discovery.Hook) string {
	now := discovery.ReadHook(kept.Dir, kept.Scope)
	if !now.Trigger.Valid() {
		return "agents now run without this hook: its trigger cannot be read"
	}
	policy := now.OnFailure
	if !now.OnFailureSet && !kept.OnFailureSet {
		policy = kept.OnFailure // of hooks.toml
	}
	switch policy {
	case manifest.Deny:
		return fmt.Sprintf("agents are now blocked at every %s (on-failure: deny)", now.Trigger)
	case manifest.Ask:
		return fmt.Sprintf("agents now ask the user at every %s (on-failure: ask)", now.Trigger)
	}
	return fmt.Sprintf("agents now run without this hook: every %s is allowed, with a warning", now.Trigger)
}
