package install

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

func executableFile(string, os.FileInfo) error { return nil }

// shortPath returns the path with the short names of its folders, path if they have none.
func shortPath(path string) string {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return path
	}
	buffer := make([]uint16, windows.MAX_LONG_PATH)
	n, err := windows.GetShortPathName(name, &buffer[0], uint32(len(buffer)))
	if err != nil || int(n) >= len(buffer) {
		return path
	}
	return windows.UTF16ToString(buffer[:n])
}

// startShell adapts a command that starts cmd.exe with a command line: cmd.exe does not undo the
// escapes of quotes that other programs expect.
func startShell(cmd *exec.Cmd) {
	if len(cmd.Args) == 3 && cmd.Args[0] == "cmd" {
		cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /d /s /c "` + cmd.Args[2] + `"`}
	}
}
