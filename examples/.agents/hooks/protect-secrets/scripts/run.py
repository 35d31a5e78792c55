#!/usr/bin/env python3
"""Blocks tool calls that would read or write files with secrets: exit 2 with the reason on stderr."""
import contextlib, fnmatch, glob, itertools, json, os, posixpath, re, subprocess, sys, unicodedata

NAMES = set(".env .envrc .netrc _netrc .npmrc .pypirc .pgpass .git-credentials .htpasswd .vault-token id_rsa id_dsa id_ecdsa "
            "id_ed25519 credentials.json service-account.json secrets.yml secrets.yaml".split())  # without regard to case
PREFIXES, SUFFIXES = (".env.", "id_rsa", "id_ed25519", "id_ecdsa", "id_dsa"), (".env", ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk")
FOLDERS, ENDINGS = {".ssh", ".gnupg", ".aws"}, ("/.kube/config", "/.docker/config.json", "/.config/gh/hosts.yml", "/.cargo/credentials", "/.cargo/credentials.toml")
HARMLESS = (".example", ".sample", ".template", ".dist", ".pub", "process.env", "meta.env", "bun.env", "deno.env")
NAMERS = r"(ls|stat|test|\[|echo|printf|git (check-ignore|ls-files|status|rm --cached))( |$)"  # they name files and open none
SEARCHERS = ("grep", "rg", "egrep", "fgrep", "sed", "awk", "jq")  # the first operand is an expression
PATH_KEY = r"(?!.*(content|text|transcript)).*(path|file).*|uri|url|glob|includes?|source|destination|target|notebook"
PATCH_KEY = r"(?!.*content).*patch.*|input|diff"
PATCH = re.compile(r"^(?:\*\*\* (?:Add|Update|Delete) File:|\*\*\* Move to:|\+\+\+|---) ?(?:[ab]/)?(.+?)\s*$", re.M)


def secret_name(path):
    """Whether a path, however it is spelled, is one of those that are listed."""
    path = "".join(c for c in unicodedata.normalize("NFKC", path).casefold() if unicodedata.category(c) != "Cf").replace("\\", "/")
    path = posixpath.normpath(re.sub(r"^file:/*(?=/)|::?\$data$", "", path.strip()))
    parts = path.rstrip(". ").split("/")
    return not parts[-1].endswith(HARMLESS) and (
        parts[-1] in NAMES or parts[-1].startswith(PREFIXES) or any(parts[-1].endswith(s) and parts[-1] != s for s in SUFFIXES)
        or bool(FOLDERS & set(parts)) or ("/" + path).endswith(ENDINGS))


def secret(path):
    """Whether a path, a link to it or what its wildcards may find is listed."""
    found = [os.path.expanduser(path)] if 0 < len(path) <= 4096 and "\0" not in path else []
    if found and re.search(r"[*?\[]", path):
        samples = NAMES | FOLDERS | {".env.local", ".env.production", "server.key", "server.pem"}
        there = itertools.islice(glob.iglob(found[0].replace("**", "*")), 1000)
        found = [s for p in path.split("/") if re.search(r"[^*?]", p) for s in samples if (s[0] != "." or p[0] in ".[") and fnmatch.fnmatchcase(s, p)] + list(there)
    return any(secret_name(p) or secret_name(os.path.realpath(p)) for p in found)


def in_word(word):
    """The listed path in a word such as --env-file=.env, @.env or code; None if there is none."""
    for p in [word] + re.split(r"[\s'\"=:,;()<>|&`@+]+", word):
        if secret(p) and (p == word or os.path.exists(p) or not re.fullmatch(r"[\w.]*\w\.key", p)):  # d.key is code
            return p


def in_command(c, piped):
    words = [re.sub(r"\$\{[^}]*\}|\$\(.*\)|`.*`|\$\w+", "*", w) if i in c["unknown"] else w for i, w in enumerate(c["words"])]
    line = " ".join([posixpath.basename(words[0])] + words[1:]) if words else ""
    if re.match(NAMERS, line) and not piped:
        words = []
    elif re.match(r"(git (commit|tag|stash)|gh (pr|issue)) ", line):
        words = [w for i, w in enumerate(words) if not re.match(r"-\w*[mbt]$|--(message|body|title)$", words[i - 1]) and not re.match("--(message|body|title)=", w)]
    elif line.split(" ")[0] in SEARCHERS and not re.search(r" (-[a-z]*[ef]|--(regexp|file|expression))\b", line):
        words.pop(next((i for i, w in enumerate(words) if i and not w.startswith("-")), 0))
    texts = [t for r in c["redirects"] for t in [r["target"] if "<<" not in r["op"] or r["op"] == "<<<" else ""] + PATCH.findall(r["text"])]
    return next(filter(None, map(in_word, words[1:] + c["assigns"] + texts)), None)


def in_value(key, value):
    """The listed path below a key of a tool's input; value's objects are lists of pairs."""
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        with contextlib.suppress(ValueError):
            value = json.loads(value, object_pairs_hook=tuple)
    if isinstance(value, (tuple, list)):
        pairs = value if isinstance(value, tuple) else [(key, v) for v in value]
        return next(filter(None, (in_value(re.sub("(?<=[a-z])(?=[A-Z])|-", "_", k).lower(), v) for k, v in pairs)), None)
    if isinstance(value, str):
        paths = [value] if re.fullmatch(PATH_KEY, key) and "\n" not in value else PATCH.findall(value) if re.fullmatch(PATCH_KEY, key) else []
        return next(filter(secret, paths), None)


text = sys.stdin.buffer.read()
read = subprocess.run([os.environ.get("AGENT_HOOKS_PROGRAM", "agent-hooks"), "commands", "--json"], input=text, capture_output=True)
commands = [json.loads(line) for line in read.stdout.splitlines()]
found = next(filter(None, (in_command(c, any(c["line"] in o["reads"] for o in commands)) for c in commands)), None)
if not found and read.returncode == 0:
    event = json.loads(text.decode("utf-8-sig", "replace"), object_pairs_hook=tuple)  # paths are found by their keys
    found = in_value("", tuple(m for m in event if m[0] == "tool_input") or event)
if found or read.returncode:
    why = "%s may hold secrets. Work without its content, or ask the user." % found if found else "the command cannot be read (%s)." % read.stderr.decode(errors="replace").strip()
    sys.stderr.buffer.write(("blocked by protect-secrets: %s\n" % why).encode("utf-8", "replace"))
    sys.exit(2)
