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
import subprocess
import sys


def block(reason):
    print(reason, file=sys.stderr)
    sys.exit(2)


def answer(**keys):
    print(json.dumps(keys))


def main():
    # Every simple command that the shell would run, including those in pipes,
    # $(...), sh -c, sudo and so on. Status 3: they cannot be determined.
    program = os.environ.get("AGENT_HOOKS_PROGRAM", "agent-hooks")
    read = subprocess.run([program, "commands", "--json"], stdin=sys.stdin, stdout=subprocess.PIPE)
    for line in read.stdout.splitlines():
        words = json.loads(line)["words"] or [""]
        # What to block: a program with one of its arguments.
        if os.path.basename(words[0]) == "@program@" and "@argument@" in words:
            block("@name@: @word@ is not for agents; ask the user")
    if read.returncode != 0:
        block("@name@: the command cannot be parsed; write it more simply")
    # No opinion: the agent's own permissions decide. Other answers:
    #   answer(decision="ask", reason="why")  the user decides
    #   answer(decision="allow")              nobody is asked
    #   answer(modified_input={...})          replaces the whole tool input
    #   answer(additional_context="text")     a message to the model
    #   answer(system_message="text")         a message to the user


main()
