// Ask agent-hooks serve before each tool call. This needs only Node.
import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { readFileSync } from "node:fs";

type Waiting = { resolve: (result: any) => void; reject: (error: Error) => void };

export class Hooks {
  private server: ChildProcess;
  private waiting = new Map<number, Waiting>();
  private id = 0;
  constructor(command: string[] = ["agent-hooks"]) {
    this.server = spawn(command[0], [...command.slice(1), "serve"], { stdio: ["pipe", "pipe", "inherit"] });
    const end = () => this.waiting.forEach((call) => call.reject(new Error("the server has ended")));
    createInterface({ input: this.server.stdout! }).on("line", (line) => this.answer(JSON.parse(line))).on("close", end);
    this.server.on("error", end);
  }

  private answer(message: any): void {
    const call = this.waiting.get(message.id); // undefined: hooks.changed
    this.waiting.delete(message.id);
    if (message.error) call?.reject(new Error(message.error.message));
    else call?.resolve(message.result);
  }

  call(method: string, params: object = {}): Promise<any> {
    const id = ++this.id; // a rejected promise allows nothing
    this.server.stdin!.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  close(): void {
    this.server.stdin!.end();
  }
}

const hooks = new Hooks(process.argv.slice(2));
const verdict = await hooks.call("hooks.run", { event: "pre-tool-call", input: JSON.parse(readFileSync(0, "utf8")) });
console.log(verdict.blocked ? "blocked: " + verdict.reason : "go on");
hooks.close();
