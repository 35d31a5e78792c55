#!/usr/bin/env python3
"""Counts what the hooks would have stopped in past calls, and how much of it wrongly.

    tools/label/label.py sample [-n N] [--seed S] [agent-hooks replay's arguments] > labels.tsv
    tools/label/label.py count labels.tsv

`sample` runs `agent-hooks replay --json` with the arguments, such as `--from events.jsonl`
or `--from claude-code --hook keep-tests`, prints on stderr how many calls of 1,000 each hook
stops, and on stdout a sample of N stopped calls (default 100), of which more frequent ones are
more likely: one in each line, with an empty label. Write right, wrong or unclear there; what
follows in the line is a cause in your words. `count` prints the labels by hook, and from them
how many calls of 1,000 are stopped wrongly, with the range in which 95 of 100 such samples lie.

Links, globs and files are those of today, and what a session had made is not known: a hook with
`own: pass` stops more than it did. AGENT_HOOKS is the program; default: agent-hooks. The sample has parts of commands: it is as
private as the transcripts, and nothing of it belongs in a repository.
"""

import json
import math
import os
import random
import subprocess
import sys

LABELS = ("right", "wrong", "unclear")


def stops(arguments):
    """The number of calls, and (hook, group) for each group of calls that a hook stops."""
    command = [os.environ.get("AGENT_HOOKS", "agent-hooks"), "replay", "--json", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)
    report = json.loads(done.stdout)
    groups = [(h["hook"], g) for h in report["hooks"] for g in h["groups"] if g["effect"] in ("denied", "asked")]
    return report["calls"], [(h["hook"], h["denied"] + h["asked"]) for h in report["hooks"]], groups


def sample(arguments):
    most, seed, rest = 100, 1, []
    arguments = iter(arguments)
    for a in arguments:
        if a == "-n":
            most = int(next(arguments))
        elif a == "--seed":
            seed = int(next(arguments))
        else:
            rest.append(a)
    calls, hooks, groups = stops(rest)
    if calls == 0:
        sys.exit("label.py: no calls")
    for hook, count in sorted(hooks, key=lambda h: -h[1]):
        if count:
            print(f"{hook}\t{count}\t{1000 * count / calls:.2f} of 1,000", file=sys.stderr)
    total = sum(count for _, count in hooks)
    print(f"all\t{total} of {calls}\t{1000 * total / calls:.2f} of 1,000", file=sys.stderr)
    print(f"# {calls} calls, {total} stops")
    print("# label\thook\teffect\tcount\tcall\ttool\ttext\tcause")
    # Without replacement, weighted by count: the largest of u^(1/count).
    chance = random.Random(seed)
    keyed = sorted(groups, key=lambda g: -(chance.random() ** (1 / g[1]["count"])))
    for hook, g in keyed[:most]:
        print("\t".join(["", hook, g["effect"], str(g["count"]), g["call"], g["tool"], g["text"].replace("\t", " "), ""]))


def interval(wrong, labelled):
    """Wilson's interval for a share."""
    z, p = 1.96, wrong / labelled
    middle = (p + z * z / (2 * labelled)) / (1 + z * z / labelled)
    half = z * math.sqrt(p * (1 - p) / labelled + z * z / (4 * labelled * labelled)) / (1 + z * z / labelled)
    return max(0, middle - half), min(1, middle + half)


def count(path):
    calls = total = 0
    by = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith("#"):
                words = line.split()
                if len(words) == 5 and words[2].startswith("calls"):
                    calls, total = int(words[1]), int(words[3])
                continue
            label, hook, *_ = line.rstrip("\n").split("\t")
            if label and label not in LABELS:
                sys.exit(f"label.py: {label!r} is not a label; write {', '.join(LABELS)}")
            if label:
                by.setdefault(hook, dict.fromkeys(LABELS, 0))[label] += 1  # frequent calls are as much more likely to be in the sample
    labelled = sum(sum(b.values()) for b in by.values())
    if not labelled or not calls:
        sys.exit("label.py: no line has a label")
    for hook, b in sorted(by.items(), key=lambda h: -h[1]["wrong"]):
        print(f"{hook}\t" + "\t".join(f"{b[label]} {label}" for label in LABELS))
    wrong = sum(b["wrong"] for b in by.values())
    low, high = (1000 * share * total / calls for share in interval(wrong, labelled))
    print(f"all\t{wrong} of {labelled} labelled stops are wrong: {1000 * wrong / labelled * total / calls:.2f} of 1,000 calls ({low:.2f} to {high:.2f})")


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] == "sample" or sys.argv[1:] == ["sample"]:
        sample(sys.argv[2:])
    elif len(sys.argv) == 3 and sys.argv[1] == "count":
        count(sys.argv[2])
    else:
        sys.exit(__doc__)
