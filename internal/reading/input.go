package reading

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// value is a command or a path in an input.
type value struct {
	Text string
	// Key is the key of the value if it is a string member of the input itself;
	// "" if it is anywhere else, or was put together.
	Key string
	// Name is the key that indicates what the value is.
	Name string
	// Patch means that the value is a path in the headers of a patch.
	Patch bool
	// Removes means that the patch removes or moves it.
	Removes bool
	row     *spec.InputKey
}

// reading is what was found in the inputs of a call, in order and without duplicates.
type reading struct {
	Values []value
	// Dirs are the directories that the inputs name for the call.
	Dirs []string
	// Others are the other strings that may be paths, of one line, and the paths in
	// unified diffs; also duplicates.
	Others []member
	// Unreadable means that the input, or a part of it, cannot be read, so that
	// it may contain anything.
	Unreadable bool

	// texts are the strings in a shell's inputs, which it may run whatever their keys
	// are, with the keys of the inputs' own members.
	texts []member
	// keys means that an input has a key, commandKey that it has a command's, and
	// wrongCommand that a command is not a string. notObject means that an input is
	// not an object.
	keys, commandKey, wrongCommand, notObject bool
}

// of returns the values that count for the tools of an MCP server, or for any tool.
func (r *reading) of(mcp bool) []value {
	if !mcp {
		return r.Values
	}
	return slices.DeleteFunc(slices.Clone(r.Values), func(v value) bool { return !v.row.MCP && !v.Patch })
}

// member is a string in an input, and the key that is next to it or its list.
type member struct{ key, text string }

// Indicates reports whether a value may be for a canonical tool.
func (v *value) Indicates(tool string) bool {
	for _, t := range v.row.Tools {
		if t == tool {
			return true
		}
	}
	return false
}

// IsCommand reports whether the value is a command, rather than a path.
func (v *value) IsCommand() bool { return v.row.Canonical == "command" }

// readInput reads the values of tool_input; there are several if the caller repeated
// the key. isShell means that the tool may be a shell's. The time is linear in the
// size of the inputs.
func readInput(inputs [][]byte, isShell bool) *reading {
	r := reader{isShell: isShell, seen: map[member]int{}}
	for _, input := range inputs {
		r.own, r.key = true, ""
		r.value(input, 0)
	}
	return &r.reading
}

// maxNesting is the deepest nesting that is read.
const maxNesting = 10_000

// maxOwn is the largest number of commands in one object that arguments are
// added to.
const maxOwn = 16

// maxQuoted is how often JSON may be quoted inside a JSON string to be read.
const maxQuoted = 6

type reader struct {
	reading
	isShell bool
	seen    map[member]int // by kind and text, the index in Values
	own     bool           // the values are the input's own, not JSON in a string of it
	key     string         // of the input's own member
}

// frame is an open object or list.
type frame struct {
	object bool
	row    *spec.InputKey // that of the next value, or of every value
	name   string         // its key
	under  *spec.InputKey // the row of the key that contains an object
	plural bool
	words  []string // the strings of a list
	other  bool     // the list has other elements
	own    []value  // the commands of an object itself
	args   []string // its arguments
}

// isCommand reports whether the next value is a command: a shell also runs one
// that looks like a patch.
func (f *frame) isCommand() bool { return f.row != nil && f.row.Canonical == "command" }

// value reads one JSON value. quoted is how many strings surround it.
func (r *reader) value(raw []byte, quoted int) {
	var stack []frame
	visit := func(t rawjson.Token, text []byte) bool {
		if len(stack) == 0 && rawjson.KindOf(text) != rawjson.String {
			r.notObject = r.notObject || r.own && text[0] != '{'
		}
		switch t {
		case rawjson.TokenOpen:
			next := frame{object: text[0] == '{'}
			if len(stack) > 0 {
				top := &stack[len(stack)-1]
				next.name = top.name
				if next.object {
					if top.isCommand() {
						next.under = top.row
					}
				} else {
					next.row, next.plural = top.row, strings.HasSuffix(strings.ToLower(top.name), "s")
				}
			}
			stack = append(stack, next)
		case rawjson.TokenClose:
			closed := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			r.closed(stack, &closed)
		case rawjson.TokenKey:
			top := &stack[len(stack)-1]
			top.name = rawjson.Decode(text)
			top.row = spec.KeyOf(top.name)
			if top.row == nil {
				top.row = top.under
			}
			if r.own && len(stack) == 1 {
				r.key = top.name
			}
			r.keys, r.commandKey = r.keys || r.own, r.commandKey || r.own && top.isCommand()
		case rawjson.TokenScalar:
			if rawjson.KindOf(text) == rawjson.String {
				if len(stack) > 0 && r.isContent(&stack[len(stack)-1], text) {
					break
				}
				r.text(rawjson.Decode(text), stack, quoted)
			} else if len(stack) > 0 {
				top := &stack[len(stack)-1]
				top.other = true
				r.wrongCommand = r.wrongCommand || r.own && top.isCommand() && spec.KeyOf(top.name) == top.row // not below another key
			}
		}
		return len(stack) <= maxNesting
	}
	w := rawjson.Walker{Buf: raw, Visit: visit}
	end := w.Value(rawjson.SkipSpace(raw, 0))
	if end < 0 || rawjson.SkipSpace(raw, end) != len(raw) {
		r.Unreadable = true
	}
}

// isContent reports whether a string is a long text for a file, or for people and
// models, that is neither a patch nor JSON. It need not be decoded.
func (r *reader) isContent(f *frame, raw []byte) bool {
	const escaped = 6 // bytes of one of the text, at most
	if r.isShell || !f.object || f.row != nil || len(raw) <= escaped*paths.MaxPath || !spec.IsTextKey(f.name) {
		return false
	}
	begin := bytes.TrimLeft(raw[1:], " ")[0]
	return begin < utf8.RuneSelf && strings.IndexByte("{[<*\\", begin) < 0
}

// ownText reads a string of the input itself.
func (r *reader) ownText(text string, stack []frame) {
	r.notObject = r.notObject || len(stack) == 0
	if r.isShell {
		r.texts = append(r.texts, member{r.key, text})
	}
	if len(stack) == 1 && stack[0].object && text != "" && isDirectory(r.key) {
		r.Dirs = append(r.Dirs, text)
	}
}

// text reads a string.
func (r *reader) text(text string, stack []frame, quoted int) {
	own, isPatch := r.own, r.patch(text)
	inner := ""
	if !isPatch || len(stack) > 0 && stack[len(stack)-1].isCommand() {
		inner = jsonIn(text)
	}
	if own && (len(stack) > 0 || inner == "") { // otherwise the input is a string with the JSON of the input
		r.ownText(text, stack)
	}
	switch {
	case isPatch && (len(stack) == 0 || !stack[len(stack)-1].isCommand()):
		return
	case inner != "" && quoted == maxQuoted:
		r.Unreadable = true
		return
	case inner != "":
		r.own = own && len(stack) == 0
		r.value([]byte(inner), quoted+1)
		r.own = own
	}
	if len(stack) == 0 {
		return
	}
	top := &stack[len(stack)-1]
	if top.row == nil || top.row.Canonical == "arguments" {
		r.other(top.name, text)
	}
	if !top.object {
		top.words = append(top.words, text)
		return
	}
	if top.row == nil {
		return
	}
	if top.row.Canonical == "arguments" {
		top.args = append(top.args, text)
		return
	}
	key := ""
	if len(stack) == 1 && quoted == 0 {
		key = top.name
	}
	r.add(value{Text: text, Key: key, Name: top.name, row: top.row}, top)
}

// other adds a string under a key that shows nothing.
func (r *reader) other(key, text string) {
	if !strings.ContainsAny(text, "\r\n") {
		if text != "" && len(text) <= paths.MaxPath {
			r.Others = append(r.Others, member{key, text})
		}
		return
	}
	if spec.IsTextKey(key) {
		return
	}
	for _, path := range diffPaths(text) {
		r.Others = append(r.Others, member{key, path})
	}
}

// closed reads the strings of a list, or adds the arguments in an object to its
// commands.
func (r *reader) closed(stack []frame, f *frame) {
	if f.object {
		r.Unreadable = r.Unreadable || len(f.args) > 0 && len(f.own) > maxOwn
		args := strings.Join(f.args, " ")
		for i, v := range f.own {
			if len(f.args) > 0 && i < maxOwn {
				v.Text, v.Key = v.Text+" "+args, ""
			}
			r.add(v, nil)
		}
		return
	}
	if f.row == nil || len(f.words) == 0 {
		return
	}
	var parent *frame
	if len(stack) > 0 {
		parent = &stack[len(stack)-1]
	}
	switch {
	case f.row.Canonical == "arguments":
		if parent != nil && parent.object {
			parent.args = append(parent.args, quotedWords(f.words))
		}
	case f.row.Canonical != "command":
		for _, w := range f.words {
			r.add(value{Text: w, Name: f.name, row: f.row}, nil)
		}
	default:
		r.list(f, parent)
	}
}

// list reads a list under a command's key: the words of one command, several
// commands, or, where nothing decides that, both.
func (r *reader) list(f *frame, parent *frame) {
	texts := strings.ContainsAny(f.words[0], " \t\r\n")
	if f.plural || f.other || texts {
		for _, w := range f.words {
			r.add(value{Text: w, Name: f.name, row: f.row}, nil)
		}
	}
	if !texts && (len(f.words) > 1 || !f.plural) {
		if parent != nil && !parent.object {
			parent = nil
		}
		r.add(value{Text: quotedWords(f.words), Name: f.name, row: f.row}, parent)
	}
}

// patch reads the paths in a patch, and reports whether the text is one.
func (r *reader) patch(text string) bool {
	if !spec.IsPatch(text) {
		return false
	}
	row := spec.KeyOf("file_path")
	found := false
	last := ""
	for line := range strings.Lines(text) {
		if path, header := spec.PatchHeader(line); path != "" {
			if header == "*** Move to:" {
				r.add(value{Text: last, Name: "*** Begin Patch", Patch: true, Removes: true, row: row}, nil)
			}
			found, last = true, path
			r.add(value{Text: path, Name: "*** Begin Patch", Patch: true, Removes: header == "*** Delete File:", row: row}, nil)
		}
	}
	r.Unreadable = r.Unreadable || !found
	return true
}

// add adds a value. A command of an object, which may be nil, is added when the
// object ends.
func (r *reader) add(v value, object *frame) {
	if object != nil && v.IsCommand() {
		object.own = append(object.own, v)
		return
	}
	if strings.TrimSpace(v.Text) == "" {
		return
	}
	id := member{v.row.Canonical, v.Text}
	i, seen := r.seen[id]
	if !seen {
		r.seen[id] = len(r.Values)
		r.Values = append(r.Values, v)
		return
	}
	first := &r.Values[i]
	first.Removes = first.Removes || v.Removes
	if v.Key != first.Key {
		first.Key = "" // a change concerns several keys
	}
	if v.row.MCP && !first.row.MCP {
		first.row, first.Name = v.row, v.Name
	}
}

// jsonIn returns the JSON object, list or string in a string; "" if it is none.
func jsonIn(text string) string {
	if inner := strings.TrimSpace(text); inner != "" && strings.ContainsRune(`{["`, rune(inner[0])) && rawjson.Valid([]byte(inner)) {
		return inner
	}
	return ""
}

// diffPaths returns the paths in the headers of a unified diff, each also without
// its first folder, as patch -p1 and git read them.
func diffPaths(text string) (paths []string) {
	if !strings.Contains(text, "+++ ") && !strings.Contains(text, "rename ") && !strings.Contains(text, "copy ") {
		return nil
	}
	for line := range strings.Lines(text) {
		for _, header := range [...]string{"--- ", "+++ ", "rename from ", "rename to ", "copy from ", "copy to ", "Index: "} {
			path, found := strings.CutPrefix(line, header)
			path, _, _ = strings.Cut(strings.TrimRight(path, "\r\n"), "\t")
			if !found || path == "" || path == "/dev/null" {
				continue
			}
			path = strings.Trim(path, `"`)
			paths = append(paths, path)
			if _, rest, ok := strings.Cut(path, "/"); ok && rest != "" {
				paths = append(paths, rest)
			}
		}
	}
	return paths
}

// quotedWords returns words as one command of a POSIX shell.
func quotedWords(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quoteWord(w)
	}
	return strings.Join(quoted, " ")
}

func quoteWord(word string) string {
	special := func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("-_./:=@%+,~", c)
	}
	if word != "" && !strings.ContainsFunc(word, special) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// inShells returns a text that runs every command: the command itself if there
// is one. Each of several is a line with a shell of its own, so that none can
// hide another.
func inShells(values []value) string {
	if len(values) == 1 {
		return values[0].Text
	}
	var b strings.Builder
	for _, v := range values {
		b.WriteString("sh -c " + quoteWord(v.Text) + "\n")
	}
	return b.String()
}
