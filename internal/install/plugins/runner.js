import { spawn } from "node:child_process"

// run gives a payload to agent-hooks and returns its answer: an object, {} if
// no hook has an opinion. A failure is shown once per cause, and the call goes
// on, unless failClosed.
const shown = new Set()

function run(name, payload, tell) {
  return new Promise((resolve) => {
    const failed = (cause) => {
      const text = `agent-hooks: ${name}: ${cause}`
      if (!shown.has(text)) {
        shown.add(text)
        tell(failClosed ? text : `${text}; operation allowed`)
      }
      resolve(failClosed ? { block: text } : {})
    }
    let child
    try {
      child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true })
    } catch (error) {
      return failed(error.message)
    }
    const stdout = [], stderr = []
    const timer = setTimeout(() => {
      child.kill("SIGKILL")
      failed(`no answer after ${timeout / 1000} s`)
    }, timeout)
    const settle = (status, signal) => {
      clearTimeout(timer)
      const out = Buffer.concat(stdout).toString().trim(), err = Buffer.concat(stderr).toString().trim()
      if (status === 2) return resolve({ block: err || "blocked by a hook" })
      if (status !== 0) return failed(err || (signal ? `ended by ${signal}` : `exit status ${status}`))
      if (err) tell(err)
      if (!out) return resolve({})
      try {
        const answer = JSON.parse(out)
        if (answer.message) tell(answer.message)
        resolve(answer)
      } catch {
        failed(`unreadable answer ${out.slice(0, 80)}`)
      }
    }
    child.stdout.on("data", (chunk) => stdout.push(chunk))
    child.stderr.on("data", (chunk) => stderr.push(chunk))
    child.stdin.on("error", () => {}) // it may answer before it has read all
    child.on("error", (error) => {
      clearTimeout(timer)
      failed(error.message)
    })
    child.on("exit", (status, signal) => setTimeout(settle, 250, status, signal))
    child.on("close", settle)
    child.stdin.end(JSON.stringify(payload))
  })
}

// replace makes an object equal to another one, in place.
function replace(object, by) {
  for (const key of Object.keys(object)) delete object[key]
  Object.assign(object, by)
}
