#!/usr/bin/env python3
"""Runs Agent Hooks: python3 hooks.py run EVENT < event.json

A complete runner of spec/CORE.md in one file, to read or to paste; the numbers
in comments are its rules. It needs Python 3.9, a Unix system, and tools.json,
the names of tools, next to it or in spec/data.
"""

import datetime
import json
import os
import re
import select
import signal
import stat
import subprocess
import sys
import tempfile
import time

EVENTS = """pre-session post-session pre-agent-turn post-agent-turn pre-agent-turn-stop post-agent-turn-stop pre-tool-call
    post-tool-call post-tool-call-failure pre-subagent post-subagent pre-context-compact post-context-compact""".split()  # 2.1
TOOL_EVENTS = EVENTS[6:9]
USED = ["trigger", "matcher", "matcher.tool", "matcher.pattern", "timeout", "async", "priority", "metadata"]  # 4.4
CHANGING = ["match", "access", "form", "own", "unless", "undecided", "when", "answer", "protocol", "native-event"]  # 19.1
ANSWER = {"decision": str, "reason": str, "modified_input": dict, "additional_context": str}  # 11.3
UNKNOWN = object()  # what cannot be read or decoded


class Failure(Exception):
    """Why a hook cannot run, or has not answered."""


class Stop(Exception):
    """Why the runner stops with status 1."""


def warn(text):
    print("warning: " + text, file=sys.stderr)


# HOOK.md

def parse(front):
    """The keys, as {"matcher.tool": text}. UNKNOWN stands for more than 4.13 has, and for a key that appears twice."""
    keys, top, inner, indent = {}, "", "", ""
    for line in front.split("\n"):
        m = re.fullmatch(r"""(\s*)(?:(["']?)([^\s"'#:&*!-][^"'#:]*)\2)\s*:(?:\s+(.*))?""", line)
        if re.fullmatch(r"\s*(#.*)?", line):
            continue
        if m and not m[1]:
            name = top = m[3]
            indent = ""
        elif m and keys.get(top) is None and indent in ("", m[1]):
            name, inner, indent = top + "." + m[3], top + "." + m[3], m[1]
        elif not top or not line[0].isspace() and line[0] != "-":
            raise Failure("its front matter is not a mapping: " + line)
        else:  # the rest of a value that is not on one line
            keys[inner if indent and line.startswith(indent + " ") else top] = UNKNOWN
            continue
        keys[name] = UNKNOWN if name in keys else value_of((m[4] or "").strip())
    return keys


def value_of(text):
    """The value of a key: a text, or None for null."""
    m = re.fullmatch(r"""(?:'((?:[^']|'')*)'|("(?:[^"\\]|\\["\\/nt])*"))\s*(?:#.*)?""", text)
    if m:
        return m[1].replace("''", "'") if m[2] is None else json.loads(m[2])
    text = re.sub(r"(^|\s+)#.*", "", text)
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    return UNKNOWN if text[0] in "'\"[]{}&*!|>%@`,?" or ": " in text else text


class Hook:
    """A hook's folder. problem is why it cannot run."""

    def __init__(self, path, scope):
        self.path, self.name, self.scope = path, os.path.basename(path), scope
        self.trigger = self.tool = self.pattern = self.problem = None
        self.timeout, self.priority, self.is_async, self.on_failure, self.lacks = 30000, 100, False, "allow", []
        self.front = ""
        try:
            self.read_file(next(f for f in (path + "/HOOK.md", path + "/hook.md") if os.path.lexists(f)))
            self.read_keys(parse(self.front))
        except (Failure, OSError, ValueError) as problem:
            self.problem = str(problem)
            policies = re.findall(r"(?m)^[\s-]*on-failure\s*:\s*['\"]?(deny|ask)\b", self.front)  # 4.9
            self.on_failure = min(policies, default="allow", key=["deny", "ask"].index)

    def read_file(self, file):
        if not stat.S_ISREG(os.stat(file).st_mode):  # 3.7
            raise Failure(file + " is not a regular file")
        with open(file, "rb") as f:
            text = f.read(1 << 20).removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
        m = re.match(rb"---[ \t]*\n(?:(.*?)\n)?(---[ \t]*(?:\n|\Z)|\Z)", text, re.DOTALL)
        if not m:
            raise Failure("it has no front matter")
        self.front = (m[1] or b"").decode("utf-8", "replace")
        self.trigger = next((t for t in re.findall(r"(?m)^trigger: *([a-z-]+)", self.front) if t in EVENTS), None)
        if not m[2] or "\ufffd" in self.front or re.search(r"(?m)^[ \t]+---[ \t]*$", self.front):  # 4.3
            raise Failure("its front matter is not closed, is not UTF-8, or has an indented ---")

    def read_keys(self, keys):  # 4.4 to 4.9
        self.trigger = keys.get("trigger") if keys.get("trigger") in EVENTS else None
        if self.trigger is None:
            raise Failure("its trigger is not an event")
        if keys.get("matcher", "") is None:  # 4.7
            for key in ("tool", "pattern"):
                keys.setdefault("matcher." + key, keys.pop(key, None))
        for key, value in keys.items():
            if key in USED and value is UNKNOWN or key == "matcher" and value is not None:
                raise Failure(key + " cannot be read")
            if key not in USED + ["name", "description"] and "." not in key:
                warn("hook %s: unknown key %s" % (self.name, key))
        self.tool, self.pattern = keys.get("matcher.tool") or None, keys.get("matcher.pattern") or None
        self.tool = None if self.tool == "*" else self.tool
        self.timeout = self.number(keys.get("timeout"), 100, 600000, self.timeout)
        self.priority = self.number(keys.get("priority"), 0, 1000, self.priority)
        word = (keys.get("async") or "no").lower()
        self.is_async = word in ("yes", "true", "1", "on")  # 4.6
        if not self.is_async and word not in ("no", "false", "0", "off"):
            warn("hook %s: async is %s, which is neither true nor false" % (self.name, word))
        policy = keys.get("metadata.on-failure")
        self.on_failure = "allow" if policy is None else policy if policy in ("allow", "deny", "ask") else "ask"
        self.lacks = [key for key in CHANGING if "metadata." + key in keys]  # 19.1
        for key in self.lacks:
            warn("hook %s: metadata.%s is not supported" % (self.name, key))
        if {"answer", "protocol", "native-event"} & set(self.lacks) or re.match("(%s) *:" % "|".join(CHANGING), keys.get("metadata") or ""):
            raise Failure("it needs an extension that is not supported")
        if {"match", "access"} & set(self.lacks):
            self.pattern = None

    def number(self, text, low, high, default):
        if text is not None and re.fullmatch(r"\d{1,9}", text) and low <= int(text) <= high:
            return int(text)
        if text is not None:
            warn("hook %s: %s is not a number from %d to %d" % (self.name, text, low, high))
        return default

    def entry(self):  # 5.1
        run = self.path + "/scripts/run"
        for file in ([run] if os.access(run, os.X_OK) else []) + [run + ".sh", run + ".py", run]:
            if os.path.isfile(file):
                return file
        raise Failure("it has no scripts/run, scripts/run.sh or scripts/run.py")

    def check(self):
        if self.problem:
            raise Failure(self.problem)
        for file in (self.path, self.path + "/HOOK.md", self.path + "/hook.md", self.entry()):
            if os.path.exists(file) and os.stat(file).st_mode & stat.S_IWOTH:  # 15.1
                raise Failure("refused: others can write " + file)

    def can_run(self):  # 3.9
        try:
            self.check()
            return all(re.compile(e) for e in (self.tool, self.pattern) if e) or True
        except (Failure, re.error):
            return False

    def command(self):  # 5.2
        file = self.entry()
        with open(file, "rb") as f:
            head = f.read(256)
        if os.access(file, os.X_OK) and (head[:2] == b"#!" or b"\0" in head):
            return [file]
        if file.endswith(".py"):
            return ["python3", file]
        if head[:2] == b"#!" and not file.endswith(".sh"):
            return head[2:].split(b"\n")[0].decode().split(None, 1) + [file]
        return ["bash" if any(os.access(d + "/bash", os.X_OK) for d in os.get_exec_path()) else "sh", file]


# Where hooks are

def usable(directory):
    return isinstance(directory, str) and os.path.isabs(directory) and os.path.isdir(directory)


def find_project(event):  # 3.4, 3.5
    roots = event.get("workspace_roots")
    candidates = (roots[:1] if isinstance(roots, list) else []) + [event.get(key) for key in ("work_dir", "cwd", "project_dir")]
    start = os.path.realpath(next((d for d in candidates if usable(d)), os.getcwd()))
    home, dirs = os.path.realpath(os.path.expanduser("~")), [start]
    while dirs[-1] != os.path.dirname(dirs[-1]):
        dirs.append(os.path.dirname(dirs[-1]))
    root = next((i for i, d in enumerate(dirs) if is_root(d + "/.git")), None)
    dirs = dirs[:root + 1] if root is not None else [d for d in dirs if d.startswith(home + "/")] or dirs[:1]
    return next((d for d in dirs if d != home and os.path.isdir(d + "/.agents/hooks")), start)


def is_root(git):
    if not os.path.isfile(git):
        return os.path.isdir(git)
    with open(git, errors="replace") as f:
        return "/modules/" not in f.read(4096)


def find_hooks(event, project):
    """The event's hooks, in order."""
    config = os.environ.get("XDG_CONFIG_HOME", "")
    config = config if os.path.isabs(config) else os.path.expanduser("~/.config")  # 3.3
    hooks = {}
    for scope, directory in enumerate((config + "/agents/hooks", project + "/.agents/hooks")):
        try:
            names = os.listdir(directory) if os.path.lexists(directory) else []
        except OSError as problem:  # 3.6
            names = warn(str(problem)) or []
        for name in names:
            path = directory + "/" + name
            if os.path.islink(path) and not os.path.exists(path):
                warn(path + " is a dangling link")
            if os.path.lexists(path + "/HOOK.md") or os.path.lexists(path + "/hook.md"):
                hook = Hook(path, scope)
                if hook.trigger is None:  # 3.8
                    warn("hook %s: %s" % (name, hook.problem))
                hooks[(name, scope) if name in hooks and not hook.can_run() else name] = hook
    return sorted((h for h in hooks.values() if h.trigger == event), key=lambda h: (-h.priority, h.scope, os.fsencode(h.name)))


# Matching

def tool_names(tool):  # 7.1
    here = os.path.dirname(os.path.realpath(__file__))
    with open(next(f for f in (here + "/tools.json", here + "/../../spec/data/tools.json") if os.path.exists(f))) as f:
        rows = [(row["canonical"], *row["claude_code"], row["others"]) for row in json.load(f)]
    return [tool] + [name for *shown, others in rows if tool in shown or tool in others for name in shown]


def values_in(value):  # 6.4
    if isinstance(value, (dict, list)):
        return [v for inner in (value.values() if isinstance(value, dict) else value) for v in values_in(inner)]
    return [] if value is None else [value if isinstance(value, str) else json.dumps(value)]


def found(expression, texts):
    try:
        return any(re.search(expression, text) for text in texts)
    except re.error as problem:  # 6.7
        raise Failure("%r does not compile: %s" % (expression, problem))


def matches(hook, event):
    if event["event_type"] not in TOOL_EVENTS or hook.problem:  # 6.1, 3.8
        return True
    tool, given = event.get("tool_name"), event.get("tool_input")
    if hook.tool and isinstance(tool, str) and not found(hook.tool, tool_names(tool)):  # 6.6
        return False
    return not hook.pattern or given is None or found(hook.pattern, values_in(given) + [json.dumps(given, ensure_ascii=False)])


# The process and its answer

def depth():  # 9.3
    text = os.environ.get("AGENT_HOOKS_DEPTH", "")
    return int(text) if text.isdigit() else 0


def start(hook, run, out, err):
    env = {k: v for k, v in os.environ.items() if not k.startswith("AGENT_HOOKS_")}  # 9.2
    for key, value in dict(EVENT=run.name, HOOK=hook.name, HOOK_DIR=hook.path, PROJECT_DIR=run.project, WORK_DIR=run.work_dir,
                           SESSION_ID=run.event["session_id"], DEPTH=str(depth() + 1)).items():
        env["AGENT_HOOKS_" + key] = value.replace("\0", "")
    with tempfile.TemporaryFile() as stdin:
        stdin.write(run.line())
        stdin.seek(0)
        return subprocess.Popen(hook.command(), stdin=stdin, stdout=out, stderr=err, cwd=run.work_dir, env=env, start_new_session=True)


def wait(process, timeout, files=(), limit=0):
    """Waits for the hook and kills its group at the timeout; whether the first file is above the limit."""
    end, above = time.monotonic() + timeout / 1000, False
    while True:
        done = process.poll() is not None
        for f in files:
            if os.fstat(f.fileno()).st_size > limit:  # 9.5
                above = above or f is files[0]
                f.truncate(limit)
        if done:
            return above
        if time.monotonic() > end:  # 9.6
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise Failure("timeout after %d ms" % timeout)
        time.sleep(0.004)


def judge(hook, run):
    """The hook's answer: a dict with keys of 11.3, in which deny is a block."""
    if depth() >= 3:
        raise Failure("hooks start agents that start hooks")
    hook.check()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:  # a child may hold a file as long as it likes (9.8)
        try:
            process = start(hook, run, out, err)
        except OSError as problem:
            raise Failure("cannot start: %s" % problem)  # 5.4
        above = wait(process, hook.timeout, (out, err), (1 << 20) + 2 * len(run.line()))
        out.seek(0)
        err.seek(0)
        stdout, stderr = (f.read().decode("utf-8", "replace").strip() for f in (out, err))
    if process.returncode == 2:  # 11.2
        return {"decision": "deny", "reason": stderr if len(stderr) <= 8192 else stderr[:4000] + " … " + stderr[-4000:]}
    if process.returncode != 0:
        raise Failure("exit status %d" % process.returncode if process.returncode > 0 else "died by signal %d" % -process.returncode)
    answer = read_answer(hook, stdout, above)
    if answer.get("decision") == "allow" and hook.lacks:  # 19.1
        warn("hook %s: its allow does not count" % hook.name)
        del answer["decision"]
    if "modified_input" in answer and run.name != "pre-tool-call":
        warn("hook %s: modified_input is only for pre-tool-call" % hook.name)
        del answer["modified_input"]
    return answer


def read_answer(hook, text, bad):  # 11.3, 11.4, 11.6
    if not text.startswith("{"):
        if bad or text:
            warn("hook %s: stdout is text, no opinion" % hook.name)
        return {}
    try:
        given = {k: v for k, v in json.loads(text).items() if v is not None}
        known = {k: v for k, v in given.items() if k in ANSWER and isinstance(v, ANSWER[k])}
        said = [known.get("decision", "")]
        bad = bad or bool(given) and not known or set(given) & set(ANSWER) != set(known) or said[0] not in ("", "allow", "deny", "block", "ask")
    except (ValueError, RecursionError):
        known, said, bad = {}, re.findall(r'"decision"\s*:\s*"(deny|block|ask)"', text), True
    said = ["deny" if word == "block" else word for word in said]
    if bad:
        decision = next((d for d in ("deny", "ask") if d in said), None)
        if decision is None:
            raise Failure("bad answer: " + text[:80])
        warn("hook %s: bad answer; only its %s counts" % (hook.name, decision))
        return {"decision": decision, "reason": known.get("reason", "")}
    if "decision" in known:
        known["decision"] = said[0]
    elif "reason" in known:
        warn("hook %s: a reason without a decision" % hook.name)
    return known


def answer_of(hook, run):
    try:
        answer = judge(hook, run)
    except Failure as failure:  # 12.2, 12.3
        cause = "hook %s: %s" % (hook.name, failure)
        if hook.on_failure == "allow":
            warn(cause + "; operation allowed")
            return {}
        return {"decision": hook.on_failure, "reason": "%s (on-failure: %s)" % (cause, hook.on_failure)}
    if answer.get("decision") == "deny":
        answer["reason"] = answer.get("reason", "").strip() or "blocked by hook " + hook.name
    return answer


# The event

def read_event():
    """The bytes of the object on stdin, read until its end (8.1, 8.2)."""
    data, position, level, quoted = b"", 0, 0, False
    while True:
        more = os.read(0, 1 << 16) if select.select([0], [], [], 10)[0] else b""
        if not more:
            if data.strip():
                raise Stop("the event has no end")
            return b""
        data = (data + more).removeprefix(b"\xef\xbb\xbf") if position == 0 else data + more
        while position < len(data):
            c = data[position:position + 1]
            position += 2 if quoted and c == b"\\" else 1
            if quoted:
                quoted = c != b'"'
            elif level == 0 and c != b"{" and not c.isspace():
                raise Stop("the event is not a JSON object")
            elif c == b'"':
                quoted = True
            elif c in b"{}":
                level += 1 if c == b"{" else -1
                if level == 0:
                    if data[position:].strip():
                        warn("there are bytes after the event")
                    return data[:position]


def unique(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key appears twice")
    return dict(pairs)


class Run:
    """One run: the event, and what hooks get of it."""

    def __init__(self, name):
        self.name, self.raw = name, read_event()
        if not self.raw and name in TOOL_EVENTS:
            raise Stop("there is no event")
        try:
            self.event = json.loads((self.raw or b"{}").decode(), object_pairs_hook=unique)
            json.dumps(self.event, ensure_ascii=False).encode()  # a lone surrogate fails
            self.raw = None
        except (ValueError, RecursionError):  # 6.7, 8.3
            self.event = {}
        if name in TOOL_EVENTS and not (isinstance(self.event.get("tool_name"), str) and "tool_input" in self.event):
            warn("the event cannot be decoded, or lacks its tool's name or input: every matcher counts as matched")
        if self.event.get("event_type", name) != name:  # 8.4
            warn("the event says %s, the command line %s" % (self.event["event_type"], name))
        self.project = find_project(self.event)
        self.work_dir = next((d for d in (self.event.get("work_dir"), self.event.get("cwd")) if usable(d)), self.project)  # 9.1
        now = datetime.datetime.now(datetime.timezone.utc).isoformat()
        for key, value in dict(event_type=name, timestamp=now, session_id="", work_dir=self.work_dir, context={}).items():
            if key == "event_type" or not isinstance(self.event.get(key), type(value)):
                self.event[key] = value

    def line(self):
        return (self.raw or json.dumps(self.event, ensure_ascii=False).encode()) + b"\n"


def start_async(hook, run):
    """Starts the hook below a process that ends it at its timeout, with none of our pipes (10.2, 10.3)."""
    if os.fork():
        return
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for fd in range(3):
            os.dup2(nothing, fd)
        wait(start(hook, run, nothing, nothing), hook.timeout)
    finally:
        os._exit(0)


# Several answers (13.10)

def as_text(value):
    return json.dumps(value, sort_keys=True)  # in Python, {"a": 1} == {"a": True}


def decide(run):
    """The exit status, the answer and the reason."""
    hooks = find_hooks(run.name, run.project)

    def wanted(hook):
        try:
            return matches(hook, run.event)
        except Failure as failure:
            hook.problem = str(failure)
            return True

    def start_all(hooks):
        for hook in hooks:
            if hook.is_async and depth() < 3 and wanted(hook):
                try:
                    hook.check()
                    start_async(hook, run)
                except Failure as failure:
                    warn("hook %s: %s; operation allowed" % (hook.name, failure))

    answers, seen, changers, changed = {}, {}, set(), True
    while changed:
        changed = False
        for i, hook in enumerate(hooks):
            given = as_text(run.event.get("tool_input"))
            if hook.is_async or seen.get(hook) == given:
                continue
            answers.pop(hook, None)
            if not wanted(hook):
                continue
            answer, seen[hook] = answer_of(hook, run), given
            if answer.get("decision") == "deny":
                if run.name == "pre-agent-turn-stop" and run.event.get("stop_hook_active") is True:  # 2.3
                    warn("hook %s: %s; the agent may stop all the same" % (hook.name, answer["reason"]))
                    continue
                start_all(hooks[:i])
                return 2, {}, prefixed(hook, answer["reason"])
            changes = "modified_input" in answer and as_text(answer["modified_input"]) != given
            if changes and hook in changers:
                warn("hook %s: it has changed the input before; ignored" % hook.name)
                answer = {k: v for k, v in answer.items() if k != "modified_input" and (k, v) != ("decision", "allow")}
            elif changes:
                run.event["tool_input"], seen[hook] = answer["modified_input"], as_text(answer["modified_input"])
                changers.add(hook)
                changed = True
            answers[hook] = answer
    start_all(hooks)
    given = [answers[h] for h in hooks if h in answers]
    level = next((d for d in ("ask", "allow") if any(a.get("decision") == d for a in given)), None)  # 13.2
    result = {"decision": level, "reason": "\n".join(a["reason"] for a in given if level and a.get("decision") == level and a.get("reason")),
              "modified_input": run.event["tool_input"] if changers else None,
              "additional_context": "\n".join(a["additional_context"] for a in given if a.get("additional_context"))}
    return 0, {k: v for k, v in result.items() if v or isinstance(v, dict)}, ""


def prefixed(hook, reason):  # 14.3
    try:
        json.loads(reason)
        return "hook %s: %s" % (hook.name, reason)
    except (ValueError, RecursionError):
        return reason


def main(args):
    if len(args) != 2 or args[0] != "run" or args[1] not in EVENTS:
        print("usage: hooks.py run EVENT", file=sys.stderr)
        return 1
    warnings, sys.stderr = sys.stderr, tempfile.TemporaryFile("w+")  # a block's stderr holds only the reason
    try:
        status, answer, reason = decide(Run(args[1]))
    except Stop as problem:
        status, answer, reason = 1, {}, "error: %s" % problem
    kept, sys.stderr = sys.stderr, warnings
    try:
        if not reason:
            kept.seek(0)
            reason = kept.read().strip()
        print(json.dumps(answer, ensure_ascii=False) if answer else "", end="\n" if answer else "", flush=True)
        print(reason, end="\n" if reason else "", file=sys.stderr, flush=True)
    except OSError:
        pass  # nobody reads it, and the status counts (14.4)
    return status


if __name__ == "__main__":
    try:
        code = main(sys.argv[1:])
    except Exception as problem:  # a defect of this program is no block
        sys.__stderr__.write("error: %r\n" % problem)
        code = 1
    os._exit(code)
