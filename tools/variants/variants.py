#!/usr/bin/env python3
"""Breaks a runner, one rule at a time, and asks whether the vectors notice.

    tools/variants/variants.py tools/variants/core.txt [WORD...]
    tools/variants/variants.py tools/variants/program.txt [WORD...]

A list names a file to change, the command that runs it, and the level of the
vectors, and then variants: a line with the rule and what the variant does
wrong, lines with "-" that are replaced, and lines with "+" in their place.
With WORDs, only the variants run whose line contains one. Prints what was
noticed and by which vector, and exits with status 1 if less than 85 % was.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUN = os.path.join(ROOT, "testdata", "vectors", "run.py")


def read(path):
    """The head of a list, and its variants: title, file, old text, new text."""
    head, variants = {}, []
    with open(path, encoding="utf-8") as f:
        for line in f:
            kind, text = line[:1], line[2:] if line[1:2] == " " else line[1:]
            if kind == "=":
                variants.append([text.strip(), head["file"], "", ""])
            elif kind == "@":
                variants[-1][1] = text.strip()
            elif kind in "-+" and variants:
                variants[-1][2 if kind == "-" else 3] += text
            elif line.strip() and kind != "#":
                key, _, value = line.partition(":")
                head[key] = value.strip()
    return head, [[title, file, old.removesuffix("\n"), new.removesuffix("\n")] for title, file, old, new in variants]


def build(head, file, text, scratch):
    """The command of a runner in which file has this text."""
    changed = os.path.join(scratch, os.path.basename(file))
    with open(changed, "w", encoding="utf-8") as f:
        f.write(text)
    if not file.endswith(".go"):
        shutil.copy(os.path.join(ROOT, "spec", "data", "tools.json"), scratch)
        return head["run"].split() + [changed], ""
    overlay, program = os.path.join(scratch, "overlay.json"), os.path.join(scratch, "agent-hooks")
    with open(overlay, "w") as f:
        json.dump({"Replace": {os.path.join(ROOT, file): changed}}, f)
    done = subprocess.run(["go", "build", "-overlay", overlay, "-o", program, "./cmd/agent-hooks"], cwd=ROOT, capture_output=True, text=True)
    return [program], done.stderr


def noticed(head, title, file, old, new):
    """Which vector notices the variant; "" if none does. A problem with the variant itself ends with "!"."""
    with open(os.path.join(ROOT, file), encoding="utf-8") as f:
        text = f.read()
    if text.count(old) != 1:
        return "its text is %d times in %s!" % (text.count(old), file)
    scratch = tempfile.mkdtemp(prefix="variant-")
    try:
        command, problem = build(head, file, text.replace(old, new), scratch)
        if problem:
            return "does not build: %s!" % problem.strip().splitlines()[-1]
        level = ["--level", head["level"]] if "level" in head else []
        for first in (["--rule", title.split()[0]], []):  # the rule's own vectors, then all
            done = subprocess.run([sys.executable, RUN, "--stop"] + level + first + command, capture_output=True, text=True)
            if done.returncode and not done.stdout.startswith("FAIL "):
                return "run.py fails: %s!" % done.stderr.strip().splitlines()[-1]
            if done.returncode:
                return done.stdout.split(":")[0].removeprefix("FAIL ")
        return ""
    finally:
        shutil.rmtree(scratch)


def main(path, words):
    head, variants = read(path)
    results = []
    for title, *change in variants:
        if not words or any(word in title for word in words):
            result = noticed(head, title, *change)
            results.append(result)
            print("%-8s %s%s" % ("broken" if result.endswith("!") else "noticed" if result else "MISSED", title, result and "  <- " + result), flush=True)
    good = sum(1 for r in results if r and not r.endswith("!"))
    print("%d of %d variants noticed" % (good, len(results)))
    return 0 if good >= 0.85 * len(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
