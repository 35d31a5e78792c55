package async

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/agent-hooks/agent-hooks/exec"
)

// The handed-over data: the length of the jobs as 8 bytes, big endian, the jobs
// as JSON, the event.
const lengthSize = 8

// maxPiped is the largest size that is handed over through a pipe: the capacity
// of a pipe on most systems.
const maxPiped = 64 << 10

// Detach starts the supervisor, the program path with args and env, detached
// from this process (see exec.Detach), and hands over jobs and event (of size
// bytes) through stdin (D36).
func Detach(path string, args, env []string, jobs []Job, event io.WriterTo, size int64) error {
	stdin, err := handOver(jobs, event, size)
	if err != nil {
		return fmt.Errorf("hand the event to the supervisor: %w", err)
	}
	defer stdin.Close()
	return exec.Detach(path, args, env, stdin)
}

// handOver returns a file, pipe or memory from which all the data can be read.
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

// fillFile writes the data to a file without a name that is deleted when its
// last descriptor is closed.
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

// ReadJobs reads, in the supervisor, the data from Detach. An event in a file
// is not copied, so stdin must stay open while the event is read.
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
