#!/usr/bin/env python3
"""Runs the project's tests before the agent stops: exit 2, with the end of their output, sends it back to work."""
import contextlib, json, os, re, shutil, signal, subprocess, sys, tempfile, time

SECONDS, LINES, BYTES = 540, 60, 6000  # below the hook's timeout; the output that the agent gets
LOCKS = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun run", "bun.lockb": "bun run"}  # else npm
RULES = (("package.json", r'"scripts"\s*:\s*\{[^}]*"test"\s*:\s*"(?!"|.*no test specified)', "npm test"), ("go.mod", "", "go test ./..."), ("Cargo.toml", "", "cargo test"),
         ("pytest.ini", "", "pytest -q"), ("pyproject.toml", "pytest", "pytest -q"), ("tox.ini", "pytest", "pytest -q"), ("setup.cfg", "pytest", "pytest -q"),
         ("Makefile", r"(?m)^test\s*:(?!=)", "make test"))  # a file, what it must contain, the command
DEADLINE = time.monotonic() + 20  # of git
SAFE = {"safe.bareRepository": "explicit", "core.fsmonitor": "false", "core.hooksPath": os.devnull, "core.pager": "cat", "core.sshCommand": "false",
        "log.showSignature": "false", "diff.external": "", "color.ui": "false", "core.quotePath": "true"}


def git(*args):
    """What git prints; None if it fails. No setting of the repository runs a program."""
    env = {k: v for k, v in os.environ.items() if k not in ("GIT_EXTERNAL_DIFF", "GIT_CONFIG_PARAMETERS")}
    env.update(GIT_NO_LAZY_FETCH="1", GIT_ALLOW_PROTOCOL="", GIT_TERMINAL_PROMPT="0", GIT_OPTIONAL_LOCKS="0")
    settings = dict(SAFE)
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        # The names of the filters, then the command with each of them empty: git status would run them.
        for words in ["config", "--list", "--name-only", "-z"], list(args):
            env["GIT_CONFIG_COUNT"] = str(len(settings))
            for i, (key, value) in enumerate(settings.items()):
                env["GIT_CONFIG_KEY_%d" % i], env["GIT_CONFIG_VALUE_%d" % i] = key, value
            done = subprocess.run(["git"] + words, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=max(0.1, DEADLINE - time.monotonic()))
            out = done.stdout.decode("utf-8", "surrogateescape")
            settings.update((n, "false" if n.endswith(".required") else "") for n in out.split("\0") if n.startswith("filter."))
        return None if done.returncode else out.rstrip("\n")


def command(folder):
    """The test command of the project in folder; None if it has none."""
    names = set(os.listdir(folder))
    for name, pattern, words in RULES:
        if name in names and os.path.isfile(os.path.join(folder, name)):
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as f:
                found = re.search(pattern, f.read(1 << 20) + ("pytest" if "tests" in names else ""))
            if found:
                return words.replace("npm", next((LOCKS[n] for n in LOCKS if n in names), "npm")).split()


def run(words, folder, seconds):
    """Runs the tests; returns their status (None: they did not end in time) and the end of their output."""
    with tempfile.TemporaryFile() as out:
        tests = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
        kill = (lambda: os.killpg(tests.pid, signal.SIGKILL)) if hasattr(os, "killpg") else tests.kill
        for name in {"SIGTERM", "SIGINT", "SIGHUP"} & set(dir(signal)):  # whoever ends this hook ends the tests
            signal.signal(getattr(signal, name), lambda *_: (kill(), os._exit(1)))
        status = None
        with contextlib.suppress(subprocess.TimeoutExpired):
            status = tests.wait(timeout=seconds)
        with contextlib.suppress(OSError):
            kill()  # also what the tests left behind
        out.seek(max(0, out.seek(0, os.SEEK_END) - BYTES))
        return status, out.read().decode("utf-8", "replace")


def main():
    if json.loads(sys.stdin.buffer.read() or "{}").get("stop_hook_active") is True or git("status", "--porcelain", "--ignore-submodules=dirty") == "":
        return 0
    folder, own = os.getcwd(), os.environ.get("RUN_TESTS_COMMAND")
    top = os.path.realpath(git("rev-parse", "--show-toplevel") or os.environ.get("AGENT_HOOKS_PROJECT_DIR") or folder)
    while not (own or command(folder)) and folder.startswith(os.path.join(top, "")):
        folder = os.path.dirname(folder)
    words = ["sh", "-c", own] if own else command(folder)
    program = shutil.which(words[0]) if words else None
    if words and not program:
        print(json.dumps({"system_message": "run-tests-gate: %s is not installed, the tests did not run" % words[0]}))
    if not program:
        return 0
    seconds = min(float(os.environ.get("RUN_TESTS_SECONDS") or SECONDS), SECONDS)
    status, output = run([program] + words[1:], folder, seconds)
    if status == 0 or status == 5 and words[0] == "pytest":  # 5: no tests found
        return 0
    why = "did not end within %g seconds" % seconds if status is None else "failed with status %d" % status
    sys.stderr.buffer.write(("`%s` %s. Fix it before you stop.\n\n%s\n" % (own or " ".join(words), why, "\n".join(output.splitlines()[-LINES:]))).encode("utf-8", "replace"))
    return 2


sys.exit(main())
