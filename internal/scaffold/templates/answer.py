def answer(**keys):
    print(json.dumps(keys))


