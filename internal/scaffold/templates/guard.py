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


# What must not pass.
FORBIDDEN = ["@word@"]


def main():
    event = json.load(sys.stdin.buffer)
    text = texts(event["tool_input"])
    for words in FORBIDDEN:
        if words in text:
            block("@name@: %s is not for agents; ask the user" % words)
    # No opinion: the agent's own permissions decide. Other answers:
    #   answer(decision="ask", reason="why")  the user decides
    #   answer(decision="allow")              nobody is asked
    #   answer(modified_input={...})          the tool gets this whole input
    #   answer(additional_context="text")     a message to the model
    #   answer(system_message="text")         a message to the user


main()
