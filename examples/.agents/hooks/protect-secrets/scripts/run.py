#!/usr/bin/env python3
"""Blocks tool calls that would read or write files with secrets.

Reads the event on stdin; exit 2 with the reason on stderr blocks, exit 0
without output is no opinion. An event that cannot be read is blocked.
"""
import fnmatch
import glob
import json
import os
import posixpath
import re
import shlex
import sys
import unicodedata

# What people change. Names are compared without regard to case.
NAMES = {
    ".env", ".envrc", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".git-credentials", ".htpasswd", ".vault-token",
    "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "credentials.json", "service-account.json", "secrets.yml", "secrets.yaml",
}
PREFIXES = (".env.", "id_rsa", "id_ed25519", "id_ecdsa", "id_dsa")
SUFFIXES = (".env", ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk")
FOLDERS = {".ssh", ".gnupg", ".aws"}  # everything inside
ENDINGS = (".kube/config", ".docker/config.json", ".config/gh/hosts.yml", ".cargo/credentials", ".cargo/credentials.toml")
HARMLESS = (".example", ".sample", ".template", ".dist", ".pub")
NOT_FILES = {"process.env", "meta.env", "import.meta.env", "bun.env", "deno.env"}  # code, not paths

# Commands that name files without opening them; sub-commands after a blank.
NAMERS = {"ls", "stat", "test", "[", "[[", "echo", "printf", "git check-ignore", "git ls-files", "git status"}
SEARCHERS = {"grep", "rg", "egrep", "fgrep", "sed", "awk", "jq"}  # the first operand is an expression

PATCH = re.compile(r"^(?:\*\*\* (?:Add|Update|Delete) File:|\*\*\* Move to:|\+\+\+|---) ?(.+?)\s*$", re.M)
COMMAND_KEYS = {"command", "cmd", "commandline", "commands", "script"}
OPENED_KEYS = {"uri", "url", "glob", "include", "includes", "source", "destination", "target", "notebook"}
TEXT_KEYS = {"content", "contents", "text", "filetext", "oldstring", "newstring", "oldstr", "newstr", "oldtext", "newtext",
             "codecontent", "targetcontent", "replacementcontent", "prompt", "description"}
BASE_KEYS = {"transcriptpath", "agenttranscriptpath", "workdir", "cwd", "workspaceroots"}
SAMPLES = sorted(NAMES | {".env.local", ".env.production", "server.key", "server.pem"})


def plain(path):
    """The path as every file system may take it: no case, no oddities."""
    path = unicodedata.normalize("NFKC", path).casefold()
    path = "".join(c for c in path if unicodedata.category(c) != "Cf").replace("\\", "/").strip()
    path = re.sub(r"^file:/*(?=/)", "", path)
    path = posixpath.normpath(re.sub(r"::?\$data$", "", path))
    return path.rstrip(". ") or path  # Windows drops trailing dots


def secret_name(path):
    """Whether a plain path is one of those that are listed."""
    parts = path.split("/")
    name = parts[-1]
    if name.endswith(HARMLESS) or name in NOT_FILES:
        return False
    return (name in NAMES or name.startswith(PREFIXES) or any(name.endswith(s) and name != s for s in SUFFIXES)
            or not FOLDERS.isdisjoint(parts) or path.endswith(ENDINGS) and ("/" + path).endswith(tuple("/" + e for e in ENDINGS)))


def wild(path):
    """Whether a path with wildcards may become a listed one."""
    loose = "\0" in path  # the value of a variable may begin with a dot
    pattern = re.sub(r"\{[^{}]*,[^{}]*\}", "*", path).replace("\0", "*")
    if secret_name(plain(pattern)):
        return True
    folder, _, name = plain(pattern).rpartition("/")
    if any(fnmatch.fnmatchcase(f, part) for f in FOLDERS for part in folder.split("/") if re.search(r"[^*?.]", part)):
        return True
    if not re.search(r"[*?\[]", name):
        return False
    if re.search(r"[^*?.]", name) or name.startswith("."):  # a bare * is left to the look at the disk
        for s in SAMPLES:
            if fnmatch.fnmatchcase(s, name) and (loose or s[0] != "." or name[0] in ".["):
                return True
    return any(secret_name(plain(f)) for f in on_disk(pattern))


def on_disk(pattern):
    """What the pattern finds now, at most 1000 names and not in depth."""
    try:
        found = glob.iglob(os.path.expanduser(pattern.replace("**", "*")))
        return [f for f, _ in zip(found, range(1000))]
    except (OSError, ValueError, re.error):
        return []


def secret(path):
    if not path or len(path) > 4096:
        return False
    if secret_name(plain(path)):
        return True
    if re.search(r"[*?\[\0]|\{.*,", path):
        return wild(path)
    try:
        return secret_name(plain(os.path.realpath(os.path.expanduser(path))))
    except (OSError, ValueError):
        return False


def pieces(word):
    """The parts of a word that may be paths: --env-file=.env, @.env, a:b, code."""
    yield word
    for p in re.split(r"[\s'\"=:,;()<>|&`@+]+", word):
        if p != word:
            yield p


def secret_in_word(word):
    for p in pieces(word):
        # `d.key` inside code is an attribute unless there is such a file.
        attribute = p != word and re.fullmatch(r"[\w.]*\w\.key", p) and not os.path.exists(p)
        if not attribute and secret(p):
            return p.replace("\0", "$…")
    return ""


def tokens(command):
    """Words and operators; None where quotes do not match."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.commenters = ""
    lexer.whitespace_split = True
    try:
        return list(lexer)
    except ValueError:
        return None


def unfold(command):
    """Line continuations, $'...' and variables, which shlex does not know."""
    command = command.replace("\\\r\n", "").replace("\\\n", "")
    command = re.sub(r"\$'((?:[^'\\]|\\.)*)'", ansi, command)
    command = re.sub(r"\$\{[^}\s]*\}|\$[A-Za-z_]\w*|\$[0-9@*#?]", "\0", command)
    return re.sub(r"[\r\n]+", " ; ", command)


def ansi(m):
    try:
        return shlex.quote(m.group(1).encode("latin-1", "backslashreplace").decode("unicode_escape"))
    except UnicodeDecodeError:
        return m.group(0)


def split(found):
    """Simple commands: words, targets of redirections, whether a pipe follows."""
    words, targets, redirected = [], [], False
    for t in found:
        if re.fullmatch(r"[;&|()]+", t):
            yield words, targets, "|" in t and t != "||"
            words, targets, redirected = [], [], False
        elif re.fullmatch(r"[<>&|]*[<>][<>&|]*", t):
            redirected = True
        else:
            (targets if redirected else words).append(t)
            redirected = False
    yield words, targets, False


def opened(words, piped):
    """The words of a command that may be files which it opens."""
    words = [w for w in words if w not in ("sudo", "command", "time", "then", "do", "else", "{", "!", "if", "while")]
    if not words:
        return []
    name = posixpath.basename(words[0])
    if name == "git":
        name = " ".join(["git"] + words[1:2])
    if name in NAMERS and not piped:  # `ls .env | xargs cat` opens it
        return []
    if name in ("git commit", "git tag", "git stash", "gh pr", "gh issue"):
        return [w for i, w in enumerate(words) if not re.match(r"-\w*[mbt]$|--(message|body|title)$", words[i - 1]) and not w.startswith(("--message=", "--body=", "--title="))]
    if name == "git rm" and "--cached" in words:
        return []
    if name in SEARCHERS:
        operands = [i for i, w in enumerate(words) if i and not w.startswith("-")]
        given = any(re.match(r"-[a-z]*[ef]$|--(regexp|file|expression)", w) for w in words)
        return [w for i, w in enumerate(words) if given or i != (operands or [0])[0]]
    return words


def check_command(command):
    command = unfold(command)
    found = tokens(command)
    if found is None:  # here-documents with an apostrophe, mostly
        return next(filter(None, map(secret_in_word, re.sub(r"['\"\\]", "", command).split())), "")
    runs_inside = "`" in command or re.search(r"\"[^\"]*\$\(", command)
    for words, targets, piped in split(found):
        for w in targets:
            if secret_in_word(w):
                return secret_in_word(w)
        for w in words if runs_inside else opened(words, piped):
            if secret_in_word(w):
                return secret_in_word(w)
    return ""


def check_value(key, value, inherited):
    """The secret that a string under this key names, or ""."""
    for m in PATCH.finditer(value) if inherited not in TEXT_KEYS else ():
        path = re.sub(r"^[ab]/", "", m.group(1))
        if secret(path):
            return path
    if inherited in COMMAND_KEYS:
        return check_command(value)
    if ("path" in inherited or "file" in inherited or inherited in OPENED_KEYS) and inherited not in TEXT_KEYS:
        return value if "\n" not in value and secret(value) else ""
    return ""


def walk(value, key=""):
    """Every string with the nearest key above it; JSON in strings is opened."""
    if isinstance(value, str):
        yield key, value
        if value.lstrip()[:1] == "{" and key not in TEXT_KEYS:
            try:
                yield from walk(json.loads(value, object_pairs_hook=Members))
            except ValueError:
                pass
    elif isinstance(value, Members):
        for k, v in value:  # all of them where a key stands twice
            k = k.lower().replace("_", "").replace("-", "")
            if k not in BASE_KEYS:
                yield from walk(v, k)
    elif isinstance(value, list):
        for v in value:
            yield from walk(v, key)
        if key in COMMAND_KEYS:  # a list may be one command's words
            yield key, " ".join(shlex.quote(v) for v in value if isinstance(v, str))


class Members(list):
    """An object as its (key, value) pairs."""


def find(event):
    if not isinstance(event, Members):
        raise ValueError("the event is not an object")
    inputs = [v for k, v in event if k == "tool_input"]
    for value in inputs or [event]:
        for key, text in walk(value):
            found = check_value(key, text, key)
            if found:
                return found
    return ""


def main():
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig", "surrogateescape")
        found = find(json.loads(text, object_pairs_hook=Members))
    except (ValueError, RecursionError) as e:
        return "blocked by protect-secrets: the event cannot be read (%s)." % e
    if found:
        return "blocked by protect-secrets: %s may hold secrets. Work without its content, or ask the user." % found
    return ""


if __name__ == "__main__":
    reason = main()
    if reason:
        sys.stderr.buffer.write((reason + "\n").encode("utf-8", "replace"))
        sys.exit(2)
