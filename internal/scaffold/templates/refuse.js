function main(event) {
  // The matcher in HOOK.md has chosen this call: event.tool_name is the tool,
  // texts(event.tool_input) every text in its input.
  block(`@name@: this call of ${texts(event.tool_name)} is not for agents; ask the user`);
  // Other answers:
  //   return                                         no opinion: the agent's own permissions decide
  //   answer({ decision: "ask", reason: "why" })     the user decides
  //   answer({ decision: "allow" })                  nobody is asked
  //   answer({ modified_input: { ...event.tool_input, command: "ls" } })  the tool gets this input, whole
  //   answer({ additional_context: "text" })         a word to the model; system_message: to the user
}
