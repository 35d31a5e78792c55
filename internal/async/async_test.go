package async

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/exec"
)

func event(s string) *io.SectionReader {
	return io.NewSectionReader(strings.NewReader(s), 0, int64(len(s)))
}

func helperJob(name string) Job {
	return Job{
		Path: os.Args[0], Args: os.Args[:1], Dir: rootDir(), Env: []string{helperVar + "=" + name, "GORACE=atexit_sleep_ms=0"},
		Timeout: time.Minute, Label: map[string]string{"hook": name},
	}
}

// anyFailure treats each exit status except 0 and 2 as a failure.
func anyFailure(_ Job, r exec.Result) bool { return r.Err != nil || r.Status != 0 && r.Status != 2 }

func TestSupervise(t *testing.T) {
	checkLeaks(t)
	fixed := filepath.Join(t.TempDir(), "fixed")
	tries := filepath.Join(t.TempDir(), "tries")
	jobs := []Job{helperJob("cat"), helperJob("exit 2"), helperJob("fail-once " + fixed), helperJob("tries " + tries), helperJob("sleep"), helperJob("write 200000")}
	jobs[1].Retry, jobs[2].Retry, jobs[3].Retry, jobs[4].Retry = 3, 1, 4, 5
	jobs[4].Timeout = 300 * time.Millisecond
	results := map[string]exec.Result{}
	Supervise(context.Background(), os.Environ(), jobs, event("the event"), anyFailure, func(j Job, r exec.Result) {
		name, _, _ := strings.Cut(j.Label["hook"], " ")
		results[name] = r
	})
	if r := results["cat"]; string(r.Stdout.Data) != "the event" || r.Status != 0 {
		t.Errorf("cat: %+v", r)
	}
	if r := results["exit"]; r.Status != 2 {
		t.Errorf("exit: %+v", r)
	}
	if r := results["fail-once"]; r.Status != 0 || string(r.Stdout.Data) != "fixed" {
		t.Errorf("fail-once: %+v", r)
	}
	if data, _ := os.ReadFile(tries); len(data) != 5 || results["tries"].Status != 3 {
		t.Errorf("%d tries: %+v", len(data), results["tries"])
	}
	if r := results["sleep"]; !r.TimedOut || r.Duration > 2300*time.Millisecond+slack {
		t.Errorf("sleep: %+v", r)
	}
	if r := results["write"]; len(r.Stderr.Data) != 64<<10 || !bytes.HasSuffix(r.Stderr.Data, []byte("end")) {
		t.Errorf("write: %d bytes kept", len(r.Stderr.Data))
	}
}

// TestRetriesEndInTime checks that the attempts share the timeout.
func TestRetriesEndInTime(t *testing.T) {
	// Without a common timeout there would be a thousand attempts. An attempt
	// is not always running at the end.
	job := helperJob("nap")
	job.Timeout, job.Retry = 500*time.Millisecond, 1000
	r := job.run(context.Background(), os.Environ(), event(""), anyFailure)
	if !r.TimedOut && r.Status != 1 || r.Duration < job.Timeout || r.Duration > 2500*time.Millisecond+slack {
		t.Errorf("got %+v", r)
	}
	// A running attempt is stopped. The first one has ended by then.
	job.Timeout = time.Second
	job.Env = helperJob("sleep-second " + filepath.Join(t.TempDir(), "tried")).Env
	if r := job.run(context.Background(), os.Environ(), event(""), anyFailure); !r.TimedOut || r.Duration > 3*time.Second+slack {
		t.Errorf("got %+v", r)
	}
}

func TestSuperviseMany(t *testing.T) {
	checkLeaks(t)
	job := helperJob("exit 0")
	ended := 0
	Supervise(context.Background(), os.Environ(), slices.Repeat([]Job{job}, many), event("{}"), anyFailure, func(_ Job, r exec.Result) {
		if ended++; r.Status != 0 || r.Err != nil {
			t.Errorf("got %+v", r)
		}
	})
	if ended != many {
		t.Errorf("%d ended", ended)
	}
}

func TestSuperviseCanceled(t *testing.T) {
	checkLeaks(t)
	ctx, cancel := context.WithCancel(context.Background())
	jobs := []Job{helperJob("exit 0"), helperJob("sleep"), helperJob("sleep")}
	canceled := 0
	Supervise(ctx, os.Environ(), jobs, event(""), anyFailure, func(_ Job, r exec.Result) {
		cancel()
		if r.Canceled {
			canceled++
		}
	})
	if canceled != 2 {
		t.Errorf("%d canceled", canceled)
	}
}

func TestMergeEnv(t *testing.T) {
	got := mergeEnv([]string{"A=1", "B=2", "AB=3", "", "=C:=x"}, []string{"A=9", "D="})
	if want := []string{"B=2", "AB=3", "", "=C:=x", "A=9", "D="}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestHandOver(t *testing.T) {
	jobs := []Job{{Path: "/x", Args: []string{"x", "ü"}, Retry: 2, Timeout: time.Second, Label: map[string]string{"hook": "h"}}}
	for _, size := range []int{0, 1, 4096, 60_000, 1 << 16, 1 << 20} {
		checkLeaks(t)
		data := strings.Repeat("é", size/2) + strings.Repeat("x", size%2)
		f, err := handOver(jobs, strings.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		got, ev, err := ReadJobs(f)
		if err != nil {
			t.Fatal(err)
		}
		a, _ := json.Marshal(got)
		if b, _ := json.Marshal(jobs); !bytes.Equal(a, b) {
			t.Errorf("got %s", a)
		}
		for range 2 {
			var all bytes.Buffer
			if n, err := (section{ev}).WriteTo(&all); err != nil || n != int64(size) || all.String() != data {
				t.Errorf("size %d: got %d bytes, %v", size, n, err)
			}
		}
		f.Close()
	}
}

func TestHandOverFails(t *testing.T) {
	checkLeaks(t)
	lost := writerFunc(func(io.Writer) (int64, error) { return 0, os.ErrClosed })
	if err := Detach(os.Args[0], nil, nil, nil, lost); err == nil {
		t.Error("no error")
	}
}

func FuzzReadJobs(f *testing.F) {
	head, _ := encodeJobs([]Job{{Path: "/x"}})
	f.Add(append(head, "event"...))
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 9, '['})
	f.Add(bytes.Repeat([]byte{255}, 8))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, ev, err := decodeJobs(io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data))))
		if err == nil && ev.Size() > int64(len(data)) {
			t.Errorf("an event of %d bytes out of %d", ev.Size(), len(data))
		}
	})
}

// superviseHelper is a supervisor that writes a report to the file.
func superviseHelper(report string) {
	jobs, ev, err := ReadJobs(os.Stdin)
	if err != nil {
		os.WriteFile(report, []byte(err.Error()), 0o600)
		return
	}
	dir, _ := os.Getwd()
	text := fmt.Sprintf("own session %v, dir %s, terminalless %v", ownSession(), dir, isNull(1) && isNull(2))
	if report, ok := strings.CutPrefix(report, "orphan:"); ok {
		awaitEnd(mustInt(os.Getenv("PARENT")))
		text = "orphan: " + text
		writeReport(report, text, jobs, ev)
		return
	}
	writeReport(report, text, jobs, ev)
}

func writeReport(path, text string, jobs []Job, ev *io.SectionReader) {
	Supervise(context.Background(), os.Environ(), jobs, ev, anyFailure, func(_ Job, r exec.Result) {
		text += fmt.Sprintf(", status %d, output %q", r.Status, r.Stdout.Data)
	})
	os.WriteFile(path+".new", []byte(text), 0o600)
	os.Rename(path+".new", path)
}

// detachHelper detaches a supervisor and waits for its own death.
func detachHelper(report string) {
	signal.Ignore(os.Interrupt)
	env := append(helperEnv("supervise orphan:"+report), fmt.Sprint("PARENT=", os.Getpid()))
	if err := Detach(os.Args[0], os.Args[:1], env, []Job{helperJob("count")}, zeros(1<<20)); err != nil {
		panic(err)
	}
	announce(os.Getpid())
	sleep()
}

func waitForReport(t *testing.T, path string) string {
	t.Helper()
	var data []byte
	eventually(t, "a report", func() (ok bool) {
		var err error
		data, err = os.ReadFile(path)
		return err == nil
	})
	return string(data)
}

func TestDetach(t *testing.T) {
	for _, size := range []int64{5, 1 << 20} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			checkLeaks(t) // the supervisor is reaped when it ends
			report := filepath.Join(t.TempDir(), "report")
			jobs := []Job{helperJob("count")}
			if err := Detach(os.Args[0], os.Args[:1], helperEnv("supervise "+report), jobs, zeros(size)); err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf("own session true, dir %s, terminalless true, status 0, output %q", rootDir(), fmt.Sprint(size))
			if got := waitForReport(t, report); got != want {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestDetachNoProgram(t *testing.T) {
	checkLeaks(t)
	err := Detach(filepath.Join(rootDir(), "no", "such"), []string{"x"}, nil, nil, strings.NewReader(""))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// TestSupervisorSurvives checks that a supervisor survives the death of its
// parent and of the parent's group.
func TestSupervisorSurvives(t *testing.T) {
	report := filepath.Join(t.TempDir(), "report")
	c := exec.Command{Path: os.Args[0], Args: os.Args[:1], Env: helperEnv("detach " + report)}
	pid := watchPid(t, &c)
	ended := make(chan exec.Result)
	go func() { ended <- exec.Run(context.Background(), c) }()
	killTree(pid())
	<-ended
	got := waitForReport(t, report)
	if !strings.HasPrefix(got, "orphan: own session true") || !strings.HasSuffix(got, `status 0, output "1048576"`) {
		t.Errorf("got %s", got)
	}
}
