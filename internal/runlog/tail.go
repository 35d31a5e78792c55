package runlog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxRead is the maximum number of bytes of a line in memory. This program writes shorter ones.
const maxRead = 64 << 10

// maxTail is how many bytes of a file are read, from its end: this program lets none grow larger.
const maxTail = 2*maxFile + maxRead

// tail reads a growing file line by line.
type tail struct {
	file   *os.File
	info   os.FileInfo // when it was opened
	buffer *bufio.Reader
	line   []byte // the line so far
	ended  bool   // line was returned
	long   bool   // the line exceeds maxRead, so its beginning was dropped
	offset int64  // bytes read
}

func openTail(path string) (*tail, error) {
	f, err := openRead(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	t := &tail{file: f, info: info, buffer: bufio.NewReaderSize(f, maxRead)}
	if begin := info.Size() - maxTail; begin > 0 {
		t.offset, err = f.Seek(begin, io.SeekStart)
		if err == nil {
			_, err = t.next() // the rest of a line
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return t, nil
}

// next returns the next complete line without its newline, or nil if there is none yet. For a
// line that is too long, it returns text that is not valid JSON.
func (t *tail) next() ([]byte, error) {
	if t.ended {
		t.line, t.ended, t.long = t.line[:0], false, false
	}
	for {
		part, err := t.buffer.ReadSlice('\n')
		t.offset += int64(len(part))
		if len(t.line)+len(part) > maxRead {
			t.line, t.long = t.line[:0], true
		}
		t.line = append(t.line, part...)
		switch {
		case err == nil:
			t.ended = true
			if t.long {
				return []byte("too long"), nil
			}
			return t.line[:len(t.line)-1], nil
		case errors.Is(err, io.EOF):
			return nil, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

func (t *tail) unfinished() bool { return !t.ended && (t.long || len(t.line) > 0) }
