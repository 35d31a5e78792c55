package past

import (
	"bufio"
	"errors"
	"io"
	"os"
	"sync/atomic"
)

// maxLine limits a line of a transcript. A longer one is skipped and counted.
const maxLine = 16 << 20

// open opens a transcript, if it is still the file that was found.
func (f *file) open() (*os.File, error) {
	opened, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	if info, err := opened.Stat(); err != nil || !os.SameFile(info, f.info) || !info.Mode().IsRegular() {
		opened.Close()
		return nil, errors.New("the file has changed")
	}
	return opened, nil
}

// eachLine calls line for each line, without its end, until line returns false, and
// tooLong for each line above the limit. It keeps at most one line in memory.
func eachLine(r io.Reader, limit int, line func([]byte) bool, tooLong func()) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var whole []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		switch {
		case long:
		case len(whole)+len(part) > limit:
			long, whole = true, whole[:0]
			tooLong()
		case errors.Is(err, bufio.ErrBufferFull) || len(whole) > 0:
			whole = append(whole, part...)
			part = whole
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if !long && len(part) > 0 && !line(part) {
			return nil
		}
		if cap(whole) > 1<<20 {
			whole = nil
		}
		long, whole = false, whole[:0]
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// counted counts the bytes that are read.
type counted struct {
	io.Reader
	bytes *atomic.Int64
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.bytes.Add(int64(n))
	return n, err
}
