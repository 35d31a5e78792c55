package state

import (
	"bytes"
	"encoding/binary"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

const (
	fileName = "session-facts"
	entry    = 8        // bytes of a hash
	maxSize  = 32 << 10 // bytes of each of the two files
)

// Facts are the facts that have already been reported in a session, across its short-lived
// processes: hashes, in two files of bounded size, which drop the oldest ones. The zero Facts
// store nothing. No decision about an operation depends on them: a dropped fact is reported
// again, and a fact that cannot be written is not recorded.
type Facts struct{ dir string }

// FactsIn returns the facts in a directory, which need not exist. With "", or a directory that is
// not the user's own, they store nothing.
func FactsIn(dir string) Facts {
	if dir == "" || paths.CheckDirectory(dir) != nil {
		return Facts{}
	}
	return Facts{dir}
}

// Has reports whether a fact was recorded.
func (f Facts) Has(fact ...string) bool {
	if f.dir == "" {
		return false
	}
	h := hash(fact)
	return contains(f.path(""), h) || contains(f.path(".1"), h)
}

// Add records a fact and reports whether it is new. A fact that cannot be recorded is always
// new.
func (f Facts) Add(fact ...string) bool {
	if f.Has(fact...) {
		return false
	}
	if f.dir == "" || os.MkdirAll(f.dir, 0o700) != nil {
		return true
	}
	if info, err := os.Lstat(f.path("")); err == nil && (info.Size() >= maxSize || !info.Mode().IsRegular()) {
		_ = os.Rename(f.path(""), f.path(".1")) // a full file replaces the older one
	}
	file, err := os.OpenFile(f.path(""), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err == nil { // appending a few bytes is atomic, so it needs no lock
		h := hash(fact)
		_, _ = file.Write(h[:])
		_ = file.Close()
	}
	return true
}

func (f Facts) path(suffix string) string { return filepath.Join(f.dir, fileName+suffix) }

func contains(path string, h [entry]byte) bool {
	data, _, _ := paths.Read(path, 2*maxSize)
	for ; len(data) >= entry; data = data[entry:] {
		if bytes.Equal(data[:entry], h[:]) {
			return true
		}
	}
	return false
}

func hash(fact []string) (sum [entry]byte) {
	h := fnv.New64a()
	for _, part := range fact {
		var size [entry]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(part)))
		_, _ = h.Write(size[:])
		_, _ = io.WriteString(h, part)
	}
	binary.BigEndian.PutUint64(sum[:], h.Sum64())
	return sum
}
