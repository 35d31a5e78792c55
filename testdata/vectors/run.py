#!/usr/bin/env python3
"""Runs the conformance vectors in this folder against an implementation.

    python3 run.py COMMAND...

calls `COMMAND... run EVENT` for each vector, prints one line for each that
fails and a count, and exits with status 1 if any failed. README.md
describes what is run and compared.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

VECTORS = os.path.dirname(os.path.abspath(__file__))
KEYS = {"why", "spec", "level", "event", "exit", "stdout", "stderr", "order", "async", "args", "env", "dir", "user_hooks", "modes"}
NOT_INHERITED = re.compile("(XDG_|AGENT_HOOKS_).*|.*_PROJECT_DIR|GROK_WORKSPACE_ROOT|CDPATH|ENV|BASH_ENV")


def copy(source, target):
    """Copies a tree: links stay links, all else is readable by everyone and writable only by the owner."""
    os.makedirs(target, exist_ok=True)
    os.chmod(target, 0o755)
    for entry in os.scandir(source):
        to = os.path.join(target, entry.name)
        if entry.is_symlink():
            os.symlink(os.readlink(entry.path), to)
        elif entry.is_dir():
            copy(entry.path, to)
        else:
            shutil.copyfile(entry.path, to)
            os.chmod(to, 0o755 if os.access(entry.path, os.X_OK) else 0o644)


class Scratch:
    """Creates a home directory with the vector's hooks, and a project in it."""

    def __init__(self, vector, expect, root):
        self.home = os.path.join(root, "home")
        self.project = os.path.join(self.home, "project")
        self.dir = os.path.normpath(os.path.join(self.project, expect.get("dir", ".")))
        os.makedirs(self.project)
        os.makedirs(self.dir, exist_ok=True)
        user_hooks = expect.get("user_hooks", ".config/agents/hooks")
        for source, target in ((vector + "/user", self.home + "/" + user_hooks), (vector + "/project", self.project + "/.agents/hooks")):
            if os.path.isdir(source):
                copy(source, target)
        for path, mode in expect.get("modes", {}).items():
            os.chmod(os.path.join(self.home, path), int(mode, 8))

    def fill(self, text):
        return text.replace("@PROJECT@", self.project).replace("@HOME@", self.home)

    def env(self, extra):
        env = {k: v for k, v in os.environ.items() if not NOT_INHERITED.fullmatch(k)}
        env.update(HOME=self.home, USERPROFILE=self.home)
        env.update((k, self.fill(v)) for k, v in extra.items())
        return env

    def event(self, vector):
        try:
            with open(vector + "/event.json", "rb") as f:
                event = f.read()
        except FileNotFoundError:
            return b""
        for mark, value in ((b"@PROJECT@", self.project), (b"@HOME@", self.home)):
            event = event.replace(mark, value.encode())
        return event

    def order(self):
        try:
            with open(self.project + "/order") as f:
                return f.read().split()
        except FileNotFoundError:
            return []

    def wait(self, expect):
        """Waits for async hooks: up to 10 s for expected ones, half a second if none may run."""
        if expect["async"] == []:
            time.sleep(0.5)
        wanted = len(expect["order"]) + len(expect["async"])
        end = time.monotonic() + 10
        while len(self.order()) < wanted and time.monotonic() < end:
            time.sleep(0.02)


def same(want, got):
    """Compares JSON values; "<any>" matches any non-empty string."""
    if want == "<any>":
        return isinstance(got, str) and got != ""
    if isinstance(want, dict) and isinstance(got, dict):
        return want.keys() == got.keys() and all(same(want[k], got[k]) for k in want)
    if isinstance(want, list) and isinstance(got, list):
        return len(want) == len(got) and all(map(same, want, got))
    return isinstance(want, bool) == isinstance(got, bool) and want == got


def stdout_problem(want, text):
    if want is None:
        return "stdout is %r, not empty" % text if text.strip() else ""
    try:
        return "" if same(want, json.loads(text)) else "stdout is %s, not %s" % (text.strip(), json.dumps(want))
    except ValueError:
        return "stdout is %r, not %s" % (text, json.dumps(want))


def problems(expect, status, stdout, stderr, order):
    if status != expect["exit"]:
        yield "exit status %d, not %d (stderr: %r)" % (status, expect["exit"], stderr)
    problem = stdout_problem(expect["stdout"], stdout)
    if problem:
        yield problem
    for text in expect["stderr"]:
        if text not in stderr:
            yield "stderr %r lacks %r" % (stderr, text)
    sync = len(expect["order"])
    if order[:sync] != expect["order"] or sorted(order[sync:]) != sorted(expect.get("async", [])):
        yield "ran %s, not %s and then, in any order, %s" % (order, expect["order"], expect.get("async", []))


def run(name, command, root):
    """Returns the failures of one vector, as a list of texts."""
    vector = os.path.join(VECTORS, name)
    with open(vector + "/expect.json", encoding="utf-8") as f:
        expect = json.load(f)
    if set(expect) - KEYS:
        return ["expect.json has the unknown keys %s" % sorted(set(expect) - KEYS)]
    scratch = Scratch(vector, expect, root)
    call = command + ["run", expect["event"]] + [scratch.fill(a) for a in expect.get("args", [])]
    try:
        done = subprocess.run(call, input=scratch.event(vector), capture_output=True, cwd=scratch.dir, env=scratch.env(expect.get("env", {})), timeout=30)
    except subprocess.TimeoutExpired:
        return ["no end after 30 s"]
    if "async" in expect and done.returncode == expect["exit"]:
        scratch.wait(expect)
    stdout, stderr = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    return list(problems(expect, done.returncode, stdout, stderr, scratch.order()))


def main(command):
    core = command[:2] == ["--level", "core"]
    command = command[2:] if core else command
    if not command:
        sys.exit("usage: run.py [--level core] COMMAND...")
    if os.path.dirname(command[0]):
        command[0] = os.path.abspath(command[0])
    names = sorted(e.name for e in os.scandir(VECTORS) if e.is_dir() and os.path.exists(e.path + "/expect.json"))
    if core:
        names = [n for n in names if json.load(open(os.path.join(VECTORS, n, "expect.json"), encoding="utf-8")).get("level") == "core"]
    failed = 0
    for name in names:
        root = os.path.realpath(tempfile.mkdtemp(prefix="agent-hooks-"))
        found = run(name, command, root)
        shutil.rmtree(root, ignore_errors=True)
        if found:
            failed += 1
            print("FAIL %s: %s" % (name, "; ".join(found)))
    print("%d of %d vectors pass" % (len(names) - failed, len(names)))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
