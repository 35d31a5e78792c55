package pack

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// LockName is the name of the lock, next to the directory of hooks.
const LockName = "hooks.lock"

// lockVersion is the version of the lock's format.
const lockVersion = 1

// Lock is the content of a hooks.lock.
type Lock struct {
	Version int             `toml:"version"`
	Packs   []Followed      `toml:"packs,omitempty"`
	Hooks   map[string]Hook `toml:"hooks"` // by name
}

// Hook is an installed hook's source and content. In a project's lock, it is untrusted input.
type Hook struct {
	Source     string   `toml:"source" json:"source"`                       // a URL, or the path of a folder
	Ref        string   `toml:"ref,omitempty" json:"ref,omitempty"`         // as given; "" for the default branch
	Commit     string   `toml:"commit,omitempty" json:"commit,omitempty"`   // "" for a folder
	Folder     string   `toml:"folder" json:"folder"`                       // in the source; "." if the source is the hook
	Digest     string   `toml:"digest" json:"digest"`                       // trust.Folder.Digest
	Observe    string   `toml:"observe,omitempty" json:"observe,omitempty"` // the day on which its trial ends
	Executable []string `toml:"executable,omitempty" json:"-"`
}

// Equal reports whether two entries are equal.
func (h Hook) Equal(g Hook) bool {
	return slices.Equal(h.Executable, g.Executable) && h.Source == g.Source && h.Ref == g.Ref && h.Commit == g.Commit && h.Folder == g.Folder && h.Digest == g.Digest && h.Observe == g.Observe
}

// follows reports whether two entries are equal but for the commit, which follows the ref.
func (h Hook) follows(g Hook) bool {
	h.Commit = g.Commit
	return h.Equal(g)
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

func parseLock(text []byte) (*Lock, error) {
	l := &Lock{}
	meta, err := tree.DecodeTOML(text, l)
	switch {
	case err != nil:
		return nil, err
	case l.Version != lockVersion:
		return nil, fmt.Errorf("version %d instead of %d; it may be of a newer agent-hooks", l.Version, lockVersion)
	case len(meta.Undecoded()) > 0:
		return nil, fmt.Errorf("unknown key %q", meta.Undecoded()[0].String())
	}
	if l.Hooks == nil {
		l.Hooks = map[string]Hook{}
	}
	for _, name := range slices.Sorted(maps.Keys(l.Hooks)) {
		if err := checkEntry(name, l.Hooks[name]); err != nil {
			return nil, fmt.Errorf("hook %q: %w", name, err)
		}
	}
	for _, f := range l.Packs {
		err := checkOrigin(f.Source, f.Ref, f.Folder)
		for name, digest := range f.Declined {
			if !ValidName(name) || !isDigest(digest) {
				err = fmt.Errorf("the hook %q is not declined as agent-hooks does it", name)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("pack %q: %w", f.Source, err)
		}
	}
	return l, nil
}

// checkOrigin rejects what is not a source, a ref or a folder in a source.
func checkOrigin(source, ref, folder string) error {
	_, err := ParseSource(source, string(filepath.Separator))
	return cmp.Or(err, checkRef(ref), checkPath(folder))
}

func isDigest(text string) bool {
	return len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
}

// trial returns when the hook's trial ends; the zero time if it has none.
func (h Hook) trial() time.Time {
	end, _ := time.Parse(time.DateOnly, h.Observe)
	return end
}

// directory returns the directory of the hook's folder in the source.
func (h Hook) directory() string { return path.Dir(h.Folder) }

// checkEntry rejects an entry that add and update do not write.
func checkEntry(name string, h Hook) error {
	err := checkOrigin(h.Source, h.Ref, h.Folder)
	switch {
	case !ValidName(name):
		return errors.New("not the name of a hook of a pack")
	case err != nil:
		return err
	case path.Base(h.Folder) != name && h.Folder != ".":
		return fmt.Errorf("the folder %q has another name", h.Folder)
	case h.Commit != "" && !isCommit(h.Commit):
		return fmt.Errorf("%q is not a commit", h.Commit)
	case h.Observe != "" && h.trial().IsZero():
		return fmt.Errorf("%q is not a day", h.Observe)
	case !isDigest(h.Digest):
		return fmt.Errorf("%q is not a digest", h.Digest)
	}
	return nil
}

// encode returns the lock's text: always the same for the same hooks.
func (l *Lock) encode() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("# Written by agent-hooks add, update and remove: where hooks come from, and their content.\n")
	e := toml.NewEncoder(&b)
	e.Indent = ""
	err := e.Encode(l)
	return b.Bytes(), err
}
