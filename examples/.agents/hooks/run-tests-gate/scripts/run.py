#!/usr/bin/env python3
"""Runs the project's tests before the agent stops: exit 2, with their output, if they fail."""
import contextlib, json, os, pathlib, re, shutil, signal, subprocess, sys, tempfile

SECONDS, LINES, BYTES = 540, 60, 6000  # below the hook's timeout; the output that the agent gets
NPM = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun run", "bun.lockb": "bun run"}
RULES = (  # a file, what it must contain, the command
    ("package.json", r'"scripts"\s*:\s*\{[^}]*"test"\s*:\s*"(?!"|.*no test specified)', "npm test"),
    ("go.mod", "", "go test ./..."), ("Cargo.toml", "", "cargo test"),
    ("pytest.ini", "", "pytest -q"), ("pyproject.toml", "pytest", "pytest -q"),
    ("tox.ini", "pytest", "pytest -q"), ("setup.cfg", "pytest", "pytest -q"),
    ("Makefile", r"(?m)^test\s*:(?!=)", "make test"))


def git(*args):
    """What git prints; None if it fails. No setting of the repository runs a program."""
    env = dict(os.environ, GIT_NO_LAZY_FETCH="1", GIT_ALLOW_PROTOCOL="", GIT_TERMINAL_PROMPT="0",
               GIT_OPTIONAL_NPM="0", GIT_CONFIG_PARAMETERS="")
    pairs = {"safe.bareRepository": "explicit", "core.fsmonitor": "false",
             "core.hooksPath": os.devnull}
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        # First list the filters, which git status would run, then run git with each of them empty.
        for words in ["config", "--list", "--name-only", "-z"], args:
            for i, pair in enumerate(pairs.items()):
                env["GIT_CONFIG_KEY_%d" % i], env["GIT_CONFIG_VALUE_%d" % i] = pair
            done = subprocess.run(
                ["git", *words], env=dict(env, GIT_CONFIG_COUNT=str(len(pairs))),
                stdin=subprocess.DEVNULL, capture_output=True, timeout=10)
            out = done.stdout.decode("utf-8", "surrogateescape")
            pairs.update((n, "false" if n.endswith(".required") else "")
                         for n in out.split("\0") if n.startswith("filter."))
        return None if done.returncode else out.rstrip("\n")


def command(folder):
    """The test command of the project in folder; None if it has none."""
    names = os.listdir(folder)
    for name, pattern, words in RULES:
        file, more = pathlib.Path(folder, name), "pytest" * ("tests" in names)
        if file.is_file() and re.search(pattern, file.read_text("utf-8", "replace") + more):
            return words.replace("npm", next((NPM[n] for n in NPM if n in names), "npm")).split()


def run(words, folder, seconds):
    """Runs the tests; returns their status (None: still running) and the end of their output."""
    with tempfile.TemporaryFile() as out:
        tests = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=subprocess.STDOUT, start_new_session=True)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # which ends the tests, too
        try:
            with contextlib.suppress(subprocess.TimeoutExpired):
                tests.wait(timeout=seconds)
        finally:
            with contextlib.suppress(OSError):  # also what the tests left behind
                os.killpg(tests.pid, signal.SIGKILL) if hasattr(os, "killpg") else tests.kill()
        out.seek(max(0, out.seek(0, os.SEEK_END) - BYTES))
        return tests.returncode, out.read().decode("utf-8", "replace").splitlines()[-LINES:]


event = json.loads(sys.stdin.buffer.read() or "{}")
changes = git("status", "--porcelain", "--ignore-submodules=dirty")
folder, own = os.getcwd(), os.environ.get("RUN_TESTS_COMMAND")
top = git("rev-parse", "--show-toplevel") or os.environ.get("AGENT_HOOKS_PROJECT_DIR") or folder
while not (own or command(folder)) and folder.startswith(os.path.join(os.path.realpath(top), "")):
    folder = os.path.dirname(folder)
words = ["sh", "-c", own] if own else command(folder)
if event.get("stop_hook_active") is True or changes == "" or not words:
    sys.exit(0)
program = shutil.which(words[0])
if not program:
    message = "run-tests-gate: %s is not installed, the tests did not run" % words[0]
    print(json.dumps({"system_message": message}))
    sys.exit(0)
seconds = min(float(os.environ.get("RUN_TESTS_SECONDS") or SECONDS), SECONDS)
status, output = run([program] + words[1:], folder, seconds)
if status != 0 and not (status == 5 and words[0] == "pytest"):  # 5: no tests found
    why = "failed with status %d" % status if status else "did not end within %g seconds" % seconds
    reason = "`%s` %s. Fix it before you stop.\n\n" % (own or " ".join(words), why)
    sys.stderr.buffer.write((reason + "\n".join(output) + "\n").encode("utf-8", "replace"))
    sys.exit(2)
