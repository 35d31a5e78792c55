#!/usr/bin/env -S python3 -I -S
"""Puts the question in prompt.md and the event to the model of your hooks.toml."""
import os
import subprocess
import sys

program = os.environ.get("AGENT_HOOKS_PROGRAM", "agent-hooks")
prompt = os.path.join(os.environ["AGENT_HOOKS_HOOK_DIR"], "prompt.md")
sys.exit(subprocess.run([program, "judge", prompt]).returncode)
