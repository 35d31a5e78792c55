package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// Followed is a pack that is followed as a whole: update offers its new hooks and the removal of
// those that it dropped.
type Followed struct {
	Source   string            `toml:"source"`
	Ref      string            `toml:"ref,omitempty"`
	Folder   string            `toml:"folder"`             // the directory of its hooks
	Declined map[string]string `toml:"declined,omitempty"` // the print of each hook that was declined, by name
}

// Follow makes the next Apply record that the pack is followed, and which of its hooks, besides those
// in the lock, were declined. A pack of which all was declined is not followed.
func (g *Group) Follow(agreed, declined []*Change) {
	from := func(c *Change) bool { return c.Pack == g.Pack }
	if !slices.ContainsFunc(agreed, from) && !slices.ContainsFunc(g.Pack.Hooks, g.Place.Has) {
		return
	}
	f := Followed{Source: g.Place.sourceOf(g.Pack), Ref: g.Pack.Ref, Folder: g.Dir, Declined: map[string]string{}}
	if i := g.Place.lock.followed(f.Source, f.Folder); i >= 0 {
		maps.Copy(f.Declined, g.Place.lock.Packs[i].Declined)
	}
	for _, c := range declined {
		if from(c) {
			f.Declined[c.Name] = print(c.Folder)
		}
	}
	g.Place.follow = append(g.Place.follow, f)
}

// followed returns the index of a pack; -1 if it is not followed.
func (l *Lock) followed(source, dir string) int {
	return slices.IndexFunc(l.Packs, func(f Followed) bool { return f.Source == source && f.Folder == dir })
}

// Declines returns why a hook of the pack is not offered, because the user declined it under this name
// or, with the same content, under another one; "" if it is.
func (f Followed) Declines(folder *trust.Folder) string {
	if f.Declined[folder.Name] != "" {
		return "you declined it"
	}
	for _, name := range slices.Sorted(maps.Keys(f.Declined)) {
		if f.Declined[name] == print(folder) {
			return fmt.Sprintf("it is %s, which you declined, under another name", name)
		}
	}
	return ""
}

// print returns a digest of a hook without its name and its test cases.
func print(folder *trust.Folder) string {
	h := sha256.New()
	for _, f := range folder.Files {
		if strings.HasPrefix(f.Path, "tests/") {
			continue
		}
		fmt.Fprintf(h, "%q\n", f.Path)
		for line := range bytes.Lines(f.Data) {
			if f.Path != "HOOK.md" || !bytes.HasPrefix(line, []byte("name:")) {
				h.Write(line)
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// update changes the lock as the changes and the packs that are followed from now on say. A hook that is
// removed counts as declined where its pack still has it.
func (l *Lock) update(changes []*Change, follow []Followed) {
	for _, f := range follow {
		if i := l.followed(f.Source, f.Folder); i >= 0 {
			l.Packs[i] = f
		} else {
			l.Packs = append(l.Packs, f)
		}
	}
	for _, c := range changes {
		entry := l.Hooks[c.Name]
		if c.Folder != nil {
			entry = c.Locked
			l.Hooks[c.Name] = entry
		} else {
			delete(l.Hooks, c.Name)
		}
		i := l.followed(entry.Source, entry.directory())
		switch {
		case i < 0:
		case c.Folder != nil:
			delete(l.Packs[i].Declined, c.Name)
		case c.old != nil && !c.Dropped:
			declined := map[string]string{}
			maps.Copy(declined, l.Packs[i].Declined)
			declined[c.Name] = print(c.old)
			l.Packs[i].Declined = declined
		}
	}
	l.Packs = slices.DeleteFunc(l.Packs, func(f Followed) bool { // the last of its hooks was removed
		return len(follow) == 0 && !slices.ContainsFunc(slices.Collect(maps.Values(l.Hooks)), func(h Hook) bool { return h.Source == f.Source && h.directory() == f.Folder })
	})
}
