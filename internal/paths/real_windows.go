package paths

import (
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// Real returns the path without links. Unlike filepath.EvalSymlinks, which rejects every path below a
// junction, it returns the path that the system uses; filepath.EvalSymlinks decides if the system
// does not know one, as on some virtual drives.
func Real(path string) (string, error) {
	if filepath.IsAbs(path) {
		if final, err := final(path); err == nil {
			return final, nil
		}
	}
	return filepath.EvalSymlinks(path)
}

// Named returns the path of a directory that an agent or the user named, in the system's spelling: some
// agents write /c:/x or, for Git Bash, /c/x.
func Named(dir string) string {
	at := filepath.FromSlash(OnDrive(dir, ""))
	if !filepath.IsAbs(at) || strings.ContainsRune(dir, 0) {
		return dir
	}
	return at
}

// maxPath is the longest path of Windows, in UTF-16.
const maxPath = 1 << 15

func final(path string) (string, error) {
	name, err := windows.UTF16PtrFromString(extended(path))
	if err != nil {
		return "", err
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	h, err := windows.CreateFile(name, 0, share, nil, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return "", err
	}
	defer windows.CloseHandle(h)
	for _, size := range []uint32{2 * windows.MAX_PATH, maxPath} {
		buffer := make([]uint16, size)
		n, err := windows.GetFinalPathNameByHandle(h, &buffer[0], size, 0)
		if err != nil {
			return "", err
		}
		if n < size {
			return usual(windows.UTF16ToString(buffer[:n])), nil
		}
	}
	return "", windows.ERROR_FILENAME_EXCED_RANGE
}

// extended returns the form of a long path that the system accepts.
func extended(path string) string {
	path = filepath.Clean(path)
	switch {
	case len(path) < windows.MAX_PATH-12, strings.HasPrefix(path, `\\?\`), strings.HasPrefix(path, `\\.\`):
		return path
	case strings.HasPrefix(path, `\\`):
		return `\\?\UNC\` + path[2:]
	}
	return `\\?\` + path
}

// usual is the inverse of extended.
func usual(path string) string {
	if rest, ok := strings.CutPrefix(path, `\\?\UNC\`); ok {
		return `\\` + rest
	}
	if rest, ok := strings.CutPrefix(path, `\\?\`); ok && len(rest) > 1 && rest[1] == ':' {
		return rest
	}
	return path
}
