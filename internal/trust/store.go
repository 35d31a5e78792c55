package trust

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Store is the directory that holds what was trusted.
type Store struct{ dir string }

// Open opens the store in dir. One that does not exist yet has nothing, and
// is made when it is first written. It is an error if dir is "", or if anyone
// but the user can write it: then nothing in it is to be believed.
func Open(dir string) (*Store, error) {
	if !filepath.IsAbs(dir) {
		return nil, errors.New("there is no directory for the trust store: HOME is not set")
	}
	s := &Store{filepath.Clean(dir)}
	if err := s.check(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return s, nil
}

func (s *Store) check() error {
	info, err := os.Stat(s.dir)
	if err != nil {
		return fmt.Errorf("the trust store: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("the trust store %s is not a directory", s.dir)
	}
	parent, err := os.Stat(filepath.Dir(s.dir))
	if err != nil {
		return fmt.Errorf("the trust store: %w", err)
	}
	if err := ours(info, parent); err != nil {
		return fmt.Errorf("the trust store %s %w", s.dir, err)
	}
	return nil
}

const separator = string(filepath.Separator)

// namePath is where the copies of hooks of one name are. Names of folders
// need no cleaning, which costs more than all else here.
func (s *Store) namePath(name string) string {
	return s.dir + separator + "copies" + separator + name
}

// copyPath is where the reviewed copy is kept.
func (s *Store) copyPath(name, digest string) string {
	return s.namePath(name) + separator + digest + separator + name
}

// has reports whether the content was reviewed, wherever that was.
func (s *Store) has(name, digest string) bool { return isDirectory(s.copyPath(name, digest)) }

func isDirectory(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// write runs change while no other process writes the store; without wait it
// does nothing if another one does. What change has put into tmp and not
// moved away is removed afterwards, also what a killed process has left.
func (s *Store) write(wait bool, change func() error) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("write the trust store: %w", err)
	}
	if err := s.check(); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(s.dir, "lock"), os.O_RDWR|os.O_CREATE|noWait, 0o600)
	if err != nil {
		return fmt.Errorf("write the trust store: %w", err)
	}
	defer f.Close() // which unlocks
	if got, err := lock(f, wait); err != nil || !got {
		return err
	}
	defer Discard(s.tmp())
	if err := Discard(s.tmp()); err != nil {
		return fmt.Errorf("write the trust store: %w", err)
	}
	for _, dir := range []string{"tmp", "copies", "repositories"} {
		if err := os.Mkdir(filepath.Join(s.dir, dir), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("write the trust store: %w", err)
		}
	}
	return change()
}

func (s *Store) tmp() string { return filepath.Join(s.dir, "tmp") }

// Add trusts folders of the project at p: their copies first, then the
// record. It returns the files and directories that it has written. Either
// all folders are in the record or none is.
func (s *Store) Add(p Place, folders []*Folder, now time.Time) (written []string, err error) {
	err = s.write(true, func() error {
		r, err := s.record(p.Repository)
		if err != nil {
			return err
		}
		for _, f := range folders {
			digest := f.Digest()
			if err := s.addCopy(f, digest, &written); err != nil {
				return err
			}
			r.add(p.Project, f.Name, digest, now)
		}
		return s.writeRecord(r, &written)
	})
	return written, err
}

// addCopy makes the copy in tmp and moves it to its place.
func (s *Store) addCopy(f *Folder, digest string, written *[]string) error {
	if s.has(f.Name, digest) {
		return nil
	}
	if !isName(f.Name) {
		return fmt.Errorf("%q cannot be the name of a folder", f.Name)
	}
	temp := filepath.Join(s.tmp(), digest)
	if err := os.Mkdir(temp, 0o700); err != nil {
		return fmt.Errorf("write the trust store: %w", err)
	}
	if err := f.Write(temp); err != nil {
		return err
	}
	if err := os.Mkdir(s.namePath(f.Name), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("write the trust store: %w", err)
	}
	to := filepath.Join(s.namePath(f.Name), digest)
	if err := move(temp, to); err != nil {
		return err
	}
	*written = append(*written, to)
	return nil
}

// writeRecord replaces a repository's record; one without hooks is removed.
func (s *Store) writeRecord(r *Record, written *[]string) error {
	path := s.recordPath(r.Repository)
	if len(r.Hooks) == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("write the trust store: %w", err)
		}
		*written = append(*written, path)
		return nil
	}
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("write the trust store: %w", err)
	}
	temp := filepath.Join(s.tmp(), filepath.Base(path))
	if err := writeNew(temp, append(b, '\n'), 0o600); err != nil {
		return fmt.Errorf("write the trust store: %w", err)
	}
	if err := move(temp, path); err != nil {
		return err
	}
	*written = append(*written, path)
	return nil
}

func move(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return fmt.Errorf("write the trust store: %w", err)
	}
	if err := syncDirectory(filepath.Dir(to)); err != nil {
		return fmt.Errorf("write the trust store: %w", err)
	}
	return nil
}

// remember notes for a repository contents that were reviewed elsewhere, so
// that a hook that changes afterwards is known there. It waits for nobody.
func (s *Store) remember(p Place, digests map[string]string, now time.Time) error {
	return s.write(false, func() error {
		r, err := s.record(p.Repository)
		if err != nil {
			return err
		}
		for name, digest := range digests {
			// Meanwhile the content may have been revoked, or another one
			// trusted.
			if s.has(name, digest) && r.find(p.Project, name) == nil {
				r.add(p.Project, name, digest, now)
			}
		}
		if len(r.Hooks) == 0 {
			return nil
		}
		var written []string
		return s.writeRecord(r, &written)
	})
}

// Records returns what is remembered of every repository, in the byte order
// of their paths, and an error for each file that cannot be read.
func (s *Store) Records() ([]*Record, []error) {
	dir := filepath.Join(s.dir, "repositories")
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, []error{err}
	}
	var records []*Record
	var errs []error
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		r, err := readRecord(path)
		if err == nil && s.recordPath(r.Repository) != path {
			err = fmt.Errorf("%s: is about another repository, %q", path, r.Repository)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		records = append(records, r)
	}
	slices.SortFunc(records, func(a, b *Record) int { return cmp.Compare(a.Repository, b.Repository) })
	return records, errs
}

// Reviewed returns the content that holds for a hook of the project at p, as
// it was reviewed, and its digest; nil if there is none.
func (s *Store) Reviewed(p Place, name string) (*Folder, string, error) {
	r, err := s.record(p.Repository)
	if err != nil {
		return nil, "", err
	}
	digest := r.find(p.Project, name).latest()
	if digest == "" || !s.has(name, digest) {
		return nil, "", nil
	}
	f, err := Read(s.copyPath(name, digest))
	if err != nil {
		return nil, "", fmt.Errorf("the reviewed copy of hook %q: %w", name, err)
	}
	return f, digest, nil
}
