//go:build unix && !darwin

package place

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"syscall"
)

// account reads /etc/passwd. Package os/user would link cgo into the program,
// whose start takes longer; package os would start the poller, which takes
// descriptors.
func account() (name, home string) {
	const limit = 1 << 20
	fd, err := syscall.Open("/etc/passwd", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return "", ""
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
			name, home, _ = accountIn(text, uid)
			return name, home
		}
		text = text[:len(text)+n]
		// Usually the user is in the first piece, and the file needs no further read.
		if name, home, found := accountIn(text[:bytes.LastIndexByte(text, '\n')+1], uid); found {
			return name, home
		}
		text = slices.Grow(text, 4<<10)
	}
	return "", ""
}

// accountIn returns the name and the home directory of a user in the text of
// /etc/passwd, and whether the user is in it.
func accountIn(passwd []byte, uid int) (name, home string, found bool) {
	var room [24]byte
	id := strconv.AppendInt(room[:0], int64(uid), 10)
	for len(passwd) > 0 {
		var line []byte
		line, passwd, _ = bytes.Cut(passwd, []byte("\n"))
		name, rest, _ := bytes.Cut(line, []byte(":"))
		_, rest, _ = bytes.Cut(rest, []byte(":")) // the password
		user, rest, _ := bytes.Cut(rest, []byte(":"))
		if !bytes.Equal(user, id) {
			continue
		}
		_, rest, _ = bytes.Cut(rest, []byte(":")) // the group
		_, rest, _ = bytes.Cut(rest, []byte(":")) // the comment
		dir, _, _ := bytes.Cut(rest, []byte(":"))
		return string(name), string(dir), true
	}
	return "", "", false
}
