#!/usr/bin/env python3
"""Formats the files that a tool has just written."""
import json, os, re, shutil, subprocess, sys

# Projects, as absolute paths, whose own prettier and its configuration may run:
# both are programs that come with a clone.
PROJECTS = []
PRETTIER = [["prettier", "--write", "--log-level", "silent"]]
FORMATTERS = {
    (".go",): [["gofmt", "-w"]],
    (".py", ".pyi"): [["ruff", "format", "--quiet"], ["black", "--quiet"]],
    (".rs",): [["rustfmt", "--edition", "2021"]],
    (".sh", ".bash"): [["shfmt", "-w"]],
    (".tf",): [["terraform", "fmt"]],
    (".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".json", ".css", ".scss", ".html", ".vue", ".yaml", ".yml"): PRETTIER,
}
SECONDS = 20       # for one file
LARGEST = 1 << 20  # bytes of a file
KEYS = {"filepath", "path", "targetfile", "absolutepath", "filename", "file"}  # without case and underscores
PATCH = re.compile(r"^\*\*\* (?:(?:Add|Update) File|Move to): (.+?)\s*$", re.M)


def paths(value, key=""):
    """Every path in a tool's input."""
    if isinstance(value, dict):
        for k, v in value.items():
            yield from paths(v, k.lower().replace("_", ""))
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
    if not real.startswith(os.path.join(project, "")) or not os.path.isfile(real) or os.path.getsize(real) > LARGEST:
        return ""
    parts = real[len(project):].split(os.sep)
    return "" if ".git" in parts or "node_modules" in parts else real


def program(name, path, project):
    """The program on PATH or, in PROJECTS, the project's own for this file."""
    folder = os.path.dirname(path)
    while name == "prettier" and project in map(os.path.realpath, PROJECTS):
        own = shutil.which(name, path=os.path.join(folder, "node_modules", ".bin"))
        if own or folder == project or folder == os.path.dirname(folder):
            return own or shutil.which(name)
        folder = os.path.dirname(folder)
    return shutil.which(name)


def format_file(path, project):
    extension = os.path.splitext(path)[1].lower()
    for extensions, commands in FORMATTERS.items():
        for command in commands if extension in extensions else []:
            found = program(command[0], path, project)
            if command[0] == "prettier" and project not in map(os.path.realpath, PROJECTS):
                command = command + ["--no-config"]
            if found:
                subprocess.run([found] + command[1:] + [path], cwd=os.path.dirname(path), stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SECONDS)
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


if __name__ == "__main__":
    main()
