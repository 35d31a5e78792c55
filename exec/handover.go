package exec

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// What is handed over: the length of the jobs as 8 bytes, big endian, the
// jobs as JSON, the event.
const lengthSize = 8

// maxPiped is the most that is tried to be handed over by a pipe: what a
// pipe holds on most systems.
const maxPiped = 64 << 10

// Detach starts the supervisor, program path with args and env, in a session
// of its own with none of the caller's streams and the root as its
// directory, hands it jobs and event (of size bytes) by its stdin, and
// returns once it has started (D36). The supervisor is not awaited, but
// reaped when it ends before the caller does.
func Detach(path string, args, env []string, jobs []Job, event io.WriterTo, size int64) error {
	stdin, err := handOver(jobs, event, size)
	if err != nil {
		return fmt.Errorf("hand the event to the supervisor: %w", err)
	}
	defer stdin.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	p, err := startPatiently(persist, func() (process, error) {
		return startDetached(path, args, env, [3]*os.File{stdin, null, null})
	})
	if err != nil {
		return startError(&Command{Path: path, Args: args, Env: env}, err)
	}
	go p.disown()
	return nil
}

// handOver returns a file, pipe or memory from which all can be read.
func handOver(jobs []Job, event io.WriterTo, size int64) (*os.File, error) {
	head, err := encodeJobs(jobs)
	if err != nil {
		return nil, err
	}
	if int64(len(head))+size > maxPiped {
		return fillFile(head, event)
	}
	all := bytes.NewBuffer(head)
	if _, err := event.WriteTo(all); err != nil {
		return nil, err
	}
	if pipe := fillPipe(all.Bytes()); pipe != nil {
		return pipe, nil
	}
	return fillFile(all.Bytes(), new(bytes.Buffer))
}

func encodeJobs(jobs []Job) ([]byte, error) {
	list, err := json.Marshal(jobs)
	if err != nil {
		return nil, err
	}
	return append(binary.BigEndian.AppendUint64(nil, uint64(len(list))), list...), nil
}

// fillFile writes all to a file that has no name and ends with its last
// descriptor.
func fillFile(head []byte, event io.WriterTo) (*os.File, error) {
	f, err := namelessFile()
	if err != nil {
		return nil, err
	}
	_, err = f.Write(head)
	if err == nil {
		_, err = event.WriteTo(f)
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// ReadJobs reads in the supervisor what Detach handed over. An event in a
// file stays there, and stdin must stay open as long as the event is read.
func ReadJobs(stdin *os.File) ([]Job, *io.SectionReader, error) {
	all, err := readHandOver(stdin)
	if err != nil {
		return nil, nil, fmt.Errorf("read the jobs: %w", err)
	}
	jobs, event, err := decodeJobs(all)
	if err != nil {
		return nil, nil, fmt.Errorf("read the jobs: %w", err)
	}
	return jobs, event, nil
}

func readHandOver(stdin *os.File) (*io.SectionReader, error) {
	info, err := stdin.Stat()
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() {
		return io.NewSectionReader(stdin, 0, info.Size()), nil
	}
	data, err := io.ReadAll(stdin)
	return io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data))), err
}

func decodeJobs(all *io.SectionReader) ([]Job, *io.SectionReader, error) {
	length := make([]byte, lengthSize)
	if _, err := io.ReadFull(all, length); err != nil {
		return nil, nil, err
	}
	n := binary.BigEndian.Uint64(length)
	if n > uint64(all.Size()-lengthSize) {
		return nil, nil, errors.New("they are cut off")
	}
	var jobs []Job
	list := io.NewSectionReader(all, lengthSize, int64(n))
	if err := json.NewDecoder(list).Decode(&jobs); err != nil {
		return nil, nil, err
	}
	begin := lengthSize + int64(n)
	return jobs, io.NewSectionReader(all, begin, all.Size()-begin), nil
}
