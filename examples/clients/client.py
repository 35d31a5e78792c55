"""Ask agent-hooks serve before each tool call; Python 3 and nothing else."""
import contextlib, itertools, json, subprocess, sys, threading
from concurrent.futures import Future

class Hooks:
    """A server. A failure ends all of its calls with an exception, which allows nothing: start another server."""

    def __init__(self, *command):
        """Starts `command serve` and checks that it speaks this client's protocol."""
        self.ids, self.waiting, self.ended = itertools.count(1), {}, None
        self.state, self.sending = threading.Lock(), threading.Lock()
        command = [*(command or ["agent-hooks"]), "serve", "--ask", "express", "--modify", "express"]  # decide does both
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        threading.Thread(target=self.read, daemon=True).start()
        try:
            protocol = str(self.call("hooks.hello").get("protocol"))
            if not protocol.startswith("2."):
                raise ConnectionError(f"the server speaks protocol {protocol}, and this client 2")
        except Exception as error:
            self.end(str(error))
            raise

    def read(self):
        why = "the server has ended"
        try:
            while line := self.server.stdout.readline(1 << 28):
                self.take(json.loads(line))
        except Exception as error:
            why = f"the server sent an invalid line: {error!r}"
        self.end(why)

    def take(self, message):
        if "method" in message:
            return  # hooks.changed
        with self.state:
            answer = self.waiting[message["id"]]
            if "error" in message:
                answer.set_exception(RuntimeError(message["error"]["message"]))
            else:
                answer.set_result(dict(message["result"]))
            del self.waiting[message["id"]]

    def end(self, why):
        self.server.kill()
        with self.state:
            self.ended = self.ended or ConnectionError(why)
            for answer in self.waiting.values():
                answer.set_exception(self.ended)
            self.waiting.clear()

    def call(self, method, seconds=60, **params):
        """Sends a request. A server that does not answer in time has failed; a shorter deadline_ms ends slow hooks first."""
        number, answer = next(self.ids), Future()
        line = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}, allow_nan=False)
        with self.state:
            if self.ended:
                raise self.ended
            self.waiting[number] = answer
        late = threading.Timer(seconds, self.end, [f"the server did not answer within {seconds} s"])
        late.start()
        try:
            with self.sending, contextlib.suppress(OSError):  # of a server that has ended, which read notices
                print(line, file=self.server.stdin, flush=True)
            return answer.result()
        finally:
            late.cancel()

    def close(self):
        with contextlib.suppress(OSError):
            self.server.stdin.close()
        try:
            return self.server.wait(10)
        finally:
            self.server.kill()

def decide(verdict):
    """What an agent does with a verdict. Only a blocked that is False lets the call go on."""
    reason, changed = verdict.get("reason", ""), verdict.get("modified_input")
    if verdict.get("blocked") is not False:
        return f"blocked: {reason}"
    call = f" with {json.dumps(changed)}" if changed is not None else ""
    return f"ask the user{call}: {reason}" if verdict.get("decision") == "ask" else f"go on{call}"

if __name__ == "__main__":
    hooks = Hooks(*sys.argv[1:])
    print(decide(hooks.call("hooks.run", event="pre-tool-call", input=json.load(sys.stdin), deadline_ms=50000)))
    sys.exit(hooks.close())
