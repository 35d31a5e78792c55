// hooksFor returns what to do on each event of OpenCode, whichever version
// sends it. proceed sends a prompt to a session.
function hooksFor(directory, tell, proceed) {
  const call = (name, rest) => (events.has(name.replace("event:", "")) ? run(name, { hook_event_name: name, cwd: directory, ...rest }, tell) : {})
  let queue = Promise.resolve() // events are not awaited: keep their order
  const contexts = new Map() // of new sessions, for their first prompt
  let session // the last one
  const happened = async (event) => {
    const failedTool = event.type === "message.part.updated" && event.properties?.part?.state?.status === "error"
    if (event.type === "message.part.updated" && !failedTool) return
    const answer = await call(`event:${event.type}`, { input: event })
    const id = event.properties?.sessionID ?? event.properties?.info?.id
    if (answer.context && event.type === "session.created") contexts.set(id, answer.context)
    if (answer.continue && id) await proceed(id, answer.continue)
  }
  return {
    event: async ({ event }) => {
      if (!events.has(event.type)) return
      queue = queue.then(() => happened(event)).catch((error) => tell(`agent-hooks: ${error.message}`))
    },
    "chat.message": async (input, output) => {
      session = input.sessionID
      await queue // the session's start
      const answer = await call("chat.message", { input, output })
      if (answer.block) throw new Error(answer.block)
      const part = output.parts?.find((p) => p.type === "text" && !p.synthetic)
      if (part && answer.prompt) part.text = answer.prompt
      for (const context of [contexts.get(session), answer.context]) {
        if (part && context) part.text += `\n\n${context}`
      }
      if (part) contexts.delete(session)
    },
    "tool.execute.before": async (input, output) => {
      const answer = await call("tool.execute.before", { input, output })
      if (answer.block) throw new Error(answer.block)
      if (answer.args) replace(output.args, answer.args)
    },
    "tool.execute.after": async (input, output) => {
      const answer = await call("tool.execute.after", { input, output })
      if (answer.output !== undefined) output.output = answer.output
      if (answer.block) output.output = `${output.output}\n\n${answer.block}`
      if (answer.context) output.output = `${output.output}\n\n${answer.context}`
    },
    "experimental.session.compacting": async (input, output) => {
      const answer = await call("experimental.session.compacting", { input, output })
      if (answer.context) output.context.push(answer.context)
    },
    dispose: async () => {
      await queue
      await call("dispose", session ? { input: { sessionID: session } } : {})
      stopServer()
    },
  }
}

// plugin is what OpenCode 1 calls.
const plugin = async ({ client, directory }) => {
  const tell = (message) => {
    console.error(message)
    client?.tui?.showToast?.({ body: { message, variant: "warning" } })?.catch?.(() => {})
  }
  return hooksFor(directory, tell, (id, text) => client.session.promptAsync({ path: { id }, body: { parts: [{ type: "text", text }] } }))
}

// setup is what OpenCode 2 calls, once for each folder. It gives the hooks what
// OpenCode 1 would: a call, a result or a prompt in the old form.
const setup = async (ctx) => {
  const tell = (message) => console.error(message) // the server has no way to show it
  const hooks = hooksFor(ctx.location?.directory ?? process.cwd(), tell, (sessionID, text) => ctx.session.prompt({ sessionID, text }))
  const happens = (type, properties) => hooks.event({ event: { type, properties } })
  const calls = new Map() // that run, for a request of permission
  const sessions = new Set() // of this folder: the stream has events of all
  const look = async (what, sessionID) => {
    try {
      return await ctx.session[what]({ sessionID })
    } catch {}
  }
  const about = ({ tool, sessionID, id, agent }) => ({ tool, sessionID, callID: id, agent })

  // The guard comes first, and throws if it cannot be set: then OpenCode reports the plugin.
  await ctx.tool.hook("execute.before", async (event) => {
    sessions.add(event.sessionID)
    const output = { args: structuredClone(event.input) }
    await hooks["tool.execute.before"](about(event), output)
    event.input = output.args
    calls.set(event.id, event)
  })
  await ctx.tool.hook("execute.after", async (event) => {
    calls.delete(event.id)
    const { tool, sessionID, id, input } = event
    if (event.status === "error") {
      const state = { status: "error", input, error: event.error?.message }
      return happens("message.part.updated", { sessionID, part: { type: "tool", tool, callID: id, state } })
    }
    const { content = [], ...rest } = event.result
    const parts = typeof content === "string" ? [{ type: "text", text: content }] : content
    const before = parts.filter((p) => p.type === "text").map((p) => p.text).join("\n")
    const output = { output: before }
    await hooks["tool.execute.after"]({ ...about(event), args: input }, output)
    if (output.output === before) return
    event.result = { ...rest, content: [{ type: "text", text: output.output }, ...parts.filter((p) => p.type !== "text")] }
  })

  const others = [
    () => ctx.session.hook("prompt", async (event) => {
      const { sessionID, messageID } = event
      if (!sessions.has(sessionID)) {
        sessions.add(sessionID)
        const [info, messages] = [await look("get", sessionID), await look("context", sessionID)]
        if (!messages?.length) await happens("session.created", { sessionID, info: { id: sessionID, parentID: info?.parentID } })
      }
      const part = { type: "text", text: event.prompt.text ?? "" }
      await hooks["chat.message"]({ sessionID, messageID }, { parts: [part] })
      event.prompt.text = part.text
    }),
    () => ctx.session.hook("compaction", async (event) => {
      const output = { context: [] }
      await hooks["experimental.session.compacting"]({ sessionID: event.sessionID }, output)
      for (const text of output.context) event.system.push({ type: "text", text })
    }),
    () => ctx.permission.hook("evaluate", async ({ sessionID, action, effect, resources, source, metadata }) => {
      const asked = calls.get(source?.id)
      if (effect === "ask") await happens("permission.asked", { sessionID, permission: asked?.tool ?? action, patterns: resources, metadata: asked?.input ?? metadata ?? {} })
    }),
    () => void follow().catch((error) => tell(`agent-hooks: ${error.message}`)),
  ]
  const stopped = new AbortController()
  const follow = async () => {
    for await (const { type, data } of ctx.event.subscribe({ signal: stopped.signal })) {
      const sessionID = data?.sessionID
      if (!sessions.has(sessionID)) continue
      if (type === "session.execution.succeeded") await happens("session.idle", { sessionID })
      if (type === "session.execution.failed" || type === "session.execution.interrupted") await happens("session.error", { sessionID, error: data.error })
      if (type === "session.compaction.ended") await happens("session.compacted", { sessionID })
    }
  }
  for (const register of others) {
    try {
      await register()
    } catch (error) {
      tell(`agent-hooks: ${error.message}`)
    }
  }
  return async () => {
    stopped.abort()
    await hooks.dispose()
  }
}
