package pack

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/atomicfile"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// folderContent is a source that is a folder. Nothing is read through links below it.
type folderContent struct{ dir string }

func openFolder(dir string) (*folderContent, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no folder %s (a git repository's URL begins with https://, ssh:// or file://)", shown.Path(dir))
	case err != nil:
		return nil, fmt.Errorf("the source %s: %w", shown.Path(dir), shown.Cause(err))
	case !info.IsDir():
		return nil, fmt.Errorf("the source %s is not a folder", shown.Path(dir))
	}
	return &folderContent{dir}, nil
}

func (c *folderContent) close()         {}
func (c *folderContent) commit() string { return "" }

// find returns the file or folder at a path; nil if there is none.
func (c *folderContent) find(at string) (fs.FileInfo, error) {
	local := filepath.FromSlash(at)
	for i, r := range local + string(filepath.Separator) {
		if r != filepath.Separator {
			continue
		}
		info, err := os.Lstat(filepath.Join(c.dir, local[:i]))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, shown.Cause(err)
		case info.Mode()&fs.ModeSymlink != 0 && at != ".":
			return nil, fmt.Errorf("%s is a link", filepath.ToSlash(local[:i]))
		case i == len(local):
			return info, nil
		}
	}
	return nil, nil
}

func (c *folderContent) file(at string, limit int64) ([]byte, error) {
	info, err := c.find(at)
	if err != nil || info == nil || !info.Mode().IsRegular() {
		return nil, err
	}
	data, _, err := atomicfile.Read(filepath.Join(c.dir, filepath.FromSlash(at)), limit)
	if err == nil && int64(len(data)) > limit {
		err = errTooLarge()
	}
	return data, err
}

func (c *folderContent) folders(at string) (names []string, ok bool, err error) {
	info, err := c.find(at)
	if err != nil || info == nil || !info.IsDir() && at != "." {
		return nil, false, err
	}
	f, err := os.Open(filepath.Join(c.dir, filepath.FromSlash(at)))
	if err != nil {
		return nil, false, shown.Cause(err)
	}
	defer f.Close()
	entries, err := f.ReadDir(maxEntries)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, shown.Cause(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, true, nil
}

func (c *folderContent) isHook(at string) (bool, error) {
	info, err := c.find(path.Join(at, "HOOK.md"))
	return err == nil && info != nil && info.Mode().IsRegular(), nil
}

func (c *folderContent) folder(at string) (*trust.Folder, error) {
	info, err := c.find(at)
	switch {
	case err != nil:
		return nil, err
	case info == nil || !info.IsDir():
		return nil, fmt.Errorf("%s is not a folder", at)
	}
	return trust.Read(filepath.Join(c.dir, filepath.FromSlash(at)))
}
