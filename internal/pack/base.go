package pack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Base is what a project's .agents contained at a commit of its own repository.
type Base struct {
	Root string // of the project, absolute
	Said string // the values of the trailers Hooks-changed in the commit messages since, one per line

	hooks  map[string]*trust.Folder
	config *config.File
	lock   *Lock
}

// ErrNoBase means that the commit has no hooks at a directory or above it.
var ErrNoBase = errors.New("no hooks")

// Base reads the project's hooks at a commit of the repository in which dir is: the folder .agents of
// dir, or otherwise of the nearest directory above it that had one then. It returns ErrNoBase if
// there was none. Nothing is checked out, and nothing is executed.
//
// If HEAD has one common ancestor with the commit, that is the base: what only the other branch has
// was not removed.
func (g Git) Base(ctx context.Context, dir, ref string) (*Base, error) {
	if g.Program == "" {
		return nil, errors.New("git is not installed")
	}
	if err := checkText("the commit", ref); err != nil {
		return nil, err
	}
	temp, err := trust.Scratch(g.Temp)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	found, err := (&repository{Git: g, dir: dir}).run(ctx, "rev-parse", "--show-toplevel", "--absolute-git-dir")
	if err != nil {
		return nil, err
	}
	top, gitDir, _ := strings.Cut(strings.TrimSpace(found), "\n")
	r := &repository{Git: g, dir: temp, git: gitDir}
	named, err := r.run(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("there is no commit %q here (git fetch; in CI, a clone with its history)", ref)
	}
	named = strings.TrimSpace(named)
	r.object = named
	if shared, err := r.run(ctx, "merge-base", "--all", named, "HEAD"); err == nil && strings.Count(shared, "\n") == 1 {
		r.object = strings.TrimSpace(shared)
	}
	b := &Base{hooks: map[string]*trust.Folder{}}
	b.Said, err = r.run(ctx, "log", "--format=%(trailers:key=Hooks-changed,valueonly)", named+"..HEAD")
	if err != nil {
		return nil, err
	}
	c, err := r.open(ctx)
	if err != nil {
		return nil, err
	}
	defer c.close()
	below, err := filepath.Rel(paths.Physical(top), paths.Physical(dir))
	if err != nil || !filepath.IsLocal(below) {
		return nil, fmt.Errorf("%s is not in %s", dir, top)
	}
	for at := filepath.ToSlash(below); ; at = path.Dir(at) {
		b.Root = filepath.Join(paths.Physical(top), filepath.FromSlash(at))
		if err := b.read(c, path.Join(at, ".agents")); err != nil || len(b.hooks) > 0 || len(b.lock.Hooks) > 0 {
			return b, err
		}
		if at == "." {
			return nil, ErrNoBase
		}
	}
}

// read reads the folder .agents at a path of the commit.
func (b *Base) read(c content, at string) (err error) {
	text := func(name string, limit int64) (data []byte) {
		e, ok, failed := find(c, path.Join(at, name))
		if failed == nil && ok && e.kind == isFile {
			data, failed = c.read(e, limit)
		}
		err = cmp.Or(err, failed)
		return data
	}
	lock, toml := text(LockName, maxLock), text(config.Name, spec.MaxConfigFile)
	if err != nil {
		return err
	}
	b.lock = &Lock{}
	if lock != nil {
		b.lock, err = parseLock(lock)
		if err != nil {
			return fmt.Errorf("%s at that commit: %w", LockName, err)
		}
	}
	b.config = config.Parse(toml, config.Name, discovery.ProjectScope)
	e, ok, err := find(c, path.Join(at, "hooks"))
	if err != nil || !ok || e.kind != isFolder {
		return err
	}
	entries, err := c.list(e)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.kind != isFolder {
			continue
		}
		if err := checkPart(e.name); err != nil {
			return err
		}
		folder, err := readFolder(c, e, e.name, true)
		if err != nil {
			return fmt.Errorf("hook %s at that commit: %w", e.name, err)
		}
		if hookFile(folder) != nil {
			b.hooks[e.name] = folder
		}
	}
	return nil
}
