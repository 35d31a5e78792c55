package exec

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"
)

const (
	endedBy        = "" // a job is ended without a signal
	diesWithParent = true
)

func prepareSignals() {}

func systemHelper(_, _ string) bool { return false }

func systemExits() []exit {
	return []exit{{"exit 259", 259, ""}, {"exit 3221225786", 0xC000013A, ""}} // STILL_ACTIVE, and Ctrl-C
}

func systemWaits() map[string]func(*testing.T) { return map[string]func(*testing.T){} }

// spawn starts a child that inherits the streams, and, with session set, without this one's console.
func spawn(name string, session bool) {
	c := exec.Command(os.Args[0])
	c.Env = append(helperEnv(name), "PARENT="+strconv.Itoa(os.Getpid()))
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	if session {
		c.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
	}
	if err := c.Start(); err != nil {
		panic(err)
	}
	announce(c.Process.Pid)
}

// awaitEnd returns when the parent has ended. It calls watching once it would notice that.
func awaitEnd(parent int, watching func()) {
	h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(parent))
	watching()
	if err == nil {
		windows.WaitForSingleObject(h, windows.INFINITE)
	}
}

func kill(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		p.Kill()
		p.Release()
	}
}

func isGone(pid int) bool {
	h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return true
	}
	defer windows.CloseHandle(h)
	event, err := windows.WaitForSingleObject(h, 0)
	return err == nil && event == windows.WAIT_OBJECT_0
}

func parentOf(t *testing.T, pid int) (parent int) {
	t.Helper()
	eachProcess(func(p windows.ProcessEntry32) {
		if int(p.ProcessID) == pid {
			parent = int(p.ParentProcessID)
		}
	})
	if parent == 0 {
		t.Fatalf("process %d has no parent", pid)
	}
	return parent
}

func eachProcess(visit func(windows.ProcessEntry32)) {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return
	}
	defer windows.CloseHandle(snapshot)
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err := windows.Process32First(snapshot, &entry); err == nil; err = windows.Process32Next(snapshot, &entry) {
		visit(entry)
	}
}

// hasChild is false: Windows keeps nothing of a process whose handles are closed.
func hasChild() bool { return false }

// countDescriptors counts this process's handles.
func countDescriptors() int {
	var n uint32
	proc := windows.NewLazySystemDLL("kernel32.dll").NewProc("GetProcessHandleCount")
	if ok, _, _ := proc.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&n))); ok == 0 {
		return 0
	}
	return int(n)
}
