package config

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agent-hooks/agent-hooks/internal/atomicfile"
	"github.com/agent-hooks/agent-hooks/spec"
)

// SwitchRecording sets enabled under [record] in the hooks.toml at path, or only determines the
// change if dryRun is set. It returns the line, and whether the file changes.
func SwitchRecording(path string, on, dryRun bool) (line int, changed bool, err error) {
	before, mode, target, err := readUserFile(path)
	if err != nil {
		return 0, false, err
	}
	after, line, err := SetRecording(before, path, on)
	if err != nil || bytes.Equal(before, after) {
		return line, false, err
	}
	if dryRun {
		return line, true, nil
	}
	if err = os.MkdirAll(filepath.Dir(target), 0o755); err == nil {
		err = atomicfile.Write(target, after, mode)
	}
	return line, true, err
}

// readUserFile reads a file that may not exist, or may be a link; target is then the linked
// file.
func readUserFile(path string) (text []byte, mode fs.FileMode, target string, err error) {
	target = path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		target = real
	} else if info, lerr := os.Lstat(path); lerr == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, 0, "", errors.New("it is a symbolic link that leads nowhere")
	}
	text, mode, err = atomicfile.Read(target, spec.MaxConfigFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0o600, target, nil
	}
	return text, mode, target, err
}
