package exec

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"
)

// feed writes a process's input to its stdin (D23).
type feed struct {
	file *os.File // nil if there is nothing to write
	src  io.WriterTo
	done chan struct{}
	err  error // the input could not be produced
}

// openFeed returns the end of the pipe for the process, and a feed for ours.
func openFeed(src io.WriterTo) (*os.File, *feed, error) {
	f := &feed{src: src, done: make(chan struct{})}
	if src == nil {
		theirs, err := os.Open(os.DevNull)
		return theirs, f, err
	}
	theirs, ours, err := os.Pipe()
	f.file = ours
	return theirs, f, err
}

// run writes all input. If it cannot be produced the pipe stays open, so
// that the process does not take the part for the whole before it is stopped.
func (f *feed) run() {
	defer close(f.done)
	if f.file == nil {
		return
	}
	if f.src == nil {
		f.close()
		return
	}
	in := inlet{file: f.file}
	if err := in.copy(f.src); err != nil && in.err == nil {
		f.err = fmt.Errorf("write its input: %w", err)
		return
	}
	f.close()
}

// end ends the writing, wherever it is, and waits for it.
func (f *feed) end() {
	if f.file != nil && f.file.SetWriteDeadline(time.Unix(1, 0)) != nil {
		f.close()
	}
	<-f.done
	f.close()
}

func (f *feed) close() {
	if f.file != nil {
		f.file.Close()
	}
}

// inlet remembers that the pipe, not the source, put an end to the writing:
// the process closed its stdin or ended, which is its own business.
type inlet struct {
	file *os.File
	err  error
}

func (in *inlet) Write(p []byte) (int, error) {
	n, err := in.file.Write(p)
	if err != nil {
		in.err = err
	}
	return n, err
}

func (in *inlet) copy(src io.WriterTo) (err error) {
	defer recoverInto(&err)
	_, err = src.WriteTo(in)
	return err
}

// recoverInto turns a panic of a caller's function into an error: on a
// goroutine of ours it would end the program with status 2, which is a block
// (D31).
func recoverInto(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
	}
}
