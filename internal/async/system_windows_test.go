package async

import (
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"
)

// many is a number of jobs that run at the same time.
const many = 30

func rootDir() string {
	self, _ := os.Executable()
	return filepath.VolumeName(self) + `\`
}

func kill(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		p.Kill()
		p.Release()
	}
}

// killTree ends the process, and with it the job that ends with its last handle.
func killTree(pid int) { kill(pid) }

func awaitEnd(parent int) {
	if h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(parent)); err == nil {
		windows.WaitForSingleObject(h, windows.INFINITE)
	}
}

// ownSession reports whether the process has no console.
func ownSession() bool {
	codePage, _, _ := windows.NewLazySystemDLL("kernel32.dll").NewProc("GetConsoleCP").Call()
	return codePage == 0
}

// isNull reports whether a stream leads nowhere.
func isNull(fd int) bool {
	h, err := windows.GetStdHandle(map[int]uint32{1: windows.STD_OUTPUT_HANDLE, 2: windows.STD_ERROR_HANDLE}[fd])
	if err != nil || h == 0 {
		return err == nil
	}
	kind, err := windows.GetFileType(h)
	return err == nil && kind == windows.FILE_TYPE_CHAR
}

func countDescriptors() int {
	var n uint32
	proc := windows.NewLazySystemDLL("kernel32.dll").NewProc("GetProcessHandleCount")
	if ok, _, _ := proc.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&n))); ok == 0 {
		return 0
	}
	return int(n)
}

// TestNamelessFile checks that the file with an event disappears with its last handle.
func TestNamelessFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMP", dir)
	f, err := namelessFile()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("x"); err != nil {
		t.Error(err)
	}
	f.Close()
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}
