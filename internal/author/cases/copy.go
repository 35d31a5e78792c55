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
	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// Limits on the files that one case copies from the project: each run copies them again, and a
// hook needs only few.
const (
	maxCopied      = 32 << 20 // bytes
	maxCopiedFiles = 5000     // and folders, and links
)

// readCopy reads the key copy: the paths of the project's files that are copied for the hook.
func (c *Case) readCopy(e *tree.Node) {
	const want = "a list of paths in the project, such as [package.json, src]"
	if !c.is(tree.List, e, want) {
		return
	}
	for _, item := range e.Children {
		pattern := textOf(item)
		local := filepath.IsLocal(filepath.FromSlash(pattern)) && !strings.ContainsAny(pattern, "\x00\\")
		_, err := path.Match(pattern, "")
		switch {
		case item.Tag != tree.String:
			c.source.report(badValue, item.Start, fmt.Sprintf("\"copy\" has %s in it; it takes %s", kindOf(item), want))
		case !local || err != nil:
			c.source.report(badValue, item.Start, fmt.Sprintf("%q is not a path inside the project; write it with /, without a leading / and without ..", pattern))
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

// copying copies files from one folder to another. It accesses nothing outside them, because
// os.Root follows no link to the outside.
type copying struct {
	from, to *os.Root
	bytes    int64
	files    int
	links    []string // that were created
}

// copy copies the project's files that the case names into the work dir.
func (p *play) copy() error {
	root, err := p.projectOf()
	if err != nil {
		return err
	}
	var c copying
	c.from, err = os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer c.from.Close()
	c.to, err = os.OpenRoot(p.scratch.Work)
	if err != nil {
		return err
	}
	defer c.to.Close()
	for _, pattern := range p.stage.copied {
		found, err := fs.Glob(c.from.FS(), pattern)
		if err == nil && len(found) == 0 { // the case would not test what it claims
			_, err = c.from.Stat(pattern) // why not
			if err == nil || errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("there is no %s in %s", pattern, root)
			}
		}
		if err != nil {
			return named(pattern, err)
		}
		for _, name := range found {
			if path.Base(name) == ".git" && path.Base(pattern) != ".git" {
				continue
			}
			if err := c.to.MkdirAll(path.Dir(name), 0o755); err != nil {
				return named(name, err)
			}
			if err := c.tree(name); err != nil {
				return err
			}
		}
	}
	// The hook could change the project's own file through a link that leads out of the copy.
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

// named adds the file's name to an error from any part of its path.
func named(name string, err error) error { return fmt.Errorf("%s: %w", name, shown.Cause(err)) }

// tree copies a file, or a folder with its content except .git, because `setup` can create a
// repository faster.
func (c *copying) tree(top string) error {
	return fs.WalkDir(c.from.FS(), top, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return named(name, err)
		case name != top && entry.Name() == ".git" && entry.IsDir():
			return fs.SkipDir
		case name != top && entry.Name() == ".git":
			return nil
		}
		c.files++
		if c.files > maxCopiedFiles {
			return fmt.Errorf("more than %d files; name the files and folders that the hook needs", maxCopiedFiles)
		}
		switch kind := entry.Type(); {
		case kind.IsDir():
			err = c.to.MkdirAll(name, 0o755)
		case kind&fs.ModeSymlink != 0:
			target, failed := c.from.Readlink(name)
			if failed == nil {
				failed = c.to.Symlink(target, name)
			}
			if !errors.Is(failed, fs.ErrExist) {
				err = failed
			}
			c.links = append(c.links, name)
		case !kind.IsRegular():
			return fmt.Errorf("%s: not a regular file", name)
		case entry.Name() == ".git":
			return errors.New(".git: it leads to a repository elsewhere, which the hook could change; create one in `setup`")
		default:
			return c.file(name, entry)
		}
		if err != nil {
			return named(name, err)
		}
		return nil
	})
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
