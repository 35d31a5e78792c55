//go:build unix

package exec

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const (
	endedBy        = "SIGTERM" // how a helper that sleeps ends at its timeout
	diesWithParent = runtime.GOOS == "linux"
)

func prepareSignals() {
	if signal.Ignored(syscall.SIGHUP) { // as under nohup; helpers must start with the default action
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
}

func systemHelper(name, arg string) bool {
	switch name {
	case "die":
		n, _ := strconv.Atoi(arg)
		unix.Kill(os.Getpid(), syscall.Signal(n))
		select {}
	case "fd-flags":
		for fd := range 3 {
			flags, _ := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
			fmt.Print(flags&unix.O_NONBLOCK != 0, " ")
		}
	case "session":
		sid, _ := unix.Getsid(0)
		fmt.Print(sid == os.Getpid())
	default:
		return false
	}
	return true
}

func systemExits() []exit {
	return []exit{{"die 9", -1, "SIGKILL"}, {"die 15", -1, "SIGTERM"}, {"die 1", -1, "SIGHUP"}}
}

func systemWaits() map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"start that hangs": testStartThatHangs, "busy program": testBusyProgram, "deaf": testDeaf,
		"threads that end": testThreadsThatEnd,
	}
}

// spawn starts a child that inherits the streams.
func spawn(name string, session bool) {
	pid, err := syscall.ForkExec(os.Args[0], os.Args[:1], &syscall.ProcAttr{
		Env:   append(helperEnv(name), "PARENT="+strconv.Itoa(os.Getpid())),
		Files: []uintptr{0, 1, 2},
		Sys:   &syscall.SysProcAttr{Setsid: session},
	})
	if err != nil {
		panic(err)
	}
	announce(pid)
}

// awaitEnd returns when the parent has ended. It calls watching once it would notice that.
func awaitEnd(parent int, watching func()) {
	watching()
	for os.Getppid() == parent {
		time.Sleep(time.Millisecond)
	}
}

func kill(pid int) { unix.Kill(pid, unix.SIGKILL) }

// isGone reports whether the process has ended. Its zombie may still wait for
// init.
func isGone(pid int) bool {
	if unix.Kill(pid, 0) == unix.ESRCH {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

func TestSignalWithoutName(t *testing.T) {
	if got := signalName(40); got != "signal 40" {
		t.Errorf("got %q", got)
	}
}

func TestEnvironmentOfAProcess(t *testing.T) {
	for _, test := range []struct{ helper, want string }{
		{"fd-flags", "false false false "},
		{"session", "true"},
	} {
		c := helperCommand(test.helper)
		c.Stdin = input("")
		if r := Run(context.Background(), c); string(r.Stdout.Data) != test.want {
			t.Errorf("%s: got %q", test.helper, r.Stdout.Data)
		}
	}
}

// TestPipeIsReadBeforeTheAnswerIsJudged checks that all output before the exit is read
// before the answer is judged.
func TestPipeIsReadBeforeTheAnswerIsJudged(t *testing.T) {
	checkLeaks(t)
	asked := 0
	x, err := begin(&Command{MaxStdout: 1 << 20, Complete: func(data []byte) bool {
		asked = len(data)
		return true
	}})
	if err != nil {
		t.Fatal(err)
	}
	data := bytes.Repeat([]byte("x"), 50_000)
	if _, err := unix.Write(x.streams.theirs[1], data); err != nil {
		t.Fatal(err)
	}
	x.readRest()
	if !bytes.Equal(x.outputs[stdout].data, data) || asked != len(data) {
		t.Errorf("got %d bytes, Complete was called with %d", len(x.outputs[stdout].data), asked)
	}
	x.streams.closeTheirs()
	x.streams.close()
	x.streams.requestStop()
}

// testDeaf needs SIGKILL: the process ignores SIGTERM before it is canceled.
func testDeaf(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ready := t.TempDir() + "/ready"
	c := Command{
		Path: "/bin/sh", Args: []string{"sh", "-c", "trap '' TERM; : >" + ready + "; while :; do sleep 1; done"},
		Env: os.Environ(), Timeout: time.Minute,
	}
	ended := make(chan Result)
	go func() { ended <- Run(ctx, c) }()
	eventually(t, "the trap", func() bool { _, err := os.Stat(ready); return err == nil })
	cancel()
	if r := <-ended; !r.Canceled || r.Signal != "SIGKILL" {
		t.Errorf("got %+v", r)
	}
}

// testStartThatHangs gives up a process that cannot be started in time, and
// ends it once it has started.
func testStartThatHangs(t *testing.T) {
	x, err := begin(&Command{Path: "/bin/sleep", Args: []string{"sleep", "60"}, Env: os.Environ(), Stdin: zeros(1 << 20)})
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	over, stop := timeout(10 * time.Millisecond)
	defer stop()
	r := x.await(t.Context().Done(), over, make(chan servedResult))
	if took := time.Since(begun); !r.TimedOut || took > 2*time.Second+slack || r.Err != nil || r.Status != -1 {
		t.Errorf("took %v: %+v", took, r)
	}
	s := x.serve() // returns when the process is killed
	if !s.stopped || s.Err != nil || s.Signal != "SIGTERM" {
		t.Errorf("got %+v", s)
	}
}

func parentOf(t *testing.T, pid int) int {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	return mustInt(strings.Fields(rest)[1])
}

// testThreadsThatEnd checks that a hook outlives the thread that started it,
// with which Linux would kill it. Threads end all the time here, and there are
// more goroutines than processors, so that they change threads.
func testThreadsThatEnd(t *testing.T) {
	rounds := 2
	if os.Getenv("LONG_TESTS") != "" {
		rounds = 10
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for range 4 {
		go endThreads(ctx)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range rounds {
				c := Command{Path: "/bin/sh", Args: []string{"sh", "-c", "sleep 0.02"}, Env: os.Environ()}
				if r := Run(ctx, c); r.Status != 0 {
					t.Errorf("got %+v", r)
				}
			}
		})
	}
	group.Wait()
}

// endThreads ends one thread after another, with goroutines that keep theirs
// locked.
func endThreads(ctx context.Context) {
	for ctx.Err() == nil {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			runtime.LockOSThread()
		}()
		<-ended
	}
}

// countDescriptors counts the open descriptors, including the one used to list
// them.
func countDescriptors() int {
	for _, dir := range []string{"/proc/self/fd", "/dev/fd"} {
		if entries, err := os.ReadDir(dir); err == nil {
			return len(entries)
		}
	}
	return 0
}
