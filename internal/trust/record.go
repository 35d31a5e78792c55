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
)

// Hook is what is remembered of one hook of a repository.
type Hook struct {
	Project string   `json:"project"` // as in Place
	Name    string   `json:"hook"`    // of its folder
	Reviews []Review `json:"reviews"` // oldest first; the last one holds
}

// Review is one content that was trusted.
type Review struct {
	Digest    string    `json:"digest"`
	TrustedAt time.Time `json:"trusted_at"`
}

// Record is what is remembered of one repository, and the form of its file.
type Record struct {
	Version    int    `json:"version"`
	Repository string `json:"repository"`
	Hooks      []Hook `json:"hooks"`
}

const recordVersion = 1

// maxRecord bounds a record's file: some thousands of hooks.
const maxRecord = 4 << 20

// recordPath returns where a repository's record is kept.
func (s *Store) recordPath(repository string) string {
	sum := sha256.Sum256([]byte(repository))
	return filepath.Join(s.dir, "repositories", hex.EncodeToString(sum[:16])+".json")
}

// record reads what is remembered of a repository. One that is not known has
// an empty record.
func (s *Store) record(repository string) (*Record, error) {
	path := s.recordPath(repository)
	r, err := readRecord(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Record{Version: recordVersion, Repository: repository}, nil
	case err != nil:
		return nil, err
	case r.Repository != repository:
		return nil, fmt.Errorf("%s: is about another repository, %q", path, r.Repository)
	}
	return r, nil
}

// readRecord reads a file of the store. What it does not understand as a
// whole is an error.
func readRecord(path string) (*Record, error) {
	b, err := readSmall(path, maxRecord+1)
	if err != nil {
		return nil, err
	}
	if len(b) > maxRecord {
		return nil, fmt.Errorf("%s: is above %d bytes", path, maxRecord)
	}
	r, ok := readRecordLines(string(b))
	if !ok {
		r = Record{}
		if err := json.Unmarshal(b, &r); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &r, nil
}

// check is an error for what this program would not have written: names and
// digests become paths.
func (r *Record) check() error {
	if r.Version != recordVersion {
		return fmt.Errorf("has version %d; this program knows %d", r.Version, recordVersion)
	}
	for _, h := range r.Hooks {
		if !isName(h.Name) || !filepath.IsLocal(filepath.FromSlash(h.Project)) || len(h.Reviews) == 0 {
			return fmt.Errorf("has a hook %q that it cannot have", h.Name)
		}
		for _, review := range h.Reviews {
			if !isDigest(review.Digest) {
				return fmt.Errorf("has a digest %q that is none", review.Digest)
			}
		}
	}
	return nil
}

// isName reports whether s can be the name of a folder.
func isName(s string) bool {
	return filepath.IsLocal(s) && s != "." && !strings.ContainsAny(s, "/"+string(filepath.Separator)+"\x00")
}

func isDigest(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == sha256.Size && s == strings.ToLower(s)
}

// find returns what is remembered of a hook; nil for nothing.
func (r *Record) find(project, name string) *Hook {
	for i := range r.Hooks {
		if r.Hooks[i].Project == project && r.Hooks[i].Name == name {
			return &r.Hooks[i]
		}
	}
	return nil
}

// add remembers a digest as the one that holds.
func (r *Record) add(project, name, digest string, now time.Time) {
	h := r.find(project, name)
	if h == nil {
		r.Hooks = append(r.Hooks, Hook{Project: project, Name: name})
		h = &r.Hooks[len(r.Hooks)-1]
	}
	h.Reviews = slices.DeleteFunc(h.Reviews, func(v Review) bool { return v.Digest == digest })
	h.Reviews = append(h.Reviews, Review{Digest: digest, TrustedAt: now.UTC().Truncate(time.Second)})
}

// latest returns the digest that holds; "" if the hook is not known.
func (h *Hook) latest() string {
	if h == nil {
		return ""
	}
	return h.Reviews[len(h.Reviews)-1].Digest
}
