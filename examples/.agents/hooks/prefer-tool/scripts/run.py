#!/usr/bin/env python3
"""Rewrites a plain npm command for the project's own package manager.

Answers with modified_input (and no decision: that would grant permission), or
with nothing.
"""
import json
import os
import re
import shutil
import sys

LOCKS = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun",
         "package-lock.json": "npm", "npm-shrinkwrap.json": "npm"}
VERBS = {"install": "add", "i": "add", "add": "add", "uninstall": "remove", "remove": "remove", "rm": "remove", "run": "run"}
DEV = {"pnpm": "-D", "yarn": "-D", "bun": "-d"}
KEYS = ("command", "cmd", "command_line", "CommandLine")


def manager(folder):
    """The package manager of the nearest lock file, "" if there is not one alone."""
    top = os.path.realpath(os.environ.get("AGENT_HOOKS_PROJECT_DIR") or folder)
    folder = os.path.realpath(folder)
    while True:
        found = {m for lock, m in LOCKS.items() if os.path.isfile(os.path.join(folder, lock))}
        if found:
            return found.pop() if len(found) == 1 else ""
        if folder == top or os.path.exists(os.path.join(folder, ".git")) or folder == os.path.dirname(folder):
            return ""
        folder = os.path.dirname(folder)


def rewrite(command, name):
    """The command for that manager, or "" if it is not plain."""
    words = command.strip(" \t").split(" ")
    words = [w for w in words if w]
    # `*`, `$`, quotes, newlines and the like are for a shell to read, not for us.
    if words[:1] != ["npm"] or not all(re.match(r"[A-Za-z0-9@._/:^+-]+\Z", w) for w in words):
        return ""
    if len(words) < 2 or words[1] not in VERBS:
        return ""
    out, packages = [], 0
    for w in words[2:]:
        if w in ("-D", "--save-dev") and VERBS[words[1]] == "add":
            out.append(DEV[name])
        elif w.startswith("-"):
            return ""  # managers disagree about options
        else:
            out.append(w)
            packages += 1
    verb = VERBS[words[1]]
    if not packages:
        if out or verb != "add" or words[1] == "add":
            return ""
        verb = "install"
    return " ".join([name, verb] + out)


def once(members):
    """An object; a key that stands twice cannot be kept, so nothing is changed."""
    d = dict(members)
    if len(d) != len(members):
        raise ValueError("a key stands twice")
    return d


def main():
    try:
        event = json.loads(sys.stdin.buffer.read().decode("utf-8-sig"), object_pairs_hook=once)
    except (ValueError, RecursionError):
        return
    given = event.get("tool_input") if isinstance(event, dict) else None
    keys = [k for k in KEYS if isinstance(given, dict) and isinstance(given.get(k), str)]
    if len(keys) != 1:
        return
    folder = given.get("cwd") or given.get("workdir") or event.get("work_dir") or event.get("cwd") or os.getcwd()
    if not isinstance(folder, str) or not os.path.isdir(folder):
        return
    name = manager(folder)
    if name in ("", "npm") or not shutil.which(name):
        return
    new = rewrite(given[keys[0]], name)
    if not new:
        return
    changed = dict(given)
    changed[keys[0]] = new
    note = "The project uses %s: `%s` was run instead of `%s`." % (name, new, given[keys[0]].strip())
    try:
        print(json.dumps({"modified_input": changed, "additional_context": note}, allow_nan=False))
    except ValueError:
        return


if __name__ == "__main__":
    main()
