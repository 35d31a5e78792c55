export default {
  id: "agent-hooks",
  name: "agent-hooks",
  register(api) {
    const tell = (message) => api.logger.warn(message)
    const workspace = (id) => {
      try {
        return api.runtime.agent.resolveAgentWorkspaceDir(api.config, id)
      } catch {
        return process.cwd()
      }
    }
    const call = (name, ctx, rest) => {
      if (!events.has(name)) return {}
      const cwd = ctx.workspaceDir ?? workspace(ctx.agentId)
      return run(name, { hook_event_name: name, cwd, sessionId: ctx.sessionId, agentId: ctx.agentId, ...rest }, tell)
    }
    // After that, OpenClaw goes on without an answer: the server and then a process may each take the timeout.
    const on = (name, handler) => api.on(name, handler, { timeoutMs: 2 * timeout + 5000 })
    const observe = (name, keys) =>
      on(name, (event, ctx) => call(name, ctx, Object.fromEntries(keys.map((key) => [key, event[key]]))))

    const contexts = new Map() // of new sessions, for their first prompt
    on("session_start", async (event, ctx) => {
      const { context } = await call("session_start", ctx, { resumedFrom: event.resumedFrom })
      if (context) contexts.set(ctx.sessionId, context)
    })
    observe("session_end", ["reason"])

    // A prompt arrives twice: context is added before it is known whether it may run.
    const prompts = new Map() // the answers, by run
    const prompt = (event, ctx) => {
      if (!ctx.runId || !prompts.has(ctx.runId)) prompts.set(ctx.runId, call("before_agent_run", ctx, { prompt: event.prompt, trigger: ctx.trigger }))
      return prompts.get(ctx.runId)
    }
    on("before_prompt_build", async (event, ctx) => {
      const answer = await prompt(event, ctx)
      const appendContext = [contexts.get(ctx.sessionId), answer.context].filter(Boolean).join("\n\n")
      contexts.delete(ctx.sessionId)
      if (appendContext) return { appendContext }
    })
    on("before_agent_run", async (event, ctx) => {
      const { block } = await prompt(event, ctx)
      if (block) return { outcome: "block", reason: block, message: block }
    })

    on("before_tool_call", async (event, ctx) => {
      const { toolName, toolCallId, params } = event
      const answer = await call("before_tool_call", ctx, { toolName, toolCallId, params })
      if (answer.block) return { block: true, blockReason: answer.block }
      const result = answer.args ? { params: answer.args } : {}
      if (answer.ask) {
        result.requireApproval = { title: "agent-hooks", description: answer.ask, severity: "warning", allowedDecisions: ["allow-once", "deny"] }
      }
      return result
    })
    on("before_agent_finalize", async (event, ctx) => {
      const { stopHookActive, lastAssistantMessage } = event
      const answer = await call("before_agent_finalize", ctx, { stopHookActive, lastAssistantMessage })
      const reason = answer.continue ?? answer.block
      if (reason) return { action: "revise", reason }
    })
    on("agent_end", (event, ctx) => {
      prompts.delete(ctx.runId)
      if (!event.success) return call("agent_end", ctx, { error: event.error })
    })
    observe("before_compaction", ["messageCount", "tokenCount"])
    observe("after_compaction", ["messageCount", "tokenCount"])
    on("subagent_ended", (event, ctx) => {
      const { targetSessionKey, reason, outcome, error } = event
      return call("subagent_ended", ctx, { targetSessionKey, reason, outcome, error })
    })
    on("gateway_stop", stopServer)
    const result = async (event, ctx) => {
      const { toolName, toolCallId, args: params } = event
      const content = event.result.content ?? []
      const error = event.isError ? (content.find((part) => part.type === "text")?.text ?? "failed") : undefined
      const answer = await call("tool_result", ctx, { toolName, toolCallId, params, content, error })
      const added = [answer.block, answer.context].filter(Boolean).map((text) => ({ type: "text", text }))
      if (added.length === 0 && answer.output === undefined) return
      const kept = answer.output === undefined ? content : [{ type: "text", text: String(answer.output) }]
      return { result: { ...event.result, content: [...kept, ...added] } }
    }
    api.registerAgentToolResultMiddleware?.(result, { runtimes: ["openclaw", "codex"] })
  },
}
