package trust

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/state"
)

// Store is the directory that contains the records and the reviewed copies.
type Store struct{ dir string }

// Open opens the store in dir. A store that does not exist is empty; its directory is created
// on the first write. Open returns an error if dir is "", or if anyone except the user can
// write it.
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
	if err := checkOwner(info, parent); err != nil {
		return fmt.Errorf("the trust store %s %w", s.dir, err)
	}
	return nil
}

// Outside returns an error if the store is inside the project at root or its repository, because
// anyone who can write there could change the store. A project that contains the user's home is
// allowed.
func (s *Store) Outside(root, home string) error {
	search := place.NewSearch(nil)
	return s.outside(search, newLookup(s).around(root), search.Physical(home))
}

// outside is Outside for the project with the work trees around it, and the physical path of the home.
func (s *Store) outside(search *place.Search, dirs []string, home string) error {
	store := search.Physical(s.dir)
	for i, dir := range dirs {
		if slices.Contains(dirs[:i], dir) || paths.Contains(dir, home) {
			continue
		}
		if search.Holds(dir, store) {
			return fmt.Errorf("the trust store %s is inside the project %s, which could change it (set XDG_STATE_HOME to another place)", s.dir, dir)
		}
	}
	return nil
}

const separator = string(filepath.Separator)

// namePath returns the directory of the copies of hooks with one name. It does not use
// filepath.Join, which would take most of the time to clean the path.
func (s *Store) namePath(name string) string {
	return s.copies() + separator + name
}

func (s *Store) copies() string { return s.dir + separator + "copies" }

// copyPath returns the path of the reviewed copy.
func (s *Store) copyPath(name, digest string) string {
	return s.namePath(name) + separator + digest + separator + name
}

// has reports whether the store has a copy. A copy is trusted only if a record names it.
func (s *Store) has(name, digest string) bool { return isDirectory(s.copyPath(name, digest)) }

func isDirectory(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// write runs change while no other process writes the store. Without wait, it does nothing if
// another process is writing. It then removes all files in tmp, including those of killed
// processes, and all copies that no record names.
func (s *Store) write(wait bool, change func() error) error {
	err := os.MkdirAll(s.dir, 0o700)
	if err == nil {
		if err := s.check(); err != nil {
			return err
		}
		err = s.writeLocked(wait, change)
	}
	if err != nil {
		return fmt.Errorf("write the trust store: %w", err)
	}
	return nil
}

func (s *Store) writeLocked(wait bool, change func() error) error {
	f, err := os.OpenFile(filepath.Join(s.dir, "lock"), os.O_RDWR|os.O_CREATE|noWait, 0o600)
	if err != nil {
		return err
	}
	defer f.Close() // which unlocks
	if got, err := state.LockFile(f, wait); err != nil || !got {
		return err
	}
	defer state.Discard(s.tmp())
	if err := state.Discard(s.tmp()); err != nil {
		return err
	}
	for _, dir := range []string{"tmp", "copies", "repositories", "paths"} {
		if err := os.Mkdir(filepath.Join(s.dir, dir), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	err = change()
	if wait {
		s.collect()
	}
	return err
}

func (s *Store) tmp() string { return filepath.Join(s.dir, "tmp") }

// Add makes folders of the project at root, a physical path, trusted: it writes their copies
// first, then the record that names them. With everywhere, they are trusted in every project.
// If it returns an error, no folder has become trusted, and the copies are removed later, because
// no record names them. A record that cannot be read is replaced.
func (s *Store) Add(root string, everywhere bool, folders []*Folder, now time.Time) error {
	return s.write(true, func() error { return s.add(root, everywhere, folders, now) })
}

func (s *Store) add(root string, everywhere bool, folders []*Folder, now time.Time) error {
	for _, f := range folders {
		if !isName(f.Name) {
			return fmt.Errorf("%q is not the name of a folder", f.Name)
		}
	}
	p := newLookup(s).project(root)
	place := p.place()
	r := s.recordOf(place.Repository)
	records := []*Record{r}
	if everywhere {
		records = []*Record{s.recordOf(Everywhere), r}
	}
	var missing []*Folder
	var copies []string
	for _, f := range folders {
		digest := f.Digest()
		if to := filepath.Join(s.namePath(f.Name), digest); !s.has(f.Name, digest) && !slices.Contains(copies, to) {
			missing, copies = append(missing, f), append(copies, to)
		}
		if everywhere {
			records[0].add(".", f.Name, digest, true, now)
		}
		at := now
		if k := p.hooks[f.Name]; k != nil && !now.After(k.at) {
			at = k.at.Add(1) // the latest review in any record is used
		}
		r.add(place.Project, f.Name, digest, false, at)
	}
	if err := s.addCopies(missing, copies); err != nil {
		return err
	}
	if err := s.linkPath(root, place.ref()); err != nil {
		return err
	}
	if err := s.writeRecords(records...); err != nil {
		return err
	}
	// A record that cannot be read and may concern the project is not needed any more: all hooks
	// in it have just been reviewed.
	for _, r := range append(p.refs, ref{Everywhere, "."}) {
		if _, err := s.record(r.id); err != nil {
			if err := s.remove(s.recordPath(r.id)); err != nil {
				return err
			}
		}
	}
	return nil
}

// recordOf reads the record of a repository in order to change it. One that cannot be read is
// empty.
func (s *Store) recordOf(repository string) *Record {
	r, err := s.record(recordID(repository))
	if err != nil {
		r = &Record{Version: recordVersion}
	}
	r.Repository = repository
	return r
}

// addCopies writes copies in tmp and, when all of them are on disk, renames them.
func (s *Store) addCopies(folders []*Folder, to []string) error {
	var files, moved []string
	for i, f := range folders {
		temp := filepath.Join(s.tmp(), filepath.Base(to[i]))
		if err := os.Mkdir(temp, 0o700); err != nil {
			return err
		}
		written, err := f.write(filepath.Join(temp, f.Name), true)
		if err != nil {
			return fmt.Errorf("copy the folder: %w", err)
		}
		files = append(append(files, written...), temp)
	}
	if err := state.Sync(files); err != nil {
		return err
	}
	for i, f := range folders {
		if err := os.Mkdir(s.namePath(f.Name), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		_ = state.Discard(to[i]) // a damaged copy
		if err := rename(filepath.Join(s.tmp(), filepath.Base(to[i])), to[i]); err != nil {
			return err
		}
		moved = append(moved, s.namePath(f.Name))
	}
	return state.Sync(append(moved, s.copies()))
}

// writeRecord replaces a repository's record, or removes it if it has no hooks.
func (s *Store) writeRecord(r *Record) error {
	if len(r.Hooks) == 0 {
		return s.remove(s.recordPath(recordID(r.Repository)))
	}
	return s.writeRecords(r)
}

func (s *Store) writeRecords(records ...*Record) error {
	files := make([]stored, len(records))
	for i, r := range records {
		text, err := r.encode()
		if err != nil {
			return err
		}
		files[i] = stored{s.recordPath(recordID(r.Repository)), text}
	}
	return s.replace(files...)
}

// stored is a file of the store and its text.
type stored struct {
	path string
	text []byte
}

// replace writes files of the store. All of them are written to disk before the first one is
// renamed.
func (s *Store) replace(files ...stored) error {
	temp := func(f stored) string { return filepath.Join(s.tmp(), filepath.Base(f.path)) }
	for _, f := range files {
		err := writeNew(temp(f), f.text, 0o600, true)
		if err == nil {
			err = state.Sync([]string{temp(f)})
		}
		if err != nil {
			return err
		}
	}
	for _, f := range files {
		err := rename(temp(f), f.path)
		if err == nil {
			err = state.Sync([]string{filepath.Dir(f.path)})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func rename(from, to string) error {
	err := os.Rename(from, to)
	if err != nil && isDirectory(to) { // a file cannot replace it
		_ = state.Discard(to)
		err = os.Rename(from, to)
	}
	return err
}

// remember adds contents that are trusted everywhere to a project's record, so that their
// reviewed copies still run there after the hooks change. It also links the project's path to
// its record. It does not wait for other processes.
func (s *Store) remember(root string, digests map[string]string, now time.Time) error {
	return s.write(false, func() error {
		p := newLookup(s).project(root)
		place := p.place()
		r, err := s.record(place.ref().id)
		if err != nil {
			return err
		}
		r.Repository = place.Repository
		for name, digest := range digests {
			// The content may have been revoked meanwhile, or another one trusted.
			if s.has(name, digest) && p.hooks[name] == nil {
				r.add(place.Project, name, digest, true, now)
			}
		}
		if len(digests) > 0 && len(r.Hooks) > 0 {
			if err := s.writeRecord(r); err != nil {
				return err
			}
		}
		return s.linkAll(p, place)
	})
}

// linkAll links a project's path to its records.
func (s *Store) linkAll(p *project, place Place) error {
	for _, r := range append(p.refs, place.ref()) {
		record, err := s.record(r.id)
		if err != nil || !slices.ContainsFunc(record.Hooks, func(h Hook) bool { return h.Project == r.project }) {
			continue
		}
		if err := s.linkPath(p.root, r); err != nil {
			return err
		}
	}
	return nil
}

// collect removes copies that no record names, such as those of a killed process. If any record
// cannot be read, all copies are kept.
func (s *Store) collect() {
	records, errs := s.Records()
	if len(errs) > 0 {
		return
	}
	named := map[Content]bool{}
	for _, r := range records {
		for _, h := range r.Hooks {
			for _, v := range h.Reviews {
				named[Content{h.Name, v.Digest}] = true
			}
		}
	}
	for _, name := range namesIn(filepath.Join(s.dir, "copies")) {
		for _, digest := range namesIn(s.namePath(name)) {
			if named[Content{name, digest}] {
				continue
			}
			// In tmp it is invalid, even if it cannot be removed.
			from := filepath.Join(s.namePath(name), digest)
			to, err := os.MkdirTemp(s.tmp(), "")
			if err == nil {
				err = os.Rename(from, filepath.Join(to, "copy"))
			}
			if err != nil {
				_ = state.Discard(from)
			}
		}
		_ = os.Remove(s.namePath(name)) // fails if it contains copies
	}
}

func namesIn(dir string) []string {
	entries, _ := os.ReadDir(dir)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}

// Records returns the records of all repositories, in byte order of their paths, and an error
// for each file that cannot be read.
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
		if err == nil && s.recordPath(recordID(r.Repository)) != path {
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
