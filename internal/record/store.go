package record

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The bounds of a store that does not say its own.
const (
	DefaultKeep = 1000     // records
	MaxKeep     = 100_000  // records
	MaxBytes    = 64 << 20 // of all records together
)

// Store is a directory of records, the newest of which are kept.
type Store struct {
	Dir  string // absolute
	Keep int    // how many records
}

// File is a record in a store.
type File struct {
	Name string
	Time time.Time // as the name says it; zero if it says none
}

const (
	nameLayout = "20060102T150405.000000000Z"
	ending     = ".json"
)

// nameOf returns the name of a new record's file. The names are in the order
// of time.
func nameOf(at time.Time) string {
	return fmt.Sprintf("%s-%08x%s", at.UTC().Format(nameLayout), rand.Uint32(), ending)
}

// timeOf reads the time in a record's name. ok is false for a name that
// nobody gave to a record.
func timeOf(name string) (at time.Time, ok bool) {
	stem, ok := strings.CutSuffix(name, ending)
	if !ok || len(stem) != len(nameLayout)+9 || stem[len(nameLayout)] != '-' || strings.Trim(stem[len(nameLayout)+1:], "0123456789abcdef") != "" {
		return time.Time{}, false
	}
	at, err := time.Parse(nameLayout, stem[:len(nameLayout)])
	return at, err == nil
}

// Add keeps a record, as Encode returned it, and forgets the oldest above the
// bounds. The file is there as a whole or not at all. Any number of processes
// may add at once: each forgets only what is not among the newest that it
// sees. With large records added all at once, the store may take up to twice
// MaxBytes.
func (s Store) Add(at time.Time, text []byte) error {
	if err := s.prepare(); err != nil {
		return err
	}
	name := nameOf(at)
	// A name in the making begins with a dot.
	temp := filepath.Join(s.Dir, "."+name)
	if err := writeNew(temp, text); err != nil {
		return fmt.Errorf("record the event: %w", err)
	}
	if err := os.Rename(temp, filepath.Join(s.Dir, name)); err != nil {
		os.Remove(temp)
		return fmt.Errorf("record the event: %w", err)
	}
	return s.forget(len(text))
}

func writeNew(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(path)
	}
	return err
}

// prepare makes the directory if it is not there.
func (s Store) prepare() error {
	err := s.Check()
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(s.Dir, 0o700); err == nil {
			err = s.Check()
		}
	}
	if err != nil {
		return fmt.Errorf("record the event: %w", err)
	}
	return nil
}

// Check returns why records cannot be kept in the directory. One that is not
// there yet is fs.ErrNotExist.
func (s Store) Check() error {
	info, err := os.Lstat(s.Dir)
	switch {
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link; name the directory itself", s.Dir)
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", s.Dir)
	}
	return ours(s.Dir, info)
}

// CheckWrite returns why no record can be written, as Add would find out: it
// writes a file of the largest size and takes it away again. Where the
// directory is not there, it tries with another one beside.
func (s Store) CheckWrite() error {
	err := s.Check()
	if err == nil {
		if err = probe(s.Dir); err != nil {
			return fmt.Errorf("%s cannot be written in: %w", s.Dir, plain(err))
		}
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	above := filepath.Dir(s.Dir)
	info, err := os.Stat(above)
	for errors.Is(err, fs.ErrNotExist) && above != filepath.Dir(above) {
		above = filepath.Dir(above)
		info, err = os.Stat(above)
	}
	if err == nil && !info.IsDir() {
		err = errors.New("not a directory")
	}
	if err == nil {
		err = probeFolder(above)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be made in %s: %w", s.Dir, above, plain(err))
	}
	return nil
}

// probe writes a file in a directory and removes it.
func probe(dir string) error {
	path := filepath.Join(dir, fmt.Sprintf(".check-%d", os.Getpid()))
	if err := writeNew(path, make([]byte, maxRecord)); err != nil {
		return err
	}
	return os.Remove(path)
}

// probeFolder makes a directory with a file in it, and removes both.
func probeFolder(above string) error {
	dir := filepath.Join(above, fmt.Sprintf(".agent-hooks-check-%d", os.Getpid()))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	return errors.Join(probe(dir), os.Remove(dir))
}

// plain leaves out the path, which stands before the message already.
func plain(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// forget removes the oldest records above the bounds. added is the size of
// the newest one: only a large one can bring the sum above the bound.
func (s Store) forget(added int) error {
	names, err := s.names()
	if err != nil {
		return fmt.Errorf("forget old records: %w", err)
	}
	names = futureFirst(names)
	old := names[:max(0, len(names)-s.keep())]
	kept := names[len(old):]
	if added > MaxBytes/s.keep() {
		old = names[:len(old)+s.tooLarge(kept)]
	}
	for _, name := range old {
		if err := os.Remove(filepath.Join(s.Dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("forget old records: %w", err)
		}
	}
	return nil
}

// clockSkew is how far ahead of the clock a record's time can be.
const clockSkew = time.Minute

// futureFirst moves records dated in the future to the front, as the first
// that are forgotten: after the clock was wrong, they would otherwise displace
// every new one.
func futureFirst(names []string) []string {
	limit := time.Now().Add(clockSkew)
	i := slices.IndexFunc(names, func(name string) bool {
		at, _ := timeOf(name)
		return at.After(limit)
	})
	if i < 0 {
		return names
	}
	return slices.Concat(names[i:], names[:i])
}

func (s Store) keep() int {
	if s.Keep < 1 {
		return DefaultKeep
	}
	return s.Keep
}

// tooLarge returns how many of the oldest have to go for the others to keep
// within MaxBytes.
func (s Store) tooLarge(names []string) int {
	var sum int64
	for i, name := range slices.Backward(names) {
		info, err := os.Lstat(filepath.Join(s.Dir, name))
		if err != nil {
			continue
		}
		if sum += info.Size(); sum > MaxBytes {
			return i + 1
		}
	}
	return 0
}

// abandoned is the age above which a file in the making is nobody's.
const abandoned = time.Hour

// names returns the names of records, the oldest first, after what is left of
// those that were never finished.
func (s Store) names() (names []string, err error) {
	dir, err := os.Open(s.Dir)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	all, err := dir.Readdirnames(-1)
	var unfinished []string
	for _, name := range all {
		at, ok := timeOf(strings.TrimPrefix(name, "."))
		switch {
		case !ok:
		case name[0] != '.':
			names = append(names, name)
		case time.Since(at) > abandoned:
			unfinished = append(unfinished, name)
		}
	}
	slices.Sort(names)
	for _, name := range unfinished {
		os.Remove(filepath.Join(s.Dir, name))
	}
	return names, err
}

// Files lists the records, the oldest first.
func (s Store) Files() ([]File, error) {
	names, err := s.names()
	files := make([]File, len(names))
	for i, name := range names {
		at, _ := timeOf(name)
		files[i] = File{name, at}
	}
	return files, err
}

// Bytes returns the size of all records together.
func (s Store) Bytes() (sum int64) {
	names, _ := s.names()
	for _, name := range names {
		if info, err := os.Lstat(filepath.Join(s.Dir, name)); err == nil {
			sum += info.Size()
		}
	}
	return sum
}

// Clear removes all records, and nothing else, and returns how many it
// removed.
func (s Store) Clear() (int, error) {
	names, err := s.names()
	if err != nil {
		return 0, err
	}
	for i, name := range names {
		if err := os.Remove(filepath.Join(s.Dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return i, err
		}
	}
	return len(names), nil
}

// maxFile bounds what is read of a file: an event of an agent's may be larger
// than a record.
const maxFile = 16 << 20

// ReadFile reads a file of a directory of events. It waits for nothing,
// whatever lies in its place.
func ReadFile(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case info.Size() > maxFile:
		return nil, fmt.Errorf("above %d MiB", maxFile>>20)
	}
	return io.ReadAll(io.LimitReader(f, maxFile+1))
}
