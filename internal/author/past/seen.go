package past

import (
	"hash/maphash"
	"sync"

	"github.com/agent-hooks/agent-hooks/agent"
)

// seen holds the calls that were counted, as hashes.
type seen struct {
	mu   sync.Mutex
	seed maphash.Seed
	all  map[uint64]struct{}
}

func newSeen() *seen { return &seen{seed: maphash.MakeSeed(), all: map[uint64]struct{}{}} }

// uniqueID is the length from which an identifier of a call is taken to be unique in all
// sessions: those of providers have 24 random characters and more.
const uniqueID = 20

// isNew reports whether a call is new, and remembers it. Identifiers are unique in a
// session. A long one is unique everywhere, because a session that continues another
// has copies of its calls under a name of its own.
func (s *seen) isNew(a *agent.Agent, c *agent.PastCall) bool {
	if c.ID == "" {
		return true
	}
	key := s.hash(a.Name, sessionOf(c), c.ID)
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.all[key]; known {
		return false
	}
	s.all[key] = struct{}{}
	return true
}

// sessionOf returns the session in which the identifier of a call is unique; "" if that is unique
// everywhere.
func sessionOf(c *agent.PastCall) string {
	if len(c.ID) >= uniqueID {
		return ""
	}
	return c.Session
}

func (s *seen) hash(parts ...string) uint64 {
	var h maphash.Hash
	h.SetSeed(s.seed)
	for _, p := range parts {
		h.WriteString(p)
		h.WriteByte(0)
	}
	return h.Sum64()
}
