
# The matcher in HOOK.md has chosen this call. What it is:
#   field tool_name    the tool, as the agent calls it
#   field tool_input   every text in its input
tool=$(field tool_name)

echo "@name@: this call of $tool is not for agents; ask the user" >&2
exit 2

# Other answers, on stdout with exit status 0:
#   {"decision": "ask", "reason": "why"}                     the user decides
#   {"decision": "allow"}                                    nobody is asked
#   {"modified_input": {"command": "ls"}}                    the tool gets this input, whole
#   {"additional_context": "text"} {"system_message": "text"}  a word to the model, to the user
# What holds a part of the event needs jq -n --arg, never echo. No output at
# all is no opinion: the agent's own permissions decide.
