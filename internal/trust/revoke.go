package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Content names one content of a hook's folder.
type Content struct{ Name, Digest string }

// Revoked is what Revoke has done.
type Revoked struct {
	Contents []Content
	Written  []string // files and directories that were written or removed
	// Elsewhere are the repositories beside the project's own in which these
	// contents were trusted, too: they no longer are.
	Elsewhere []string
	// Unread are records that could not be read and were left alone. No copy
	// of a revoked content is left for them to lead to.
	Unread []error
}

// Trusted returns what was ever trusted of the project at p, of every project
// of the repository if p.Project is "": of the hook of that name, of every
// hook if name is "".
func (s *Store) Trusted(p Place, name string) ([]Content, error) {
	r, err := s.record(p.Repository)
	if err != nil {
		return nil, err
	}
	var contents []Content
	for _, h := range r.Hooks {
		if p.Project != "" && h.Project != p.Project || name != "" && h.Name != name {
			continue
		}
		for _, review := range h.Reviews {
			contents = append(contents, Content{h.Name, review.Digest})
		}
	}
	return contents, nil
}

// Has reports whether the content is trusted, wherever that was said.
func (s *Store) Has(c Content) bool { return s.has(c.Name, c.Digest) }

// Revoke ends the trust in contents, everywhere: as content is trusted
// wherever it appears, it is nowhere any more. The copies go first, so that
// nothing runs that the records no longer tell of.
func (s *Store) Revoke(p Place, contents []Content) (*Revoked, error) {
	revoked := &Revoked{}
	err := s.write(true, func() error {
		for _, c := range contents {
			if err := s.revokeCopy(c, revoked); err != nil {
				return err
			}
		}
		records, errs := s.Records()
		revoked.Unread = errs
		for _, r := range records {
			if !r.drop(contents) {
				continue
			}
			if r.Repository != p.Repository {
				revoked.Elsewhere = append(revoked.Elsewhere, r.Repository)
			}
			if err := s.writeRecord(r, &revoked.Written); err != nil {
				return err
			}
		}
		return nil
	})
	return revoked, err
}

// revokeCopy moves a copy to tmp, which ends it at once, whatever hinders
// removing it.
func (s *Store) revokeCopy(c Content, revoked *Revoked) error {
	from := filepath.Join(s.namePath(c.Name), c.Digest)
	err := os.Rename(from, filepath.Join(s.tmp(), c.Name+"-"+c.Digest))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("write the trust store: %w", err)
	}
	revoked.Contents = append(revoked.Contents, c)
	if err == nil {
		revoked.Written = append(revoked.Written, from)
		_ = os.Remove(s.namePath(c.Name)) // unless other copies are in it
	}
	return nil
}

// drop takes contents out of a record and reports whether any was in it.
func (r *Record) drop(contents []Content) (changed bool) {
	for i := range r.Hooks {
		h := &r.Hooks[i]
		before := len(h.Reviews)
		h.Reviews = slices.DeleteFunc(h.Reviews, func(v Review) bool {
			return slices.Contains(contents, Content{h.Name, v.Digest})
		})
		changed = changed || len(h.Reviews) != before
	}
	r.Hooks = slices.DeleteFunc(r.Hooks, func(h Hook) bool { return len(h.Reviews) == 0 })
	return changed
}
