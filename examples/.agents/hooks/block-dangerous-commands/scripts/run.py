#!/usr/bin/env python3
"""Blocks shell commands that destroy data irrecoverably: exit 2, the reason on stderr.

`agent-hooks commands` reads the command as a shell does and lists the simple commands in it;
judge checks each. A command that cannot be parsed is also blocked.
"""
import json, os, re, subprocess, sys

REBUILDABLE = set("node_modules dist build out target coverage tmp .next .nuxt .turbo .cache .tox "
                  ".gradle __pycache__ .pytest_cache .mypy_cache .ruff_cache".split())
NEVER = r"mkfs.*|newfs.*|mke2fs|mkswap|wipefs|blkdiscard|shutdown|reboot|halt|poweroff"
SHELLS = r"(ba|da|a|k|mk|rba)?sh|source|\."
INTERPRETERS = r"python[\d.]*|node|perl|ruby|php|deno|bun"
DOWNLOADERS = r"curl|wget|fetch|https?|aria2c|iwr|irm|invoke-(webrequest|restmethod)"
WIDE = r"[~./*]+|(~|\$\{?HOME\}?)[/*]*|/[^/]*/?\**|[a-z]:[\\/]?"  # roots, homes, everything here
DEVICE = r"/+dev/+(?!(null|zero|full|std\w+|tty\w*|pts/.*|fd/.*|shm/.*|u?random)$).*"
FOR_ALL = r"0?777|[ugoa]*[ao][ugoa]*[+=]\w*w\w*|\+\w*w\w*"
LOSES_WORK = (r"(?s)(^| )(push .*(--force( |$)|-[a-zA-Z]*[fd]|--mirror|--delete| [+:])|"
              r"reset .*--hard|-c ?alias\.|clean (?!.*(-n|--dry)).*(-[a-z]*f|--force)|"
              r"(checkout|restore)(?!.*--staged).* (\.|\./|\*|:/)( |$))")


def program(c):
    return re.sub(r"\.exe$", "", "".join(c["words"][:1]).rsplit("/", 1)[-1].lower())


def judge(c):
    """Why the command must not run; None if it may."""
    name, args, line = program(c), c["words"][1:], " ".join(c["words"][1:])
    operands = [a for a in args if not a.startswith("-")]
    wide = [a for a in operands if re.fullmatch(WIDE, a)]

    def has(pattern):
        return re.search("(^| )-(%s)" % pattern, line)
    targets = [r["target"] for r in c["redirects"] if ">" in r["op"]]
    if name in ("tee", "cp", "mv", "shred", "dd"):
        targets += [re.sub("^of=", "", a) for a in args]
    if any(re.fullmatch(DEVICE, t) for t in targets):
        return "it writes to a device"
    if re.fullmatch(NEVER, name):
        return "%s is not for agents" % name
    if name in ("rm", "grm", "srm"):
        recursive, forced = has("[a-zA-Z]*[rR]|-r"), has("[a-zA-Z]*f|-f")
        vague = any(c["words"][i].startswith(("-", "$", "`")) for i in c["unknown"])
        plain = operands and all(
            o.rstrip("/").rsplit("/", 1)[-1] in REBUILDABLE and ".." not in o
            and re.fullmatch(r"(?!/)[\w./@-]+", o) for o in operands)
        if has("-no") or wide and vague or recursive and (wide or vague or forced and not plain):
            return "rm is recursive and forced, or removes everything"
    if name in ("remove-item", "ri", "rd", "rmdir", "del", "erase") and re.search(
            r"(?i)(^| )(-r\S* .*-fo|-fo\S* .*-r|/s)", line):
        return "a recursive and forced removal"
    if name == "git" and re.search(LOSES_WORK, line.replace("--force-with-lease", "")):
        return "git %s loses work" % line[:40]
    if name in ("chmod", "chown", "chgrp") and operands and has("[a-zA-Z]*R|-rec") and (
            re.fullmatch(FOR_ALL, operands[0]) or any(a[0] != "." for a in wide)):
        return "a recursive change of permissions that is too wide"
    if name == "find" and has("delete") and not has("i?(name|path|regex|wholename) |empty "):
        return "find -delete without a name"
    feeds = [o for o in commands if o["line"] in c["reads"] or o["inside"] == c["line"]]
    downloads = any(re.fullmatch(DOWNLOADERS, program(o)) for o in feeds)
    piped = not operands or has("[a-zA-Z]*s") or operands[0].startswith(("/dev/", "/proc/"))
    if re.fullmatch(SHELLS, name) and (c["reads"] and piped or downloads) or (
            re.fullmatch(INTERPRETERS, name) and downloads and not args):
        return "%s runs what another command prints" % name
    if name and not args and any(o["words"] == c["words"] for o in feeds):
        return "it may be a fork bomb"


event, agent_hooks = sys.stdin.buffer.read(), os.environ.get("AGENT_HOOKS_PROGRAM", "agent-hooks")
read = subprocess.run([agent_hooks, "commands", "--json"], input=event, capture_output=True)
commands = [json.loads(text) for text in read.stdout.splitlines()]
why = next(filter(None, map(judge, commands)), None)
if not why and read.returncode:
    reason = read.stderr.decode(errors="replace").strip()
    why = "it cannot be parsed (%s); write it more simply" % reason
if why:
    print("blocked by block-dangerous-commands: %s. Find a way that loses no data, or ask the user "
          "to run it." % why, file=sys.stderr)
    sys.exit(2)
