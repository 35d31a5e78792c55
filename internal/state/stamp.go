package state

import "time"

// coarsest is the coarsest resolution of a file system's times. A file that was changed within
// this time may change again without changing its stamp.
const coarsest = 2 * time.Second

// Settled reports whether every change after taken will change the stamp.
func (s Stamp) Settled(taken time.Time) bool { return s.changed() < taken.Add(-coarsest).UnixNano() }

// Stamped is a file with its stamp.
type Stamped struct {
	Path  string
	Stamp Stamp
}

// StampFile returns the file at path with its present stamp.
func StampFile(path string) Stamped { return Stamped{path, StampOf(path)} }

// Changed reports whether the stamp is no longer the file's.
func (f Stamped) Changed() bool { return StampOf(f.Path) != f.Stamp }
