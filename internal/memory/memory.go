// Package memory records which facts have already been reported in a session, across the
// short-lived processes of that session. It stores only hashes, in two files of bounded size,
// and drops the oldest ones.
//
// No decision about an operation depends on it: a dropped fact is reported again, and a fact
// that cannot be written is not recorded.
package memory

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

// Memory is a set of facts in a directory. The zero Memory stores nothing.
type Memory struct{ dir string }

// In returns the memory in a directory, which need not exist. With "", or a directory that is
// not the user's own, the memory stores nothing.
func In(dir string) Memory {
	if dir == "" || paths.CheckDirectory(dir) != nil {
		return Memory{}
	}
	return Memory{dir}
}

// Has reports whether a fact was recorded.
func (m Memory) Has(fact ...string) bool {
	if m.dir == "" {
		return false
	}
	h := hash(fact)
	return contains(m.path(""), h) || contains(m.path(".1"), h)
}

// Add records a fact and reports whether it is new. A fact that cannot be recorded is always
// new.
func (m Memory) Add(fact ...string) bool {
	if m.Has(fact...) {
		return false
	}
	m.add(hash(fact))
	return true
}

func (m Memory) path(suffix string) string { return filepath.Join(m.dir, fileName+suffix) }

// add appends a hash. Appending a few bytes is atomic, so it needs no lock. A full file replaces
// the older file.
func (m Memory) add(h [entry]byte) {
	if m.dir == "" || os.MkdirAll(m.dir, 0o700) != nil {
		return
	}
	if info, err := os.Lstat(m.path("")); err == nil && (info.Size() >= maxSize || !info.Mode().IsRegular()) {
		_ = os.Rename(m.path(""), m.path(".1"))
	}
	f, err := os.OpenFile(m.path(""), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	_, _ = f.Write(h[:])
	_ = f.Close()
}

func contains(path string, h [entry]byte) bool {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, 2*maxSize))
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
