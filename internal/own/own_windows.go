package own

import (
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// keepsBirths excludes the drives of other computers, which have other clocks.
func keepsBirths(dir string) bool {
	root, err := windows.UTF16PtrFromString(filepath.VolumeName(dir) + `\`)
	return err == nil && windows.GetDriveType(root) == windows.DRIVE_FIXED
}

// stat does not compare owners: what an elevated program makes belongs to a group. A mounted folder
// is not a folder for Lstat, so a tree is on one device.
func stat(path string) (f file, ok bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return file{}, false
	}
	data, ok := info.Sys().(*syscall.Win32FileAttributeData)
	if !ok || data.CreationTime.Nanoseconds() <= 0 {
		return file{}, false
	}
	return file{born: time.Unix(0, data.CreationTime.Nanoseconds()), mine: true, folder: info.IsDir(), link: info.Mode()&(os.ModeSymlink|os.ModeIrregular) != 0}, true
}
