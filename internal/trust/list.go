package trust

import (
	"os"
	"path/filepath"
	"time"
)

// Listed is one trusted content.
type Listed struct {
	Repository string    `json:"repository"` // its git directory, or the project's root
	Project    string    `json:"project"`    // relative to the work tree; "." is its root
	Hook       string    `json:"hook"`
	Digest     string    `json:"digest"`
	Everywhere bool      `json:"everywhere"` // it was trusted with --everywhere
	TrustedAt  time.Time `json:"trusted_at"`
	Latest     bool      `json:"latest"`  // runs instead of content that was not reviewed
	Present    bool      `json:"present"` // the repository, and the hook in its main work tree, exist
	Copy       bool      `json:"copy"`    // the reviewed copy exists
}

// List lists what is trusted, and the records that cannot be read.
func (s *Store) List() ([]Listed, []error) {
	records, errs := s.Records()
	rows := []Listed{}
	for _, r := range records {
		for _, h := range r.Hooks {
			present := isPresent(r.Repository, h)
			for i, v := range h.Reviews {
				rows = append(rows, Listed{
					Repository: r.Repository, Project: h.Project, Hook: h.Name, Digest: v.Digest, Everywhere: h.Everywhere, TrustedAt: v.TrustedAt,
					Latest: i == len(h.Reviews)-1, Present: present, Copy: s.has(h.Name, v.Digest),
				})
			}
		}
	}
	return rows, errs
}

// isPresent checks for the hook in the repository's main work tree or, if that is unknown, for
// the repository itself.
func isPresent(repository string, h Hook) bool {
	if repository == Everywhere {
		return true
	}
	path, below := repository, filepath.Join(".agents", "hooks", h.Name)
	if h.Name == ConfigName {
		below = filepath.Join(".agents", h.Name)
	}
	if filepath.Base(repository) == ".git" {
		path = filepath.Join(filepath.Dir(repository), filepath.FromSlash(h.Project), below)
	} else if _, err := os.Stat(filepath.Join(repository, "HEAD")); h.Project == "." && err != nil { // not a git directory
		path = filepath.Join(repository, below)
	}
	_, err := os.Stat(path)
	return err == nil
}
