#!/usr/bin/env python3
"""Blocks shell commands that destroy data irrecoverably.

`agent-hooks commands` reads the command as a shell does and lists the simple
commands in it; the rules below check those. Exit 2 with a reason on stderr
blocks. A command that cannot be parsed is also blocked.
"""
import json, os, re, subprocess, sys

REBUILDABLE = set("node_modules dist build out target coverage tmp .next .nuxt .turbo .cache __pycache__ .pytest_cache "
                  ".mypy_cache .ruff_cache .tox .gradle".split())  # rm -rf may remove these below the current directory
NEVER = r"mkfs.*|newfs.*|mke2fs|mkswap|wipefs|blkdiscard|shutdown|reboot|halt|poweroff"
SHELLS = r"(ba|da|a|k|mk|rba)?sh|source|\."
INTERPRETERS = r"(python[\d.]*|node|perl|ruby|php|deno|bun)"
DOWNLOADERS = r"(curl|wget|fetch|https?|aria2c|iwr|irm|invoke-(webrequest|restmethod))"
WIDE = r"[~./*]+|(~|\$\{?HOME\}?)[/*]*|/[^/]*/?\**|[a-z]:[\\/]?"  # roots, homes, top-level folders, everything here
DEVICE = r"/+dev/+(?!(null|zero|full|std\w+|tty\w*|pts/.*|fd/.*|shm/.*|u?random)$).*"
FOR_ALL = r"0?777|[ugoa]*[ao][ugoa]*[+=]\w*w\w*|\+\w*w\w*"


def judge(c, all_commands):
    """Why the command must not run; None if it may."""
    if any(re.fullmatch(DEVICE, r["target"]) and ">" in r["op"] for r in c["redirects"]):
        return "it writes to a device"
    if not c["words"]:
        return None
    name = re.sub(r"\.exe$", "", c["words"][0].rsplit("/", 1)[-1].lower())
    args = c["words"][1:]
    options = [a for a in args if a.startswith("-")]
    operands = [a for a in args if not a.startswith("-")]
    unknown = [c["words"][i] for i in c["unknown"]]
    wide = any(re.fullmatch(WIDE, a) for a in operands)

    def has(letters, *words):
        return any(re.match("-[a-zA-Z]*[%s]" % letters, o) if letters and o[1:2] != "-" else
                   len(o) > 3 and any(w.startswith(o[2:]) for w in words) for o in options)

    if re.fullmatch(NEVER, name):
        return "%s is not for agents" % name
    if name in ("rm", "grm", "srm"):
        recursive, blurred = has("rR", "recursive"), any(u.startswith(("-", "$", "`")) for u in unknown)
        plain = operands and all(o.rstrip("/").rsplit("/", 1)[-1] in REBUILDABLE and re.fullmatch(r"(?!/)[\w./@-]+", o)
                                 and ".." not in o for o in operands)
        if has("", "no-preserve-root") or recursive and has("f", "force") and not plain or recursive and (wide or blurred) or blurred and wide:
            return "rm is recursive and forced, or removes everything"
    if name in ("remove-item", "ri", "rd", "rmdir", "del", "erase") and re.search(r"(?i) (-r\S* .*-fo|-fo\S* .*-r|/s)", " ".join([""] + args)):
        return "a recursive and forced removal"
    if name == "git":
        line = " ".join(args)
        for rule in (r"(^| )push .*(--force( |$)|-[a-zA-Z]*[fd]|--mirror|--delete| [+:])", r"(^| )reset .*--hard", r"(^| )-c ?alias\.",
                     r"(^| )(checkout|restore)(?!.*--staged).* (\.|\./|\*|:/)( |$)", r"(^| )clean (?!.*(-n|--dry)).*(-[a-z]*f|--force)"):
            if re.search(rule, line.replace("--force-with-lease", "")):
                return "git %s loses work" % line[:40]
    if name in ("tee", "cp", "mv", "shred", "dd") and any(re.fullmatch(r"(of=)?" + DEVICE, a) for a in args) \
            and not (name == "dd" and not any(re.match(r"of=/+dev|of=.*\$", a) for a in args)):
        return "it writes to a device"
    if name in ("chmod", "chown", "chgrp") and has("R", "recursive") and (re.fullmatch(FOR_ALL, (operands + [""])[0]) or any(
            re.fullmatch(WIDE, a) and not a.startswith(".") for a in operands[1:])):
        return "a recursive change of permissions that is too wide"
    if name == "find" and "-delete" in args and not re.search(r" -(i?(name|path|regex|wholename)|empty) ", " ".join(args)):
        return "find -delete without a name"
    feeds = [o for o in all_commands if o["line"] in c["reads"] or o["inside"] == c["line"]]
    downloads = any(re.fullmatch(DOWNLOADERS, o["words"][0].rsplit("/", 1)[-1].lower()) for o in feeds if o["words"])
    piped = not operands or has("s") or operands[0] in ("/dev/stdin", "/proc/self/fd/0")
    if re.fullmatch(SHELLS, name) and (c["reads"] and piped or downloads) or re.fullmatch(INTERPRETERS, name) and downloads and not args:
        return "%s runs what another command prints" % name
    if len(c["words"]) == 1 and any(o["words"] == c["words"] and o["line"] in c["reads"] for o in feeds):
        return "it may be a fork bomb"


def main():
    event = sys.stdin.buffer.read()
    read = subprocess.run([os.environ.get("AGENT_HOOKS_PROGRAM", "agent-hooks"), "commands", "--json"], input=event, capture_output=True)
    commands = [json.loads(line) for line in read.stdout.splitlines()]
    why = next(filter(None, (judge(c, commands) for c in commands)), None)
    if not why and read.returncode:
        why = "it cannot be parsed (%s); write it more simply" % read.stderr.decode(errors="replace").strip()
    if why:
        print("blocked by block-dangerous-commands: %s. Find a way that loses no data, or ask the user to run it." % why, file=sys.stderr)
        sys.exit(2)


main()
