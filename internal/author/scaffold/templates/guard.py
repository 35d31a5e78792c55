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
import sys


def texts(value):
    """Every text in value, separated by spaces. When an agent calls, tool_input has
    command, file_path and file_paths (every path, also those in a patch),
    whatever the agent calls them."""
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


# What to block.
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
    #   answer(modified_input={...})          replaces the whole tool input
    #   answer(additional_context="text")     a message to the model
    #   answer(system_message="text")         a message to the user


main()
