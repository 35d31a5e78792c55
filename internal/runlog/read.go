package runlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// lineStart is the beginning of each line. It cannot occur inside a line, because quotes in
// texts are escaped.
const lineStart = `{"time":`

// Path returns the path of the log in a directory.
func Path(dir string) string { return filepath.Join(dir, fileName) }

// Reader reads a log from its oldest line, while other processes write to it and rotate it. It
// keeps at most one line of each file in memory.
type Reader struct {
	dir     string
	tails   []*tail // oldest first
	skipped int
}

// NewReader returns a reader of dir's log. It opens nothing yet.
func NewReader(dir string) *Reader { return &Reader{dir: dir} }

// Read calls each with every line added since the last call, without its newline, and the
// decoded entry. line is valid only during the call. Read returns the first error of each. If
// there is no log, the error is fs.ErrNotExist.
func (r *Reader) Read(each func(line []byte, e Entry) error) error {
	if err := r.open(); err != nil {
		return err
	}
	for _, t := range r.tails {
		for {
			line, err := t.next()
			if err != nil {
				return err
			}
			if line == nil {
				break
			}
			if err := r.take(line, each); err != nil {
				return err
			}
		}
	}
	return nil
}

// take passes a line to each, or only its valid end: on a full disk, a writer leaves a partial
// line, to which the next line is appended.
func (r *Reader) take(line []byte, each func([]byte, Entry) error) error {
	if e, ok := decode(line); ok {
		return each(line, e)
	}
	r.skipped++
	if at := bytes.LastIndex(line, []byte(lineStart)); at > 0 {
		if e, ok := decode(line[at:]); ok {
			return each(line[at:], e)
		}
	}
	return nil
}

func decode(line []byte) (Entry, bool) {
	var e Entry
	err := json.Unmarshal(line, &e)
	return e, err == nil && e.Hook != "" && !e.Time.IsZero()
}

// Skipped returns the number of malformed lines so far.
func (r *Reader) Skipped() int { return r.skipped }

// Unfinished returns the number of lines without a newline so far.
func (r *Reader) Unfinished() int {
	n := 0
	for _, t := range r.tails {
		if t.unfinished() {
			n++
		}
	}
	return n
}

// Close closes the files.
func (r *Reader) Close() error {
	var err error
	for _, t := range r.tails {
		err = errors.Join(err, t.file.Close())
	}
	r.tails = nil
	return err
}

// open opens the files with the log's two names. Files that are already open stay open after a
// rotation, because writers may still append to them. It opens the newer name first: if the log
// is rotated meanwhile, both names refer to the same file, and no file is missed.
func (r *Reader) open() error {
	var found []*tail
	for _, name := range []string{fileName, rotatedName} {
		t, err := r.openOne(filepath.Join(r.dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if t != nil && !slices.Contains(found, t) {
			found = append(found, t)
		}
	}
	slices.Reverse(found)
	for _, t := range r.tails {
		if !slices.Contains(found, t) {
			if t.unfinished() {
				r.skipped++
			}
			t.file.Close()
		}
	}
	r.tails = found
	if info, err := os.Stat(r.dir); err == nil && !info.IsDir() { // on Windows, nothing is found below it
		return &fs.PathError{Op: "open", Path: r.dir, Err: errors.New("not a directory")}
	}
	if len(found) == 0 {
		return &fs.PathError{Op: "open", Path: Path(r.dir), Err: fs.ErrNotExist}
	}
	return nil
}

// openOne returns the tail of the file at path. It reuses an open one if it is the same file
// and has not shrunk.
func (r *Reader) openOne(path string) (*tail, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	for _, t := range r.tails {
		if own, err := t.file.Stat(); err == nil && os.SameFile(t.info, info) && own.Size() >= t.offset {
			return t, nil
		}
	}
	t, err := openTail(path)
	if err != nil {
		return nil, err
	}
	r.tails = append(r.tails, t) // the next name may refer to the same file
	return t, nil
}
