# The same work in Python: the hooks of one directory, one event on stdin.
import json, os, re, subprocess, sys

directory, data = sys.argv[1], sys.stdin.buffer.read()
event = json.loads(data)


def values(value):
    if isinstance(value, (dict, list)):
        return [s for v in (value.values() if isinstance(value, dict) else value) for s in values(v)]
    return [str(value)]


for name in sorted(os.listdir(directory)):
    with open(os.path.join(directory, name, "HOOK.md")) as file:
        front = file.read().split("---\n")[1]

    def key(k):
        found = re.search(rf"^\s*{k}: (.*)$", front, re.M)
        return found and found[1]

    if key("trigger") != "pre-tool-call":
        continue
    if key("tool") and not re.search(key("tool"), event["tool_name"]):
        continue
    if key("pattern") and not any(re.search(key("pattern"), s) for s in values(event["tool_input"])):
        continue
    result = subprocess.run([os.path.join(directory, name, "scripts/run.sh")], input=data)
    if result.returncode == 2:
        sys.exit(2)
