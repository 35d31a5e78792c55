package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// review is one hook of a project as it is shown, and as it will be trusted.
type review struct {
	name    string // of the folder
	refused string // why it cannot be trusted, one line; "" if it can
	news    news
	// remembered says that this content is the one that holds for the
	// project already.
	remembered bool
	replaces   bool // the user has a hook of this name

	folder *trust.Folder
	before *trust.Folder   // what was trusted before; nil
	hook   *discovery.Hook // as the folder's bytes say
	entry  string          // the entry point, below the folder
}

// news is what is new of a hook.
type news string

const (
	fresh     news = "new"
	changed   news = "changed since it was trusted"
	unchanged news = "trusted already"
)

// newReview reads a hook's folder once; everything that is shown comes from
// these bytes. The error is that of the store.
func newReview(h *discovery.Hook, place trust.Place, store *trust.Store, path string) (*review, error) {
	r := &review{name: h.Folder, news: fresh, replaces: h.Replaces != nil}
	if err := h.Permissions(); err != nil {
		r.refused = err.Error()
		return r, nil
	}
	folder, err := trust.Read(h.Dir)
	if err != nil {
		r.refused = err.Error()
		return r, nil
	}
	r.folder = folder
	if r.refused = r.examine(h.Dir, path); r.refused != "" {
		return r, nil
	}
	before, digest, err := store.Reviewed(place, h.Folder)
	if err != nil {
		return nil, err
	}
	content := trust.Content{Name: h.Folder, Digest: folder.Digest()}
	switch {
	case store.Has(content):
		r.news, r.remembered = unchanged, digest == content.Digest
	case before != nil:
		r.news, r.before = changed, before
	}
	return r, nil
}

// examine has the folder's bytes read as a run would read them, and returns
// why they are no hook that can run. They are in a directory for that long
// only.
func (r *review) examine(dir, path string) (refused string) {
	temp, err := os.MkdirTemp("", "agent-hooks-")
	if err != nil {
		return err.Error()
	}
	defer trust.Discard(temp)
	if err := r.folder.Write(temp); err != nil {
		return err.Error()
	}
	staged := filepath.Join(temp, r.folder.Name)
	r.hook = discovery.ReadHook(staged, discovery.ProjectScope)
	for _, d := range r.hook.Validate(path) {
		// Who can write the temporary directory is beside the point.
		if d.Fatal() && d.Code != "permissions" {
			return strings.ReplaceAll(d.String(), staged, dir)
		}
	}
	entry, err := r.hook.Entry(path)
	if err != nil {
		return strings.ReplaceAll(err.Error(), staged, dir)
	}
	r.entry = entry.Script
	if rel, err := filepath.Rel(staged, entry.Script); err == nil {
		r.entry = fmt.Sprintf("%s (%s)", filepath.ToSlash(rel), strings.ReplaceAll(strings.Join(entry.Argv, " "), staged+string(filepath.Separator), ""))
	}
	return ""
}
