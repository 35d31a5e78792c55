package install

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
	"github.com/agent-hooks/agent-hooks/internal/state"
)

// Change is the change of one file.
type Change struct {
	Path     string
	Old, New []byte // nil: the file does not exist
	Backup   string // path of the backup of the old file; "" if none was made
	Entries  int    // number of our entries in the new file
	Exact    bool   // New is the file's original content from before install
}

// Changed reports whether the file is written.
func (c Change) Changed() bool { return !bytes.Equal(c.Old, c.New) || (c.Old == nil) != (c.New == nil) }

// pending is a change with the data needed to make and undo it.
type pending struct {
	Change
	artifact artifact
	file     *file
	before   []byte // the file's original content from before install; nil: no file
	note     FileNote
	made     []string
	edited   bool // the file was edited after install wrote it
	done     bool
}

const attempts = 5

// Install writes the target's entries. With dryRun it only returns the changes
// that it would make. It writes either all files of the agent or none.
func (t Target) Install(o Options, dryRun bool) ([]Change, error) {
	if t.Version == "" && slices.ContainsFunc(t.Installed(o.Scope), func(e Entry) bool { return e.Setting }) {
		t.Version = t.FailSince // an earlier install, which knew the version, wrote the setting
	}
	return t.apply(o.Scope, dryRun, func(s *store) ([]*pending, error) { return t.planInstall(s, o) })
}

// Uninstall removes the target's entries. A file that has not been edited since
// is restored byte for byte.
func (t Target) Uninstall(scope string, dryRun bool) ([]Change, error) {
	changed, err := t.apply(scope, dryRun, func(s *store) ([]*pending, error) { return t.planUninstall(s, scope) })
	if err == nil && !dryRun && len(t.AllInstalled()) == 0 {
		state.ForgetCalls(t.StateDir, t.Agent.Name) // a person ended them
	}
	return changed, err
}

func (t Target) apply(scope string, dryRun bool, plan func(*store) ([]*pending, error)) ([]Change, error) {
	s := &store{}
	var err error
	switch {
	case !dryRun:
		s, err = openStore(t.StateDir)
		if err != nil {
			return nil, err
		}
		defer s.close()
	case t.StateDir != "":
		s.Record, _ = ReadRecord(t.StateDir)
	}
	for range attempts {
		var todo []*pending
		todo, err = plan(s)
		if err != nil || dryRun {
			return changes(todo), err
		}
		err = commit(todo)
		if err == nil {
			t.note(s, scope, todo)
			return changes(todo), s.save()
		}
		if !errors.Is(err, errMeanwhile) {
			break
		}
	}
	return nil, err
}

func changes(todo []*pending) []Change {
	var all []Change
	for _, p := range todo {
		all = append(all, p.Change)
	}
	return all
}

func (t Target) planInstall(s *store, o Options) ([]*pending, error) {
	artifacts, err := t.artifacts(o)
	if err != nil {
		return nil, err
	}
	var todo []*pending
	for _, a := range artifacts {
		p, err := t.load(s, a)
		if err != nil {
			return nil, err
		}
		p.New, err = a.edit(t.Client, p.file, p.before)
		if err == nil {
			err = t.checkFlaws(a, p.file.path, p.file.text, p.New)
		}
		if err == nil && p.Changed() {
			err = p.file.checkWritable()
		}
		if err != nil {
			return nil, err
		}
		p.Exact = false
		for _, l := range a.lists {
			p.Entries += len(l.Want)
		}
		todo = append(todo, p)
	}
	for _, a := range t.everyPlace(o.Scope) { // remove entries that were written to other files, with other options
		if slices.ContainsFunc(artifacts, func(u artifact) bool { return u.path == a.path }) {
			continue
		}
		p, err := t.load(s, a)
		if err != nil || !p.file.exists {
			continue // an unreadable file has no effective entries
		}
		p.New = p.before
		if p.Changed() {
			todo = append(todo, p)
		}
	}
	return todo, nil
}

// load reads a file and its original content from before install, which is that without our entries
// if the file has been edited since or the backup is missing.
func (t Target) load(s *store, a artifact) (*pending, error) {
	f, err := t.readFile(a.path)
	if err != nil {
		return nil, err
	}
	p := &pending{Change: Change{Path: a.path}, artifact: a, file: f, note: s.Files[a.path]}
	if !f.exists {
		return p, nil
	}
	p.Old = notNil(f.text)
	p.edited = p.note.After != ""
	p.Exact = p.edited && p.note.After == Digest(f.text)
	if p.note.Backup != "" {
		backup, err := readFile(f.root, p.note.Backup)
		if err == nil && backup.exists {
			p.before = notNil(backup.text)
		} else {
			p.Exact = false
		}
	}
	switch {
	case p.Exact:
		p.edited = false
	case !a.place.whole():
		p.before, err = a.rewrite(t.Client, f, p.before, nil)
		p.before = notNil(p.before)
	case isOurFile(f.text):
		p.before = nil
	default:
		p.before = f.text
	}
	return p, err
}

func notNil(text []byte) []byte {
	if text == nil {
		return []byte{}
	}
	return text
}

// everyPlace returns all files that may contain our entries, without their wanted content: those that
// the agent uses, and then alternative locations.
func (t Target) everyPlace(scope string) (all []artifact) {
	for _, used := range []bool{true, false} {
		for _, p := range t.Places {
			if p.Scope() != scope || t.used(p) != used || t.Home == "" && scope == "user" && (p.Home == "" || !used) {
				continue
			}
			for _, a := range t.filesOf(p, Options{Scope: scope, Program: "agent-hooks"}) {
				known := slices.ContainsFunc(all, func(b artifact) bool { return a.path == b.path })
				if !known && (scope == "user" || !t.isUsers(a.path)) {
					all = append(all, a)
				}
			}
		}
	}
	return all
}

func (t Target) planUninstall(s *store, scope string) ([]*pending, error) {
	if scope == "user" && t.Home == "" {
		return nil, errors.New("HOME is not set to an absolute path, so the user's settings cannot be found")
	}
	var todo []*pending
	for _, a := range t.everyPlace(scope) {
		p, err := t.load(s, a)
		if err != nil {
			return nil, err
		}
		p.New = p.before
		recorded := p.note.After != ""
		if own := filepath.Base(a.path) == "agent-hooks.json" || filepath.Base(filepath.Dir(filepath.Dir(a.path))) == "agent-hooks"; own && !recorded && p.New != nil && p.Changed() {
			handlers := 0
			err := a.place.Layout.Handlers(p.New, func(settings.Position, any) { handlers++ })
			if err == nil && handlers == 0 { // the file is entirely ours, and nothing remains
				p.New = nil
			}
		}
		if !p.file.exists || !p.Changed() && !recorded {
			continue
		}
		if err := p.file.checkWritable(); err != nil && p.Changed() {
			return nil, err
		}
		todo = append(todo, p)
	}
	return todo, nil
}

// errMeanwhile means that a file changed while it was being edited.
var errMeanwhile = errors.New("the file was changed in the meantime")

// commit makes all changes or none.
func commit(todo []*pending) error {
	for _, p := range todo {
		err := p.commit()
		if err == nil {
			continue
		}
		for _, q := range slices.Backward(todo) { // restore the old files
			switch {
			case !q.done:
				continue
			case q.Old == nil:
				_ = os.Remove(q.file.target)
			default:
				_, _ = q.file.write(q.Old, q.file.mode)
			}
			if q.Backup != "" && q.Backup != q.note.Backup {
				_ = os.Remove(q.Backup)
			}
			RemoveDirs(q.made)
		}
		return err
	}
	return nil
}

func (p *pending) commit() (err error) {
	if !p.Changed() && !p.edited {
		return nil
	}
	now, failed := readFile(p.file.root, p.Path)
	if failed != nil || now.exists != p.file.exists || now.target != p.file.target || !bytes.Equal(now.text, p.file.text) {
		return fmt.Errorf("%s: %w", p.Path, errMeanwhile)
	}
	if p.New == nil {
		p.done = true
		return os.Remove(p.file.target)
	}
	mode := p.file.mode
	if !p.file.exists || p.artifact.whole != "" {
		mode = p.artifact.mode
	}
	if p.before != nil && p.Entries+len(p.artifact.whole) > 0 {
		p.Backup, err = p.file.backUp(p.before, p.note.Backup)
		if err != nil {
			return err
		}
	}
	if p.Changed() {
		p.done = true
		p.made, err = p.file.write(p.New, mode)
	}
	if p.artifact.place.Scope() == managed {
		for _, dir := range p.made { // for all users, whatever root's umask is
			err = errors.Join(err, os.Chmod(dir, 0o755))
		}
	}
	return err
}

// RemoveDirs removes the directories that MakeDirs created, if they are empty.
func RemoveDirs(made []string) {
	for _, dir := range slices.Backward(made) {
		_ = state.RemoveEmpty(dir)
	}
}

// note updates the record.
func (t Target) note(s *store, scope string, todo []*pending) {
	for _, p := range todo {
		installs := p.Entries > 0 || p.artifact.whole != "" && p.New != nil
		switch {
		case !installs || p.New == nil:
			delete(s.Files, p.Path)
			if p.note.Backup != "" {
				_ = os.Remove(p.note.Backup)
			}
		case p.Changed() || p.note.After != "":
			if !p.Changed() && !p.edited {
				p.Backup = p.note.Backup
			}
			if p.note.Backup != "" && p.Backup != p.note.Backup {
				_ = os.Remove(p.note.Backup)
			}
			s.Files[p.Path] = FileNote{t.Name, scope, Digest(p.New), p.Backup}
			s.Dirs = append(s.Dirs, p.made...)
		}
	}
}
