#!/usr/bin/env python3
"""Runs the conformance vectors in this folder against an implementation.

    python3 run.py COMMAND...

calls `COMMAND... run EVENT` for each vector, prints one line for each that
fails and a count, and exits with status 1 if any failed. README.md
describes what is run and compared.
"""

import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

VECTORS = os.path.dirname(os.path.abspath(__file__))
CALL = {"event", "exit", "stdout", "stderr", "stderr_is", "max_ms"}
KEYS = CALL | {"why", "spec", "level", "runs", "stdin", "files", "order", "async", "args", "env", "dir", "user_hooks", "modes", "mkdir"}
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
        for made in expect.get("mkdir", []) + [self.dir]:
            os.makedirs(os.path.join(self.project, made), exist_ok=True)
        user_hooks = expect.get("user_hooks", ".config/agents/hooks")
        for source, target in ((vector + "/home", self.home), (vector + "/user", self.home + "/" + user_hooks), (vector + "/project", self.project + "/.agents/hooks")):
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

    def event(self, vector, number):
        """The bytes on stdin of a call: event-2.json for the second, or event.json."""
        for name in ("/event-%d.json" % number, "/event.json"):
            if os.path.exists(vector + name):
                with open(vector + name, "rb") as f:
                    event = f.read()
                break
        else:
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


def call_problems(want, status, stdout, stderr, ms):
    if status != want["exit"]:
        yield "exit status %d, not %d (stderr: %r)" % (status, want["exit"], stderr)
    problem = stdout_problem(want["stdout"], stdout)
    if problem:
        yield problem
    for text in want.get("stderr", []):
        if text not in stderr:
            yield "stderr %r lacks %r" % (stderr, text)
    if stderr.strip() != want.get("stderr_is", stderr.strip()):
        yield "stderr is %r, not %r" % (stderr.strip(), want["stderr_is"])
    if ms > want.get("max_ms", ms):
        yield "took %d ms, not at most %d" % (ms, want["max_ms"])


def end_problems(expect, scratch):
    order, sync = scratch.order(), len(expect["order"])
    if order[:sync] != expect["order"] or sorted(order[sync:]) != sorted(expect.get("async", [])):
        yield "ran %s, not %s and then, in any order, %s" % (order, expect["order"], expect.get("async", []))
    for name, want in expect.get("files", {}).items():
        try:
            with open(os.path.join(scratch.project, name), encoding="utf-8", errors="replace") as f:
                text = f.read()
        except FileNotFoundError:
            text = None
        try:
            got = text if text is None or want is None else text.strip() if isinstance(want, str) else json.loads(text)
        except ValueError:
            got = text
        if not same(json.loads(scratch.fill(json.dumps(want))), got):
            yield "the file %s is %r, not %r" % (name, text, want)


def call(command, vector, expect, scratch, number, event):
    """Calls the command once; returns its status, stdout, stderr and duration in ms."""
    line = command + ["run", event] + [scratch.fill(a) for a in expect.get("args", [])]
    sent, begin = scratch.event(vector, number), time.monotonic()
    process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=scratch.dir, env=scratch.env(expect.get("env", {})))
    try:
        if expect.get("stdin") == "open":  # the event is small; the pipe is closed only after the end
            kept = os.dup(process.stdin.fileno())
            process.stdin.write(sent)
            process.stdin.flush()
            os.set_inheritable(kept, False)
            try:
                process.stdin.close()
                process.stdin = None
                stdout, stderr = process.communicate(timeout=30)
            finally:
                os.close(kept)
        else:
            stdout, stderr = process.communicate(sent, timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None
    ms = (time.monotonic() - begin) * 1000
    return process.returncode, stdout.decode("utf-8", "replace"), stderr.decode("utf-8", "replace"), ms


def run(name, command, root):
    """Returns the failures of one vector, as a list of texts."""
    vector = os.path.join(VECTORS, name)
    with open(vector + "/expect.json", encoding="utf-8") as f:
        expect = json.load(f)
    unknown = set(expect) - KEYS | {k for r in expect.get("runs", []) for k in set(r) - CALL}
    if unknown:
        return ["expect.json has the unknown keys %s" % sorted(unknown)]
    scratch, found = Scratch(vector, expect, root), []
    for number, want in enumerate([expect] + expect.get("runs", []), 1):
        done = call(command, vector, expect, scratch, number, want["event"])
        if done is None:
            return ["no end after 30 s"]
        found += call_problems(want, *done)
    if "async" in expect and not found:
        scratch.wait(expect)
    return found + list(end_problems(expect, scratch))


def in_scratch(name, command):
    root = os.path.realpath(tempfile.mkdtemp(prefix="agent-hooks-"))
    try:
        return run(name, command, root)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def main(command):
    options = {"--level": "", "--rule": "", "--stop": ""}
    while command and command[0] in options:  # --stop: at the first failure
        options[command[0]] = command[1] if command[0] != "--stop" else "yes"
        command = command[1 if command[0] == "--stop" else 2:]
    if not command:
        sys.exit("usage: run.py [--level core|answers|reading|bindings|runner] [--rule 11.3] [--stop] COMMAND...")
    command = [os.path.abspath(word) if os.path.dirname(word) and os.path.exists(word) else word for word in command]
    names = sorted(e.name for e in os.scandir(VECTORS) if e.is_dir() and os.path.exists(e.path + "/expect.json"))
    for name in list(names):
        expect = json.load(open(os.path.join(VECTORS, name, "expect.json"), encoding="utf-8"))
        if options["--level"] not in ("", expect["level"]) or options["--rule"] not in ("", expect["spec"].lstrip("§")):
            names.remove(name)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(4) as pool:  # most vectors wait
        calls = {pool.submit(in_scratch, name, command): name for name in names}
        for done in concurrent.futures.as_completed(calls):
            if done.result():
                failed += 1
                print("FAIL %s: %s" % (calls[done], "; ".join(done.result())), flush=True)
                if options["--stop"]:
                    pool.shutdown(cancel_futures=True)
                    break
    print("%d of %d vectors pass" % (len(names) - failed, len(names)))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
