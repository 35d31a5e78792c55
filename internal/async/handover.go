package async

import (
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

// Detach starts the supervisor, the program path with args and env, detached
// from this process (see exec.Detach), and hands over jobs and event through
// stdin (D36).
func Detach(path string, args, env []string, jobs []Job, event io.WriterTo) error {
	stdin, err := handOver(jobs, event)
	if err != nil {
		return fmt.Errorf("hand the event to the supervisor: %w", err)
	}
	defer stdin.Close()
	return exec.Detach(path, args, env, stdin)
}

// handOver returns a file from which all the data can be read. It has no name, and is deleted when
// its last descriptor is closed.
func handOver(jobs []Job, event io.WriterTo) (*os.File, error) {
	head, err := encodeJobs(jobs)
	if err != nil {
		return nil, err
	}
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

func encodeJobs(jobs []Job) ([]byte, error) {
	list, err := json.Marshal(jobs)
	if err != nil {
		return nil, err
	}
	return append(binary.BigEndian.AppendUint64(nil, uint64(len(list))), list...), nil
}

// ReadJobs reads, in the supervisor, the data from Detach. The event is not
// copied, so stdin must stay open while the event is read.
func ReadJobs(stdin *os.File) (jobs []Job, event *io.SectionReader, err error) {
	info, err := stdin.Stat()
	if err == nil {
		jobs, event, err = decodeJobs(io.NewSectionReader(stdin, 0, info.Size()))
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read the jobs: %w", err)
	}
	return jobs, event, nil
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
