export default function (pi) {
  const call = (name, event, ctx) => {
    const tell = (message) => {
      console.error(message)
      ctx?.ui?.notify?.(message, "warning")
    }
    if (!events.has(name)) return {}
    const payload = { ...event, hook_event_name: name, cwd: ctx?.cwd ?? process.cwd(), session_id: ctx?.sessionManager?.getSessionFile?.() ?? "" }
    if (event?.isError) payload.error ??= event.content?.find?.((part) => part.type === "text")?.text ?? "failed"
    return run(name, payload, tell)
  }
  let context // for the model, with the next prompt
  for (const name of ["session_start", "session_shutdown", "session_compact"]) {
    pi.on(name, async (event, ctx) => {
      const answer = await call(name, event, ctx)
      if (answer.context) context = answer.context
      if (name === "session_shutdown") stopServer()
    })
  }
  pi.on("input", async (event, ctx) => {
    const answer = await call("input", event, ctx)
    if (answer.block) {
      ctx?.ui?.notify?.(answer.block, "warning")
      return { action: "handled" }
    }
    if (answer.context) context = [context, answer.context].filter(Boolean).join("\n")
    if (answer.prompt) return { action: "transform", text: answer.prompt }
    return { action: "continue" }
  })
  pi.on("before_agent_start", async () => {
    if (!context) return
    const content = context
    context = undefined
    return { message: { customType: "agent-hooks", content, display: false } }
  })
  pi.on("tool_call", async (event, ctx) => {
    const answer = await call("tool_call", event, ctx)
    if (answer.block) return { block: true, reason: answer.block }
    if (answer.args) replace(event.input, answer.args)
  })
  pi.on("tool_result", async (event, ctx) => {
    const answer = await call("tool_result", event, ctx)
    const added = [answer.block, answer.context].filter(Boolean).map((text) => ({ type: "text", text }))
    const content = answer.output === undefined ? event.content : [{ type: "text", text: String(answer.output) }]
    if (added.length > 0 || answer.output !== undefined) return { content: [...content, ...added] }
  })
  pi.on("agent_before_settle", async (event, ctx) => {
    const answer = await call("agent_before_settle", event, ctx)
    const reason = answer.continue ?? answer.block
    if (!reason) return
    const entry = { type: "custom_message", customType: "agent-hooks", content: reason, display: false }
    return { entries: [...(event.entries ?? []), entry], continue: true }
  })
  pi.on("session_before_compact", async (event, ctx) => {
    const answer = await call("session_before_compact", event, ctx)
    if (answer.block) return { cancel: true }
  })
}
