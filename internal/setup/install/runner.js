import { spawn } from "node:child_process"
import { statSync } from "node:fs"
import { homedir } from "node:os"
import { delimiter, join } from "node:path"

// file is the program's path. A project's plugin is shared with people who may
// not have the program, and a user may have removed it: without it, nothing is
// run and the user sees one note.
const file = folders.length ? find() : program

function find() {
  for (const folder of [...(process.env.PATH ?? "").split(delimiter), ...folders.map((f) => f.replace("~", homedir()))]) {
    for (const name of process.platform === "win32" ? [`${program}.exe`, `${program}.cmd`] : [program]) {
      if (folder && isThere(join(folder, name))) return join(folder, name)
    }
  }
}

function isThere(path) {
  try {
    return statSync(path).isFile()
  } catch {}
}

// launch starts the program. Only a shell starts a .cmd file, which is what npm puts into the PATH of
// Windows.
function launch(args, stdio) {
  const env = { ...process.env, GOMAXPROCS: "", GODEBUG: "", GOGC: "", GOMEMLIMIT: "" } // a repository's .env may contain them
  const options = { stdio, env, windowsHide: true }
  if (file.endsWith(".cmd")) return spawn([file, ...args].map((word) => `"${word}"`).join(" "), { ...options, shell: true })
  return spawn(file, args, options)
}

// run gives a payload to agent-hooks and returns its answer: an object, {} if
// no hook has an opinion. A failure is shown once per cause, and the call goes
// on, unless failClosed.
const shown = new Set()

async function run(name, payload, tell) {
  const failed = (cause) => {
    const text = `agent-hooks: ${name}: ${cause}`
    if (!shown.has(text)) {
      shown.add(text)
      tell(failClosed ? text : `${text}; operation allowed`)
    }
    return failClosed ? { block: text } : {}
  }
  if (!file || !isThere(file)) {
    if (!shown.has(absent)) {
      shown.add(absent)
      tell(absent)
    }
    return failClosed ? { block: absent } : {}
  }
  const text = JSON.stringify(payload)
  const { status, out, err, cause } = (await ask(text)) ?? (await start(text))
  if (status === 2) return { block: err || "blocked by a hook" }
  if (status !== 0) return failed(cause || err || `exit status ${status}`)
  if (err) tell(err)
  if (!out) return {}
  const answer = parsed(out)
  if (!answer) return failed(`unreadable answer ${out.slice(0, 80)}`)
  if (answer.message) tell(answer.message)
  return answer
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {}
}

// start starts a process that answers one payload.
function start(text) {
  return new Promise((resolve) => {
    let child
    try {
      child = launch(args, ["pipe", "pipe", "pipe"])
    } catch (error) {
      return resolve({ cause: error.message })
    }
    const stdout = [], stderr = []
    const timer = setTimeout(() => {
      child.kill("SIGKILL")
      resolve({ cause: `no answer after ${timeout / 1000} s` })
    }, timeout)
    const settle = (status, signal) => {
      clearTimeout(timer)
      const read = (chunks) => Buffer.concat(chunks).toString().trim()
      resolve({ status, out: read(stdout), err: read(stderr), cause: signal && (read(stderr) || `ended by ${signal}`) })
    }
    child.stdout.on("data", (chunk) => stdout.push(chunk))
    child.stderr.on("data", (chunk) => stderr.push(chunk))
    child.stdin.on("error", () => {}) // it may answer before it has read all
    child.on("error", (error) => {
      clearTimeout(timer)
      resolve({ cause: error.message })
    })
    child.on("exit", (status, signal) => setTimeout(settle, 250, status, signal))
    child.on("close", settle)
    child.stdin.end(text)
  })
}

// server is one agent-hooks serve, which saves a process per payload. Whatever
// is in doubt about its answer, ask returns undefined, and run starts a
// process instead.
let server
let ends = 0 // how often a server has failed

function ask(text) {
  if (!server && ends < 3) server = startServer()
  return server?.ask(text)
}

// stopServer ends the server; a later payload starts another one.
function stopServer() {
  const last = server
  server = undefined
  last?.close()
}

function startServer() {
  let child
  try {
    child = launch(["serve", ...args.slice(1)], ["pipe", "pipe", "ignore"])
  } catch {
    ends++
    return
  }
  const waiting = new Map() // by id
  let last = 0
  let rest = ""
  let ended = false
  const end = () => {
    if (ended) return
    ended = true
    if (server === self) {
      server = undefined
      ends++
    }
    process.off("exit", kill)
    for (const give of [...waiting.values()]) give()
    child.kill()
    setTimeout(() => child.kill("SIGKILL"), 5000).unref?.()
  }
  const kill = () => child.kill()
  const take = (line) => {
    const message = parsed(line)
    if (!message || (!message.method && !waiting.has(message.id))) return end()
    const { status, stdout, stderr } = message.result ?? {}
    const sound = typeof stdout === "string" && typeof stderr === "string" && (status === 2 || (status === 0 && (!stdout.trim() || parsed(stdout))))
    waiting.get(message.id)?.(sound ? { status, out: stdout.trim(), err: stderr.trim() } : undefined)
  }
  const self = {
    ask: (text) =>
      new Promise((resolve) => {
        if (ended) return resolve()
        const id = ++last
        const timer = setTimeout(end, timeout)
        waiting.set(id, (result) => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(result)
        })
        child.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"hooks.run","params":{"agent":${JSON.stringify(agent)},"payload":${text}}}\n`)
      }),
    close: () => child.stdin.end(),
  }
  child.stdout.setEncoding("utf8")
  child.stdout.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n")
    rest = lines.pop()
    for (const line of lines) if (!ended) take(line)
  })
  child.stdin.on("error", end)
  child.stdout.on("error", end)
  child.on("error", end)
  child.on("exit", () => setTimeout(end, 250))
  child.on("close", end)
  process.on("exit", kill)
  for (const each of [child, child.stdin, child.stdout]) each.unref?.() // it does not keep the agent alive
  return self
}

// replace makes an object equal to another one, in place.
function replace(object, by) {
  for (const key of Object.keys(object)) delete object[key]
  Object.assign(object, by)
}
