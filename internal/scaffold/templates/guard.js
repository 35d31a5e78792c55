// What must not pass.
const FORBIDDEN = ["@word@"];

function main(event) {
  if (event.tool_input === undefined) throw new Error("the event has no tool_input");
  const text = texts(event.tool_input);
  const found = FORBIDDEN.find((words) => text.includes(words));
  if (found) return block(`@name@: ${found} is not for agents; ask the user`);
  // No opinion: the agent's own permissions decide. Other answers:
  //   answer({ decision: "ask", reason: "why" })  the user decides
  //   answer({ decision: "allow" })               nobody is asked
  //   answer({ modified_input: { ... } })         the tool gets this input, whole
  //   answer({ additional_context: "text" })      a word to the model
  //   answer({ system_message: "text" })          a word to the user
}
