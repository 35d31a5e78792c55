//go:build unix

package exec

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write("good", "#!/bin/sh\n", 0o755)
	plain := write("plain", "text", 0o644)
	fifo := filepath.Join(dir, "fifo")
	if err := unix.Mkfifo(fifo, 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		c    Command
		want string
	}{
		{"missing", Command{Path: dir + "/none"}, "it does not exist"},
		{"interpreter", Command{Path: write("i", "#!/no/such/python3 -x\n", 0o755)}, `the interpreter "/no/such/python3" of its #! line does not exist`},
		{"crlf", Command{Path: write("crlf", "#!/bin/sh\r\necho\r\n", 0o755)}, `CRLF, so its interpreter is taken as "/bin/sh\r"`},
		{"no interpreter of the interpreter", Command{Path: write("ii", "#! "+write("iii", "#!/no/such\n", 0o755)+"\n", 0o755)}, "its own interpreter or loader does not exist"},
		{"no shebang", Command{Path: write("ns", "echo hi\n", 0o755)}, "no #! line"},
		{"empty", Command{Path: write("empty", "", 0o755)}, "empty"},
		{"byte-order mark", Command{Path: write("bom", "\xef\xbb\xbf#!/bin/sh\n", 0o755)}, "byte-order mark"},
		{"bare shebang", Command{Path: write("bare", "#!\n", 0o755)}, "names no interpreter"},
		{"other system", Command{Path: write("elf", "MZ\x00\x01", 0o755)}, "not a program for this system"},
		{"no bit", Command{Path: write("nobit", "#!/bin/sh\n", 0o644)}, "chmod +x"},
		{"interpreter without bit", Command{Path: write("ib", "#!"+plain+"\n", 0o755)}, "is not executable"},
		{"directory", Command{Path: dir}, "it is a directory"},
		{"fifo", Command{Path: fifo}, "not a regular file"},
		{"below a file", Command{Path: plain + "/x"}, "not a directory"},
		{"no working directory", Command{Path: good, Dir: dir + "/gone"}, "the working directory"},
		{"file as working directory", Command{Path: good, Dir: plain}, "is not a directory"},
		{"too long", Command{Path: good, Args: []string{"x", strings.Repeat("a", 8<<20)}}, "too long"},
		{"NUL", Command{Path: good, Env: []string{"A=\x00"}}, "NUL"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			checkLeaks(t)
			test.c.Stdin = zeros(1 << 20)
			if test.c.Args == nil {
				test.c.Args = []string{"x"}
			}
			r := Run(context.Background(), test.c)
			var start *StartError
			if !errors.As(r.Err, &start) || r.Status != -1 {
				t.Fatalf("got %+v", r)
			}
			if !strings.Contains(start.Error(), test.want) || start.Unwrap() == nil {
				t.Errorf("got %q, want %q", start, test.want)
			}
		})
	}
}

func TestResourceCauses(t *testing.T) {
	for _, err := range []error{unix.EAGAIN, unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.ETXTBSY, unix.E2BIG} {
		if cause := startCause(&Command{Path: "/bin/sh"}, &os.SyscallError{Syscall: "fork", Err: err}); cause == "" || strings.Contains(cause, "fork") {
			t.Errorf("%v: got %q", err, cause)
		}
	}
	for _, err := range []error{unix.EACCES, unix.ENOENT, unix.EIO} {
		if cause := startCause(&Command{Path: os.Args[0]}, err); cause == "" {
			t.Errorf("%v: no cause", err)
		}
	}
}

func TestNoDescriptors(t *testing.T) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	defer unix.Setrlimit(unix.RLIMIT_NOFILE, &limit)
	// One more descriptor each time until there are enough, so that each place
	// that opens one fails once.
	failures, short := 0, limit
	for short.Cur = 3; ; short.Cur++ {
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &short); err != nil {
			t.Fatal(err)
		}
		c := helperCommand("exit 0")
		c.Stdin = input("x")
		r := Run(context.Background(), c)
		if r.Err == nil {
			break
		}
		if failures++; !errors.Is(r.Err, syscall.EMFILE) || failures > 100 {
			t.Fatalf("got %v", r.Err)
		}
	}
	if failures < 6 {
		t.Errorf("%d failures", failures)
	}
}

// busyScript creates a program that is open for writing until it is released.
func busyScript(t *testing.T) (path string, release func()) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "run")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("#!/bin/sh\nexit 7\n"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return path, func() { f.Close() }
}

func TestBusyProgramIsRetried(t *testing.T) {
	checkLeaks(t)
	path, release := busyScript(t)
	first := make(chan struct{})
	tries := 0
	p, err := startPatiently(persist, func() (process, error) {
		p, err := startProcess(path, []string{path}, "", nil, [3]int{0, 1, 2}, tied())
		if tries++; tries == 1 {
			close(first)
			release()
		}
		return p, err
	})
	<-first
	if err != nil {
		t.Fatal(err)
	}
	if status, _, err := p.reap(); status != 7 || err != nil || tries < 2 {
		t.Errorf("status %d, %v, %d tries", status, err, tries)
	}
}

func testBusyProgram(t *testing.T) {
	path, _ := busyScript(t)
	r := Run(context.Background(), Command{Path: path, Args: []string{path}})
	if !errors.Is(r.Err, syscall.ETXTBSY) || r.Duration > slack {
		t.Errorf("got %+v", r)
	}
	r = Run(context.Background(), Command{Path: path, Args: []string{path}, Timeout: 100 * time.Millisecond})
	if !r.TimedOut || r.Err != nil || r.Duration > slack {
		t.Errorf("got %+v", r)
	}
}
