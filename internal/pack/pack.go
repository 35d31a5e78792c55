package pack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Pack is a source at one time.
type Pack struct {
	Source Source
	Ref    string // a branch, a tag or a commit; "" for the default branch, and for a folder
	Commit string // "" for a folder
	Manifest
	Hooks []string // the names of its hooks, sorted
	Newer []string // if Ref pins a version, the tags of later ones, in their order

	folders map[string]string // of the hooks, by name
	content content
}

// Manifest is pack.toml at the root of a source, which may be missing.
type Manifest struct {
	Name        string `toml:"name"`
	Description string `toml:"description"`
	Directory   string `toml:"hooks"` // of the hooks' folders

	// Observe has the day on which the trial of a hook ends, by its name: it only observes until then.
	Observe map[string]time.Time `toml:"observe"`

	Unknown []string `toml:"-"` // keys that are not in this list
}

// Open fetches a pack and reads which hooks it contains. The hooks' folders are those with a
// HOOK.md in dir; if dir is "", in the directory that pack.toml names, otherwise in .agents/hooks
// if there is one, otherwise in the root. If that directory has a HOOK.md itself, it is the only
// hook. The caller must call Close.
func Open(ctx context.Context, git Git, source Source, ref, dir string) (*Pack, error) {
	if ref == "HEAD" {
		ref = ""
	}
	p := &Pack{Source: source, Ref: ref, folders: map[string]string{}}
	if source.Git {
		if err := checkRef(ref); err != nil {
			return nil, err
		}
		r, err := git.fetch(ctx, source, ref)
		if err != nil {
			return nil, err
		}
		c, err := r.open(ctx)
		if err != nil {
			return nil, err
		}
		p.content, p.Newer = c, r.newer
	} else {
		info, err := os.Stat(source.Text)
		switch {
		case ref != "":
			return nil, errors.New("--ref is for git repositories; the URL of one on this machine begins with file://")
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("there is no folder %s (a git repository's URL begins with https://, ssh:// or file://)", shown.Path(source.Text))
		case err != nil:
			return nil, fmt.Errorf("the source %s: %w", shown.Path(source.Text), shown.Cause(err))
		case !info.IsDir():
			return nil, fmt.Errorf("the source %s is not a folder", shown.Path(source.Text))
		}
		p.content = folderContent{source.Text}
	}
	p.Commit = p.content.commit()
	if err := p.find(dir); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Close removes what was fetched.
func (p *Pack) Close() { p.content.close() }

func (p *Pack) find(dir string) error {
	if err := p.readManifest(); err != nil {
		return fmt.Errorf("%s: pack.toml: %w", p.Source.Text, err)
	}
	candidates := []string{".agents/hooks", "."}
	dir = cmp.Or(dir, p.Directory)
	if dir != "" {
		if err := checkPath(dir); err != nil {
			return err
		}
		candidates = []string{path.Clean(dir)}
	}
	for _, at := range candidates {
		e, ok, err := find(p.content, at)
		switch {
		case err != nil:
		case !ok:
			continue
		case e.kind != isFolder:
			err = fmt.Errorf("it is %s; --dir names another directory", e.kind)
		default:
			err = p.list(at, e)
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", p.Source.Text, at, err)
		}
		return nil
	}
	return fmt.Errorf("%s has no folder %q", p.Source.Text, dir)
}

// list finds the hooks in the directory at.
func (p *Pack) list(at string, dir entry) error {
	if is, err := hasHook(p.content, dir); is || err != nil {
		name := p.nameOf(at)
		p.folders[name], p.Hooks = at, []string{name}
		return err
	}
	entries, err := p.content.list(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.kind != isFolder {
			continue
		}
		is, err := hasHook(p.content, e)
		if err != nil {
			return fmt.Errorf("%s: %w", shown.Text(e.name), err)
		}
		if is {
			p.folders[e.name], p.Hooks = path.Join(at, e.name), append(p.Hooks, e.name)
		}
	}
	if len(p.Hooks) > maxHooks {
		return fmt.Errorf("more than %d hooks", maxHooks)
	}
	slices.Sort(p.Hooks)
	if len(p.Hooks) > 0 {
		return nil
	}
	if others := p.others(".", p.content.root(), 2); len(others) > 0 {
		return fmt.Errorf("no folder in it has a HOOK.md; other directories have hooks: --dir %s", strings.Join(others, ", --dir "))
	}
	return errors.New("no folder in it has a HOOK.md (agent-hooks import converts the hooks in an agent's settings)")
}

// others returns the directories with hooks in a directory, for a message.
func (p *Pack) others(at string, dir entry, depth int) (found []string) {
	entries, err := p.content.list(dir)
	if err != nil || len(entries) > 100 {
		return nil
	}
	for _, e := range entries {
		if e.kind != isFolder || checkPart(e.name) != nil {
			continue
		}
		if is, _ := hasHook(p.content, e); is && !slices.Contains(found, at) {
			found = append(found, at)
		} else if !is && depth > 0 {
			found = append(found, p.others(path.Join(at, e.name), e, depth-1)...)
		}
	}
	return found
}

// nameOf returns the name of a directory that is a hook. The root's is that in its HOOK.md: a
// copy of a repository may have any.
func (p *Pack) nameOf(at string) string {
	if at != "." {
		return path.Base(at)
	}
	if e, _, err := find(p.content, "HOOK.md"); err == nil {
		text, _ := p.content.read(e, spec.MaxHookFile)
		if hook, _ := manifest.Parse(text, ""); ValidName(hook.Name) {
			return hook.Name
		}
	}
	name := strings.TrimSuffix(strings.TrimRight(filepath.ToSlash(p.Source.Text), "/"), ".git")
	return name[strings.LastIndexAny(name, "/:")+1:]
}

func (p *Pack) readManifest() error {
	e, ok, err := find(p.content, "pack.toml")
	if err != nil || !ok {
		return err
	}
	if e.kind != isFile {
		return fmt.Errorf("it is %s", e.kind)
	}
	text, err := p.content.read(e, maxManifest)
	if err != nil {
		return err
	}
	meta, err := tree.DecodeTOML(text, &p.Manifest)
	if err != nil {
		return err
	}
	for _, key := range meta.Undecoded() {
		p.Unknown = append(p.Unknown, key.String())
	}
	for _, text := range []string{p.Name, p.Description} {
		if !plain(text) || len(text) > 1024 {
			return errors.New("name and description are one line without invisible characters")
		}
	}
	return nil
}

// checkPath rejects a path in a source that is not local or has parts that checkPart rejects.
func checkPath(dir string) error {
	if dir == "." || dir == "./" {
		return nil
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(strings.TrimPrefix(dir, "./"), "/"), "/") {
		if err := checkPart(part); err != nil {
			return fmt.Errorf("the directory %q: %w", dir, err)
		}
	}
	return nil
}

// Folder returns the path of a hook's folder in the source.
func (p *Pack) Folder(name string) string { return p.folders[name] }

// Read reads a hook of the pack. It returns an error if the hook is not acceptable.
func (p *Pack) Read(name string) (*trust.Folder, error) {
	if !ValidName(name) {
		return nil, errors.New("the name of a hook in a pack consists of lower-case letters, digits and single dashes")
	}
	if !slices.Contains(p.Hooks, name) {
		return nil, fmt.Errorf("%s has no hook %s", p.Source.Text, name)
	}
	e, _, err := find(p.content, p.Folder(name))
	if err != nil {
		return nil, err
	}
	folder, err := readFolder(p.content, e, name, false)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(folder.Files, func(a, b trust.File) int { return strings.Compare(a.Path, b.Path) })
	return folder, checkFolder(folder)
}

// Describe returns the source, its ref and its commit in a few words.
func (p *Pack) Describe() string {
	return Hook{Source: p.Source.Text, Ref: p.Ref, Commit: p.Commit}.Describe()
}
