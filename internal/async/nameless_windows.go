package async

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// namelessFile returns a temporary file that the system deletes with its last
// handle.
func namelessFile() (*os.File, error) {
	f, err := os.CreateTemp("", "agent-hooks-*")
	if err != nil {
		return nil, err
	}
	path := filepath.Clean(f.Name())
	f.Close()
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := windows.CreateFile(name, windows.GENERIC_READ|windows.GENERIC_WRITE|windows.DELETE,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil,
		windows.OPEN_EXISTING, windows.FILE_ATTRIBUTE_TEMPORARY|windows.FILE_FLAG_DELETE_ON_CLOSE, 0)
	if err != nil {
		os.Remove(path)
		return nil, err
	}
	return os.NewFile(uintptr(h), path), nil
}
