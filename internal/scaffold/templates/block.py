def block(reason):
    print(reason, file=sys.stderr)
    sys.exit(2)


