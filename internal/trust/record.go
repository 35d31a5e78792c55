package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// Hook is the record of one hook of a repository.
type Hook struct {
	Project string `json:"project"` // as in Place
	Name    string `json:"hook"`    // of its folder
	// Everywhere means that the hook was not reviewed in this project: its content was trusted
	// with trust --everywhere.
	Everywhere bool     `json:"everywhere,omitempty"`
	Reviews    []Review `json:"reviews"` // oldest first; the last one is used
}

// Review is one trusted content.
type Review struct {
	Digest    string    `json:"digest"`
	TrustedAt time.Time `json:"trusted_at"`
}

// Record contains the trusted hooks of one repository. Its file has the same form; paths and
// names in it are encoded with encodePath.
type Record struct {
	Version    int    `json:"version"`
	Repository string `json:"repository"` // or Everywhere, for contents that are trusted everywhere
	Hooks      []Hook `json:"hooks"`
}

// Everywhere is the Repository of the record of contents trusted in every project.
const Everywhere = "everywhere"

const recordVersion = 2

// The limits of a record, checked when it is read and when it is written.
const (
	maxRecord  = 4 << 20 // bytes of its file
	maxReviews = 32      // of one hook; older ones are dropped
)

// recordID returns the name of a repository's record in the store.
func recordID(repository string) string {
	if repository == Everywhere {
		return Everywhere
	}
	return pathID(repository)
}

func pathID(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:16])
}

func (s *Store) recordPath(id string) string {
	return s.dir + separator + "repositories" + separator + id + ".json"
}

// record reads a record; a missing record is empty.
func (s *Store) record(id string) (*Record, error) {
	path := s.recordPath(id)
	r, err := readRecord(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Record{Version: recordVersion}, nil
	case err != nil:
		return nil, err
	case recordID(r.Repository) != id:
		return nil, fmt.Errorf("%s: is about another repository, %q", path, r.Repository)
	}
	return r, nil
}

// readRecord reads a file of the store. An unknown part makes the whole record an error.
func readRecord(path string) (*Record, error) {
	b, _, err := paths.Read(path, maxRecord)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, shown.Cause(err))
	}
	if len(b) > maxRecord {
		return nil, fmt.Errorf("%s: is above %d bytes", path, maxRecord)
	}
	r, err := parseRecord(b)
	if err == nil {
		err = r.decode()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// decode decodes the paths. It returns an error for anything that this program would not have
// written, because names and digests become paths.
func (r *Record) decode() error {
	if r.Version != recordVersion {
		return fmt.Errorf("has version %d; this program reads version %d", r.Version, recordVersion)
	}
	var err error
	r.Repository, err = decodePath(r.Repository)
	if err != nil {
		return err
	}
	for i := range r.Hooks {
		if err := r.Hooks[i].decode(); err != nil {
			return err
		}
	}
	return nil
}

func (h *Hook) decode() error {
	for _, path := range []*string{&h.Project, &h.Name} {
		decoded, err := decodePath(*path)
		if err != nil {
			return fmt.Errorf("has the path %q, which is not encoded as this program does", *path)
		}
		*path = decoded
	}
	if !isName(h.Name) || !filepath.IsLocal(filepath.FromSlash(h.Project)) || len(h.Reviews) == 0 || len(h.Reviews) > maxReviews {
		return fmt.Errorf("has an invalid hook %q", h.Name)
	}
	for _, review := range h.Reviews {
		if !isDigest(review.Digest) {
			return fmt.Errorf("has an invalid digest %q", review.Digest)
		}
	}
	return nil
}

// encode returns the content of the record's file, or an error if it would be too large to be
// read again.
func (r *Record) encode() ([]byte, error) {
	written := Record{r.Version, encodePath(r.Repository), slices.Clone(r.Hooks)}
	for i := range written.Hooks {
		h := &written.Hooks[i]
		h.Project, h.Name = encodePath(h.Project), encodePath(h.Name)
	}
	b, err := json.Marshal(written)
	if err != nil {
		return nil, err
	}
	if len(b) > maxRecord {
		return nil, fmt.Errorf("the record of %q would be above %d bytes; agent-hooks trust --remove makes room", r.Repository, maxRecord)
	}
	return append(b, '\n'), nil
}

// isName reports whether s can be the name of a folder.
func isName(s string) bool {
	return filepath.IsLocal(s) && s != "." && !strings.ContainsAny(s, "/"+separator+"\x00")
}

func isDigest(s string) bool {
	return len(s) == 2*sha256.Size && strings.Trim(s, "0123456789abcdef") == ""
}

// find returns the record of a hook, or nil.
func (r *Record) find(project, name string) *Hook {
	for i := range r.Hooks {
		if r.Hooks[i].Project == project && r.Hooks[i].Name == name {
			return &r.Hooks[i]
		}
	}
	return nil
}

// add records a digest as the latest review.
func (r *Record) add(project, name, digest string, everywhere bool, now time.Time) {
	h := r.find(project, name)
	if h == nil {
		r.Hooks = append(r.Hooks, Hook{Project: project, Name: name})
		h = &r.Hooks[len(r.Hooks)-1]
	}
	h.Everywhere = everywhere
	h.Reviews = slices.DeleteFunc(h.Reviews, func(v Review) bool { return v.Digest == digest })
	h.Reviews = append(h.Reviews, Review{Digest: digest, TrustedAt: now.UTC()})
	h.Reviews = h.Reviews[max(0, len(h.Reviews)-maxReviews):]
}

// latest returns the latest review, the one that is used.
func (h *Hook) latest() Review { return h.Reviews[len(h.Reviews)-1] }
