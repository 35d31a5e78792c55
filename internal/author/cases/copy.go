package cases

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// Limits on the files that one case copies from the project: each run copies them again, and a
// hook needs only few.
const (
	maxCopied      = 32 << 20 // bytes
	maxCopiedFiles = 5000     // and folders, and links
)

// readCopy reads the key copy: the paths of the project's files that are copied for the hook.
func (c *Case) readCopy(e entry) {
	const want = "a list of paths in the project, such as [package.json, src]"
	if !c.is(array, e, want) {
		return
	}
	for _, item := range e.value.items {
		pattern := item.text()
		local := filepath.IsLocal(filepath.FromSlash(pattern)) && !strings.ContainsAny(pattern, "\x00\\")
		_, err := path.Match(pattern, "")
		switch {
		case item.kind != text:
			c.source.report(badValue, item.at, fmt.Sprintf("\"copy\" has %s in it; it takes %s", item.kind, want))
		case !local || err != nil:
			c.source.report(badValue, item.at, fmt.Sprintf("%q is not a path inside the project; write it with /, without a leading / and without ..", pattern))
		default:
			c.stage.copied = append(c.stage.copied, path.Clean(pattern))
		}
	}
}

// projectOf returns the root of the project that contains the hook's folder.
func (p *play) projectOf() (string, error) {
	if p.Hook.Reviewed {
		return "", errors.New("the reviewed copy of a hook has no project: run the test without --require-trust")
	}
	root, ok := strings.CutSuffix(filepath.ToSlash(filepath.Dir(p.Hook.Dir)), "/.agents/hooks")
	if !ok {
		return "", fmt.Errorf("%s is not in .agents/hooks of a project, so there is nothing to copy: create the files that the hook needs with `files`", p.Hook.Dir)
	}
	return filepath.Clean(root + "/"), nil
}

// copy copies the project's files that the case names into the work dir.
func (p *play) copy() error {
	root, err := p.projectOf()
	if err != nil {
		return err
	}
	from, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenRoot(p.scratch.Work)
	if err != nil {
		return err
	}
	defer to.Close()
	c := &copying{from: from, to: to}
	for _, pattern := range p.stage.copied {
		if err := c.matches(pattern); err != nil {
			return err
		}
	}
	return c.checkLinks()
}

// copying copies files from one folder to another. It accesses nothing outside them, because
// os.Root follows no link to the outside.
type copying struct {
	from, to *os.Root
	bytes    int64
	files    int
	links    []string // that were created
}

// matches copies the files that match a path with wildcards. It returns an error if there are
// none, because the case would not test what it claims.
func (c *copying) matches(pattern string) error {
	found, err := fs.Glob(c.from.FS(), pattern)
	if err == nil && len(found) == 0 {
		_, err = c.from.Stat(pattern) // why not
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no %s in %s", pattern, c.from.Name())
		}
	}
	if err != nil {
		return named(pattern, err)
	}
	for _, name := range found {
		if path.Base(name) == ".git" && path.Base(pattern) != ".git" {
			continue
		}
		if err := c.folders(path.Dir(name)); err != nil {
			return err
		}
		if err := c.tree(name); err != nil {
			return err
		}
	}
	return nil
}

// named adds the file's name to an error from any part of its path.
func named(name string, err error) error { return fmt.Errorf("%s: %w", name, shown.Cause(err)) }

// folders creates a folder with its parents.
func (c *copying) folders(name string) error {
	if err := c.to.MkdirAll(name, 0o755); err != nil && name != "." {
		return named(name, err)
	}
	return nil
}

// tree copies a file, or a folder with its content except .git, because `setup` can create a
// repository faster.
func (c *copying) tree(name string) error {
	return fs.WalkDir(c.from.FS(), name, func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return named(at, err)
		case at != name && entry.Name() == ".git" && entry.IsDir():
			return fs.SkipDir
		case at != name && entry.Name() == ".git":
			return nil
		}
		c.files++
		if c.files > maxCopiedFiles {
			return fmt.Errorf("more than %d files; name the files and folders that the hook needs", maxCopiedFiles)
		}
		return c.one(at, entry)
	})
}

func (c *copying) one(name string, entry fs.DirEntry) error {
	switch kind := entry.Type(); {
	case kind.IsDir():
		return c.folders(name)
	case kind&fs.ModeSymlink != 0: // create the same link
		target, err := c.from.Readlink(name)
		if err == nil {
			err = c.to.Symlink(target, name)
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return named(name, err)
		}
		c.links = append(c.links, name)
		return nil
	case !kind.IsRegular():
		return fmt.Errorf("%s: not a regular file", name)
	case entry.Name() == ".git":
		return errors.New(".git: it leads to a repository elsewhere, which the hook could change; create one in `setup`")
	}
	return c.file(name, entry)
}

// file copies a regular file.
func (c *copying) file(name string, entry fs.DirEntry) error {
	info, err := entry.Info()
	if err != nil {
		return named(name, err)
	}
	c.bytes += info.Size()
	if c.bytes > maxCopied {
		return fmt.Errorf("more than %d MiB, with %s; name the files and folders that the hook needs", maxCopied>>20, name)
	}
	content, err := c.from.ReadFile(name)
	if err == nil {
		err = writeExecutable(func() error { return c.to.WriteFile(name, content, info.Mode().Perm()|0o200) })
	}
	if err != nil {
		return named(name, err)
	}
	return nil
}

// checkLinks returns an error if a link leads out of the copy: the hook could change the
// project's own file.
func (c *copying) checkLinks() error {
	for _, name := range c.links {
		target, _ := c.to.Readlink(name)
		_, err := c.to.Stat(name)
		dangling := errors.Is(err, fs.ErrNotExist) && filepath.IsLocal(filepath.Join(filepath.Dir(name), target))
		if err != nil && !dangling {
			return fmt.Errorf("%s: the link leads out of the copy, to %s; list the files that it needs", name, target)
		}
	}
	return nil
}
