package discovery

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Reasons why a folder's entry is not a hook (D3).
var (
	errEmpty    = errors.New("the folder has no HOOK.md, so it is not a hook")
	errNoFolder = errors.New("not a directory, so it is not a hook")
	errBare     = errors.New("the folder has no HOOK.md, so a managed hook may be missing; restore it, or remove the folder")
	errGone     = errors.New("there is no such folder")
)

// errNotRegular is returned by openRegular for a FIFO, a device or a directory.
var errNotRegular = errors.New("not a regular file")

// depth defines how much of a HOOK.md is read, and how it is parsed.
type depth struct {
	source func(file io.Reader, size int64, buffer []byte) ([]byte, error)
	parse  func(p *manifest.Parser, source []byte, folder string) (manifest.Hook, []spec.Diagnostic)
}

// front reads what a run needs (D8).
var front = depth{readFront, (*manifest.Parser).Parse}

// peek reads the keys that a run needs from a hook that does not run.
var peek = depth{readFirst, (*manifest.Parser).Peek}

// reader reads hooks one after another. Not safe for concurrent use.
type reader struct {
	depth
	scope  Scope
	from   *directory               // the open parent directory; nil if none is open
	until  time.Time                // folders are not read after this time; zero: no limit
	known  func(folder string) bool // only the first few of the other folders are read; nil: all are read
	unread map[string]bool          // folders whose HOOK.md only has to exist
	only   spec.EventType           // hooks of other events are not parsed (D74); "": all are parsed
	buffer []byte                   // for the beginnings of all files; nil: each file has its own
	parser manifest.Parser
}

// chunk is the number of bytes of the first read.
const chunk = 4 << 10

// ReadHook reads the hook in the folder dir. If there is no such folder or no
// HOOK.md, it returns an invalid hook with a diagnostic.
func ReadHook(dir string, scope Scope) *Hook {
	return readHook(dir, &reader{depth: front, scope: scope})
}

// Reader is ReadHook for many hooks. Not safe for concurrent use.
type Reader struct{ reader reader }

// NewReader returns a Reader of hooks for an event (see Limits.Only).
func NewReader(scope Scope, only spec.EventType) *Reader {
	return &Reader{reader{depth: front, scope: scope, only: only, buffer: make([]byte, chunk)}}
}

// Read is ReadHook.
func (r *Reader) Read(dir string) *Hook { return readHook(dir, &r.reader) }

// PeekHook is ReadHook with only the keys that a run needs from a hook that does
// not run.
func PeekHook(dir string, scope Scope) *Hook {
	return readHook(dir, &reader{depth: peek, scope: scope, buffer: make([]byte, chunk)})
}

func readHook(dir string, r *reader) *Hook {
	h, err := r.readAt(dir)
	if err != nil {
		h.invalidate(err.Error())
	}
	return h
}

// readAt reads the hook in a folder. It returns errEmpty, errNoFolder or errGone
// if the folder is not a hook; the hook's diagnostics contain the error, too.
func (r *reader) readAt(dir string) (*Hook, error) {
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	parent, name := filepath.Split(dir)
	return r.read(parent, name)
}

// read is readAt for a folder in parent, which ends with a separator.
func (r *reader) read(parent, folder string) (*Hook, error) {
	path := parent + folder + string(filepath.Separator) + spec.HookFile
	h := &Hook{Scope: r.scope, Folder: folder, Dir: path[:len(parent)+len(folder)], State: Active}
	h.Name = folder
	if r.scope == ManagedScope && !h.certain(h.Dir) {
		return h, nil
	}
	if r.unread[folder] && r.from.has(path) {
		h.File = path
		return h, nil
	}
	file, size, err := h.open(r.from, path)
	if h.File == "" {
		file, size, err = h.lookAgain(path)
	}
	if err != nil {
		err = h.unread(err)
		if r.scope == ManagedScope && errors.Is(err, errEmpty) && folder[0] != '.' {
			h.distrust(errBare)
			err = nil
		}
		return h, err
	}
	defer file.Close()
	if r.scope == ManagedScope && !h.certain(h.File) {
		return h, nil
	}
	data, err := r.source(file, size, r.buffer)
	if err != nil {
		return h, h.unread(err)
	}
	if r.only != "" {
		h.Trigger = r.parser.Trigger(data, r.only)
		h.skipped = h.Trigger != "" // it certainly belongs to another event (D74)
	}
	if !h.skipped {
		h.parse(r, data, size)
	}
	return h, nil
}

// lookAgain opens the HOOK.md at path after neither spelling was found: the
// folder may have been moved or replaced between the two attempts. It reports a
// missing file only for a folder that is open and is still the one at its path
// afterwards.
func (h *Hook) lookAgain(path string) (file io.ReadCloser, size int64, err error) {
	for range 100 {
		folder, cannot := open(h.Dir)
		if cannot != nil {
			return nil, 0, cannot
		}
		file, size, err = h.open(folder, path)
		info, statErr := folder.Stat()
		folder.Close()
		if h.File != "" || statErr != nil || !info.IsDir() {
			return file, size, err
		}
		if now, err := os.Stat(h.Dir); err == nil && os.SameFile(info, now) {
			return nil, 0, errEmpty
		}
	}
	return nil, 0, err
}

func (h *Hook) parse(r *reader, data []byte, size int64) {
	parsed, diagnostics := r.parse(&r.parser, data, h.Folder)
	if parsed.Name == "" {
		parsed.Name = h.Folder
	}
	h.Hook = parsed
	if size > spec.MaxHookFile && len(data) <= spec.MaxHookFile {
		// The parser does not see the full size.
		diagnostics = append(diagnostics, problem("", "file-size",
			fmt.Sprintf("the file has %d bytes; the limit is %d", size, spec.MaxHookFile)))
	}
	for _, d := range diagnostics {
		d.Path = h.File
		h.report(d)
	}
	spec.SortDiagnostics(h.Diagnostics)
	// An unreadable trigger is the cause why the hook does not run, whatever else is wrong with it,
	// because only this cause prevents a failure on its event (D5).
	if d := h.wrongTrigger(); d != nil && h.Trigger == "" && h.State == Invalid {
		h.Cause, h.Wrong = d.Message, d
	}
}

// open opens the HOOK.md at path, or the hook.md next to it if there is none.
// hook.md never replaces a HOOK.md that exists but cannot be opened.
func (h *Hook) open(from *directory, path string) (file io.ReadCloser, size int64, err error) {
	for {
		file, size, err = from.openRegular(path)
		if err == nil || !errors.Is(err, fs.ErrNotExist) || paths.Dangling(path) != nil {
			h.File = path
			return file, size, err
		}
		if strings.HasSuffix(path, spec.OtherHookFile) {
			return nil, 0, err
		}
		path = strings.TrimSuffix(path, spec.HookFile) + spec.OtherHookFile
	}
}

// unread reports why the HOOK.md cannot be read. It returns one of errGone,
// errNoFolder and errEmpty if the folder is not a hook.
func (h *Hook) unread(err error) error {
	if h.File != "" && !isNotFolder(err) {
		h.report(problem(h.File, codeOf(err), sentence(err)))
		return nil
	}
	// Distinguish a folder that cannot be opened from a file that is not a
	// folder.
	info, statErr := os.Stat(h.Dir)
	switch {
	case statErr == nil && !info.IsDir():
		return h.noHook("empty", errNoFolder)
	case statErr == nil && h.File != "": // HOOK.md is a link that leads through a file
		h.report(problem(h.File, "link", sentence(fs.ErrNotExist)))
	case statErr == nil && !errors.Is(err, fs.ErrNotExist): // the folder can be entered but not listed
		return h.noHook("empty", errEmpty)
	case statErr == nil, // it has been created meanwhile
		errors.Is(statErr, fs.ErrNotExist) && paths.Dangling(h.Dir) == nil:
		return h.noHook("unreadable", errGone)
	default:
		h.report(problem(h.Dir, codeOf(statErr), sentence(statErr)))
	}
	return nil
}

func (h *Hook) noHook(code string, err error) error {
	h.File = ""
	h.report(problem(h.Dir, code, err.Error()))
	return err
}

// readFront reads the front matter: one chunk, into the buffer if there is one.
// It reads as much as the parser needs only if the chunk lacks the closing
// fence (D4, D8).
func readFront(file io.Reader, size int64, buffer []byte) ([]byte, error) {
	if buffer == nil {
		buffer = make([]byte, min(size, chunk))
	}
	buffer = buffer[:min(size, int64(len(buffer)))]
	n, err := io.ReadFull(file, buffer)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, err
	}
	if int64(n) == size && size > 0 || closed(buffer[:n]) {
		return buffer[:n], nil
	}
	return readRest(file, buffer[:n], manifest.Enough)
}

func readFirst(file io.Reader, size int64, buffer []byte) ([]byte, error) {
	n, err := io.ReadFull(file, buffer)
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		err = nil
	}
	return buffer[:n], err
}

func readRest(file io.Reader, head []byte, limit int) ([]byte, error) {
	rest, err := io.ReadAll(io.LimitReader(file, int64(limit-len(head))))
	return append(head, rest...), err
}

// closed reports whether source contains, after the first line, a complete line
// that is exactly `---`. It may miss a fence (then more is read) but never
// finds one that package manifest does not.
func closed(source []byte) bool {
	for {
		_, rest, found := bytes.Cut(source, []byte("\n---"))
		if !found {
			return false
		}
		line, _, ended := bytes.Cut(rest, []byte("\n"))
		if ended && (len(line) == 0 || len(bytes.Trim(bytes.TrimSuffix(line, []byte("\r")), " \t")) == 0) {
			return true
		}
		source = rest
	}
}
