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
    event = json.load(sys.stdin.buffer)
?stop     if event.get("stop_hook_active"):
?stop         return  # it already continues because of a block: blocking again could loop
    # The unchecked items of TODO.md.
    todo = os.path.join(os.environ.get("AGENT_HOOKS_PROJECT_DIR", "."), "TODO.md")
    if not os.path.isfile(todo):
        return  # no opinion
    with open(todo, encoding="utf-8", errors="replace") as file:
        items = [line.strip() for line in file if line.strip().startswith(("- [ ]", "* [ ]"))]
    if not items:
        return
?block     block("@name@: @says@:\n" + "\n".join(items))
?context     answer(additional_context="@says@:\n" + "\n".join(items))
?message     answer(system_message="@says@:\n" + "\n".join(items))
    # Other answers:
    #   block("why")                       @means@
    #   answer(additional_context="text")  a message to the model
    #   answer(system_message="text")      a message to the user


main()
