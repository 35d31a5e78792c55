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
	"strconv"
	"strings"
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

// open starts to read the commit that was fetched.
func (r *repository) open(ctx context.Context) (*gitContent, error) {
	c := &gitContent{ctx: ctx, repository: r, left: r.Max}
	id, text := "", []byte(nil)
	err := c.start()
	if err == nil {
		id, text, err = c.object(r.object+"^{commit}", "commit", maxManifest)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	c.tree = strings.TrimPrefix(line, "tree ")
	switch {
	case err != nil:
	case !isCommit(c.tree):
		err = errors.New("git cat-file: the commit cannot be read")
	case r.commit != "" && r.commit != id:
		err = fmt.Errorf("%s is not a commit", r.commit)
	}
	if err != nil {
		c.close()
		return nil, err
	}
	r.commit = id
	return c, nil
}

func (c *gitContent) start() (err error) {
	r := c.repository
	c.process = osexec.CommandContext(c.ctx, r.Program, r.arguments("cat-file", "--batch")[1:]...)
	c.process.Dir, c.process.Env = r.dir, r.environ()
	c.in, err = c.process.StdinPipe()
	if err != nil {
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
	if len(words) != 3 || !isCommit(words[0]) {
		return "", nil, fmt.Errorf("%s: no %s in the repository", name, kind)
	}
	size, err := strconv.ParseInt(words[2], 10, 64)
	switch {
	case err != nil || size < 0:
		return "", nil, errors.New("git cat-file: no size")
	case words[1] != kind:
		err = fmt.Errorf("%s is a %s, not a %s", name, words[1], kind)
	case size > limit || size > c.left:
		err = errTooLarge()
	}
	if err != nil {
		c.stop() // its content follows, which is not the head of the next object
		return "", nil, cmp.Or(c.start(), err)
	}
	c.left -= size
	data = make([]byte, size+1)
	if _, err := io.ReadFull(c.out, data); err != nil {
		return "", nil, fmt.Errorf("git cat-file: %w", err)
	}
	return words[0], data[:size], nil
}

func errTooLarge() error { return errors.New("larger than the limit") }

func (c *gitContent) root() entry { return entry{kind: isFolder, id: c.tree} }

func (c *gitContent) read(file entry, limit int64) ([]byte, error) {
	_, data, err := c.object(file.id, "blob", limit)
	return data, err
}

// list reads a tree object.
func (c *gitContent) list(folder entry) (entries []entry, err error) {
	_, data, err := c.object(folder.id, "tree", maxTree)
	if err != nil {
		return nil, err
	}
	for length := len(folder.id) / 2; len(data) > 0; {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, ok2 := strings.Cut(string(head), " ")
		if !ok || !ok2 || len(rest) < length || len(entries) == maxEntries {
			return nil, errors.New("a directory in the repository is damaged or too large")
		}
		entries = append(entries, entry{name, kindOf(mode), strings.HasSuffix(mode, "755"), hex.EncodeToString(rest[:length])})
		data = rest[length:]
	}
	return entries, nil
}

func kindOf(mode string) kind {
	mode = strings.TrimLeft(mode, "0")
	switch {
	case mode == "40000":
		return isFolder
	case mode == "120000":
		return isLink
	case mode == "160000":
		return isModule
	case strings.HasPrefix(mode, "100"):
		return isFile
	}
	return isOther
}
