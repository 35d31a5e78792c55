#!/usr/bin/env python3
"""@description@

The event comes as JSON on stdin. The exit status is the answer:
  0          go on; stdout may hold one JSON object: agent-hooks spec, 11.3
  2          block: @means@;
             stderr is the reason
  any other  the hook has failed, also by an exception, and
             metadata.on-failure in HOOK.md decides
"""
import json
import sys


def texts(value):
    """Every text in value, separated by spaces: agents name the same input
    command, cmd, file_path, filePath ..."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return " ".join(texts(v) for v in value)
    return "" if value is None else str(value)


def block(reason):
    print(reason, file=sys.stderr)
    sys.exit(2)


def answer(**keys):
    print(json.dumps(keys))


def main():
    event = json.load(sys.stdin.buffer)
    # What it searches, and for. Change both.
    text = texts(event.get("@key@"))
    if "@word@" not in text:
        return  # no opinion
?block     block("@name@: @says@")
?context     answer(additional_context="@says@")
?message     answer(system_message="@says@")
    # Other answers:
    #   block("why")                       @means@
    #   answer(additional_context="text")  a message to the model
    #   answer(system_message="text")      a message to the user


main()
