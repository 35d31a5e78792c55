"""Ask agent-hooks serve before each tool call; Python 3 and nothing else."""
import itertools, json, subprocess, sys, threading
from concurrent.futures import Future

class Hooks:
    def __init__(self, *command):
        self.ids, self.waiting, self.lock = itertools.count(1), {}, threading.Lock()
        command = [*(command or ["agent-hooks"]), "serve"]
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.server.stdout:
            message = json.loads(line)
            answer = self.waiting.pop(message.get("id"), None)  # None: hooks.changed
            if answer and "error" in message:
                answer.set_exception(RuntimeError(message["error"]["message"]))
            elif answer:
                answer.set_result(message["result"])
        for answer in list(self.waiting.values()):
            answer.set_exception(RuntimeError("the server has ended"))

    def call(self, method, **params):
        with self.lock:
            number, answer = next(self.ids), Future()
            self.waiting[number] = answer
            line = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
            print(line, file=self.server.stdin, flush=True)
        return answer.result()  # an exception allows nothing

    def close(self):
        self.server.stdin.close()
        return self.server.wait()

if __name__ == "__main__":
    hooks = Hooks(*sys.argv[1:])
    verdict = hooks.call("hooks.run", event="pre-tool-call", input=json.load(sys.stdin))
    print("blocked: " + verdict["reason"] if verdict["blocked"] else "go on")
    sys.exit(hooks.close())
