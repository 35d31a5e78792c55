package state

func keepOwner(string, string) {}
