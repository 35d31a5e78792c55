// Package stamp detects changes of a file by its metadata, without reading it.
package stamp

import "time"

// Coarsest is the coarsest resolution of a file system's times. A file that was changed within
// this time may change again without changing its stamp.
const Coarsest = 2 * time.Second

// Settled reports whether every change after taken will change the stamp.
func (s Stamp) Settled(taken time.Time) bool { return s.changed() < taken.Add(-Coarsest).UnixNano() }
