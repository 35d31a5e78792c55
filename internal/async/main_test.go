package async

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/exec"
)

// helperVar, if set, makes the test binary run one of the helper programs.
const helperVar = "ASYNC_TEST_HELPER"

// slack is the additional time that a test allows on a busy machine.
const slack = 10 * time.Second

func TestMain(m *testing.M) {
	if name := os.Getenv(helperVar); name != "" {
		helper(name)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func helper(name string) {
	name, arg, _ := strings.Cut(name, " ")
	switch name {
	case "exit":
		os.Exit(mustInt(arg))
	case "sleep":
		sleep()
	case "write":
		os.Stdout.Write(bytes.Repeat([]byte("o"), mustInt(arg)))
		os.Stderr.Write(append(bytes.Repeat([]byte("e"), mustInt(arg)), "end"...))
	case "cat":
		io.Copy(os.Stdout, os.Stdin)
	case "count":
		n, _ := io.Copy(io.Discard, os.Stdin)
		fmt.Print(n)
	case "nap":
		time.Sleep(200 * time.Millisecond)
		os.Exit(1)
	case "sleep-second": // fails at once the first time
		if _, err := os.Stat(arg); err == nil {
			sleep()
		}
		os.WriteFile(arg, nil, 0o600)
		os.Exit(1)
	case "fail-once": // fails until the file exists
		if _, err := os.Stat(arg); err != nil {
			os.WriteFile(arg, nil, 0o600)
			os.Exit(1)
		}
		fmt.Print("fixed")
	case "tries": // always fails, and adds a byte to the file each time
		f, _ := os.OpenFile(arg, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		f.Write([]byte("x"))
		os.Exit(3)
	case "supervise":
		superviseHelper(arg)
	case "detach":
		detachHelper(arg)
	default:
		panic("unknown helper " + name)
	}
}

func sleep() {
	time.Sleep(time.Minute)
	os.Exit(9)
}

func announce(pid int) {
	path := os.Getenv("PIDFILE")
	os.WriteFile(path+".new", []byte(strconv.Itoa(pid)), 0o600)
	os.Rename(path+".new", path)
}

func mustInt(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

func helperEnv(name string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, helperVar+"=") })
	// The race detector would wait a second at the end of each helper.
	return append(env, helperVar+"="+name, "GORACE=atexit_sleep_ms=0")
}

// watchPid gives a helper a file for its process ID. The process is killed when the test ends.
func watchPid(t *testing.T, c *exec.Command) (pid func() int) {
	t.Helper()
	path := t.TempDir() + "/pid"
	c.Env = append(c.Env, "PIDFILE="+path)
	n := 0
	pid = func() int {
		t.Helper()
		eventually(t, "a process ID in "+path, func() bool {
			data, err := os.ReadFile(path)
			if err == nil {
				n = mustInt(string(data))
			}
			return err == nil
		})
		return n
	}
	t.Cleanup(func() {
		if n > 0 {
			kill(n)
		}
	})
	return pid
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never came: %s", what)
		}
	}
}

// checkLeaks fails the test if it leaves a descriptor or a goroutine, such as one that reaps a
// child.
func checkLeaks(t *testing.T) {
	t.Helper()
	time.AfterFunc(time.Hour, func() {}).Stop() // for its first timer, the runtime opens descriptors
	goroutines, descriptors := runtime.NumGoroutine(), countDescriptors()
	t.Cleanup(func() {
		if t.Failed() {
			return
		}
		eventually(t, "the end of all goroutines", func() bool { return runtime.NumGoroutine() <= goroutines })
		if n := countDescriptors(); n > descriptors {
			t.Errorf("%d descriptors are open, %d were", n, descriptors)
		}
	})
}

type writerFunc func(io.Writer) (int64, error)

func (f writerFunc) WriteTo(w io.Writer) (int64, error) { return f(w) }

// zeros writes n zero bytes, one block at a time.
type zeros int64

func (n zeros) WriteTo(w io.Writer) (int64, error) {
	return io.Copy(w, bytes.NewReader(make([]byte, n)))
}
