package importer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/manifest"
)

// importedKey is the metadata key that marks imported hooks: the identity of the entry, the digest
// of what import wrote, and the file.
const importedKey = "imported"

// earlier is a hook that an earlier import wrote.
type earlier struct {
	name, folder, digest string
	priority             int
	tool                 string // its matcher
	when                 []manifest.Condition
}

// exactly identifies an entry with all its settings.
func exactly(e *entry) string {
	handler := maps.Clone(e.handler)
	delete(handler, "statusMessage")
	return hash(e.event, e.matcher, handler, e.source.plugin)
}

// options returns what the entries of one hook have in common: everything but the matcher.
func (b *builder) options() string {
	e := b.entry
	group := maps.Clone(e.group)
	delete(group, "matcher")
	delete(group, "hooks")
	handler := maps.Clone(e.handler)
	delete(handler, "statusMessage")
	if e.group == nil {
		delete(handler, "matcher")
	}
	return hash(e.source.path, e.event, string(b.hook.Trigger), handler, group)
}

func hash(values ...any) string {
	text, _ := json.Marshal(values)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// identify finds the hook that an earlier import wrote for the entry, and names the hook. The
// identity of an entry is what it runs for which event: it remains if the entry is moved to another
// file, or if its timeout or matcher changes.
func (b *builder) identify(agentName, suffix string) {
	h, e := b.hook, b.entry
	runs := any(h.Command)
	if e.part != nil {
		runs = e.handler
	}
	b.base = hash(agentName, e.event, runs, e.source.plugin) + suffix
	b.nextIdentity()
	b.take(b.known[h.Scope][h.id])
}

// nextIdentity gives the hook the first identity of its entry that no other hook of the plan has.
func (b *builder) nextIdentity() {
	h := b.hook
	key := h.Scope + b.base
	b.count[key]++
	h.id = b.base
	if n := b.count[key]; n > 1 {
		h.id = fmt.Sprintf("%s-%d", b.base, n)
	}
	b.seen[h.Scope+h.id] = true
}

// take makes the hook that of an earlier import, or a new one.
func (b *builder) take(was *earlier) {
	h := b.hook
	h.Existing = was != nil
	if was != nil {
		h.Name, h.Priority = was.name, was.priority
	} else {
		h.Name = b.name(b.suggestions())
	}
	h.Folder = filepath.Join(b.hooksOf(h.Scope), h.Name)
}

// finish renders the hook after all entries were read, because later ones may have joined it. A
// hook of an earlier import is replaced only if that leaves no call unguarded.
func (b *builder) finish() {
	h := b.hook
	for {
		h.Manifest = b.manifest(noDigest)
		digest := digestOf(h.Files())
		h.Manifest = b.manifest(digest)
		was := b.known[h.Scope][h.id]
		switch {
		case was == nil || was.digest == digest:
		case was.edited():
			h.kept = true
			b.warnf("its entry and the hook have both changed since: the hook is kept; to import the entry again, remove %s", b.shown(h.Folder))
		case b.covers(was):
			h.Replaces = true
		default:
			b.warnf("%s of an earlier import has another matcher and stays; if this entry replaces it, remove %s", was.name, b.shown(h.Folder))
			b.nextIdentity()
			b.take(b.known[h.Scope][h.id])
			continue
		}
		return
	}
}

// covers reports whether the hook runs wherever an earlier one did.
func (b *builder) covers(was *earlier) bool {
	includes := func(expression, other string) bool {
		both, ok := either(expression, other)
		return ok && both == expression
	}
	for i, w := range b.when {
		if len(was.when) != len(b.when) || was.when[i].Field != w[0] || !includes(w[1], was.when[i].Pattern) {
			return false
		}
	}
	return includes(b.matcher(), was.tool)
}

// noDigest is in the place of the digest when it is calculated.
const noDigest = "0000000000000000"

func digestOf(files []state.File) string {
	var values []any
	for _, f := range files {
		values = append(values, f.Path, string(f.Data))
	}
	return hash(values...)
}

// edited reports whether the files are not those that import wrote.
func (was *earlier) edited() bool {
	h := Hook{}
	for path, text := range map[string]*string{"HOOK.md": &h.Manifest, "scripts/run": &h.Script, PromptFile: &h.Prompt} {
		data, _, _ := readRegular(filepath.Join(was.folder, filepath.FromSlash(path)))
		*text = string(data)
	}
	h.Manifest = strings.Replace(h.Manifest, " "+was.digest+" ", " "+noDigest+" ", 1)
	return digestOf(h.Files()) != was.digest
}
