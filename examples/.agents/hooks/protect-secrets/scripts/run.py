#!/usr/bin/env python3
"""Blocks tool calls that would read or write files with secrets."""
import contextlib, fnmatch, glob, itertools, json, os, posixpath, re, subprocess, sys, unicodedata

NAMES = """.env .env.* ?*.env .envrc .netrc _netrc .npmrc .pypirc .pgpass .git-credentials .htpasswd
    .vault-token id_rsa* id_dsa* id_ecdsa* id_ed25519* credentials.json secrets.y*ml
    service-account.json ?*.pem ?*.key ?*.p12 ?*.pfx ?*.jks ?*.keystore ?*.kdbx ?*.ppk .kube/config
    .docker/config.json .config/gh/hosts.yml .cargo/credentials .cargo/credentials.toml""".split()
DIRS = {".ssh", ".gnupg", ".aws"}
HARMLESS = r".*(\.(example|sample|template|dist|pub)|\b(process|meta|bun|deno)\.env)"
NAMERS = r"(ls|stat|test|\[|echo|printf|git (check-ignore|ls-files|status|rm --cached))( |$)"
SEARCHERS = r"(grep|rg|egrep|fgrep|sed|awk|jq) (?!(.* )?(-[a-z]*[ef]|--(regexp|file|expression)))"
KEY = r"(?!.*(content|text|transcript)).*(path|file|dest).*|ur[il]|glob|includes?|source|target"
PATCH = r"(?m)^(?:\*\*\* (?:(?:Add|Update|Delete) File|Move to):|[+]{3}|---) ?(?:[ab]/)?(.+?)\s*$"
SAMPLES = {re.sub(r"\?|/.*", "", n).replace("*", s) for n in NAMES for s in ("", "server")} | DIRS


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
    if found and re.search(r"[*?\[]", path):
        found = list(itertools.islice(glob.iglob(found[0].replace("**", "*")), 1000))
        for part in filter(re.compile(r"[^*?]").search, path.split("/")):
            found += fnmatch.filter([s for s in SAMPLES if s[0] != "." or part[0] in ".["], part)
    return any(listed(p) or listed(os.path.realpath(p)) for p in found)


def in_command(c):
    """What may be paths in a simple command: its words and their parts."""
    words = [re.sub(r"\$\{[^}]*\}|\$\(.*\)|`.*`|\$\w+", "*", w) if i in c["unknown"] else w
             for i, w in enumerate(c["words"])]
    line, args = re.sub(r"^[^ ]*/", "", " ".join(words)), words[1:] + c["assigns"]
    if re.match(NAMERS, line) and not any(c["line"] in o["reads"] for o in commands):
        args = []  # it opens no files
    elif re.match(r"(git (commit|tag|stash)|gh (pr|issue)) ", line):
        args = [a for a in args if " " not in a]  # not its message
    elif re.match(SEARCHERS, line):
        args.remove(next((a for a in args if a[:1] != "-"), args[0]))  # not the expression
    for r in c["redirects"]:
        args += re.findall(PATCH, r["text"]) + [r["target"]] * (r["op"] not in ("<<", "<<-"))
    parts = [p for a in args for p in re.split(r"[\s'\"=:,;()<>|&`@+]+", a)]  # but d.key is code
    return args + [p for p in parts if os.path.exists(p) or not re.fullmatch(r"[\w.]*\w\.key", p)]


def in_object(pairs):
    """Adds the paths in an object of the event, as its keys name them, to paths."""
    for key, v in pairs:
        if isinstance(v, list):
            in_object([(key, item) for item in v])
        elif isinstance(v, str):
            with contextlib.suppress(ValueError):
                json.loads(v if v.lstrip()[:1] == "{" else "0", object_pairs_hook=in_object)
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
