package record

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/atomicfile"
)

// The default limits of a store.
const (
	DefaultKeep = 1000     // records
	MaxKeep     = 100_000  // records
	MaxBytes    = 64 << 20 // of all records together
)

// Store is a directory of records, of which the newest are kept.
type Store struct {
	Dir  string // absolute
	Keep int    // maximum number of records
}

// File is a record in a store.
type File struct {
	Name string
	Time time.Time // from the name; zero if the name has none
}

const (
	nameLayout = "20060102T150405.000000000Z"
	ending     = ".json"
)

// nameOf returns the name of a new record's file. Names sort by time.
func nameOf(at time.Time) string {
	return fmt.Sprintf("%s-%08x%s", at.UTC().Format(nameLayout), rand.Uint32(), ending)
}

// timeOf reads the time in a record's name. ok is false for a name that is not a record's.
func timeOf(name string) (at time.Time, ok bool) {
	stem, ok := strings.CutSuffix(name, ending)
	if !ok || len(stem) != len(nameLayout)+9 || stem[len(nameLayout)] != '-' || strings.Trim(stem[len(nameLayout)+1:], "0123456789abcdef") != "" {
		return time.Time{}, false
	}
	at, err := time.Parse(nameLayout, stem[:len(nameLayout)])
	return at, err == nil
}

// Add writes a record returned by Encode and removes the oldest ones above the limits. The file
// is written atomically. Any number of processes may add records at the same time: each removes
// only records that are not among the newest that it sees. If many large records are added at
// the same time, the store may take up to twice MaxBytes.
func (s Store) Add(at time.Time, text []byte) error {
	if err := s.prepare(); err != nil {
		return err
	}
	name := nameOf(at)
	// The name of an unfinished file begins with a dot.
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

// prepare creates the directory if it does not exist.
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

// Check returns an error if records cannot be stored in the directory. For a missing directory,
// the error is fs.ErrNotExist.
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
	return checkOwner(s.Dir, info)
}

// CheckWrite returns the error that Add would return: it writes a file of the maximum size and
// removes it. If the directory does not exist, it uses a temporary directory next to it.
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
	_, err = os.Stat(above)
	for errors.Is(err, fs.ErrNotExist) && above != filepath.Dir(above) {
		above = filepath.Dir(above)
		_, err = os.Stat(above)
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

// probeFolder creates a directory with a file in it, and removes both.
func probeFolder(above string) error {
	dir := filepath.Join(above, fmt.Sprintf(".agent-hooks-check-%d", os.Getpid()))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	return errors.Join(probe(dir), os.Remove(dir))
}

// plain returns the error without the path, which already precedes the message.
func plain(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// forget removes the oldest records above the limits. added is the size of the newest one: only
// a large one can bring the total above the limit.
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

// clockSkew is how far in the future the time of a valid record can be.
const clockSkew = time.Minute

// futureFirst moves records dated in the future to the front, so that they are removed first.
// Otherwise, if the clock was wrong once, they would displace every new record.
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

// tooLarge returns how many of the oldest records must be removed so that the others fit in
// MaxBytes.
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

// abandoned is the age above which an unfinished file is removed.
const abandoned = time.Hour

// names returns the names of records, oldest first, after removing abandoned unfinished files.
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

// Files lists the records, oldest first.
func (s Store) Files() ([]File, error) {
	names, err := s.names()
	files := make([]File, len(names))
	for i, name := range names {
		at, _ := timeOf(name)
		files[i] = File{name, at}
	}
	return files, err
}

// Bytes returns the total size of all records.
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

// maxFile is the maximum size of a file that is read: an agent's event may be larger than a
// record.
const maxFile = 16 << 20

// ReadFile reads a file in a directory of events. It never blocks, not even on a FIFO.
func ReadFile(path string) ([]byte, error) {
	text, _, err := atomicfile.Read(path, maxFile)
	if len(text) > maxFile {
		err = fmt.Errorf("above %d MiB", maxFile>>20)
	}
	return text, err
}
