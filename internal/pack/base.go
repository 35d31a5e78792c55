package pack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
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
	linked map[string]bool // links then: a hook's name, or ".agents" or ".agents/hooks"
	nested []string        // folders with a new .agents/hooks, with slashes, below Root
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
	b := &Base{hooks: map[string]*trust.Folder{}, linked: map[string]bool{}}
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
		if err := b.read(c, path.Join(at, ".agents")); err != nil {
			return nil, err
		}
		if len(b.hooks) > 0 || len(b.lock.Hooks) > 0 {
			b.nested, err = r.nested(ctx, c, at)
			return b, err
		}
		if at == "." {
			return nil, ErrNoBase
		}
	}
}

// nested returns the folders below a path that have a directory of hooks at HEAD, but not in the commit: a
// session that starts there does not see the outer hooks.
func (r *repository) nested(ctx context.Context, c content, root string) (dirs []string, err error) {
	added, err := r.run(ctx, "diff-tree", "-r", "-z", "--no-renames", "--name-only", "--diff-filter=AT", r.object, "HEAD", "--", ":(glob)**/.agents", ":(glob)**/.agents/**")
	if err != nil {
		return nil, err
	}
	for file := range strings.SplitSeq(added, "\x00") {
		dir, rest, found := strings.Cut("/"+file+"/", "/.agents/")
		dir = path.Clean(strings.TrimPrefix(dir, "/"))
		if below := root == "." || strings.HasPrefix(dir, root+"/"); !found || dir == root || dir == "." || !below || rest != "" && !strings.HasPrefix(rest, "hooks/") {
			continue
		}
		if _, was, _, err := follow(c, path.Join(dir, ".agents", "hooks")); err != nil || was || slices.Contains(dirs, dir) {
			continue
		}
		dirs = append(dirs, dir)
	}
	for i := range dirs {
		dirs[i] = strings.TrimPrefix(dirs[i], root+"/")
	}
	return dirs, nil
}

// follow is find through links that stay in the source.
func follow(c content, at string) (found entry, ok, linked bool, err error) {
	for range paths.MaxLinks {
		found, link, rest, err := walkTo(c, at)
		if err != nil || link == "" {
			return found, found.kind != "", linked, err
		}
		target, err := c.read(found, paths.MaxPath)
		if err != nil {
			return entry{}, false, true, err
		}
		linked, at = true, path.Join(path.Dir(link), string(target), rest)
		if path.IsAbs(string(target)) || at == ".." || strings.HasPrefix(at, "../") {
			return entry{}, false, true, fmt.Errorf("%s is a link out of the repository, so the hooks behind it cannot be compared", link)
		}
	}
	return entry{}, false, true, fmt.Errorf("%s is a link in a loop", at)
}

// walkTo returns the entry at a path, none if there is no such entry, or the first link on the way with its
// path and what follows it.
func walkTo(c content, at string) (found entry, link, rest string, err error) {
	found = c.root()
	parts := strings.Split(path.Clean(at), "/")
	for i, part := range parts {
		if part == "." {
			continue
		}
		if found.kind != isFolder {
			return entry{}, "", "", nil
		}
		entries, err := c.list(found)
		if err != nil {
			return entry{}, "", "", err
		}
		at := slices.IndexFunc(entries, func(e entry) bool { return e.name == part })
		if at < 0 {
			return entry{}, "", "", nil
		}
		found = entries[at]
		if found.kind == isLink {
			return found, path.Join(parts[:i+1]...), path.Join(parts[i+1:]...), nil
		}
	}
	return found, "", "", nil
}

// read reads the folder .agents at a path of the commit.
func (b *Base) read(c content, at string) (err error) {
	text := func(name string, limit int64) (data []byte) {
		e, ok, _, failed := follow(c, path.Join(at, name))
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
	if e, ok, err := find(c, at); err == nil && ok {
		b.linked[".agents"] = e.kind == isLink
	}
	hooks := path.Join(at, "hooks")
	e, ok, linked, err := follow(c, hooks)
	if err != nil || !ok || e.kind != isFolder {
		return err
	}
	b.linked[".agents/hooks"] = linked && !b.linked[".agents"]
	entries, err := c.list(e)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name, linked := e.name, e.kind == isLink
		if linked {
			e, _, _, err = follow(c, path.Join(hooks, name))
			if err != nil {
				return err
			}
		}
		if e.kind != isFolder {
			continue
		}
		if err := checkPart(name); err != nil {
			return err
		}
		folder, err := readFolder(c, e, name, true)
		if err != nil {
			return fmt.Errorf("hook %s at that commit: %w", name, err)
		}
		if hookFile(folder) != nil {
			b.hooks[name], b.linked[name] = folder, linked
		}
	}
	return nil
}
