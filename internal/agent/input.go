package agent

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// The canonical keys of a tool's input that no agent has as its own.
const (
	filePath  = "file_path"
	filePaths = "file_paths"
	renamed   = "native_" // prefix of a native key whose name is already used
)

// extended returns an input that a hook has changed with the canonical keys, for a call that has been
// decoded, which stays the same.
func (c *Call) extended(input []byte) []byte {
	copied := *c
	return copied.extend(input, c.nativeNames())
}

// extend returns a tool's input with the canonical keys added for values under
// other names (D43). names are the tool's native names. A value that is not an
// object is unchanged, and counts as matched.
func (c *Call) extend(input []byte, names [][]byte) []byte {
	if !rawjson.Exact(input) {
		c.undecided = "the tool's input has text that is not valid Unicode"
	}
	x := extension{call: c}
	if patch, quoted := rawPatch(input, names); quoted > 0 {
		c.rawPatch, input = quoted, objectOf([]member{{patchKey, patch}})
	}
	if rawjson.Members(input, x.read) != nil {
		return input
	}
	if c.given == nil {
		c.given = []string{}
		for _, m := range x.native { // only these matter, and they are few
			if c.Agent.isKey(m.key) && !slices.Contains(c.given, m.key) {
				c.given = append(c.given, m.key)
			}
		}
	}
	switch {
	case c.hasPatch(names, x.native):
		x.readPatch()
	case c.tool == "Shell":
		x.readShell()
	case c.tool == "WriteFile":
		c.edits = c.edits || slices.ContainsFunc(x.native, func(m member) bool { return c.Agent.canonicalKey(m.key, c.tool) == "new_string" })
	}
	x.finish()
	renames := len(x.added) > 0
	for i, m := range x.native {
		if x.has(m.key) || m.key == filePath && x.decoy {
			x.native[i].key, renames = renamed+m.key, true
		}
	}
	if !renames {
		return input
	}
	return objectOf(append(x.native, x.added...))
}

// extension collects the canonical keys of one input.
type extension struct {
	call   *Call
	native []member
	added  []member
	paths  []string
	known  map[string]bool // paths
	single bool            // the paths are files, not only folders to search
	decoy  bool            // a file_path in the input is not the one that the tool reads
}

func (x *extension) has(key string) bool {
	return slices.ContainsFunc(x.added, func(m member) bool { return m.key == key })
}

// read handles one native member.
func (x *extension) read(key string, value []byte) bool {
	x.native = append(x.native, member{key, value})
	row := x.call.Agent.key(key, x.call.tool)
	if row == nil {
		return true
	}
	switch row.Canonical {
	case filePath, filePaths:
		x.readPaths(value)
		x.single = x.single || row.Canonical == filePath
	case key:
	case "url":
		x.added = append(x.added, member{row.Canonical, onlyURL(value)})
	default:
		x.added = append(x.added, member{row.Canonical, value})
	}
	return true
}

// onlyURL returns the URL in a text that contains exactly one, otherwise the
// text.
func onlyURL(value []byte) []byte {
	text, _ := rawjson.Text(value)
	if strings.Count(text, "://") != 1 {
		return value
	}
	for word := range strings.FieldsSeq(text) {
		if i := strings.Index(word, "http"); i >= 0 && strings.Contains(word[i:], "://") {
			return rawjson.AppendText(nil, strings.TrimRight(word[i:], `.,;:!?)>]}"'`))
		}
	}
	return value
}

// readPaths reads a path, a list of paths, or a list of objects with paths.
func (x *extension) readPaths(value []byte) {
	if s, ok := rawjson.Text(value); ok {
		x.path(s)
		return
	}
	_ = rawjson.Elements(value, func(element []byte) bool {
		if s, ok := rawjson.Text(element); ok {
			x.path(s)
			return true
		}
		_ = rawjson.Members(element, func(key string, v []byte) bool {
			row := x.call.Agent.key(key, x.call.tool)
			if s, ok := rawjson.Text(v); ok && row != nil && row.Canonical == filePath {
				x.path(s)
			}
			return true
		})
		return true
	})
}

func (x *extension) path(p string) {
	if p == "" || x.known[p] {
		return
	}
	if x.known == nil {
		x.known = map[string]bool{}
	}
	x.known[p] = true
	x.paths = append(x.paths, p)
}

// readPatch reads the paths in a patch's headers. A patch without paths cannot
// be decided.
func (x *extension) readPatch() {
	for _, m := range x.native {
		for _, p := range patchPaths(m.value) {
			x.path(p)
		}
	}
	if len(x.paths) == 0 {
		x.call.undecided = "the patch has no readable file headers"
	}
	x.single = true
}

// readShell reads the paths of a patch that a command applies: Codex runs
// apply_patch with a here-document as a command.
func (x *extension) readShell() {
	for _, m := range x.native {
		for _, p := range patchPaths(m.value) {
			x.path(p)
			x.call.edits = true
		}
	}
}

// finish sets file_paths, and file_path if there is only one file.
func (x *extension) finish() {
	if len(x.paths) == 0 {
		return
	}
	own := x.call.Agent.key(filePath, x.call.tool) != nil
	x.decoy = !own
	list := []byte{'['}
	for i, p := range x.paths {
		if i > 0 {
			list = append(list, ',', ' ')
		}
		list = rawjson.AppendText(list, p)
	}
	x.added = append(x.added, member{filePaths, append(list, ']')})
	present := own && slices.ContainsFunc(x.native, func(m member) bool { return m.key == filePath })
	if len(x.paths) == 1 && x.single && !present {
		x.added = append(x.added, member{filePath, rawjson.AppendText(nil, x.paths[0])})
	}
}

// isPatch reports whether a native tool takes patches.
func isPatch(names [][]byte) bool {
	return slices.ContainsFunc(names, func(v []byte) bool {
		name, _ := rawjson.Text(v)
		return name == "apply_patch" || name == "ApplyPatch" || name == "patch"
	})
}

// patchPaths returns the paths in the headers of the patch in value, a JSON
// string.
func patchPaths(value []byte) (paths []string) {
	if !bytes.Contains(value, []byte("***")) && !bytes.Contains(value, []byte(`\u002`)) { // an asterisk
		return nil
	}
	text, _ := rawjson.Text(value)
	for line := range strings.Lines(text) {
		if p, _ := spec.PatchHeader(line); p != "" {
			paths = append(paths, p)
		}
	}
	return paths
}

// key returns the row of a native key for a tool, nil if there is none.
func (a *Agent) key(native, tool string) *Key {
	for i := range a.Keys {
		if k := &a.Keys[i]; k.Native == native && (k.Tool == "" || hasWord(k.Tool, tool)) {
			return k
		}
	}
	return nil
}

// isKey reports whether the agent has a row for a native key of any tool.
func (a *Agent) isKey(native string) bool {
	return slices.ContainsFunc(a.Keys, func(k Key) bool { return k.Native == native })
}

// native returns the agent's key for a canonical one, "" if it has none. It
// prefers a key that the input has.
func (a *Agent) native(canonical, tool string, has func(string) bool) (key string) {
	for i := range a.Keys {
		k := &a.Keys[i]
		if k.Canonical != canonical || k.Tool != "" && !hasWord(k.Tool, tool) {
			continue
		}
		if has(k.Native) {
			return k.Native
		}
		if key == "" {
			key = k.Native
		}
	}
	return key
}

// strip converts a canonical input to the agent's own form: it removes the keys
// that only hooks have, and restores the names of renamed ones.
func (c *Call) strip(input []byte) (native []member) {
	all, _ := membersOf(input)
	names := valuesOf(all)
	has := func(key string) bool { _, ok := names[key]; return ok }
	patch := c.hasPatch(c.nativeNames(), all)
	for _, m := range all {
		if c.isCanonicalOnly(m.key, patch, has) {
			continue
		}
		if base, ok := strings.CutPrefix(m.key, renamed); ok && c.Agent.native(base, c.tool, has) != "" {
			m.key = base
		}
		native = append(native, m)
	}
	return native
}

// isCanonicalOnly reports whether a key of a canonical input is not a key of
// the agent's tool. patch reports whether the input contains a patch.
func (c *Call) isCanonicalOnly(key string, patch bool, has func(string) bool) bool {
	if key == filePaths {
		return true
	}
	if c.gave(key) {
		return false
	}
	if key == filePath && has(filePaths) && (c.Agent.key(key, c.tool) == nil || patch) {
		return true
	}
	for _, given := range c.given {
		if row := c.Agent.key(given, c.tool); row != nil && row.Canonical == key && has(given) {
			return true
		}
	}
	native := c.Agent.native(key, c.tool, has)
	return native != "" && native != key && has(native)
}

// gave reports whether the payload's input has the key as one of the agent's
// own.
func (c *Call) gave(key string) bool {
	return slices.Contains(c.given, key) && c.Agent.key(key, c.tool) != nil
}

// merge returns the current canonical input with the keys of change set (D43),
// together with the corresponding agent's keys. Contradictory changes are an
// error. If whole is set, change is the whole input, and keys that it lacks are
// removed.
func (c *Call) merge(current, change []byte, whole bool) ([]byte, error) {
	if !isObject(current) {
		return nil, errors.New("bad answer: modified_input for a tool whose input is not an object")
	}
	native := c.strip(current)
	if whole {
		native = c.keep(native, valuesOf(latest(change)))
	}
	names, old := valuesOf(native), valuesOf(latest(current))
	has, patch := func(key string) bool { return names[key] != nil }, c.hasPatch(c.nativeNames(), native)
	var set []member
	given := map[string][]byte{}
	for _, m := range latest(change) {
		if was := old[m.key]; was != nil && same(was, m.value) {
			continue
		}
		key := m.key
		if own := c.Agent.native(key, c.tool, has); own != "" && !c.gave(key) {
			key = own
		}
		if key == filePaths || m.key == filePath && patch && !c.gave(filePath) {
			return nil, fmt.Errorf("bad answer: modified_input changes %q, which the tool does not have", m.key)
		}
		if other := given[key]; other != nil && !same(other, m.value) {
			return nil, fmt.Errorf("bad answer: modified_input sets %q in two ways", key)
		}
		given[key] = m.value
		set = append(set, member{key, m.value})
	}
	native = assign(native, set...)
	if _, isText := rawjson.Text(lookup(native, patchKey)); c.rawPatch > 0 && (len(native) != 1 || !isText) {
		return nil, fmt.Errorf("bad answer: modified_input for a patch changes more than %q", patchKey)
	}
	return c.extended(objectOf(native)), nil
}

// keep returns the native members that are still in an input, under their own
// or their canonical names.
func (c *Call) keep(native []member, input map[string][]byte) []member {
	return slices.DeleteFunc(native, func(m member) bool {
		if input[m.key] != nil {
			return false
		}
		row := c.Agent.key(m.key, c.tool)
		return row == nil || input[row.Canonical] == nil
	})
}

// assign sets members, each at the first occurrence of its key, and removes
// repeated ones.
func assign(members []member, set ...member) []member {
	values := make(map[string][]byte, len(set))
	for _, m := range set {
		values[m.key] = m.value
	}
	out, done := make([]member, 0, len(members)+len(set)), make(map[string]bool, len(set))
	for _, m := range members {
		if value, ok := values[m.key]; ok {
			if done[m.key] {
				continue
			}
			done[m.key], m.value = true, value
		}
		out = append(out, m)
	}
	for _, m := range set {
		if !done[m.key] {
			done[m.key] = true
			out = append(out, member{m.key, values[m.key]})
		}
	}
	return out
}

// valuesOf returns the values by key, for many look-ups. For a repeated key it
// returns the first one, as lookup does.
func valuesOf(members []member) map[string][]byte {
	values := make(map[string][]byte, len(members))
	for _, m := range members {
		if _, ok := values[m.key]; !ok {
			values[m.key] = m.value
		}
	}
	return values
}

// membersOf returns the members of an object up to the first error; ok is false if
// there is one.
func membersOf(object []byte) (members []member, ok bool) {
	err := rawjson.Members(object, func(key string, value []byte) bool {
		members = append(members, member{key, value})
		return true
	})
	return members, err == nil
}

// latest returns the members of an object. For a repeated key it returns the
// last member.
func latest(object []byte) []member {
	members, _ := membersOf(object)
	count := make(map[string]int, len(members))
	for _, m := range members {
		count[m.key]++
	}
	if len(count) == len(members) {
		return members
	}
	return slices.DeleteFunc(members, func(m member) bool {
		count[m.key]--
		return count[m.key] > 0
	})
}

func lookup(members []member, key string) []byte {
	for _, m := range members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// same reports whether two JSON values are certainly equal.
func same(a, b []byte) bool { return bytes.Equal(compact(a), compact(b)) }

// compact returns a JSON value without the spaces between its tokens.
func compact(value []byte) []byte {
	if s, ok := rawjson.Text(value); ok {
		return rawjson.AppendText(nil, s)
	}
	out := make([]byte, 0, len(value))
	inside := false
	for i := 0; i < len(value); i++ {
		switch b := value[i]; {
		case inside && b == '\\' && i+1 < len(value):
			out = append(out, b, value[i+1])
			i++
			continue
		case b == '"':
			inside = !inside
		case !inside && (b == ' ' || b == '\n' || b == '\r' || b == '\t'):
			continue
		}
		out = append(out, value[i])
	}
	return out
}

// objectOf returns the members as a JSON object.
func objectOf(members []member) []byte {
	size := len("{}")
	for _, m := range members {
		size += len(m.key) + len(`, "": `) + len(m.value)
	}
	object := append(make([]byte, 0, size), '{')
	for i, m := range members {
		if i > 0 {
			object = append(object, ", "...)
		}
		object = append(append(rawjson.AppendText(object, m.key), ": "...), m.value...)
	}
	return append(object, '}')
}

func isObject(value []byte) bool { return len(value) > 0 && value[0] == '{' }
