#!/usr/bin/env python3
"""@description@

The event is JSON on stdin. The exit status is the answer:
  0          continue; stdout may contain one JSON object (agent-hooks spec, 11.3)
  2          block: @means@;
             stderr is the reason
  any other  a failure, as is an exception: metadata.on-failure in HOOK.md
             decides
"""
import json
import os
import sys


def block(reason):
    print(reason, file=sys.stderr)
    sys.exit(2)


def answer(**keys):
    print(json.dumps(keys))


def main():
    json.load(sys.stdin.buffer)  # the event; its @key@ may be useful
    notes = os.path.join(os.environ.get("AGENT_HOOKS_PROJECT_DIR", "."), "NOTES.md")
    if not os.path.isfile(notes):
        return  # nothing to say
    with open(notes, encoding="utf-8", errors="replace") as file:
        text = file.read(4000)
    if text.strip():
        answer(additional_context="The project's notes (NOTES.md):\n" + text)
    # Other answers:
    #   block("why")                       @means@
    #   answer(additional_context="text")  a message to the model
    #   answer(system_message="text")      a message to the user


main()
