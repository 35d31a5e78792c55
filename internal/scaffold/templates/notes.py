def main():
    json.load(sys.stdin.buffer)  # the event; its @key@ may matter
    notes = os.path.join(os.environ.get("AGENT_HOOKS_PROJECT_DIR", "."), "NOTES.md")
    if not os.path.isfile(notes):
        return  # nothing to say
    with open(notes, encoding="utf-8", errors="replace") as file:
        text = file.read(4000)
    if text.strip():
        answer(additional_context="The project's notes (NOTES.md):\n" + text)
@others@


main()
