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

	"golang.org/x/sys/windows"
)

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain := write("plain.exe", "text")
	tests := []struct {
		name string
		c    Command
		want string
	}{
		{"missing", Command{Path: dir + `\none`}, "it does not exist"},
		{"not a program", Command{Path: plain}, "not a program for this system"},
		{"directory", Command{Path: dir}, "it is a directory"},
		{"below a file", Command{Path: plain + `\x`}, "not exist"},
		{"no working directory", Command{Path: os.Args[0], Dir: dir + `\gone`}, "the working directory"},
		{"file as working directory", Command{Path: os.Args[0], Dir: plain}, "is not a directory"},
		{"NUL", Command{Path: os.Args[0], Env: []string{"A=\x00"}}, "NUL"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
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
	for _, err := range []error{windows.ERROR_SHARING_VIOLATION, windows.ERROR_FILENAME_EXCED_RANGE, windows.ERROR_NOT_ENOUGH_MEMORY, windows.ERROR_NO_SYSTEM_RESOURCES} {
		if cause := startCause(&Command{Path: os.Args[0]}, &os.PathError{Op: "fork/exec", Path: os.Args[0], Err: err}); cause == "" || strings.Contains(cause, "fork") {
			t.Errorf("%v: got %q", err, cause)
		}
	}
}

// TestBusyProgram checks that a program that a virus scanner or a build has open is tried again.
func TestBusyProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.exe")
	data, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(path, data, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	name, _ := syscall.UTF16PtrFromString(path)
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_EXISTING, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	released := time.AfterFunc(100*time.Millisecond, func() { syscall.CloseHandle(h) })
	defer released.Stop()
	c := helperCommand("exit 7")
	c.Path = path
	if r := Run(context.Background(), c); r.Status != 7 || r.Err != nil {
		t.Errorf("got %+v", r)
	}
}
