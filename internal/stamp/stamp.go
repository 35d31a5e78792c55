// Package stamp detects changes of a file by its metadata, without reading it.
package stamp

import "time"

// Coarsest is the coarsest resolution of a file system's times. A file that was changed within
// this time may change again without changing its stamp.
const Coarsest = 2 * time.Second

// Settled reports whether every change after taken will change the stamp.
func (s Stamp) Settled(taken time.Time) bool { return s.changed() < taken.Add(-Coarsest).UnixNano() }

// File is a file with its stamp.
type File struct {
	Path  string
	Stamp Stamp
}

// FileOf returns the file at path with its present stamp.
func FileOf(path string) File { return File{path, Of(path)} }

// Changed reports whether the stamp is no longer the file's.
func (f File) Changed() bool { return Of(f.Path) != f.Stamp }
