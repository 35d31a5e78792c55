//go:build unix

package state

import "golang.org/x/sys/unix"

// Stamp identifies a state of a file. Stamps are compared with ==. The zero Stamp is that of a
// file that does not exist or cannot be accessed.
type Stamp struct {
	dev, ino         uint64
	mode             uint32
	uid, gid         uint32
	size             int64
	modified, status int64 // ns since 1970
}

// StampOf returns the stamp of the file at path, links followed.
func StampOf(path string) Stamp {
	var st unix.Stat_t
	if unix.Stat(path, &st) != nil {
		return Stamp{}
	}
	return Stamp{uint64(st.Dev), st.Ino, uint32(st.Mode), st.Uid, st.Gid, st.Size, st.Mtim.Nano(), st.Ctim.Nano()}
}

func (s Stamp) changed() int64 { return max(s.modified, s.status) }
