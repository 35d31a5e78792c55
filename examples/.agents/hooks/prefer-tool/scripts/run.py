#!/usr/bin/env python3
"""Rewrites a plain npm command for the project's own package manager.

Answers with modified_input (and no decision: that would grant permission), or
with nothing.
"""
import json, os, re, shutil, sys

LOCKS = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun",
         "package-lock.json": "npm", "npm-shrinkwrap.json": "npm"}
VERBS = {"install": "add", "i": "add", "add": "add", "uninstall": "remove", "remove": "remove",
         "rm": "remove", "run": "run"}
DEV = {"pnpm": "-D", "yarn": "-D", "bun": "-d"}
KEYS = ("command", "cmd", "command_line", "CommandLine")


def manager(folder):
    """The package manager of the nearest lock file, "" unless there is exactly one."""
    top = os.path.realpath(os.environ.get("AGENT_HOOKS_PROJECT_DIR") or folder)
    folder = os.path.realpath(folder)
    while True:
        found = {m for lock, m in LOCKS.items() if os.path.isfile(os.path.join(folder, lock))}
        if found or folder == top or os.path.exists(os.path.join(folder, ".git")):
            return found.pop() if len(found) == 1 else ""
        if folder == os.path.dirname(folder):
            return ""
        folder = os.path.dirname(folder)


def rewrite(command, name):
    """The command for that manager, or "" if it is not plain."""
    words = [w for w in command.strip(" \t").split(" ") if w]
    # `*`, `$`, quotes, newlines and the like are for a shell to read, not for us.
    plain = all(re.fullmatch(r"[A-Za-z0-9@._/:^+-]+", w) for w in words)
    if words[:1] != ["npm"] or len(words) < 2 or words[1] not in VERBS or not plain:
        return ""
    verb, packages = VERBS[words[1]], words[2:]
    if not packages:
        return name + " install" if words[1] in ("install", "i") else ""
    if verb == "add":
        packages = [DEV[name] if w in ("-D", "--save-dev") else w for w in packages]
    operands = [w for w in packages if w != DEV[name] or verb != "add"]
    if not operands or any(w.startswith("-") for w in operands):  # managers disagree about options
        return ""
    return " ".join([name, verb] + packages)


def once(members):
    """An object; a key that appears twice cannot be kept, so nothing is changed."""
    d = dict(members)
    if len(d) != len(members):
        raise ValueError("a key appears twice")
    return d


def main():
    event = json.loads(sys.stdin.buffer.read().decode("utf-8-sig"), object_pairs_hook=once)
    given = event["tool_input"]
    key, = [k for k in KEYS if isinstance(given.get(k), str)]
    folder = (given.get("cwd") or given.get("workdir") or event.get("work_dir") or event.get("cwd")
              or os.getcwd())
    name = manager(folder) if os.path.isdir(folder) else ""
    new = name not in ("", "npm") and shutil.which(name) and rewrite(given[key], name)
    if new:
        note = "The project uses %s: `%s` was run instead of `%s`."
        print(json.dumps({
            "modified_input": {**given, key: new},
            "additional_context": note % (name, new, given[key].strip()),
        }, allow_nan=False))


try:
    main()
except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
    pass  # an event of another shape: nothing is changed
