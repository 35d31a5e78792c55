package atomicfile

func keepOwner(string, string) {}
