package pack

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// Pack is a source at one time.
type Pack struct {
	Source Source
	Ref    string // a branch, a tag or a commit; "" for the default branch, and for a folder
	Commit string // "" for a folder
	Manifest
	Hooks []string // the names of its hooks, sorted

	dir     string // the directory of the hooks' folders
	content content
}

// Manifest is pack.toml at the root of a source, which may be missing.
type Manifest struct {
	Name        string `toml:"name"`
	Description string `toml:"description"`
	Directory   string `toml:"hooks"` // of the hooks' folders

	Unknown []string `toml:"-"` // keys that are not in this list
}

// content reads a source. Paths have slashes and are local; "." is the root.
type content interface {
	file(at string, limit int64) ([]byte, error)            // nil if it is not a regular file
	folders(at string) (names []string, ok bool, err error) // !ok if it is not a folder
	isHook(at string) (bool, error)                         // it has a HOOK.md
	folder(at string) (*trust.Folder, error)
	commit() string
	close()
}

// Open fetches a pack and reads which hooks it contains. The hooks' folders are those with a
// HOOK.md in dir; if dir is "", in the directory that pack.toml names, otherwise in .agents/hooks
// if there is one, otherwise in the root. dir may also be a hook's folder. The caller must call
// Close.
func Open(ctx context.Context, git Git, source Source, ref, dir string) (*Pack, error) {
	if ref == "HEAD" {
		ref = ""
	}
	p := &Pack{Source: source, Ref: ref}
	if err := p.open(ctx, git); err != nil {
		return nil, err
	}
	p.Commit = p.content.commit()
	if err := p.find(dir); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (p *Pack) open(ctx context.Context, git Git) (err error) {
	if !p.Source.Git {
		if p.Ref != "" {
			return errors.New("--ref is for git repositories; the URL of one on this machine begins with file://")
		}
		p.content, err = openFolder(p.Source.Text)
		return err
	}
	if err := checkRef(p.Ref); err != nil {
		return err
	}
	r, err := git.fetch(ctx, p.Source, p.Ref)
	if err != nil {
		return err
	}
	c, err := r.open(ctx)
	if err != nil {
		return err
	}
	p.content = c
	return nil
}

// Close removes what was fetched.
func (p *Pack) Close() { p.content.close() }

func (p *Pack) find(dir string) error {
	if err := p.readManifest(); err != nil {
		return fmt.Errorf("%s: pack.toml: %w", p.Source.Text, err)
	}
	candidates := []string{".agents/hooks", "."}
	if dir == "" {
		dir = p.Directory
	}
	if dir != "" {
		if err := checkPath(dir); err != nil {
			return err
		}
		candidates = []string{path.Clean(dir)}
		if is, err := p.content.isHook(candidates[0]); err != nil || is {
			p.dir, p.Hooks = path.Dir(candidates[0]), []string{path.Base(candidates[0])}
			return err
		}
	}
	for _, at := range candidates {
		names, ok, err := p.content.folders(at)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", p.Source.Text, at, err)
		}
		if ok {
			return p.list(at, names)
		}
	}
	return fmt.Errorf("%s has no folder %q", p.Source.Text, dir)
}

// list finds the hooks in the directory at.
func (p *Pack) list(at string, names []string) error {
	p.dir = at
	for _, name := range names {
		is, err := p.content.isHook(path.Join(at, name))
		if err != nil {
			return err
		}
		if is {
			p.Hooks = append(p.Hooks, name)
		}
		if len(p.Hooks) > maxHooks {
			return fmt.Errorf("%s has more than %d hooks", p.Source.Text, maxHooks)
		}
	}
	slices.Sort(p.Hooks)
	if len(p.Hooks) == 0 {
		where := "in " + at
		if at == "." {
			where = "at its root and no .agents/hooks"
		}
		return fmt.Errorf("%s has no hooks %s: no folder with a HOOK.md; --dir names another directory", p.Source.Text, where)
	}
	return nil
}

func (p *Pack) readManifest() error {
	text, err := p.content.file("pack.toml", maxManifest)
	if err != nil || text == nil {
		return err
	}
	meta, err := decode(text, &p.Manifest)
	if err != nil {
		return tomlError(err)
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

// maxNested is the depth of brackets in a TOML text. The parser is recursive.
const maxNested = 16

// decode decodes untrusted text as TOML.
func decode(text []byte, to any) (toml.MetaData, error) {
	depth := 0
	for _, c := range text {
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		if depth > maxNested {
			return toml.MetaData{}, errors.New("too deeply nested")
		}
	}
	return toml.Decode(string(text), to)
}

// tomlError returns an error of the TOML parser on one line.
func tomlError(err error) error {
	var parse toml.ParseError
	if errors.As(err, &parse) {
		return fmt.Errorf("line %d: %s", parse.Position.Line, parse.Message)
	}
	return err
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
func (p *Pack) Folder(name string) string { return path.Join(p.dir, name) }

// Read reads a hook of the pack. It returns an error if the hook is not acceptable.
func (p *Pack) Read(name string) (*trust.Folder, error) {
	if !ValidName(name) {
		return nil, errors.New("the name of a hook in a pack consists of lower-case letters, digits and single dashes")
	}
	if !slices.Contains(p.Hooks, name) {
		return nil, fmt.Errorf("%s has no hook %s", p.Source.Text, name)
	}
	f, err := p.content.folder(p.Folder(name))
	if err != nil {
		return nil, err
	}
	if err := checkFolder(f); err != nil {
		return nil, err
	}
	return f, nil
}

// Describe returns the source, its ref and its commit in a few words.
func (h Hook) Describe() string {
	text := h.Source
	if h.Ref != "" && h.Ref != h.Commit {
		text += " " + h.Ref
	}
	if h.Commit != "" {
		text += " " + h.Commit[:12]
	}
	return text
}

// Entry returns what the lock says about a hook of the pack.
func (p *Pack) Entry(f *trust.Folder) Hook {
	h := Hook{Source: p.Source.Text, Ref: p.Ref, Commit: p.Commit, Folder: p.Folder(f.Name), Digest: f.Digest()}
	for _, file := range f.Files {
		if file.Executable {
			h.Executable = append(h.Executable, file.Path)
		}
	}
	return h
}

// Relative returns the source of an entry in the lock of the project at root: a folder in the
// project relative to it, so that the lock is valid elsewhere.
func Relative(source Source, root string) string {
	if source.Git {
		return source.Text
	}
	if rel, err := filepath.Rel(root, source.Text); err == nil && filepath.IsLocal(rel) {
		return "./" + filepath.ToSlash(rel)
	}
	return source.Text
}
