#!/usr/bin/env python3
"""Blocks shell commands that destroy what cannot be brought back.

Reads the event on stdin; exit 2 with the reason on stderr blocks, exit 0
without output is no opinion. What cannot be read is blocked too: the model is
told so and can write the command more plainly.

The command is read as a shell reads it (quotes, substitutions, here-documents,
pipelines), because the text alone does not tell `rm -rf /` from
`echo "rm -rf /"`, nor `r''m -r -f /` from something harmless. Python's shlex
is not enough: it cannot tell a quoted `;` from an operator and does not look
into "$(...)".
"""
import fnmatch
import itertools
import json
import posixpath
import re
import sys

# What people change: directories that a build makes again, so `rm -rf` may
# remove them as long as the path is relative and plain.
REBUILDABLE = {
    "node_modules", "dist", "build", "out", "target", "coverage", "tmp", ".next", ".nuxt",
    ".turbo", ".cache", ".parcel-cache", "__pycache__", ".pytest_cache", ".mypy_cache",
    ".ruff_cache", ".tox", ".gradle", "DerivedData",
}
# Programs that are blocked whatever their arguments.
NEVER = {
    "mke2fs": "makes a file system", "mkswap": "makes a swap area", "wipefs": "wipes a disk",
    "blkdiscard": "wipes a disk", "shutdown": "stops the machine", "reboot": "stops the machine",
    "halt": "stops the machine", "poweroff": "stops the machine",
}
# Programs whose output `eval "$(...)"` and `source <(...)` may run.
SETUP = {
    "ssh-agent", "direnv", "pyenv", "rbenv", "nodenv", "fnm", "mise", "asdf", "brew", "dircolors",
    "starship", "zoxide", "opam", "conda", "kubectl", "helm", "gh", "minikube", "lesspipe",
}

SHELLS = {"sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish", "rbash", "pwsh", "powershell", "cmd"}
INTERPRETERS = {"python", "python2", "python3", "node", "perl", "ruby", "php", "deno", "bun"}
DOWNLOADERS = {"curl", "wget", "fetch", "http", "https", "aria2c", "iwr", "irm", "invoke-webrequest", "invoke-restmethod"}
# Words after which a command begins.
RESERVED = {"then", "do", "else", "elif", "if", "while", "until", "!", "{", "}", "time", "coproc", "function"}
# Programs that run a command given by their arguments: any of these may be it.
WRAPPERS = {
    "sudo", "doas", "env", "nohup", "nice", "ionice", "command", "builtin", "exec", "xargs", "timeout", "gtimeout",
    "stdbuf", "setsid", "chroot", "unshare", "nsenter", "watch", "parallel", "ssh", "busybox", "toybox", "caffeinate",
    "strace", "systemd-run", "runuser", "su", "pkexec", "script", "flock", "docker", "podman", "kubectl", "time",
}
# Those that also take a whole command line as one argument.
TEXT_RUNNERS = SHELLS | {"eval", "env", "su", "ssh", "watch", "parallel", "script", "runuser", "flock", "trap",
                         "iex", "invoke-expression"}

UNKNOWN = "\0"  # stands in a word for an expansion, whose value only the shell knows
BRACE = "\1"    # an unquoted {
BLANKS = " \t\r"
META = BLANKS + "\n;&|()<>"
LONGEST = 1 << 20
DEEPEST = 30
STEPS = itertools.count()  # commands looked at; nested find -exec doubles them
MOST_STEPS = 20000


class Unreadable(Exception):
    """The command cannot be read for certain."""


class Dangerous(Exception):
    """The command is to be blocked; the text says why."""


class Command:
    """One simple command: its words and what surrounds it."""

    def __init__(self, upstream):
        self.words = []
        self.writes = []          # targets of > and the like
        self.stdin = []           # texts of here-documents and here-strings
        self.inner = []           # commands inside its substitutions and groups
        self.upstream = upstream  # the command whose output it reads, or None


class Parser:
    """Finds every command in a text, also those inside substitutions."""

    def __init__(self, text, depth=0):
        if depth > DEEPEST:
            raise Unreadable("it is nested too deeply")
        self.text, self.at, self.depth = text, 0, depth
        self.found = []
        self.waiting = []  # here-documents whose text begins at the next line

    def peek(self, ahead=0):
        i = self.at + ahead
        return self.text[i] if i < len(self.text) else ""

    def take(self, text):
        if self.text.startswith(text, self.at):
            self.at += len(text)
            return True
        return False

    def new(self, upstream=None):
        command = Command(upstream)
        self.found.append(command)
        return command

    def parse(self, close="", heredocs=True):
        """Reads commands up to an unquoted close; returns those it found."""
        first = len(self.found)
        command = self.new()
        while True:
            c = self.peek()
            if c == close:
                self.at += 1
                return self.found[first:]
            if not c:
                raise Unreadable("a bracket is not closed")
            if c in BLANKS:
                self.at += 1
            elif c == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif c == "\n":
                self.at += 1
                self.read_heredocs()
                command = self.new()
            elif c == "(":
                self.at += 1
                # Inside (( )) a << is a shift. Reading the following lines as
                # commands errs on the safe side, taking them for text does not.
                command.inner += self.parse(")", heredocs and self.peek() != "(" and self.peek(-2) != "(")
                command = self.new(command.upstream)  # also the body of f() { ...; }
            elif c == "<" or c == ">":
                self.redirect(command, heredocs)
            elif c in ";&|)":
                command = self.operator(command)
            else:
                self.word_of(command)

    def operator(self, command):
        if self.take("&>>") or self.take("&>"):
            self.target(command, True)
            return command
        if self.take("&&") or self.take("||") or self.take(";") or self.take(")"):
            return self.new()
        if self.take("|&") or self.take("|"):
            return self.new(command)
        self.at += 1  # &
        return self.new()

    def word_of(self, command):
        before = len(self.found)
        word = self.word()
        command.inner += self.found[before:]
        command.words += braces(word)
        return word

    def redirect(self, command, heredocs):
        if self.peek(1) == "(":  # <(...) and >(...)
            self.word_of(command)
            return
        if command.words and command.words[-1].isdigit() and self.peek(-1).isdigit():
            command.words.pop()  # the 2 of 2>
        if self.take("<<<"):
            command.stdin.append(self.target(command, False))
        elif self.peek(1) == "<" and self.peek() == "<":
            in_index = self.peek(-1) not in META and command.words and "[" in command.words[-1]
            self.at += 2
            if heredocs and not in_index:  # a[1<<2]=3 is arithmetic
                self.heredoc(command)
        else:
            writes = self.peek() == ">" or self.peek(1) == ">"
            while self.peek() and self.peek() in "<>&|":
                self.at += 1
            self.target(command, writes)

    def target(self, command, writes):
        while self.peek() and self.peek() in BLANKS:
            self.at += 1
        before = len(self.found)
        word = self.word()
        command.inner += self.found[before:]
        if writes:
            command.writes.append(word)
        return word

    def heredoc(self, command):
        strip = self.take("-")
        while self.peek() and self.peek() in BLANKS:
            self.at += 1
        start = self.at
        delimiter = self.word()
        quoted = any(q in self.text[start:self.at] for q in "'\"\\")
        self.waiting.append((command, delimiter, quoted, strip))

    def read_heredocs(self):
        for command, delimiter, quoted, strip in self.waiting:
            at, lines = self.at, []
            while at < len(self.text):
                end = self.text.find("\n", at)
                end = len(self.text) if end < 0 else end
                line = self.text[at:end]
                at = end + 1
                if (line.lstrip("\t") if strip else line) == delimiter:
                    self.at = min(at, len(self.text))
                    self.body(command, "\n".join(lines), quoted)
                    break
                lines.append(line)
            # Without an end, what follows is read as commands.
        self.waiting = []

    def body(self, command, text, quoted):
        command.stdin.append(text)
        if not quoted:  # the shell expands it
            inner = Parser(text, self.depth + 1)
            inner.quoted("")
            command.inner += inner.found
            self.found += inner.found

    def word(self):
        """Reads one word as the shell would after removing quotes."""
        out = []
        while True:
            c = self.peek()
            if c in "<>" and c and self.peek(1) == "(":
                self.at += 2
                self.parse(")")
                out.append(UNKNOWN)
            elif not c or c in META:
                return "".join(out)
            else:
                self.at += 1
                out.append(self.piece(c))

    def piece(self, c):
        if c == "\\":
            c = self.peek()
            self.at += 1
            return "" if c == "\n" else c
        if c == "'":
            return self.until("'")
        if c == '"':
            return self.quoted('"')
        if c == "$":
            return self.dollar(False)
        if c == "`":
            return self.backtick()
        return BRACE if c == "{" else c

    def until(self, end):
        i = self.text.find(end, self.at)
        if i < 0:
            raise Unreadable("a quote is not closed")
        text = self.text[self.at:i]
        self.at = i + 1
        return text

    def quoted(self, end):
        """Text in which only expansions count: "...", ${...}, a here-document."""
        out = []
        while True:
            c = self.peek()
            if c == end:
                self.at += 1
                return "".join(out)
            if not c:
                raise Unreadable("a quote is not closed")
            self.at += 1
            if c == "\\":
                out.append(self.escape())
            elif c == "$":
                out.append(self.dollar(True))
            elif c == "`":
                out.append(self.backtick())
            elif end in "}]" and end and c in "'\"":
                out.append(self.until("'") if c == "'" else self.quoted('"'))
            else:
                out.append(c)

    def escape(self):
        c = self.peek()
        self.at += 1
        if c == "\n":
            return ""
        return c if c and c in '$`"\\' else "\\" + c

    def dollar(self, in_quotes):
        c = self.peek()
        if c == "(":
            self.at += 1
            self.parse(")", self.peek() != "(")
            return UNKNOWN
        if c == "{" or c == "[":
            self.at += 1
            self.quoted("}" if c == "{" else "]")
            return UNKNOWN
        if c == "'" and not in_quotes:
            self.at += 1
            return self.ansi()
        if c == '"' and not in_quotes:
            return ""
        name = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]").match(self.text, self.at)
        if not name:
            return "$"
        self.at = name.end()
        return UNKNOWN

    def ansi(self):
        out = re.compile(r"((?:[^'\\]|\\.)*)'", re.S).match(self.text, self.at)
        if not out:
            raise Unreadable("a quote is not closed")
        self.at = out.end()
        try:
            return out.group(1).encode("latin-1", "backslashreplace").decode("unicode_escape")
        except UnicodeDecodeError:
            raise Unreadable("an escape inside $'...' is not known")

    def backtick(self):
        text, c = [], self.peek()
        while c != "`":
            if not c:
                raise Unreadable("a ` is not closed")
            self.at += 1
            if c == "\\" and self.peek() and self.peek() in "`\\$":
                c = self.peek()
                self.at += 1
            text.append(c)
            c = self.peek()
        self.at += 1
        inner = Parser("".join(text), self.depth + 1)
        self.found += inner.parse()
        return UNKNOWN


def braces(word, limit=64):
    """Expands a{b,c}d as bash does; other words come back as they are."""
    if BRACE not in word:
        return [word]
    done, todo = [], [word]
    while todo:
        m = re.match("(?s)(.*)%s([^%s}]*,[^%s}]*)}(.*)" % (BRACE, BRACE, BRACE), todo[0])
        first = todo.pop(0)
        if not m:
            done.append(first.replace(BRACE, "{"))
            continue
        todo = [m.group(1) + p + m.group(3) for p in m.group(2).split(",")] + todo
        if len(done) + len(todo) > limit:
            raise Unreadable("its braces make too many words")
    return done


def name_of(word):
    """The program's name: no folder, no .exe, no difference of case."""
    name = word.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1].lower()
    return name[:-4] if name.endswith(".exe") else name


def split_options(args):
    """Options and operands in any order, as GNU programs take them."""
    if "--" in args:
        i = args.index("--")
        options, operands = split_options(args[:i])
        return options, operands + args[i + 1:]
    return [a for a in args if a[:1] == "-" and len(a) > 1], [a for a in args if a[:1] != "-" or len(a) == 1]


def has(options, short, long):
    """Whether a short letter or a (shortened) long option is among them."""
    for o in options:
        if o[:2] == "--":
            if len(o) > 3 and long.startswith(o[2:].split("=")[0]):
                return True
        elif short and any(c in short for c in o[1:]):
            return True
    return False


def broad(path):
    """Whether a path is a root, a home, a parent, or all there is."""
    p = posixpath.normpath(path.replace("\\", "/"))
    if p.startswith("/"):
        return p.strip("/").count("/") < 1
    return p in (".", "..", "*", ".*") or p[:1] == "~" or p.startswith("../") or re.match(r"^[A-Za-z]:/?\*?$", p) is not None


def rebuildable(path):
    plain = not re.search(r"[\0*?\[~]", path) and not path.startswith("/") and ".." not in path.split("/")
    return plain and posixpath.basename(posixpath.normpath(path)) in REBUILDABLE


def check_rm(args):
    options, targets = split_options(args)
    if has(options, "", "no-preserve-root"):
        raise Dangerous("rm --no-preserve-root")
    recursive, force = has(options, "rR", "recursive"), has(options, "f", "force")
    hidden = any(a.startswith(UNKNOWN) for a in args)
    wide = any(broad(t) or UNKNOWN in t for t in targets)
    if recursive and force and not (targets and all(map(rebuildable, targets))):
        raise Dangerous("rm recursive and forced")
    if recursive and wide:
        raise Dangerous("rm recursive on a wide or unknown target")
    if hidden and any(broad(t) for t in targets):
        raise Dangerous("rm with unknown options on a wide target")


def check_remove_item(args):
    low = [a.lower() for a in args]
    if any(a.startswith("-r") or a == "/s" for a in low) and any(a.startswith("-fo") or a in ("/q", "/s") for a in low):
        raise Dangerous("recursive and forced removal")


def check_git(args):
    while args and args[0].startswith("-"):
        takes = args[0] in ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env")
        if args[0].startswith("-c") and "alias." in "".join(args[:2]):
            raise Dangerous("git with an alias made on the spot")
        args = args[2:] if takes else args[1:]
    if not args:
        return
    options, rest = split_options(args[1:])
    if args[0] == "push":
        if "--force" in options or any(re.match(r"-[a-zA-Z]*f", o) for o in options) or any(r[:1] == "+" for r in rest):
            raise Dangerous("git push --force (--force-with-lease is let through)")
        if "--mirror" in options or has(options, "d", "delete") or any(r[:1] == ":" for r in rest[1:]):
            raise Dangerous("git push that deletes remote branches")
    if args[0] == "reset" and has(options, "", "hard"):
        raise Dangerous("git reset --hard")
    if args[0] == "clean" and has(options, "f", "force") and not has(options, "n", "dry-run"):
        raise Dangerous("git clean --force")
    if args[0] in ("checkout", "restore") and any(r in (".", "./", "*", ":/") for r in rest) and "--staged" not in options:
        raise Dangerous("git %s of everything" % args[0])


def disk(path):
    return bool(re.match(r"/+dev/+(?!null$|zero$|full$|stdout$|stderr$|stdin$|tty|pts/|fd/|shm/|tcp/|udp/|u?random$)", path))


def check_dd(args):
    for a in args:
        if a.startswith("of=") and (disk(a[3:]) or UNKNOWN in a):
            raise Dangerous("dd onto a device or an unknown place")


def check_disk_target(args):
    for a in args:
        if disk(a):
            raise Dangerous("writing to a disk device")


def check_mode(args):
    options, rest = split_options(args)
    if not has(options, "R", "recursive"):
        return
    if any(re.match(r"^0?777$|^[ao]*\+\w*w|^[ugoa]*o[ugoa]*[+=]\w*w|^a[+=]\w*w", r) for r in rest[:1]):
        raise Dangerous("recursive permission for everyone to write")
    if any(broad(t) and not t.startswith(".") or UNKNOWN in t[:1] and len(t.strip("\0/")) == 0 for t in rest[1:]):
        raise Dangerous("recursive change of owner or permissions on a wide or unknown target")


def check_find(args):
    for i, a in enumerate(args):
        if a in ("-exec", "-execdir", "-ok", "-okdir"):
            check_words(args[i + 1:])
    starts = args[:next((i for i, a in enumerate(args) if a[:1] in "-(!"), len(args))]
    filtered = any(re.match(r"-i?(name|path|regex|wholename)$|-empty$", a) for a in args)
    if "-delete" in args and any(UNKNOWN in s or broad(s) and (s not in (".", "./") or not filtered) for s in starts or ["."]):
        raise Dangerous("find -delete on a wide target")


def check_diskutil(args):
    if args and args[0].lower().startswith(("erase", "partition", "zero", "secureerase")):
        raise Dangerous("erasing a disk")


def check_alias(args):
    for a in args:
        check_text(a.partition("=")[2])


RULES = {
    "rm": check_rm, "grm": check_rm, "srm": check_rm, "git": check_git, "dd": check_dd, "chmod": check_mode,
    "chown": check_mode, "chgrp": check_mode, "find": check_find, "tee": check_disk_target, "cp": check_disk_target,
    "shred": check_disk_target, "mv": check_disk_target, "remove-item": check_remove_item, "ri": check_remove_item,
    "rd": check_remove_item, "rmdir": check_remove_item, "del": check_remove_item, "erase": check_remove_item,
    "diskutil": check_diskutil, "alias": check_alias,
}
# Tried where the program's name is not known at all, as in `$x -rf /`.
NAMELESS = ("rm", "git", "dd", "chmod")


def check_words(words):
    """Checks one command by its words; raises Dangerous."""
    if next(STEPS) > MOST_STEPS:
        raise Unreadable("it is too involved")
    while words and (words[0] == "" or words[0] in RESERVED or re.match(r"[A-Za-z_]\w*(\[[^]]*\])?\+?=", words[0])):
        words = words[1:]
    if not words:
        return
    name, args = name_of(words[0]), words[1:]
    if name in NEVER or name.startswith(("mkfs", "newfs")):
        raise Dangerous("%s %s" % (name, NEVER.get(name, "makes a file system")))
    if name in RULES:
        RULES[name](args)
    elif re.search(r"[\0*?\[]", name):
        check_pattern(name, args)
    if UNKNOWN in words[0].strip(UNKNOWN):  # rm${IFS}-rf
        check_words([w for w in words[0].split(UNKNOWN) if w] + args)
    if name in TEXT_RUNNERS:
        check_runner(name, args)
    if name in WRAPPERS:
        for i in range(len(args)):
            check_words_plain(args[i:])


def check_words_plain(words):
    """check_words for one of the words that a wrapper might run."""
    name = name_of(words[0])
    if name in WRAPPERS:
        if name in TEXT_RUNNERS:
            check_runner(name, words[1:])
    elif name in RULES or name in NEVER or name in TEXT_RUNNERS or name.startswith(("mkfs", "newfs")) or re.search(r"[\0*?\[]", name):
        check_words(words)


def check_pattern(name, args):
    """The name has an expansion or a glob in it: whatever it may become."""
    pattern = name.replace(UNKNOWN, "*")
    names = NAMELESS if not pattern.strip("*") else [n for n in RULES if fnmatch.fnmatch(n, pattern)]
    for n in names:
        RULES[n](args)


def check_runner(name, args):
    """Arguments that are themselves command lines."""
    if name in ("eval", "iex", "invoke-expression"):
        check_text(" ".join(args), True)
        return
    code = any(re.match(r"[-/][a-zA-Z]*[cC]", a) for a in args)
    for a in args:
        if re.search(r"\s", a) or code:
            check_text(a, code)


def from_stdin(name, args):
    """Whether a shell or interpreter takes its program from stdin."""
    options, operands = split_options(args)
    if name in SHELLS:
        # `sh -s x` reads stdin though it has operands.
        return any(re.match(r"-[a-z]*s", o) for o in options) or not operands and not any(re.match(r"-[a-z]*c", o) for o in options) \
            or operands[:1] in (["-"], ["/dev/stdin"])
    return not operands and not any(o[:2] in ("-c", "-e", "-m", "-p", "-r", "--") for o in options) or operands[:1] == ["-"]


def programs(words):
    """The places in words at which a program's name may stand."""
    words = [w for w in words if w]
    while words and (words[0] in RESERVED or re.match(r"[A-Za-z_]\w*\+?=", words[0])):
        words = words[1:]
    if words and name_of(words[0]) in WRAPPERS:
        return [words[i:] for i in range(len(words))]
    return [words] if words else []


def trusted(commands):
    """Whether only set-up programs make the text that is evaluated."""
    return bool(commands) and all(any(name_of(p[0]) in SETUP for p in programs(c.words)) for c in commands if c.words)


def check_sources(command, everything):
    """A shell that is fed from elsewhere: pipe, here-document, substitution."""
    for words in programs(command.words):
        name, args = name_of(words[0]), words[1:]
        is_shell = name in SHELLS or name in ("eval", "source", ".", "iex", "invoke-expression")
        text = name == "eval" or any(re.match("-[a-z]*c", a) for a in args)
        if is_shell and any(a and not a.strip(UNKNOWN) for a in args) and (text or command.inner) and not trusted(command.inner):
            raise Dangerous("a shell that runs what another command prints")
        if name not in SHELLS | INTERPRETERS | {"iex", "invoke-expression", "source", "."} or not from_stdin(name, args):
            continue
        if name in SHELLS:
            for text in command.stdin:
                check_text(text, True)
        if command.upstream is not None:
            check_pipe(name, command.upstream, everything)


def check_pipe(name, upstream, everything):
    if name not in SHELLS | {"iex", "invoke-expression"}:
        if any(name_of(p[0]) in DOWNLOADERS for c in everything for p in programs(c.words)):
            raise Dangerous("a download that is run at once")
        return
    words = upstream.words
    if words and name_of(words[0]) in ("echo", "printf") and not any("\\" in w or "%" in w or UNKNOWN in w for w in words):
        check_text(" ".join(w for w in words[1:] if not re.match(r"-[neE]+$", w)), True)
        return
    raise Dangerous("a shell that runs what another command prints")


# Bounded, so that no text makes the search slow.
FORK_BOMB = r"(?<![^\s(){};|&])([^\s(){};|&]{1,60})\s{0,9}\(\s{0,9}\)\s{0,9}\{[^}]{0,200}\1\s{0,9}\|\s{0,9}\1\s{0,9}&"


def check_text(text, evaluated=False):
    """Checks a command line; evaluated: it is the argument of eval or sh -c."""
    if len(text) > LONGEST:
        raise Unreadable("it is longer than 1 MiB")
    commands = Parser(text + "\n").parse()
    for c in commands:
        check_words(c.words)
        check_sources(c, commands)
        nameless = c.words and c.words[0] and not c.words[0].strip(UNKNOWN)
        if nameless and evaluated and text.strip(UNKNOWN + BLANKS):  # check_sources has seen a bare $(...)
            raise Dangerous("a shell that runs text which only the shell knows")
        if nameless:  # x="rm -rf /"; $x
            for m in (re.match(r"(?s)[A-Za-z_]\w*\+?=(.*)", w) for other in commands for w in other.words):
                check_text(m.group(1) if m else "")
        for target in c.writes:
            check_disk_target([target])
    if re.search(FORK_BOMB, re.sub(r"'[^']*'|\"[^\"]*\"", "''", text)):
        raise Dangerous("fork bomb")


# --- the event ---

COMMAND_KEYS = {"command", "cmd", "commandline", "commands", "script", "code"}


def pairs(value):
    """The members of an object; all of them where a key stands twice."""
    return value.items() if isinstance(value, dict) else value.pairs if isinstance(value, Twice) else ()


class Twice:
    """An object in which a key stands twice: which one counts is unknown."""

    def __init__(self, members):
        self.pairs = members


def members(found):
    d = dict(found)
    return d if len(d) == len(found) else Twice(found)


def strings(value):
    if isinstance(value, str):
        yield value
    for _, v in pairs(value):
        yield from strings(v)
    if isinstance(value, list):
        for v in value:
            yield from strings(v)


def commands_in(value):
    """Every command under a key that names one, at any depth."""
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        try:  # some agents send the input as JSON inside a string
            value = json.loads(value, object_pairs_hook=members)
        except ValueError:
            return
    if isinstance(value, list):
        for v in value:
            yield from commands_in(v)
    for key, v in pairs(value):
        if key.lower().replace("_", "") in COMMAND_KEYS:
            yield from strings(v)
            if isinstance(v, list):  # a list may be one command's words
                yield " ".join("'%s'" % s.replace("'", "'\\''") for s in strings(v))
        else:
            yield from commands_in(v)


def commands_of(event):
    inputs = [v for k, v in pairs(event) if k == "tool_input"]
    found = list(commands_in(inputs or event))
    if not found:
        found = list(strings(inputs))
    if not found and not any(v for v in inputs):
        raise Unreadable("the event carries none")
    return found


def main():
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig", "surrogateescape")
        event = json.loads(text, object_pairs_hook=members)
        if not pairs(event):
            raise Unreadable("the event is not an object")
        powershell = any(k == "tool_name" and re.search("powershell|pwsh", str(v).lower()) for k, v in pairs(event))
        for command in commands_of(event):
            if UNKNOWN in command or BRACE in command:
                raise Unreadable("it has control characters")
            check_text(command.replace("`", "") if powershell else command)
    except Dangerous as e:
        return "blocked by block-dangerous-commands: %s. Find a way that loses nothing, or ask the user to run it." % e
    except (Unreadable, ValueError, RecursionError) as e:
        return "blocked by block-dangerous-commands: the command cannot be read for certain (%s). Write it more plainly." % e
    return ""


if __name__ == "__main__":
    reason = main()
    if reason:
        sys.stderr.write(reason + "\n")
        sys.exit(2)
