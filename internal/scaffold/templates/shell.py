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
import os
import subprocess
import sys


def block(reason):
    print(reason, file=sys.stderr)
    sys.exit(2)


def answer(**keys):
    print(json.dumps(keys))


def main():
    # Every simple command that the shell would run, also those in pipes,
    # $(...), sh -c, sudo and so on. Status 3: it cannot be read for certain.
    program = os.environ.get("AGENT_HOOKS_PROGRAM", "agent-hooks")
    read = subprocess.run([program, "commands", "--json"], stdin=sys.stdin, stdout=subprocess.PIPE)
    for line in read.stdout.splitlines():
        words = json.loads(line)["words"] or [""]
        # What must not pass: a program and one of its words.
        if os.path.basename(words[0]) == "@program@" and "@argument@" in words:
            block("@name@: @word@ is not for agents; ask the user")
    if read.returncode != 0:
        block("@name@: the command cannot be read for certain; write it more plainly")
    # No opinion: the agent's own permissions decide. Other answers:
    #   answer(decision="ask", reason="why")  the user decides
    #   answer(decision="allow")              nobody is asked
    #   answer(modified_input={...})          the tool gets this whole input
    #   answer(additional_context="text")     a message to the model
    #   answer(system_message="text")         a message to the user


main()
