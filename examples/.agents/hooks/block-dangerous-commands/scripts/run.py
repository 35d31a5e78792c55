#!/usr/bin/env python3
"""Blocks shell commands that destroy data irrecoverably: exit 2, the reason on stderr.

`agent-hooks commands` reads the command as a shell does and lists the simple commands in it;
judge checks each. A command that cannot be parsed is also blocked.
"""
import contextlib, glob, itertools, json, os, re, subprocess, sys
from fnmatch import fnmatchcase

# rm -rf may remove what can be made again: these names inside the project and all below them,
# and all below these folders. What cannot be decided counts as what cannot be made again.
REBUILDABLE = """node_modules bower_components dist dist-* build _build out target coverage htmlcov
    tmp temp obj venv .venv .tox .nox .eggs .next .nuxt .output .svelte-kit .turbo .vite .swc
    .parcel-cache .angular .expo .docusaurus .cache .tmp .temp .gradle .nyc_output .hypothesis
    .ipynb_checkpoints .dart_tool .build .stack-work .aws-sam .sass-cache .jekyll-cache
    .terraform .pnpm-store __pycache__ .*_cache _site cdk.out cmake-build-* zig-out zig-cache
    .zig-cache dist-newstyle storybook-static test-results playwright-report DerivedData Pods
    *.egg-info *.dSYM *.py[cod] *.o *.obj *.class *.log *.tmp *.bak *.orig *.rej *.sw[op] *~
    *.tsbuildinfo .DS_Store ._* Thumbs.db .coverage .eslintcache package-lock.json
    npm-shrinkwrap.json *.lock pnpm-lock.yaml bun.lockb""".split()
CACHES = """~/.cache ~/Library/Caches ~/Library/Developer/Xcode/DerivedData ~/.npm/_cacache
    ~/.npm/_npx ~/.gradle/caches ~/.cargo/registry ~/.m2/repository ~/go/pkg/mod ~/.nuget/packages
    ~/.bun/install/cache /var/cache /var/lib/apt/lists""".split()
TEMPORARY = ["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp"]
NEVER = r"mkfs.*|newfs.*|mke2fs|mkswap|wipefs|blkdiscard|shutdown|reboot|halt|poweroff"
SHELLS = r"(ba|da|a|k|mk|rba|z)?sh|source|\."
INTERPRETERS = {  # the options that hold the program or replace it, and those before a value
    r"python[\d.]*|pypy[\d.]*": (r"-[a-zA-Z]*[cm].*|-[Vh]+|--(version|help)", "WX"),
    r"node(js)?|deno|bun|tsx|ts-node|uv": (
        r"-[pe]+|-[cvh]|--(eval|print|check|test|version|help).*", "rC"),
    r"perl[\d.]*|ruby[\d.]*|lua[\d.]*": (r"-[a-zA-Z0-9]*[eEv].*|--(version|help)", "IrC"),
    r"php[\d.]*": (r"-[rfRFBSvmi].*|--.*", "dcz"), r"rscript|osascript|tclsh[\d.]*": ("-e.*", "")}
RUNNERS = r"uvx?|pipx|npx|bunx|pnpm|yarn|poetry|pdm|rye|hatch|conda|mise|asdf|direnv|doppler|op"
SETTERS = r"(ssh|gpg)-agent|gnome-keyring-daemon|dircolors|keychain|register-python-argcomplete"
PRINTERS = r"cat|echo|printf|head|tail|sed|g?awk|tr|cut|base64|base32|xxd|openssl|g?zcat|tar|nc|ssh"
DOWNLOADERS = r"curl|wget|fetch|https?|aria2c|iwr|irm|invoke-(webrequest|restmethod)"
SYSTEM = r"/+((bin|boot|dev|etc|home|lib\w*|proc|root|run|s?bin|sys|usr|var|Users|Library)/*)?"
# Everything here, in the home directory or in a directory of the system.
WIDE = r"(?i)(?!.*\.\.\.)[~./*]+|(~|\$\{?HOME\}?)[/*]*|(%s)\**|[a-z]:[\\/]?" % SYSTEM
DEVICE = r"/+dev/+(?!(null|zero|full|std\w+|tty\w*|pts/.*|fd/.*|shm/.*|u?random|tcp/.*|udp/.*)$).*"
FOR_ALL = r"0?777|[ugoa]*[ao][ugoa]*[+=]\w*w\w*|\+\w*w\w*"
REMOVERS = r"\b(?:rmtree|rm_rf?|remove_(?:tree|entry)|rimraf|rmSync)\b\s*\(?\s*(['\"])(.*?)\1"
TEMP_VARIABLES = "TMPDIR|TMP|TEMP|RUNNER_TEMP"


class Word(str):
    """A word of a command; only the shell knows the value of one that is unknown."""
    unknown = False


def program(word):
    return re.sub(r"\.exe$", "", word.rsplit("/", 1)[-1].lower())


def options(args, valued=(), first=False):
    """Separates options, one letter each, from operands as getopt does.

    valued has the options that take the next word, and with first nothing after the first
    operand is an option.
    """
    found, operands, rest = [], [], iter(args)
    for a in rest:
        if a == "--" or first and not a.startswith("-"):
            operands += [a] * (a != "--") + list(rest)
        elif a.startswith("--"):
            found.append(a)
            if a in valued:
                next(rest, None)
        elif a[:1] == "-" and len(a) > 1:
            for i, letter in enumerate(a[1:], 2):
                found.append("-" + letter)
                if "-" + letter in valued:  # the rest of the word or the next one is its value
                    found[-1] += a[i:] or next(rest, "")
                    break
        else:
            operands.append(a)
    return found, operands


def has(found, *names):
    """Whether one of the options was found; a long one may be shortened or have a value."""
    return any(f == n or f[:2] == "--" != f and n.startswith(f.split("=")[0])
               for f in found for n in names)


def judge(c):
    """Why the command must not run; None if it may."""
    words = [Word(w) for w in c["words"]]
    for i in c["unknown"]:
        words[i].unknown = True
    name, args = program(words[0]) if words else "", words[1:]
    found, operands = options(args)
    targets = [r["target"] for r in c["redirects"] if ">" in r["op"]]
    if name in ("tee", "shred", "dd", "dcfldd", "dc3dd"):
        targets += [re.sub("^of=", "", a) for a in args]
    elif name in ("cp", "mv", "install"):
        targets += operands[-1:]
    if any(re.fullmatch(DEVICE, t) for t in targets):
        return "it writes to a device"
    if re.fullmatch(NEVER, name) and "-c" not in found and not (
            operands and all(replaceable(c, o) for o in operands)):  # mkfs /tmp/image
        return "%s is not for agents" % name
    if name in ("rm", "grm", "srm", "shred"):
        return removal(c, name, args, found, operands)
    if name in ("remove-item", "ri", "rd", "rmdir", "del", "erase"):
        lower = [a.lower() for a in args]
        if "/s" in lower or any("-recurse".startswith(a) for a in lower if len(a) > 1) and any(
                "-force".startswith(a) for a in lower if len(a) > 2):
            return "a recursive and forced removal"
    if name == "git":
        return git(args)
    if name in ("chmod", "chown", "chgrp") and operands and has(found, "-R", "--recursive") and (
            re.fullmatch(FOR_ALL, operands[0]) or
            any(a[0] != "." and re.fullmatch(WIDE, a) for a in operands[1:] if a)):
        return "a recursive change of permissions that is too wide"
    if name == "find" and "-delete" in args and "-empty" not in args and not all(
            replaceable(c, w) for w in finds(args)):
        return "find -delete of files that cannot be made again"
    feeds = [o for o in commands if o["line"] in c["reads"] or o["inside"] == c["line"]]
    if words and any(o["words"] == c["words"] for o in feeds) and re.search(
            r"(function\s+{0}\b|(?<!\S){0}\s*\(\s*\))".format(re.escape(words[0])), source):
        return "it may be a fork bomb"
    return code(c, words, feeds)


def git(args):
    settings, rest = options(args, GIT_VALUED, True)
    if any(re.match(r"(?i)(-c|--config-env=)(alias\.|clean\.requireforce)", s) for s in settings):
        return "git -c hides what it does"
    if not rest:
        return None
    if rest[0].unknown:
        return "the git command is known only to the shell"
    verb, (found, operands) = rest[0], options(rest[1:], ("-o", "-e", "--push-option", "--repo"))
    if verb in ("push", "clean") and has(found, "-n", "--dry-run"):
        return None
    everything = any(re.fullmatch(r"(\./?|\*|:/.*|:\(top\).*|:)", o) for o in operands)
    if {"push": has(found, "-f", "-d", "--force", "--mirror", "--delete", "--prune")
            or any(o[:1] in ("+", ":") for o in operands[1:]),
        "reset": has(found, "--hard") or has(found, "--merge"),
        "clean": has(found, "-f", "--force"),
        "checkout": has(found, "-f", "--force") or
            everything and not has(found, "--ours", "--theirs"),
        "switch": has(found, "-f", "--force", "--discard-changes"),
        "restore": everything and (has(found, "-W", "--worktree")
                                   or not has(found, "-S", "--staged")),
        "stash": operands[:1] in (["clear"], ["drop"]),
        "reflog": operands[:1] in (["expire"], ["delete"])}.get(verb):
        return "git %s loses work" % verb


# The options of git itself that take the next word.
GIT_VALUED = ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--super-prefix",
              "--exec-path", "--config-env", "--attr-source")


def removal(c, name, args, found, operands):
    if has(found, "--help", "--version"):
        return None
    hidden = any(a.unknown and a[0] == "-" for a in args)  # as in -r$x
    recursive = hidden or name == "shred" or has(found, "-r", "-R", "--recursive")
    forced = hidden or name == "shred" or has(found, "-f", "--force")
    wide = any(re.fullmatch(WIDE, o) for o in operands)
    passed = passed_on(c)
    removed = [o for o in operands if not (passed and "{}" in o)] + passed
    if has(found, "--no-preserve-root") or wide and any(a.unknown for a in args) or recursive and (
            forced and not removed or not all(
                replaceable(c, w) for w in removed
                if forced or w.unknown or re.fullmatch(WIDE, w))):
        return "%s is recursive and forced, or removes everything" % name


def passed_on(c):
    """What find or xargs adds to the words of a command."""
    outer = commands[c["inside"] - 1] if c["inside"] else {"words": [""], "reads": []}
    if program(outer["words"][0]) == "find":
        return finds([Word(w) for w in outer["words"][1:]])
    if program(outer["words"][0]) not in ("xargs", "parallel"):
        return []
    source = [commands[line - 1] for line in outer["reads"]]
    if len(source) == 1 and source[0]["words"][:1] == ["find"] and not source[0]["unknown"]:
        return finds([Word(w) for w in source[0]["words"][1:]])
    return [UNKNOWN]


def finds(args):
    """What a call of find finds: for each start and each name, a path; unknown if undecided."""
    starts = list(itertools.takewhile(lambda a: not re.match("[-(!]", a), args))
    tests, names, groups = iter(args[len(starts):]), [], [[]]
    for t in tests:
        if t in ("!", "-not"):
            if next(tests, "(") in ("(", "!", "-not"):
                return [UNKNOWN]
            next(tests, None)
        elif t in ("-name", "-iname"):
            groups[-1].append(next(tests, "*"))
        elif t in ("-path", "-wholename", "-ipath"):
            groups[-1] += [p for p in next(tests, "").split("/") if listed(p)]
        elif t in ("-o", "-or", ","):
            groups.append([])
        elif t in ("-L", "-follow"):
            return [UNKNOWN]
    if len(groups) > 1 and not all(groups):
        return [UNKNOWN]
    names = list(itertools.chain(*groups)) or ["x"]
    return [word_of(s, (s or ".") + "/" + n) for s in starts or [Word(".")] for n in names]


def word_of(like, text):
    w = Word(text)
    w.unknown = like.unknown
    return w


def listed(name):
    return any(fnmatchcase(name, n) for n in REBUILDABLE)


def replaceable(c, word):
    """Whether a word names only what can be made again."""
    paths = meant(c, word)
    return paths is not None and all(map(in_place, paths))


def in_place(path):
    """Whether what is at an absolute path can be made again: the innermost area decides."""
    parts = re.split(r"[/\\]", path)
    if any(fnmatchcase("..", p) and p != ".." and p[:1] == "." or "(" in p for p in parts):
        return False  # .* includes ..
    real = os.path.realpath(path)
    if parts[-1] not in ("", ".", ".."):  # a link is removed, not its target
        real = os.path.join(os.path.realpath(os.path.dirname(path)), parts[-1])
    if any(below(p, real) or p == real for p in (HOME, PROJECT)):
        return False
    areas = [(HOME, "home")]
    if HOME != PROJECT and not below(HOME, PROJECT):
        areas.append((PROJECT, "project"))
    areas += [(os.path.realpath(os.path.expanduser(a)), "cache") for a in CACHES]
    for a in map(os.path.realpath, TEMPORARY):
        areas.append((a, "temporary"))
        for p in (HOME, PROJECT):  # what is next to a project there belongs to it
            if below(os.path.dirname(p), a):
                areas.append((p[:p.find(os.sep, len(a) + 1)], "home"))
    around = [(a, kind) for a, kind in areas if below(real, a) or (real, "cache") == (a, kind)]
    area, kind = max(around, key=lambda a: len(a[0]), default=("", "home"))
    if kind == "project":
        return any(map(listed, re.split(r"[/\\]", real[len(area):].strip("/\\"))))
    return kind != "home"


def below(path, folder):
    return path.startswith(folder.rstrip("/\\") + os.sep) and path != folder


def meant(c, word):
    """The absolute paths that a word may mean; None if only the shell knows."""
    text, maybe_empty = str(word), False
    if word.unknown:
        text = re.sub(r"\$(\$|\{?(RANDOM|E?UID|PPID|BASHPID|SECONDS)\b\}?)", "0", text)
        for names, value in VALUES:
            m = re.match(r"\$(?:(?:%s)\b|\{(?:%s)(:\?[^}$]*|:-[^}]*)?\})" % (names, names), text)
            if m and not assigned(names, m.group()):
                default = (m.group(1) or "")[2:]
                if (m.group(1) or "")[:2] == ":-" and not re.fullmatch(
                        r"(/private|/var)*/tmp/?|(~|\$HOME|\$\{HOME\})/\.cache/?", default):
                    return None
                maybe_empty = not m.group(1) and value not in (HOME, ".")
                text = value + text[m.end():]
                rest = text[len(value):]
                break
        text = re.sub(r"^(\$\(pwd\)|`pwd`)", ".", text)
        text = re.sub(r"^\$\(git rev-parse --show-toplevel\)", lambda _: PROJECT, text)
    if "$" in text and word.unknown or "`" in text or re.match(r"~[^/]", text) or not text:
        return None
    if maybe_empty and rest and (
            rest[0] != "/" or re.search(r"[*?\[]", rest) or os.path.lexists(rest)):
        return None  # it would be removed if the variable is empty
    if text[0] == "~":
        text = HOME + text[1:] if not assigned("HOME", "HOME") else "/"
    folders = [""] if os.path.isabs(text) else folders_of(c)
    if folders is None or LINKS and "/" in re.sub(r"^(\./)+", "", text):
        return None
    paths = [os.path.join(f, text) for f in folders]
    for p in [p for p in paths if re.search(r"[*?\[]", p)]:
        paths += itertools.islice(glob.iglob(p), 1001)
    return paths if len(paths) < 1000 else None


def assigned(names, text):
    """Whether the command gives one of the variables another value, as far as the text shows."""
    name = re.search(r"\w+", text).group()
    values = [v.strip("'\"") for n, _, v in (a.partition("=") for a in all_assigns()) if n == name]
    mktemp = re.compile(r"\$\(mktemp\b[^()]*\)|`mktemp\b[^`]*`")
    return not all(map(mktemp.fullmatch, values)) or re.search(
        r"\b(for|select)\s+%s\b|\$\{%s:?=" % (name, name), source) or any(
        name in o["words"][1:] and o["words"][0] not in DECLARE for o in commands)


DECLARE = ("local", "declare", "export", "readonly", "typeset")


def all_assigns():
    for o in commands:
        yield from o["assigns"]
        if o["words"][:1] and o["words"][0] in DECLARE:
            yield from o["words"][1:]


def folders_of(c):
    """The directories in which a command may run; None if only the shell knows."""
    outer = c
    while outer["inside"]:
        outer = commands[outer["inside"] - 1]
        name = program((outer["words"] or [""])[0])
        found, _ = options(outer["words"][1:], ("-C", "-u", "-g", "-D", "-R"), True)
        if not re.fullmatch(TRANSPARENT, name) or "-execdir" in outer["words"] or any(
                re.match({"env": "-C", "sudo": "-[DRi]"}.get(name, "--(chdir|login)"), f)
                or re.match("--(ch|lo)", f) for f in found):
            return None
    now = START
    for o in commands[:c["line"] - 1]:
        if o["words"][:1] and program(o["words"][0]) in ("cd", "pushd", "chdir"):
            _, operands = options(o["words"][1:])
            target = Word((operands or ["~"])[0])
            target.unknown = len(o["words"]) - 1 in o["unknown"]
            to = None if target == "-" else meant(o, target)
            if to is None or LINKS:
                return None
            text = source if not c["inside"] else " ".join(commands[c["inside"] - 1]["words"])
            certain = o["inside"] == c["inside"] and not o["pipeline"] and not re.search(
                r"(?<![$<>])\(|\b(if|for|while|until|case|function)\b|(?<![&>])&(?![&>\d])", text)
            always = all(map(os.path.isdir, to)) or not re.search(
                r"[;\n]|\|\|", re.sub(r"\|\|\s*(exit|return)\b", "", text))
            now = to if certain and always else now + to
    return now


# Programs that run another one in the same directory.
TRANSPARENT = (r"|sudo|doas|env|time|timeout|nice|ionice|nohup|stdbuf|command|builtin|exec|eval"
               r"|find|xargs|busybox|(ba|da|a|k|mk|rba|z)?sh")


def code(c, words, feeds):
    """Checks shells and interpreters, which run a text that other commands may print."""
    if words and re.fullmatch(RUNNERS, program(words[0])):  # such as uv run
        words = words[next((i for i, w in enumerate(words) if i and language(w)), 0):]
    name = program(words[0]) if words else ""
    downloads = any(o["words"] and re.fullmatch(DOWNLOADERS, program(o["words"][0])) for o in feeds)
    if re.fullmatch(SHELLS, name):
        found, operands = options(words[1:], ("-o", "-O", "--rcfile", "--init-file"), True)
        piped = not operands or "-s" in found or re.match("-$|/dev/|/proc/", operands[0])
        if "-c" in found and operands:
            piped = False
        if name in ("source", "."):
            piped = piped and downloads
        if c["reads"] and piped and not all(map(sets_up, feeds)) or downloads and (
                piped or made(operands[0])):
            return "%s runs what another command prints" % name
    elif language(name):
        text = program_in(name, words[1:])
        if downloads and (text is None or made(text)):
            return "%s runs what another command prints" % name
        texts = [text or ""] + [r["text"] for r in c["redirects"]] * (text is None)
        for m in itertools.chain(*(re.finditer(REMOVERS, t) for t in texts)):
            if not replaceable(c, Word(m.group(2))):
                return "%s removes a tree" % name


def sets_up(c):
    """Whether a command prints its own settings for the shell, as ssh-agent -s does."""
    if not c["words"] or c["unknown"]:
        return False
    return re.fullmatch(SETTERS, program(c["words"][0])) or any(
        re.fullmatch(r"(-+)?(init|hook|shellenv|env|[\w-]+-env|activate|completions?|alias)", w)
        for w in c["words"][1:3]) and not re.fullmatch(PRINTERS, program(c["words"][0]))


def made(word):
    return word.unknown and re.search(r"[<$]\(|`", word)


def language(name):
    """The options of an interpreter."""
    return next((o for n, o in INTERPRETERS.items() if re.fullmatch(n, program(name))), None)


def program_in(name, args):
    """The word that holds or names an interpreter's program; None if it is read from stdin."""
    holds, valued = language(name)
    rest = iter(args)
    for a in rest:
        if a in ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
            return None
        if re.fullmatch(holds, a):
            return next(rest, a) if re.fullmatch(r"-\w*[cmepEr]|--\w+", a) else a
        if a[:1] != "-" and a != "run":
            return a
        if len(a) == 2 and a[1] in valued:
            next(rest, None)
    return None


def strings(text):
    """The source of the commands in an event, and the directories that it names."""
    source, folders = [], [os.getcwd()]

    def pairs(members):
        for key, v in members:
            key = key.lower().replace("_", "")
            if key in ("command", "cmd", "commandline", "commands", "script"):
                source.append(v if isinstance(v, str) else json.dumps(v))
            elif key in ("cwd", "workdir", "workingdirectory", "directory", "dirpath") and v:
                folders.append(os.path.join(folders[0], str(v)))
    with contextlib.suppress(ValueError, RecursionError):
        json.loads(text.decode("utf-8-sig", "replace"), object_pairs_hook=pairs)
    return "\n".join(source), folders


UNKNOWN = Word("$")
UNKNOWN.unknown = True
event, agent_hooks = sys.stdin.buffer.read(), os.environ.get("AGENT_HOOKS_PROGRAM", "agent-hooks")
read = subprocess.run([agent_hooks, "commands", "--json"], input=event, capture_output=True)
commands = [json.loads(text) for text in read.stdout.splitlines()]
HOME = os.path.realpath(os.path.expanduser("~"))
PROJECT = os.path.realpath(os.environ.get("AGENT_HOOKS_PROJECT_DIR") or os.getcwd())
source, START = strings(event)
LINKS = any(program(c["words"][0]) == "ln" for c in commands if c["words"])
MKTEMP = [n for n, _, v in (a.partition("=") for a in all_assigns()) if "mktemp" in v]
VALUES = [("HOME", HOME), ("PWD", "."), ("XDG_CACHE_HOME", "~/.cache"), (TEMP_VARIABLES, "/tmp")]
VALUES += [(n, "/tmp/x") for n in MKTEMP]
why = next(filter(None, map(judge, commands)), None)
if not why and read.returncode:
    reason = read.stderr.decode(errors="replace").strip()
    why = "it cannot be parsed (%s); write it more simply" % reason
if why:
    print("blocked by block-dangerous-commands: %s. Find a way that loses no data, or ask the user "
          "to run it." % why, file=sys.stderr)
    sys.exit(2)
