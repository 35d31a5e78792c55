#!/usr/bin/env python3
"""Appends one line per tool call to a log of the day."""
import json, os, re, sys, time

LONGEST = 200  # characters of a command or path
KEYS = ("command", "cmd", "commandline", "filepath", "path", "targetfile", "absolutepath",
        "pattern", "query", "url")
SECRETS = [
    (r"(?i)((?:token|secret|passw(?:or)?d|passphrase|(?:api|access|private)[_-]?key)[\"']?"
     r"\s*[=:\s]\s*)(\"[^\"]*\"?|'[^']*'?|\S+)", r"\1***"),
    (r"(?i)(authorization\s*[:=]\s*[\"']?(?:\w+\s+)?)[^\s\"']+", r"\1***"),
    (r"(?i)\b(bearer|basic)\s+[^\s\"']+", r"\1 ***"),
    (r"(://[^/\s:@]*:)[^@\s/]+@", r"\1***@"),
    (r"(\s-u\s*[^\s:]+:)\S+", r"\1***"),
    (r"\b(?:sk|ghp|gho|ghs|github_pat|xox[abp]|AKIA|AIza|glpat)[-_A-Za-z0-9]{12,}", "***"),
    (r"\beyJ[\w-]{10,}\.[\w-]+\.?[\w-]*", "***"),
]


def what(value):
    """The first telling string of a tool's input."""
    if isinstance(value, dict):
        flat = {k.lower().replace("_", ""): v for k, v in value.items()}
        for key in KEYS:
            v = flat.get(key)
            if isinstance(v, list):
                v = " ".join(str(x) for x in v)
            if isinstance(v, str):
                return v
    return ""


def mask(text):
    for pattern, replacement in SECRETS:
        text = re.sub(pattern, replacement, text)
    return text


def folder():
    """SESSION_LOG_DIR, else a folder of the XDG state directory (a relative one is ignored)."""
    state = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(state):
        state = os.path.expanduser("~/.local/state")
    return os.environ.get("SESSION_LOG_DIR") or os.path.join(state, "agents", "session-log")


def append(line):
    path = folder()
    os.makedirs(path, mode=0o700, exist_ok=True)
    name = os.path.join(path, time.strftime("%Y-%m-%d.jsonl", time.gmtime()))
    # One write to a file opened for appending: lines of several agents never mix.
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    log = os.open(name, flags, 0o600)
    try:
        os.write(log, line)
    finally:
        os.close(log)


def main():
    event = json.loads(sys.stdin.buffer.read().decode("utf-8-sig", "replace"))

    def text(key, longest):
        return str(event.get(key) or "")[:longest]

    entry = {
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "session": text("session_id", 80),
        "agent": os.environ.get("AGENT_HOOKS_AGENT", "")[:40],
        "dir": (text("work_dir", 300) or text("cwd", 300)),
        "tool": text("tool_name", 80),
        # Masked before it is cut, so that no half of a secret is left over.
        "what": mask(what(event.get("tool_input"))[:20000])[:LONGEST],
    }
    append((json.dumps(entry) + "\n").encode("ascii"))


main()
