package pack

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// gitContent reads the objects of a fetched commit with one `git cat-file`.
type gitContent struct {
	ctx        context.Context // of the whole reading
	repository *repository
	process    *osexec.Cmd
	in         io.WriteCloser
	out        *bufio.Reader
	tree       string // the commit's root
	left       int64  // how many more bytes may be read
}

// entry is an entry of a directory of a git repository.
type entry struct{ mode, name, id string }

func (e entry) isFolder() bool { return e.mode == "40000" }
func (e entry) isFile() bool   { return strings.HasPrefix(e.mode, "100") }

// open starts to read the commit that was fetched.
func (r *repository) open(ctx context.Context) (*gitContent, error) {
	c := &gitContent{ctx: ctx, repository: r, left: r.Max}
	err := c.start()
	if err == nil {
		err = c.readCommit()
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *gitContent) start() (err error) {
	r := c.repository
	c.process = osexec.CommandContext(c.ctx, r.Program, r.arguments([]string{"cat-file", "--batch"})[1:]...)
	c.process.Dir, c.process.Env = r.dir, r.environ()
	if c.in, err = c.process.StdinPipe(); err != nil {
		return err
	}
	out, err := c.process.StdoutPipe()
	if err != nil {
		return err
	}
	c.out = bufio.NewReaderSize(out, 64<<10)
	return c.process.Start()
}

// stop ends the process, whatever it is writing.
func (c *gitContent) stop() {
	if c.process.Process != nil {
		_ = c.process.Process.Kill()
		_ = c.process.Wait()
	}
}

func (c *gitContent) readCommit() error {
	id, text, err := c.object(fetched+"^{commit}", "commit", maxManifest)
	if err != nil {
		return err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	tree, ok := strings.CutPrefix(line, "tree ")
	switch want := c.repository.commit; {
	case !ok || !isCommit(tree):
		return errors.New("git cat-file: the commit cannot be read")
	case want != "" && want != id:
		return fmt.Errorf("%s is not a commit", want)
	}
	c.repository.commit, c.tree = id, tree
	return nil
}

// close ends the process and removes the repository.
func (c *gitContent) close() {
	c.stop()
	os.RemoveAll(c.repository.dir)
}

func (c *gitContent) commit() string { return c.repository.commit }

// object reads an object, which name identifies, unless it has more than limit bytes.
func (c *gitContent) object(name, kind string, limit int64) (id string, data []byte, err error) {
	if _, err := io.WriteString(c.in, name+"\n"); err != nil {
		return "", nil, fmt.Errorf("git cat-file: %w", err)
	}
	head, err := c.out.ReadString('\n')
	if err != nil {
		return "", nil, fmt.Errorf("git cat-file: %w", err)
	}
	words := strings.Fields(head)
	if len(words) != 3 || words[1] != kind || !isCommit(words[0]) {
		return "", nil, fmt.Errorf("%s: no %s in the repository", name, kind)
	}
	size, err := strconv.ParseInt(words[2], 10, 64)
	switch {
	case err != nil || size < 0:
		return "", nil, errors.New("git cat-file: no size")
	case size > limit || size > c.left:
		c.stop() // instead of reading all of it
		return "", nil, cmp.Or(c.start(), errTooLarge())
	}
	c.left -= size
	data = make([]byte, size+1)
	if _, err := io.ReadFull(c.out, data); err != nil {
		return "", nil, fmt.Errorf("git cat-file: %w", err)
	}
	return words[0], data[:size], nil
}

func errTooLarge() error { return errors.New("larger than the limit") }

// directory reads a tree object.
func (c *gitContent) directory(id string) ([]entry, error) {
	_, data, err := c.object(id, "tree", maxTree)
	if err != nil {
		return nil, err
	}
	var entries []entry
	for length := len(id) / 2; len(data) > 0; {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, ok2 := strings.Cut(string(head), " ")
		if !ok || !ok2 || len(rest) < length || len(entries) == maxEntries {
			return nil, errors.New("a directory in the repository is damaged or too large")
		}
		entries = append(entries, entry{strings.TrimLeft(mode, "0"), name, hex.EncodeToString(rest[:length])})
		data = rest[length:]
	}
	return entries, nil
}

// find returns the entry at a path; "." is the root. ok is false if there is none.
func (c *gitContent) find(at string) (found entry, ok bool, err error) {
	found = entry{mode: "40000", id: c.tree}
	if at == "." {
		return found, true, nil
	}
	for part := range strings.SplitSeq(at, "/") {
		if !found.isFolder() {
			return entry{}, false, nil
		}
		entries, err := c.directory(found.id)
		if err != nil {
			return entry{}, false, err
		}
		i := slices.IndexFunc(entries, func(e entry) bool { return e.name == part })
		if i < 0 {
			return entry{}, false, nil
		}
		found = entries[i]
	}
	return found, true, nil
}

func (c *gitContent) file(at string, limit int64) ([]byte, error) {
	e, ok, err := c.find(at)
	if err != nil || !ok || !e.isFile() {
		return nil, err
	}
	_, data, err := c.object(e.id, "blob", limit)
	return data, err
}

func (c *gitContent) folders(at string) (names []string, ok bool, err error) {
	e, ok, err := c.find(at)
	if err != nil || !ok || !e.isFolder() {
		return nil, false, err
	}
	entries, err := c.directory(e.id)
	if err != nil {
		return nil, false, err
	}
	for _, below := range entries {
		if below.isFolder() {
			names = append(names, below.name)
		}
	}
	return names, true, nil
}

func (c *gitContent) isHook(at string) (bool, error) {
	e, ok, err := c.find(path.Join(at, "HOOK.md"))
	return ok && e.isFile(), err
}

func (c *gitContent) folder(at string) (*trust.Folder, error) {
	e, ok, err := c.find(at)
	switch {
	case err != nil:
		return nil, err
	case !ok || !e.isFolder():
		return nil, fmt.Errorf("%s is not a folder", at)
	}
	w := &walk{content: c, folder: &trust.Folder{Name: path.Base(at)}, bytes: trust.MaxSize, entries: trust.MaxEntries}
	if err := w.directory(e.id, ""); err != nil {
		return nil, err
	}
	slices.SortFunc(w.folder.Files, func(a, b trust.File) int { return strings.Compare(a.Path, b.Path) })
	return w.folder, nil
}

// walk reads the files of a folder.
type walk struct {
	content *gitContent
	folder  *trust.Folder
	bytes   int64 // how many more are allowed
	entries int
}

func (w *walk) directory(id, at string) error {
	entries, err := w.content.directory(id)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if trust.IsCache(e.name, e.isFolder()) {
			continue
		}
		if w.entries--; w.entries < 0 {
			return fmt.Errorf("more than %d files", trust.MaxEntries)
		}
		if err := checkPart(e.name); err != nil { // before the name is used in any way
			return err
		}
		if err := w.entry(e, path.Join(at, e.name)); err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) entry(e entry, at string) error {
	switch {
	case e.isFolder():
		return w.directory(e.id, at)
	case e.mode == "160000":
		return fmt.Errorf("%q is a submodule", at)
	case e.mode == "120000":
		return fmt.Errorf("%q is a link", at)
	case !e.isFile():
		return fmt.Errorf("%q is neither a file nor a directory", at)
	}
	_, data, err := w.content.object(e.id, "blob", w.bytes)
	if err != nil {
		return fmt.Errorf("%q: %w", at, err)
	}
	w.bytes -= int64(len(data))
	executable := strings.HasSuffix(e.mode, "755")
	w.folder.Files = append(w.folder.Files, trust.File{Path: at, Executable: executable, Data: data})
	return nil
}
