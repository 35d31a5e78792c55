// Ask agent-hooks serve before each tool call. This needs only Node, from version 18 on.
import { spawn } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A server. A failure rejects all of its calls, and a rejected call allows nothing: start another server. */
export class Hooks {
  #waiting = new Map(); // id -> { resolve, reject }
  #id = 0;
  #ended; // an Error, once the server cannot answer any more
  #server;

  /** Starts `command serve` and checks that it speaks this client's protocol. */
  static async start(command = ["agent-hooks"]) {
    const hooks = new Hooks(command);
    try {
      const { protocol } = await hooks.call("hooks.hello");
      if (!/^2\./.test(protocol)) throw new Error(`the server speaks protocol ${protocol}, and this client 2`);
      return hooks;
    } catch (error) {
      hooks.#end(error.message);
      throw error;
    }
  }

  constructor([program, ...args]) {
    // decide does both: it asks the user, and uses a changed input.
    this.#server = spawn(program, [...args, "serve", "--ask", "express", "--modify", "express"], { stdio: ["pipe", "pipe", "inherit"] });
    let rest = "";
    this.#server.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = text.split("\n");
      lines[0] = rest + lines[0];
      rest = lines.pop();
      if (rest.length > 1 << 28) this.#end("the server sent a line that is too long");
      for (const line of lines) this.#take(line);
    });
    this.#server.stdout.on("close", () => this.#end("the server has ended"));
    for (const part of [this.#server, this.#server.stdin]) part.on("error", (error) => this.#end(error.message));
  }

  #take(line) {
    try {
      const { id, method, result, error } = JSON.parse(line);
      if (method) return; // hooks.changed
      const call = this.#waiting.get(id);
      if (error) call.reject(new Error(error.message));
      else call.resolve(Object(result));
      this.#waiting.delete(id);
    } catch (error) {
      this.#end(`the server sent an invalid line: ${error.message}`);
    }
  }

  #end(why) {
    this.#ended ??= new Error(why);
    for (const call of this.#waiting.values()) call.reject(this.#ended);
    this.#waiting.clear();
    this.#server.kill("SIGKILL");
    this.#server.stdout.destroy();
  }

  /** Sends a request. A server that does not answer in time has failed; a shorter deadline_ms ends slow hooks first. */
  async call(method, params = {}, seconds = 60) {
    if (this.#ended) throw this.#ended;
    const id = ++this.#id;
    const line = JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n";
    const late = setTimeout(() => this.#end(`the server did not answer within ${seconds} s`), seconds * 1000);
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#server.stdin.write(line);
    return answer.finally(() => clearTimeout(late));
  }

  close() {
    this.#server.stdin.end();
    setTimeout(() => this.#server.kill("SIGKILL"), 10_000).unref();
  }
}

/** What an agent does with a verdict. Only a blocked that is false lets the call go on. */
export function decide({ blocked, decision, reason, modified_input }) {
  if (blocked !== false) return `blocked: ${reason ?? ""}`;
  const call = modified_input ? ` with ${JSON.stringify(modified_input)}` : "";
  return decision === "ask" ? `ask the user${call}: ${reason ?? ""}` : `go on${call}`;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const hooks = await Hooks.start(process.argv.length > 2 ? process.argv.slice(2) : undefined);
  const input = JSON.parse(readFileSync(0, "utf8"));
  console.log(decide(await hooks.call("hooks.run", { event: "pre-tool-call", input, deadline_ms: 50_000 })));
  hooks.close();
}
