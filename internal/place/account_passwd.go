//go:build unix && !darwin

package place

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"syscall"
)

// accountHome reads /etc/passwd. Package os/user would link cgo into the program,
// whose start takes longer; package os would start the poller, which takes
// descriptors.
func accountHome() string {
	const limit = 1 << 20
	fd, err := syscall.Open("/etc/passwd", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return ""
	}
	defer syscall.Close(fd)
	uid := os.Getuid()
	text := make([]byte, 0, 8<<10)
	for len(text) < limit {
		n, err := syscall.Read(fd, text[len(text):cap(text)])
		switch {
		case err == syscall.EINTR:
			continue
		case n <= 0:
			home, _ := homeIn(text, uid)
			return home
		}
		text = text[:len(text)+n]
		// Usually the user is in the first piece, and the file needs no further read.
		if home, found := homeIn(text[:bytes.LastIndexByte(text, '\n')+1], uid); found {
			return home
		}
		text = slices.Grow(text, 4<<10)
	}
	return ""
}

// homeIn returns the home directory of a user in the text of /etc/passwd, and
// whether the user is in it.
func homeIn(passwd []byte, uid int) (home string, found bool) {
	var room [24]byte
	id := strconv.AppendInt(room[:0], int64(uid), 10)
	for len(passwd) > 0 {
		var line []byte
		line, passwd, _ = bytes.Cut(passwd, []byte("\n"))
		_, rest, _ := bytes.Cut(line, []byte(":")) // the name
		_, rest, _ = bytes.Cut(rest, []byte(":"))  // the password
		user, rest, _ := bytes.Cut(rest, []byte(":"))
		if !bytes.Equal(user, id) {
			continue
		}
		_, rest, _ = bytes.Cut(rest, []byte(":")) // the group
		_, rest, _ = bytes.Cut(rest, []byte(":")) // the comment
		dir, _, _ := bytes.Cut(rest, []byte(":"))
		return string(dir), true
	}
	return "", false
}
