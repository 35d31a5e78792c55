#!/usr/bin/env python3
"""Formats the files that a tool has just written."""
import json, os, re, shutil, subprocess, sys

# Absolute paths of projects whose own prettier and its configuration, which are programs, may run.
PROJECTS = []
FORMATTERS = {
    (".go",): [["gofmt", "-w"]],
    (".py", ".pyi"): [["ruff", "format", "--quiet"], ["black", "--quiet"]],
    (".rs",): [["rustfmt", "--edition", "2021"]],
    (".sh", ".bash"): [["shfmt", "-w"]],
    (".tf",): [["terraform", "fmt"]],
    (".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".json", ".css", ".scss", ".html", ".vue",
     ".yaml", ".yml"): [["prettier", "--write", "--log-level", "silent"]],
}
SECONDS = 20       # for one file
LARGEST = 1 << 20  # bytes of a file
QUIET = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
KEYS = {"filepath", "path", "targetfile", "absolutepath", "filename", "file"}
PATCH = re.compile(r"^\*\*\* (?:(?:Add|Update) File|Move to): (.+?)\s*$", re.M)


def paths(value, key=""):
    """Every path in a tool's input."""
    if isinstance(value, dict):
        for k, v in value.items():
            yield from paths(v, k.lower().replace("_", ""))  # file_path, filePath
    elif isinstance(value, list):
        for v in value:
            yield from paths(v, key)
    elif isinstance(value, str):
        if key in KEYS:
            yield value
        elif key in ("command", "patch", "patchtext", "input"):
            yield from PATCH.findall(value)


def inside(path, project):
    """The file's real path if it may be formatted, else ""."""
    real = os.path.realpath(path)
    parts = real[len(project):].split(os.sep)
    fits = real.startswith(os.path.join(project, "")) and not {".git", "node_modules"} & set(parts)
    return real if fits and os.path.isfile(real) and os.path.getsize(real) <= LARGEST else ""


def program(name, path, own):
    """The program on PATH or, if own, the first in a node_modules of the project's folders."""
    folders = []
    while own and path != own:
        path = os.path.dirname(path)
        folders.append(os.path.join(path, "node_modules", ".bin"))
    return shutil.which(name, path=os.pathsep.join(folders)) or shutil.which(name)


def format_file(path, project):
    """Runs the first installed formatter for the file."""
    extension = os.path.splitext(path)[1].lower()
    for command in [c for e, commands in FORMATTERS.items() if extension in e for c in commands]:
        prettier, trusted = command[0] == "prettier", project in map(os.path.realpath, PROJECTS)
        found = program(command[0], path, project if prettier and trusted else "")
        if found:
            words = [found] + command[1:] + ["--no-config"] * (prettier and not trusted) + [path]
            subprocess.run(words, cwd=os.path.dirname(path), timeout=SECONDS, **QUIET)
            return


def main():
    event = json.loads(sys.stdin.buffer.read().decode("utf-8-sig", "replace"))
    base = event.get("work_dir") or event.get("cwd") or os.getcwd()
    project = os.path.realpath(os.environ.get("AGENT_HOOKS_PROJECT_DIR") or base)
    for path in dict.fromkeys(paths(event.get("tool_input"))):
        try:
            real = inside(os.path.join(base, path), project)
            if real:
                format_file(real, project)
        except (OSError, ValueError, subprocess.SubprocessError):
            continue  # a NUL or a lone surrogate in the path, a formatter that hangs


main()
