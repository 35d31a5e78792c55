# What must not pass.
FORBIDDEN = ["@word@"]


def main():
    event = json.load(sys.stdin.buffer)
    text = texts(event["tool_input"])
    for words in FORBIDDEN:
        if words in text:
            block("@name@: %s is not for agents; ask the user" % words)
    # No opinion: the agent's own permissions decide. Other answers:
    #   answer(decision="ask", reason="why")  the user decides
    #   answer(decision="allow")              nobody is asked
    #   answer(modified_input={...})          the tool gets this input, whole
    #   answer(additional_context="text")     a word to the model
    #   answer(system_message="text")         a word to the user


main()
