#!/usr/bin/env python3
"""Runs the project's tests before the agent stops.

Exit 2 with the end of the output on stderr sends the agent back to work;
exit 0 lets it stop.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

SECONDS = 540    # below the hook's timeout, or the output would be lost
LINES = 60       # of the output that the agent gets
BYTES = 6000


def read(root, name):
    try:
        with open(os.path.join(root, name), encoding="utf-8", errors="replace") as f:
            return f.read(1 << 20)
    except OSError:
        return ""


def has(root, *names):
    return any(os.path.isfile(os.path.join(root, n)) for n in names)


def node(root):
    try:
        script = json.loads(read(root, "package.json") or "{}").get("scripts", {}).get("test", "")
    except (ValueError, AttributeError):
        return None
    if not script or "no test specified" in str(script):  # npm init's placeholder
        return None
    for lock, manager in (("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lock", "bun"), ("bun.lockb", "bun")):
        if has(root, lock):
            # `bun test` is bun's own runner, not the script.
            return [manager, "run", "test"] if manager == "bun" else [manager, "test"]
    return ["npm", "test"]


def python(root):
    settings = has(root, "pytest.ini") or re.search(r"pytest", "".join(read(root, n) for n in ("pyproject.toml", "tox.ini", "setup.cfg")))
    project = settings or has(root, "pyproject.toml", "setup.cfg") and os.path.isdir(os.path.join(root, "tests"))
    return ["pytest", "-q"] if project else None


def command(root):
    """The project's own test command, or None."""
    own = os.environ.get("RUN_TESTS_COMMAND")
    if own:
        return ["sh", "-c", own]
    if has(root, "package.json") and node(root):
        return node(root)
    if has(root, "go.mod"):
        return ["go", "test", "./..."]
    if has(root, "Cargo.toml"):
        return ["cargo", "test"]
    if python(root):
        return python(root)
    if re.search(r"^test\s*:(?!=)", read(root, "Makefile"), re.M):
        return ["make", "test"]
    return None


def safe():
    """Git's environment, in which no setting of the repository runs a program."""
    env = {k: v for k, v in os.environ.items() if k not in ("GIT_EXTERNAL_DIFF", "GIT_CONFIG_PARAMETERS")}
    settings = [("safe.bareRepository", "explicit"), ("core.fsmonitor", "false"), ("core.hooksPath", os.devnull), ("core.pager", "cat"),
                ("core.sshCommand", "false"), ("log.showSignature", "false"), ("diff.external", ""), ("color.ui", "false")]
    env.update(GIT_NO_LAZY_FETCH="1", GIT_ALLOW_PROTOCOL="", GIT_TERMINAL_PROMPT="0", GIT_OPTIONAL_LOCKS="0")

    def count():
        env["GIT_CONFIG_COUNT"] = str(len(settings))
        for i, (key, value) in enumerate(settings):
            env["GIT_CONFIG_KEY_%d" % i], env["GIT_CONFIG_VALUE_%d" % i] = key, value
        return env

    names = subprocess.run(["git", "config", "--list", "--name-only", "-z"], env=count(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, timeout=20).stdout.decode("utf-8", "surrogateescape").split("\0")
    # Filters are programs that git status runs; an empty one does nothing.
    settings += [(n, "false" if n.endswith(".required") else "") for n in names if n.startswith("filter.")]
    return count()


def git(*args):
    """What git prints, or None where it cannot tell."""
    try:
        done = subprocess.run(["git"] + list(args), env=safe(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n") if done.returncode == 0 else None


def root_of():
    """The nearest folder with tests, from here up to the project's root."""
    here = os.path.realpath(os.getcwd())
    top = os.path.realpath(git("rev-parse", "--show-toplevel") or os.environ.get("AGENT_HOOKS_PROJECT_DIR") or here)
    folder = here
    while folder != top and folder.startswith(top + os.sep) and not command(folder):
        folder = os.path.dirname(folder)
    return folder


def stop(process):
    """Ends the tests with all that they started."""
    if hasattr(os, "killpg"):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except OSError:
            pass
    else:
        process.kill()


def run(argv, root, seconds):
    """Runs the tests; returns their exit status (None: not in time) and output."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(argv, cwd=root, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)

        def ended(number, frame):
            stop(process)
            os._exit(1)

        # The tests have a session of their own: whoever ends this hook ends them.
        for name in ("SIGTERM", "SIGINT", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), ended)
        try:
            status = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            status = None
        stop(process)  # also what the tests left behind
        out.seek(max(0, out.seek(0, os.SEEK_END) - BYTES))
        return status, out.read().decode("utf-8", "replace")


def main():
    try:
        event = json.loads(sys.stdin.buffer.read().decode("utf-8-sig", "replace"))
    except ValueError:
        event = {}
    if isinstance(event, dict) and event.get("stop_hook_active") is True:
        return 0
    if git("status", "--porcelain", "--ignore-submodules=dirty") == "":
        return 0
    root = root_of()
    argv = command(root)
    if not argv:
        return 0
    program = shutil.which(argv[0])
    if not program:
        print(json.dumps({"system_message": "run-tests-gate: %s is not installed, the tests did not run" % argv[0]}))
        return 0
    try:
        seconds = float(os.environ.get("RUN_TESTS_SECONDS") or SECONDS)
    except ValueError:
        seconds = SECONDS
    status, output = run([program] + argv[1:], root, min(seconds, SECONDS))
    if status == 0 or status == 5 and argv[0] == "pytest":  # 5: no tests found
        return 0
    shown = os.environ.get("RUN_TESTS_COMMAND") or " ".join(argv)
    why = "did not end within %g seconds" % seconds if status is None else "failed with status %d" % status
    tail = "\n".join(output.splitlines()[-LINES:])
    sys.stderr.buffer.write(("`%s` %s. Mend it before you stop.\n\n%s\n" % (shown, why, tail)).encode("utf-8", "replace"))
    return 2


if __name__ == "__main__":
    sys.exit(main())
