// Package stamp tells by a file's metadata whether it has changed, without
// reading it.
package stamp

import "time"

// Coarsest is the coarsest resolution of a file system's times. A file that
// has changed within it may change again without another stamp.
const Coarsest = 2 * time.Second

// Settled reports whether a stamp that was taken at a time shows every later
// change.
func (s Stamp) Settled(taken time.Time) bool { return s.changed() < taken.Add(-Coarsest).UnixNano() }
