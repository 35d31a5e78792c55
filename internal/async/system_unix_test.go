//go:build unix

package async

import (
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// many is a number of jobs that exceeds the limits of a busy system.
const many = 300

func rootDir() string { return "/" }

func kill(pid int) { unix.Kill(pid, unix.SIGKILL) }

func killTree(pid int) { unix.Kill(-pid, unix.SIGKILL) }

func awaitEnd(parent int) {
	for os.Getppid() == parent {
		time.Sleep(time.Millisecond)
	}
}

func ownSession() bool {
	sid, _ := unix.Getsid(0)
	return sid == os.Getpid()
}

func countDescriptors() int {
	entries, _ := os.ReadDir("/dev/fd")
	return len(entries)
}

func isNull(fd int) bool {
	var a, b unix.Stat_t
	unix.Fstat(fd, &a)
	unix.Stat(os.DevNull, &b)
	return a.Rdev == b.Rdev && a.Ino == b.Ino
}

func TestUnlinkedFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	f, err := unlinkedFile()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
	t.Setenv("TMPDIR", dir+"/none")
	if _, err := unlinkedFile(); err == nil {
		t.Error("no error without a directory")
	}
}
