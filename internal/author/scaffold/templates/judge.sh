#!/bin/sh
# Puts the question in prompt.md and the event to the model of your hooks.toml.
exec "${AGENT_HOOKS_PROGRAM:-agent-hooks}" judge "$AGENT_HOOKS_HOOK_DIR/prompt.md"
