package discovery

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Why a folder's entry is no hook at all (D3).
var (
	errEmpty    = errors.New("the folder has no HOOK.md")
	errNoFolder = errors.New("not a directory")
	errGone     = errors.New("the folder is gone")
)

// errNotRegular is what openRegular says of a FIFO, a device, a directory.
var errNotRegular = errors.New("not a regular file")

// ReadHook reads the hook in one folder, dir. What is no hook (no such
// folder, no HOOK.md) is an invalid one, with a diagnostic that says so.
func ReadHook(dir string, scope Scope) *Hook {
	h, _, err := read(dir, scope, readFront)
	if err != nil {
		h.invalidate(err.Error())
	}
	return h
}

// read opens and parses a hook's HOOK.md as far as source reads it. The
// error, with which the folder is no hook, is one of the three above; it is
// in the hook's diagnostics.
func read(dir string, scope Scope, source func(*os.File, int64) ([]byte, error)) (*Hook, []byte, error) {
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	folder := filepath.Base(dir)
	h := &Hook{Scope: scope, Folder: folder, Dir: dir, State: Active}
	h.Name = folder
	file, size, err := h.open()
	if err != nil {
		return h, nil, h.unread(err)
	}
	defer file.Close()
	data, err := source(file, size)
	if err != nil {
		return h, nil, h.unread(err)
	}
	var diagnostics []spec.Diagnostic
	h.Hook, diagnostics = manifest.Parse(data, folder)
	if h.Name == "" {
		h.Name = folder
	}
	if size > spec.MaxHookFile && len(data) <= spec.MaxHookFile {
		diagnostics = append(diagnostics, tooLarge(size))
	}
	h.reportAll(diagnostics)
	return h, data, nil
}

// open opens HOOK.md, or hook.md if there is none. A HOOK.md that is there
// but cannot be opened never lets hook.md take its place.
func (h *Hook) open() (file *os.File, size int64, err error) {
	for _, name := range []string{"HOOK.md", "hook.md"} {
		path := filepath.Join(h.Dir, name)
		file, size, err = openRegular(path)
		if err == nil || !errors.Is(err, fs.ErrNotExist) || dangling(path) != nil {
			h.File = path
			return file, size, err
		}
	}
	return nil, 0, err
}

// unread reports why the HOOK.md cannot be read. It returns one of errGone,
// errNoFolder and errEmpty if the folder is no hook.
func (h *Hook) unread(err error) error {
	if h.File == "" { // neither spelling is there
		return h.missing()
	}
	if isNotFolder(err) {
		h.File = ""
		h.report(problem(h.Dir, "empty", "not a directory, so it is no hook"))
		return errNoFolder
	}
	h.report(problem(h.File, codeOf(err), sentence(err)))
	return nil
}

// missing says why a folder has no HOOK.md.
func (h *Hook) missing() error {
	_, err := os.Stat(h.Dir)
	switch {
	case err == nil:
		h.report(problem(h.Dir, "empty", "the folder has no HOOK.md, so it is no hook"))
		return errEmpty
	case dangling(h.Dir) != nil:
		h.report(problem(h.Dir, "link", "a symbolic link that leads nowhere"))
		return nil
	case errors.Is(err, fs.ErrNotExist):
		h.report(problem(h.Dir, "unreadable", "there is no such folder"))
		return errGone
	}
	h.report(problem(h.Dir, codeOf(err), sentence(err)))
	return nil
}

// readFront reads the front matter: the first chunk, and everything (as far
// as the limit, and a byte that shows that it is exceeded) only if the
// closing fence is not in it (D4, D8).
func readFront(file *os.File, size int64) ([]byte, error) {
	const chunk = 4 << 10
	buffer := make([]byte, chunk)
	n, err := io.ReadFull(file, buffer[:min(size, chunk)])
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, err
	}
	if int64(n) == size && size > 0 || closed(buffer[:n]) {
		return buffer[:n], nil
	}
	return readRest(file, buffer[:n])
}

func readAll(file *os.File, size int64) ([]byte, error) { return readRest(file, nil) }

func readRest(file *os.File, head []byte) ([]byte, error) {
	rest, err := io.ReadAll(io.LimitReader(file, int64(spec.MaxHookFile+1-len(head))))
	return append(head, rest...), err
}

// closed reports whether a line that is exactly `---`, after the first,
// is in source with its line end. It may miss one (then more is read) but
// never sees one that package manifest does not.
func closed(source []byte) bool {
	for {
		_, rest, found := bytes.Cut(source, []byte("\n---"))
		if !found {
			return false
		}
		line, _, ended := bytes.Cut(rest, []byte("\n"))
		if ended && len(bytes.Trim(line, " \t\r")) == 0 {
			return true
		}
		source = rest
	}
}

func tooLarge(size int64) spec.Diagnostic {
	return problem("", "file-size", fmt.Sprintf("the file has %d bytes; the limit is %d", size, spec.MaxHookFile))
}
