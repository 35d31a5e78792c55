export default function (amp) {
  const call = (name, event, ctx) => {
    const tell = (message) => {
      console.error(message)
      ctx?.ui?.notify?.(message)
    }
    if (!events.has(name)) return {}
    const { thread, ...rest } = event ?? {}
    const payload = { ...rest, hook_event_name: name, cwd: ctx?.system?.workspaceRoot?.fsPath ?? process.cwd(), thread_id: thread?.id ?? "" }
    return run(name, payload, tell)
  }
  amp.on("session.start", async (event, ctx) => {
    await call("session.start", event, ctx)
  })
  amp.on("agent.start", async (event, ctx) => {
    const answer = await call("agent.start", event, ctx)
    if (answer.block) {
      ctx.ui?.notify?.(answer.block)
      await ctx.thread?.cancel?.()
      return
    }
    if (answer.context) return { message: { content: answer.context, display: false } }
  })
  amp.on("tool.call", async (event, ctx) => {
    const answer = await call("tool.call", event, ctx)
    if (answer.block) return { action: "reject-and-continue", message: answer.block }
    if (answer.args) return { action: "modify", input: answer.args }
    return { action: "allow" }
  })
  amp.on("tool.result", async (event, ctx) => {
    const answer = await call("tool.result", event, ctx)
    const text = [answer.output ?? event.output, answer.block, answer.context].filter((part) => part !== undefined && part !== "")
    if (answer.output === undefined && text.length < 2) return
    const output = text.length === 1 ? text[0] : text.map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join("\n\n")
    return { status: event.status, output }
  })
  amp.on("agent.end", async (event, ctx) => {
    const answer = await call("agent.end", event, ctx)
    const reason = answer.continue ?? answer.block
    if (reason) return { action: "continue", userMessage: reason }
  })
}
