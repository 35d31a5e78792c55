package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// review is one hook of a project, as it is shown and will be trusted.
type review struct {
	name     string // of the folder
	refused  string // why it cannot be trusted, one line; "" if it can
	declined bool   // the user declined to trust it
	news     news
	detail   string // details of the news
	replaces bool   // the user has a hook with this name

	folder *trust.Folder
	before *trust.Folder   // the previously trusted content, or nil
	hook   *discovery.Hook // parsed from the folder's content
	entry  string          // the entry point, relative to the folder
}

// news describes what is new in a hook.
type news string

const (
	fresh     news = "new"
	changed   news = "changed since it was trusted"
	older     news = "an earlier version, which was reviewed before the one that is trusted"
	elsewhere news = "reviewed before, but not in this project"
	unchanged news = "trusted already"
)

// newReview reads a hook's folder once; everything that is shown comes from
// these bytes. The error is that of the store.
func newReview(h *discovery.Hook, history *trust.History, flags trustFlags, path string) (*review, error) {
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
	if err := r.compare(history, flags.everywhere); err != nil {
		return nil, err
	}
	if hidden := r.unshown(); hidden != "" && r.news != unchanged && !flags.unshown {
		r.refused = hidden + "; --unshown trusts it nevertheless"
	}
	return r, nil
}

// compare determines what is new in the hook.
func (r *review) compare(history *trust.History, everywhere bool) (err error) {
	content := trust.Content{Name: r.name, Digest: r.folder.Digest()}
	if history.Holds(content, everywhere) {
		r.news = unchanged
		return nil
	}
	if r.before, err = history.Reviewed(r.name); err != nil {
		return err
	}
	repositories := history.Elsewhere(content)
	switch {
	case r.before != nil && r.before.Digest() == content.Digest:
		r.news, r.before, r.detail = elsewhere, nil, "it is trusted in this project only"
	case history.Earlier(content):
		r.news = older
	case r.before != nil:
		r.news = changed
	case len(repositories) > 0:
		r.news, r.detail = elsewhere, "in "+strings.Join(repositories, ", ")
	}
	return nil
}

// unshown returns the first file that showFile does not show; "" if there is none.
func (r *review) unshown() string {
	for _, f := range r.folder.Files {
		if !r.isOld(f) && !isText(f) {
			return fmt.Sprintf("the file %q is binary and cannot be shown (%s)", f.Path, fingerprint(f))
		}
	}
	return ""
}

// isOld reports whether the same file was reviewed before.
func (r *review) isOld(f trust.File) bool {
	if r.before == nil {
		return false
	}
	before, was := r.before.Find(f.Path)
	return was && before.Same(f)
}

func (r *review) question(everywhere bool) string {
	where := ""
	if everywhere {
		where = " in every project"
	}
	return fmt.Sprintf("trust this hook%s? [y/N] ", where)
}

// examine parses the folder's content as a run would, and returns the reason if the hook cannot
// run. It writes the content to a temporary directory for this.
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
		// The permissions of the temporary directory do not matter.
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
