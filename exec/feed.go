package exec

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// errFull means that a stream has no space at present.
var errFull = errors.New("full")

// feed writes the input while serving the process (D23). If the input cannot be
// produced, the pipe stays open, so that the process does not treat the part as
// the whole before it is stopped.
func (x *execution) feed() {
	if x.Stdin == nil {
		return
	}
	in := inlet{execution: x}
	if err := in.copy(); err != nil && in.err == nil {
		x.inputErr = fmt.Errorf("write its input: %w", err)
		return
	}
	if x.exited || !x.over() {
		x.streams.closeInput()
	}
}

// inlet writes to the process's stdin. Its err is set if the process closed its
// stdin, ended, or is being stopped, to distinguish this from an error of the
// source: it is not an error.
type inlet struct {
	*execution
	err error
}

var errOver = errors.New("its process needs no more of it")

// Write writes all of p unless the process ends first.
func (in *inlet) Write(p []byte) (int, error) {
	written := 0
	for in.err == nil {
		n, err := in.streams.write(p[written:])
		written += n
		switch {
		case err != nil && err != errFull:
			in.err = err
		case written == len(p):
			return written, nil
		case err == errFull:
			in.step(time.Time{}, true)
			if in.over() {
				in.err = errOver
			}
		}
	}
	return written, in.err
}

func (in *inlet) copy() (err error) {
	defer recoverInto(&err)
	_, err = in.Stdin.WriteTo(in)
	return err
}

// recoverInto converts a panic in a caller's function to an error. On a
// goroutine of this package the panic would end the program with status 2,
// which means a block (D31).
func recoverInto(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
	}
}
