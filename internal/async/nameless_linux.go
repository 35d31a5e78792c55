package async

import (
	"os"

	"golang.org/x/sys/unix"
)

// namelessFile returns a file in memory, or else on disk.
func namelessFile() (*os.File, error) {
	fd, err := unix.MemfdCreate("agent-hooks-event", unix.MFD_CLOEXEC)
	if err != nil {
		return unlinkedFile()
	}
	return os.NewFile(uintptr(fd), "agent-hooks-event"), nil
}
