const plugin = async ({ client, directory }) => {
  const tell = (message) => {
    console.error(message)
    client?.tui?.showToast?.({ body: { message, variant: "warning" } })?.catch?.(() => {})
  }
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
    if (answer.continue && id) {
      await client.session.promptAsync({ path: { id }, body: { parts: [{ type: "text", text: answer.continue }] } })
    }
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
