package state

import (
	"os"
	"syscall"
)

// Stamp identifies a state of a file. Stamps are compared with ==. The zero Stamp is that of a
// file that does not exist or cannot be accessed.
type Stamp struct {
	mode                    os.FileMode
	size, modified, created int64 // times in ns since 1970
}

// StampOf returns the stamp of the file at path, links followed.
func StampOf(path string) Stamp {
	info, err := os.Stat(path)
	if err != nil {
		return Stamp{}
	}
	s := Stamp{mode: info.Mode(), size: info.Size(), modified: info.ModTime().UnixNano()}
	if data, ok := info.Sys().(*syscall.Win32FileAttributeData); ok {
		s.created = data.CreationTime.Nanoseconds()
	}
	return s
}

func (s Stamp) changed() int64 { return max(s.modified, s.created) }
