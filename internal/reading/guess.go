package reading

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Guess is what the keys of an input say about a call (D87): of a tool that is in no table, a
// shell's whose command has another key, an edit with a patch, or one that the user's hooks.toml
// declares.
type Guess struct {
	Name     string // the tool's own name
	Unknown  bool   // no table has the tool
	Declared string // the tool that the user declared it to be, "" if none
	Decided  bool   // the keys determine the values: hooks may rely on them for an allow

	call *Call
	mcp  bool
	// onlyPatch means that only the paths in a patch were missing.
	onlyPatch bool
	values    []value
	original  []byte   // the input as an object; nil if it is not one
	input     []byte   // with the canonical keys; nil if it has them already
	added     []string // the canonical keys that input has in addition, or with another value
}

// guessOf returns the guess for a call, nil if the tables suffice.
func guessOf(c *Call) *Guess {
	g := &Guess{call: c}
	g.identify()
	pre := c.Before
	patch, shell := g.lacks()
	if g.Declared == "" && !(g.Unknown && pre) && !(shell && pre) && !patch {
		return nil
	}
	g.values = c.reading().of(g.mcp && g.Declared == "")
	g.onlyPatch = patch
	g.complete(patch)
	return g
}

// identify looks up the tool's names. A name is one of an MCP server's tools
// only if that is certain: "server_tool" may be any tool.
func (g *Guess) identify() {
	others := g.call.Canonical
	g.mcp = true
	for i, name := range g.call.Own {
		canonical := name
		if i < len(others) {
			canonical = others[i]
		}
		for _, n := range append(spec.ToolNames(name), canonical) {
			if tool := g.call.Declared[n]; tool != "" && g.Declared == "" {
				g.Name, g.Declared = name, tool
			}
		}
		_, isTool := spec.CanonicalTool(canonical)
		known := isTool || spec.KnownTool(name) && !spec.IsMCP(name) || canonical != name && !spec.IsMCP(canonical)
		if known || g.Unknown && !g.mcp {
			continue
		}
		g.Unknown, g.mcp = true, spec.IsMCP(name) || spec.IsMCP(canonical) && strings.HasSuffix(canonical, "__"+name)
		if g.Declared == "" {
			g.Name = name
		}
	}
	if g.Declared != "" {
		g.Unknown = false
	}
}

// lacks reports whether the input of a known tool lacks canonical keys: the
// paths of a patch, or the command of a shell.
func (g *Guess) lacks() (patch, shell bool) {
	if g.Unknown || g.Declared != "" {
		return false, false
	}
	if len(g.call.Own) > 0 {
		g.Name = g.call.Own[0]
	}
	shell = slices.Contains(g.call.Tools, "Shell")
	edits := !shell && (slices.Contains(g.call.Tools, "EditFile") || slices.Contains(g.call.Tools, "WriteFile"))
	if !shell && !edits {
		return false, false
	}
	input := g.call.Input
	has := map[string]bool{}
	_ = rawjson.Members(input, func(key string, value []byte) bool {
		has[key] = key != "command" || hasText(value)
		patch = patch || edits && key != "content" && key != "old_string" && key != "new_string" && isPatch(value)
		return true
	})
	patch = (patch || edits && isPatch(input)) && !has["file_paths"]
	return patch, shell && !has["command"]
}

// hasText reports whether a value is a string that is not blank. It decodes the
// string only if its first character does not decide that: a command may be
// large.
func hasText(value []byte) bool {
	if rest := bytes.TrimLeft(bytes.TrimPrefix(value, []byte{'"'}), " "); len(rest) > 0 && len(rest) < len(value) &&
		value[0] == '"' && rest[0] != '\\' && rest[0] != '"' && ' ' < rest[0] && rest[0] < 0x7f {
		return true
	}
	text, ok := rawjson.Text(value)
	return ok && strings.TrimSpace(text) != ""
}

func isPatch(value []byte) bool {
	text, ok := rawjson.Text(value)
	return ok && spec.IsPatch(text)
}

// complete adds the canonical keys to the input. onlyPatch means that the keys
// themselves are known.
func (g *Guess) complete(onlyPatch bool) {
	input := g.call.Input
	if text, ok := rawjson.Text(input); ok {
		inner := []byte(strings.TrimSpace(text))
		input = nil
		if rawjson.KindOf(inner) == rawjson.Object && rawjson.Valid(inner) {
			input = inner
		} else if spec.IsPatch(text) {
			input = appendMember(nil, "patch", rawjson.AppendText(nil, text))
		}
	}
	if rawjson.KindOf(input) != rawjson.Object || !rawjson.Valid(input) {
		return
	}
	g.original = input
	var commands []value
	var paths []string
	for _, v := range g.values {
		switch {
		case v.IsCommand() && !onlyPatch:
			commands = append(commands, v)
		case !v.IsCommand() && (v.Patch || g.Unknown || v.Indicates(g.Declared)):
			paths = append(paths, v.Text)
		}
	}
	values := map[string][]byte{}
	if len(commands) > 0 && (g.Unknown || g.isShell()) {
		values["command"] = rawjson.AppendText(nil, inShells(commands))
	}
	if len(paths) > 0 {
		list := []byte{'['}
		for i, p := range paths {
			if i > 0 {
				list = append(list, ", "...)
			}
			list = rawjson.AppendText(list, p)
		}
		values["file_paths"] = append(list, ']')
	}
	if len(paths) == 1 {
		values["file_path"] = rawjson.AppendText(nil, paths[0])
	}
	g.Decided = !g.Unknown && !g.call.reading().Unreadable && (onlyPatch || len(commands) <= 1 && !slices.ContainsFunc(commands, func(v value) bool { return v.Key == "" }))
	g.add(values)
}

// Adds reports whether hooks read canonical keys that the call does not have.
func (g *Guess) Adds() bool { return len(g.added) > 0 }

// isShell reports whether the tool is known to be a shell's.
func (g *Guess) isShell() bool {
	return !g.Unknown && (g.Declared == "Shell" || g.Declared == "")
}

// IsFor reports whether the guess concerns a hook. A guess that is not decided
// concerns only hooks that can refuse the call: an async hook is informed, and a
// later event would start a formatter.
func (g *Guess) IsFor(async bool) bool {
	return g != nil && (g.certain() || !async && g.call.Before)
}

// certain reports whether the tool is known: by the user's declaration, or as
// one that edits files by patches.
func (g *Guess) certain() bool { return g.Declared != "" || !g.Unknown && g.onlyPatch }

// canonicalKeys are the keys that a guess adds.
var canonicalKeys = [...]string{"command", "file_paths", "file_path"}

// add makes the input with values under the canonical keys. A member with
// another value that it replaces becomes native_KEY.
func (g *Guess) add(values map[string][]byte) {
	_ = rawjson.Members(g.original, func(key string, value []byte) bool {
		if given, ok := values[key]; ok && sameValue(given, value) {
			delete(values, key)
		}
		return true
	})
	for _, key := range canonicalKeys {
		if values[key] != nil {
			g.added = append(g.added, key)
		}
	}
	if len(g.added) == 0 {
		if !bytes.Equal(g.original, g.call.Input) {
			g.input = g.original
		}
		return
	}
	_ = rawjson.Members(g.original, func(key string, value []byte) bool {
		if slices.Contains(g.added, key) {
			key = nativePrefix + key
		}
		g.input = appendMember(g.input, key, value)
		return true
	})
	for _, key := range g.added {
		g.input = appendMember(g.input, key, values[key])
	}
}

// nativePrefix begins the key of a member that another one replaces.
const nativePrefix = "native_"

// appendMember adds a member to an object; nil is the empty one.
func appendMember(object []byte, key string, value []byte) []byte {
	if len(object) < len("{}") || string(object) == "{}" {
		object = append(object[:0], '{')
	} else {
		object = append(object[:len(object)-1], ", "...)
	}
	object = append(rawjson.AppendText(object, key), ": "...)
	return append(append(object, value...), '}')
}

// sameValue reports whether two strings, or lists of strings, are equal.
func sameValue(a, b []byte) bool {
	if s, ok := rawjson.Text(a); ok {
		t, ok := rawjson.Text(b)
		return ok && s == t
	}
	return slices.Equal(texts(a), texts(b)) && rawjson.KindOf(b) == rawjson.Array
}

// texts returns the elements of a list as texts.
func texts(list []byte) (all []string) {
	_ = rawjson.Elements(list, func(element []byte) bool {
		text, ok := rawjson.Text(element)
		if !ok {
			text = string(element)
		}
		all = append(all, text)
		return true
	})
	return all
}

// Tools returns the tools that an unknown tool may be.
func (g *Guess) Tools() (all []string) {
	if !g.Unknown {
		return nil
	}
	for _, key := range spec.InputKeys() {
		for _, tool := range key.Tools {
			indicated := slices.ContainsFunc(g.values, func(v value) bool { return v.Indicates(tool) }) ||
				g.call.reading().Unreadable && (!g.mcp || key.MCP)
			if indicated && !slices.Contains(all, tool) {
				all = append(all, tool)
			}
		}
	}
	return all
}

// Values returns the texts that the canonical keys would hold, for patterns.
func (g *Guess) Values() (all []string) {
	for _, v := range g.values {
		all = append(all, v.Text)
	}
	for _, key := range g.added {
		var value []byte
		_ = rawjson.Members(g.input, func(k string, v []byte) bool {
			if k == key {
				value = v
			}
			return true
		})
		all = append(all, string(appendMember(nil, key, value)))
	}
	return all
}

// Why describes the guess that the tool is a canonical one.
func (g *Guess) Why(tool string) string {
	keys := []string{}
	for _, v := range g.values {
		if v.Indicates(tool) && !slices.Contains(keys, v.Name) && len(keys) < 3 {
			keys = append(keys, v.Name)
		}
	}
	cause := "its input cannot be read"
	if len(keys) > 0 {
		cause = fmt.Sprintf("its input has %q", keys)
		cause = strings.NewReplacer("[", "", "]", "").Replace(cause)
	}
	return fmt.Sprintf("guessed: the tool %q is in no table and counts as %s, because %s", shown.Short(g.Name), tool, shown.OneLine(shown.Short(cause)))
}

// Input returns the input with the canonical keys; nil if it has them already.
func (g *Guess) Input() []byte { return g.input }

// Restore returns a hook's changed input with the tool's own keys instead of
// those that only hooks have. ok is false if the change cannot be made there.
func (g *Guess) Restore(changed []byte) (input []byte, ok bool, err error) {
	given, was := map[string][]byte{}, map[string][]byte{}
	read := func(object []byte, into map[string][]byte) {
		_ = rawjson.Members(object, func(key string, value []byte) bool { into[key] = value; return true })
	}
	read(changed, given)
	read(g.input, was)
	set := map[string][]byte{}
	for _, key := range g.added {
		value := given[key]
		if value == nil || sameValue(was[key], value) {
			continue
		}
		own := g.ownKey(key)
		if own == "" {
			return nil, false, nil
		}
		if other := given[own]; other != nil && !sameValue(other, was[own]) && !sameValue(other, value) {
			return nil, false, fmt.Errorf("bad answer: modified_input sets %q in two ways", own)
		}
		set[own] = value
	}
	if !bytes.Equal(g.original, g.call.Input) && rawjson.KindOf(g.call.Input) != rawjson.Object {
		return nil, maps.EqualFunc(given, was, bytes.Equal) && len(set) == 0, nil
	}
	_ = rawjson.Members(changed, func(key string, value []byte) bool {
		base := strings.TrimPrefix(key, nativePrefix)
		switch {
		case slices.Contains(g.added, key):
			return true
		case base != key && slices.Contains(g.added, base):
			key = base
		}
		if v := set[key]; v != nil {
			value = v
			delete(set, key)
		}
		input = appendMember(input, key, value)
		return true
	})
	for _, key := range slices.Sorted(maps.Keys(set)) {
		input = appendMember(input, key, set[key])
	}
	if input == nil {
		input = []byte("{}")
	}
	return input, true, nil
}

// ownKey returns the input's own key of a canonical one, "" if there is not
// exactly one.
func (g *Guess) ownKey(canonical string) (key string) {
	if canonical == "file_paths" {
		return ""
	}
	found := 0
	for _, v := range g.values {
		if v.IsCommand() == (canonical == "command") {
			key = v.Key
			found++
		}
	}
	if found != 1 {
		return ""
	}
	return key
}
