
# What must not pass. Agents call the same input command, cmd, file_path,
# filePath ..., so every text in tool_input is looked at.
text=$(field tool_input)
case $text in
*"@word@"*)
	echo "@name@: @word@ is not for agents; ask the user" >&2
	exit 2
	;;
esac

# No opinion: the agent's own permissions decide. Other answers, on stdout:
#   {"decision": "ask", "reason": "why"}   the user decides
#   {"decision": "allow"}                  nobody is asked
#   {"modified_input": {"command": "ls"}}  the tool gets this input, whole
#   {"additional_context": "text"}         a word to the model
#   {"system_message": "text"}             a word to the user
# What holds a part of the event needs jq -n --arg, never echo.
