def main():
    event = json.load(sys.stdin.buffer)
    # What it looks at, and for. Change both.
    text = @fields@
    if "@word@" not in text:
        return  # no opinion
    @answer@
@others@


main()
