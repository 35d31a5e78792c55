package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// readNow reads what is there without waiting, and returns how many bytes; 0
// if there is nothing, or if only waiting can tell.
func readNow(in io.Reader, p []byte) (n int) {
	file, ok := in.(*os.File)
	if !ok {
		return 0
	}
	raw, err := file.SyscallConn()
	if err != nil {
		return 0
	}
	const fromHere = -1 // the file's own offset, which moves
	_ = raw.Control(func(fd uintptr) {
		n, _ = unix.Preadv2(int(fd), [][]byte{p}, fromHere, unix.RWF_NOWAIT)
	})
	return max(n, 0)
}
