def texts(value):
    """Every text in value, with blanks between: agents call the same thing
    command, cmd, file_path, filePath ..."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return " ".join(texts(v) for v in value)
    return "" if value is None else str(value)


