#!/usr/bin/env python3
"""Blocks tool calls that would read or write files with secrets."""
import contextlib, fnmatch, glob, itertools, json, os, posixpath, re, subprocess, sys, unicodedata

NAMES = """.env .env.* ?*.env .envrc .netrc _netrc .npmrc .pypirc .pgpass .git-credentials .htpasswd
    .vault-token id_rsa* id_dsa* id_ecdsa* id_ed25519* credentials.json secrets.y*ml
    service-account.json ?*.pem ?*.key ?*.p12 ?*.pfx ?*.jks ?*.keystore ?*.kdbx ?*.ppk .kube/config
    .docker/config.json .config/gh/hosts.yml .cargo/credentials .cargo/credentials.toml""".split()
DIRS = {".ssh", ".gnupg", ".aws"}
HARMLESS = r".*(\.(example|sample|template|dist|pub)|\b(process|meta|bun|deno)\.env)"
# Programs that open none of the files that they name, and those that only look at a text.
NAMERS = r"ls|stat|test|\[|echo|printf|find|basename|dirname"
GIT_NAMERS = r"check-ignore|ls-files|status|rm --cached"
READERS = r"[ef]?grep|rg|wc|sort|uniq|head|tail|cat|cut|tr|tee|less|sed|awk|jq|pbcopy|xclip"
LISTERS = r"xargs|parallel|read|mapfile|readarray|cpio|tar|rsync|zip"
SEARCHERS = r"[ef]?grep|rg|ag|sed|[gmn]?awk|jq"
INTERPRETERS = (r"python[\d.]*|pypy[\d.]*|node(js)?|deno|bun|tsx|ts-node|perl|ruby|php|lua|rscript|"
                r"osascript|tclsh|[gmn]?awk|uv")
RUNS = r"system|popen|subprocess|exec|spawn|child_process|\bsh\b|`|%x|\bqx"  # commands in a program
LITERAL = r"(['\"`])((?:\\.|(?!\1).)*)\1"
UNKNOWN = "\ufffc"  # what only the shell knows
KEY = r"(?!.*(content|text|transcript)).*(path|file|dest).*|ur[il]|glob|includes?|source|target"
COMMAND = r"command_?(line|s)?|cmd|script"
PATCH = r"(?m)^(?:\*\*\* (?:(?:Add|Update|Delete) File|Move to):|[+]{3}|---) ?(?:[ab]/)?(.+?)\s*$"
SAMPLES = {re.sub(r"\?|/.*", "", n).replace("*", s) for n in NAMES for s in ("", "server")
           if not n.endswith(("json", "ml"))} | DIRS


def listed(path):
    """Whether a path, in any spelling, is in the lists above."""
    path = unicodedata.normalize("NFKC", path).casefold().replace("\\", "/").strip()
    path = "".join(c for c in path if unicodedata.category(c) != "Cf")
    path = "/" + posixpath.normpath(re.sub(r"^file:/*(?=/)|::?\$data$", "", path)).rstrip(". ")
    parts = path.split("/")
    return not re.fullmatch(HARMLESS, path) and (not DIRS.isdisjoint(parts) or any(
        fnmatch.fnmatchcase(parts[-1], n) or path.endswith("/" + n) for n in NAMES))


def secret(path):
    """Whether a path, the target of its link, or a file that its wildcards match is listed."""
    found = [os.path.expanduser(path)] if 0 < len(path) <= 4096 and "\0" not in path else []
    if found and re.search(r"[*?\[]|" + UNKNOWN, path):
        if UNKNOWN not in path:
            found = list(itertools.islice(glob.iglob(found[0].replace("**", "*")), 1000))
        for part in filter(re.compile(r"[^*?%s]" % UNKNOWN).search, path.split("/")):
            names = [s for s in SAMPLES if s[0] != "." or part[0] in ".[" + UNKNOWN]
            found += fnmatch.filter(names, part.replace(UNKNOWN, "*"))
    return any(listed(p) or listed(os.path.realpath(p)) for p in found)


def hidden(word):
    """A word with a mark for each expansion."""
    return re.sub(r"\$\{[^}]*\}|\$\(.*\)|`.*`|\$\w+", UNKNOWN, word, flags=re.S)


def name_of(c):
    return re.sub(r"\.exe$", "", "".join(c["words"][:1]).rsplit("/", 1)[-1].lower())


def subcommand(args, valued=("-C", "-c", "--git-dir", "--work-tree", "--namespace", "-R")):
    """The arguments from the first word that is no option and no option's value."""
    i = 0
    while i < len(args) and args[i][:1] == "-":
        i += 2 if args[i] in valued else 1
    return args[i:]


def expressions(name, args):
    """The indexes of the expressions that a program searches or applies."""
    takes = {"jq": "fL", "rg": "efgtTmABCrEjM", "sed": "efl"}.get(name, "efmABCdD")
    takes = "efvF" if "awk" in name else takes
    option = r"-(?!-)\w*?([%s])(.?)|--(regexp|expression|file|from-file)\b(=?)" % takes
    found, first, given, i = [], len(args), False, 0
    while i < len(args) and args[i] != "--":
        m = re.match(option, args[i])
        attached = m and (m[2] or m[4])
        if m and (m[1] or m[3])[0] == "e" or m and m[3] == "regexp":
            found.append(i if attached else i + 1)
        elif args[i][:1] != "-":
            first = min(first, i)
        given = given or m and (m[1] or m[3][:1]) in ("e", "f", "r") and m[1] != "r"
        i += 2 if m and not attached else 1
    return found if given else [min(first, i + (args[i:i + 1] == ["--"]))]


def names_files(c):
    """Whether another command may use what a command prints as names of files or as code."""
    if any(c["line"] in o["reads"] and not re.fullmatch(READERS, name_of(o)) for o in commands):
        return True
    outer = commands[c["inside"] - 1] if c["inside"] else {"unknown": []}
    substituted = any(re.search(r"\$\(|`", outer["words"][i]) for i in outer["unknown"])
    return substituted and bool(opened(outer))


def opened(c):
    """The arguments of a simple command that may name files that it opens."""
    words = [hidden(w) if i in c["unknown"] else w for i, w in enumerate(c["words"])]
    name, args = name_of(c), words[1:]
    sub = subcommand(args)
    if name == "git" and re.match(r"(%s)( |$)" % GIT_NAMERS, " ".join(sub)) or re.fullmatch(
            NAMERS, name) and not re.search(r" -(exec|ok|fprint|fls|files0)", " ".join(args)):
        return args if names_files(c) else []
    if (name, (sub or [""])[0]) in (("git", "commit"), ("git", "tag"), ("git", "stash"),
                                    ("gh", "pr"), ("gh", "issue"), ("gh", "release")):
        return [a for a in args if " " not in a]  # not its message
    if re.fullmatch(SEARCHERS, name):
        skipped = expressions(name, args)
        return [a for i, a in enumerate(args) if i not in skipped]
    return args


def parts(text):
    """The parts of a text that may be paths; d.key is code."""
    found = re.split(r"[\s'\"=:,;()<>|&`@+]+", text)
    return [p for p in found if os.path.exists(p) or not re.fullmatch(r"[\w.]*\w\.key", p)]


def in_program(text):
    """What may be paths in a program: its string literals, and their parts if it runs commands."""
    text = re.sub(r"\\(?:x|u00)([0-9a-fA-F]{2})", lambda m: chr(int(m[1], 16)), text)
    text = re.sub(r"(['\"])\s*[.+]?\s*\1", "", text)  # '.e' + 'nv'
    found = [m[1].strip("<>+| ") for m in re.findall(LITERAL, text)]
    return found + [p for f in found for p in parts(f) if re.search(RUNS, text)]


def in_command(c):
    """What may be paths in a simple command: its words and their parts, and its input."""
    args = opened(c) + c["assigns"]
    paths = []
    readers = [o for o in commands if o is c or c["line"] in o["reads"]]
    code = any(re.fullmatch(INTERPRETERS, name_of(o)) for o in readers)
    lists = not c["words"] or any(re.fullmatch(LISTERS, name_of(o)) for o in readers)
    for r in c["redirects"]:
        text = r["text"] if r["op"] in ("<<", "<<-") else r["target"] if r["op"] == "<<<" else ""
        paths += re.findall(PATCH, text)
        if code:
            paths += in_program(text)
        if lists or r["op"] == "<<<" and code:
            paths += parts(text)
        if r["op"] not in ("<<", "<<-", "<<<"):
            args.append(hidden(r["target"]) if r["unknown"] else r["target"])
    if re.fullmatch(INTERPRETERS, name_of(c)):
        paths += [p for a in c["words"][1:] for p in in_program(a)]
    args = [re.sub(r"\b(?!file:)[a-z][a-z0-9+.-]*://[^\s'\"<>]*", " ", a) for a in args]  # no URLs
    return paths + args + [p for a in args for p in parts(a)]


def in_loops(source):
    """The words of for loops whose variable a command opens."""
    for name, words in re.findall(r"\bfor\s+(\w+)\s+in\s+([^;\n]*)", source):
        value = re.compile(r"\$\{?%s\b" % name)
        for c in commands:
            targets = [r["target"] for r in c["redirects"] if r["unknown"]]
            unknown = targets + [c["words"][i] for i in c["unknown"]]
            if any(map(value.search, unknown)) and (targets or opened(c)):
                yield from parts(words)


def in_object(pairs):
    """Adds the paths in an object of the event, as its keys name them, to paths."""
    for key, v in pairs:
        if isinstance(v, list):
            in_object([(key, item) for item in v])
        elif isinstance(v, str):
            with contextlib.suppress(ValueError):
                json.loads(v if v.lstrip()[:1] == "{" else "0", object_pairs_hook=in_object)
            paths.extend(in_loops(v) if re.fullmatch(COMMAND, key.lower()) else ())
            if re.fullmatch(KEY, key.lower()) and "\n" not in v:
                paths.append(v)
            elif re.fullmatch(r"(?!.*content).*patch.*|input|diff", key.lower()):
                paths.extend(re.findall(PATCH, v))


event, program = sys.stdin.buffer.read(), os.environ.get("AGENT_HOOKS_PROGRAM", "agent-hooks")
read = subprocess.run([program, "commands", "--json"], input=event, capture_output=True)
commands = [json.loads(line) for line in read.stdout.splitlines()]
paths = [p for c in commands for p in in_command(c)]
if read.returncode == 0:
    json.loads(event.decode("utf-8-sig", "replace"), object_pairs_hook=in_object)
found = next(filter(secret, paths), None)
if found or read.returncode:
    why = ("%s may hold secrets. Work without its content, or ask the user." % found if found else
           "the command cannot be read (%s)." % read.stderr.decode(errors="replace").strip())
    sys.stderr.buffer.write(("blocked by protect-secrets: %s\n" % why).encode("utf-8", "replace"))
    sys.exit(2)
