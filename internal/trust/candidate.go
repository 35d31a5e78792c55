package trust

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/state"
)

// Candidate is one hook of a project, as it is shown and will be trusted.
type Candidate struct {
	Name     string // name of the folder
	Refused  string // why the hook cannot be trusted, one line; "" if it can
	Declined bool   // the user declined to trust the hook
	News     News
	Detail   string // details of News
	Replaces bool   // the user has a hook with this name
	Others   string // who else can write the folder in the project, one line; "" if nobody can

	Folder *Folder
	Before *Folder         // the previously trusted content, or nil
	Hook   *discovery.Hook // parsed from the folder's content
	Entry  string          // the entry point, relative to the folder
}

// News describes what is new in a hook.
type News string

// What can be new.
const (
	Fresh     News = "new"
	Changed   News = "changed since it was trusted"
	Older     News = "an earlier version, which was reviewed before the one that is trusted"
	Elsewhere News = "reviewed before, but not in this project"
	Unchanged News = "trusted already"
)

// NewCandidate reads a hook's folder once; everything that is shown comes from
// these bytes. It returns an error if the store cannot be read.
func NewCandidate(h *discovery.Hook, history *History, everywhere, unshown bool, path string) (*Candidate, error) {
	r := &Candidate{Name: h.Folder, News: Fresh, Replaces: h.Replaces != nil}
	r.Others = reason(h.Permissions())
	if h.Folder == ConfigName {
		r.Refused = "the name is that of the project's configuration"
		return r, nil
	}
	folder, err := Read(h.Dir)
	if err != nil {
		r.Refused = err.Error()
		return r, nil
	}
	r.Folder = folder
	r.Refused = r.examine(h.Dir, path)
	if r.Refused != "" {
		return r, nil
	}
	if err := r.compare(history, everywhere); err != nil {
		return nil, err
	}
	if hidden := r.hidden(); hidden != "" && r.News != Unchanged && !unshown {
		r.Refused = hidden + "; --unshown trusts it nevertheless"
	}
	return r, nil
}

// reason returns who else can write a file, as err says it, on one line. That is no reason to refuse a
// review: it reads what it copies, and the copy runs (D133).
func reason(err error) string {
	var owner *paths.OwnerError
	switch {
	case errors.As(err, &owner): // without its advice: no other owner or mode is needed
		return shown.Path(owner.Path) + " " + owner.Reason
	case err != nil:
		return shown.Line(err.Error())
	}
	return ""
}

// Examine returns a hook whose folder comes from elsewhere, as it is shown and will be written.
// before is the content with which it is compared, or nil; at is the folder's path for messages.
func Examine(folder, before *Folder, at string, unshown bool, path string) *Candidate {
	r := &Candidate{Name: folder.Name, News: Fresh, Folder: folder, Before: before}
	r.Refused = r.examine(at, path)
	if r.Refused != "" {
		return r
	}
	if hidden := r.hidden(); hidden != "" && !unshown {
		r.Refused = hidden + "; --unshown accepts it nevertheless"
	}
	return r
}

// compare determines what is new in the hook.
func (r *Candidate) compare(history *History, everywhere bool) (err error) {
	content := Content{Name: r.Name, Digest: r.Folder.Digest()}
	if history.Holds(content, everywhere) {
		r.News = Unchanged
		return nil
	}
	r.Before, err = history.Reviewed(r.Name)
	if err != nil {
		return err
	}
	repositories := history.Elsewhere(content)
	switch {
	case r.Before != nil && r.Before.Digest() == content.Digest:
		r.News, r.Before, r.Detail = Elsewhere, nil, "it is trusted in this project only"
	case history.Earlier(content):
		r.News = Older
	case r.Before != nil:
		r.News = Changed
	case len(repositories) > 0:
		r.News, r.Detail = Elsewhere, "in "+strings.Join(repositories, ", ")
	}
	return nil
}

// hidden returns the first file that cannot be shown; "" if there is none.
func (r *Candidate) hidden() string {
	for _, f := range r.Folder.Files {
		if r.Before != nil {
			if before, was := r.Before.Find(f.Path); was && before.Same(f) {
				continue // the previously trusted content has the same file
			}
		}
		if !f.IsText() {
			return fmt.Sprintf("the file %q is binary and cannot be shown (%s)", f.Path, f.Fingerprint())
		}
	}
	return ""
}

// examine parses the folder's content as a run would, and returns the reason if the hook cannot
// run. It writes the content to a temporary directory for this.
func (r *Candidate) examine(dir, path string) (refused string) {
	temp, err := Scratch("")
	if err != nil {
		return err.Error()
	}
	defer state.Discard(temp)
	if err := r.Folder.Write(temp); err != nil {
		return err.Error()
	}
	staged := filepath.Join(temp, r.Folder.Name)
	r.Hook = discovery.ReadHook(staged, discovery.ProjectScope)
	var problems []string
	for _, d := range r.Hook.Validate(path) {
		// The permissions of the temporary directory do not matter.
		if d.Fatal() && d.Code != "permissions" {
			problems = append(problems, strings.ReplaceAll(d.String(), staged, dir))
		}
	}
	if len(problems) > 0 {
		return strings.Join(problems, "; ")
	}
	entry, err := r.Hook.Entry(path)
	if err != nil {
		return strings.ReplaceAll(err.Error(), staged, dir)
	}
	r.Entry = entry.Script
	if r.Hook.Answer != nil {
		return ""
	}
	if rel, err := filepath.Rel(staged, entry.Script); err == nil {
		r.Entry = fmt.Sprintf("%s (%s)", filepath.ToSlash(rel), strings.ReplaceAll(strings.Join(entry.Argv, " "), staged+string(filepath.Separator), ""))
	}
	return ""
}

// IsText reports whether the file can be shown as text, with invalid UTF-8 escaped. A file with
// a NUL, or with many invalid bytes, is binary.
func (f File) IsText() bool {
	if bytes.IndexByte(f.Data, 0) >= 0 {
		return false
	}
	const oneIn = 4 // at most one undecodable byte in this number
	undecodable := 0
	for rest := f.Data; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if r == utf8.RuneError && n == 1 {
			undecodable++
		}
		rest = rest[n:]
	}
	return undecodable <= len(f.Data)/oneIn
}

// Fingerprint identifies the content of a file that cannot be shown.
func (f File) Fingerprint() string {
	return fmt.Sprintf("%d bytes, sha256 %x", len(f.Data), sha256.Sum256(f.Data))
}
