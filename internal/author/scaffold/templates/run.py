#!/usr/bin/env -S python3 -I -S
# -I -S starts in half the time, without packages; remove it to import some.
@if refuse
# The matcher in HOOK.md selects the calls, and this script blocks them. Exit
# status 2 blocks, with stderr as the reason; 0 lets the call pass; any other
# status is a failure, which metadata.on-failure in HOOK.md decides. To inspect
# the call, read it as JSON from stdin: tool_input has command, file_path and
# file_paths (every path, also those in a patch), whatever the agent calls them.
# Without --pattern, `agent-hooks new` writes a script that reads it.
import sys

print("this call is not for agents; ask the user", file=sys.stderr)
sys.exit(2)
@else
"""@description@

The event is JSON on stdin. The exit status is the answer:
  0          continue; stdout may contain one JSON object (agent-hooks spec, 11.3)
  2          block: @means@;
             stderr is the reason
  any other  a failure, as is an exception: metadata.on-failure in HOOK.md
             decides
"""
import json
@if shell notes todo
import os
@end
@if shell
import subprocess
@end
import sys


@if guard words
def texts(value):
    """Every text in value, separated by spaces. When an agent calls, tool_input has
    command, file_path and file_paths (every path, also those in a patch),
    whatever the agent calls them."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return " ".join(texts(v) for v in value)
    return "" if value is None else str(value)


@end
def block(reason):
    print(reason, file=sys.stderr)
    sys.exit(2)


def answer(**keys):
    print(json.dumps(keys))


@if guard
# What to block.
FORBIDDEN = ["@word@"]


@end
def main():
@if guard
    event = json.load(sys.stdin.buffer)
    text = texts(event["tool_input"])
    for words in FORBIDDEN:
        if words in text:
            block("%s is not for agents; ask the user" % words)
@end
@if shell
    # Every simple command that the shell would run, including those in pipes,
    # $(...), sh -c, sudo and so on. Status 3: they cannot be determined.
    program = os.environ.get("AGENT_HOOKS_PROGRAM", "agent-hooks")
    read = subprocess.run([program, "commands", "--json"], stdin=sys.stdin, stdout=subprocess.PIPE)
    for line in read.stdout.splitlines():
        words = json.loads(line)["words"] or [""]
        # What to block: a program with one of its arguments.
        if os.path.basename(words[0]) == "@program@" and "@argument@" in words:
            block("@word@ is not for agents; ask the user")
    if read.returncode != 0:
        block("the command cannot be parsed; write it more simply")
@end
@if words
    event = json.load(sys.stdin.buffer)
    # The text to search, and the word to search for. Change both.
    text = texts(event.get("@key@"))
    if "@word@" not in text:
        return  # no opinion
@if block
    block("@says@")
@end
@if context
    answer(additional_context="@says@")
@end
@if message
    answer(system_message="@says@")
@end
@end
@if notes
    json.load(sys.stdin.buffer)  # the event; its @key@ may be useful
    notes = os.path.join(os.environ.get("AGENT_HOOKS_PROJECT_DIR", "."), "NOTES.md")
    if not os.path.isfile(notes):
        return  # nothing to say
    with open(notes, encoding="utf-8", errors="replace") as file:
        text = file.read(4000)
    if text.strip():
        answer(additional_context="The project's notes (NOTES.md):\n" + text)
@end
@if todo
    event = json.load(sys.stdin.buffer)
@if stop
    if event.get("stop_hook_active"):
        return  # it already continues because of a block: blocking again could loop
@end
    # The unchecked items of TODO.md.
    todo = os.path.join(os.environ.get("AGENT_HOOKS_PROJECT_DIR", "."), "TODO.md")
    if not os.path.isfile(todo):
        return  # no opinion
    with open(todo, encoding="utf-8", errors="replace") as file:
        items = [line.strip() for line in file if line.strip().startswith(("- [ ]", "* [ ]"))]
    if not items:
        return
@if block
    block("@says@:\n" + "\n".join(items))
@end
@if context
    answer(additional_context="@says@:\n" + "\n".join(items))
@end
@if message
    answer(system_message="@says@:\n" + "\n".join(items))
@end
@end
@if guard shell
    # No opinion: the agent's own permissions decide. Other answers:
    #   answer(decision="ask", reason="why")  the user decides
    #   answer(decision="allow")              nobody is asked
    #   answer(modified_input={...})          replaces the whole tool input
    #   answer(additional_context="text")     a message to the model
    #   answer(system_message="text")         a message to the user
@else
    # Other answers:
    #   block("why")                       @means@
    #   answer(additional_context="text")  a message to the model
    #   answer(system_message="text")      a message to the user
@end


main()
@end
