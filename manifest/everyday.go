package manifest

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// everyday parses the subset of YAML that most front matter uses: block
// mappings of `key: value` lines, block and one-line lists, comments, quoted
// strings, and block scalars. It only parses syntax; its nodes go through the
// same reader as those of the YAML parser.
//
// It exists because runs read every HOOK.md and the parser takes more than ten
// times as long (ARCHITECTURE.md, Fast paths). For everything that it accepts, its result equals the
// parser's (FuzzEveryday compares the two). It rejects anything else.
type everyday struct {
	end  int    // end of the front matter, as an offset in the file
	rest string // the unread lines
	line string // the current line, without its newline; "" at the end
	from int    // start of the current line, as an offset in the file
	more bool   // there is a current line
	left int    // number of nodes that may still be created
	bad  bool   // the YAML parser must read the text

	skim    bool         // the texts of block scalars are not needed
	lines   []string     // storage for the lines of a block scalar
	quote   []byte       // storage for a quoted string
	nodes   []tree.Node  // allocated together, because there are many
	members []*tree.Node // storage for the mappings' members
}

// Limits of the subset.
const (
	everydayNodes = 500
	everydayDepth = 8
)

// read returns the keys of the front matter that begins at offset from of the
// file; false if the YAML parser must read it. The keys are valid until the
// next read, which reuses their memory.
func (e *everyday) read(front string, from int) (*tree.Node, bool) {
	*e = everyday{rest: front, end: from + len(front), left: everydayNodes, skim: e.skim, lines: e.lines[:0], quote: e.quote[:0], nodes: e.nodes[:0], members: e.members[:0]}
	e.next()
	if !e.more || indentation(e.line) != 0 {
		return nil, false
	}
	n := e.mapping(0, 0)
	return n, !e.bad && !e.more
}

// next moves to the next line that is neither empty nor a comment.
func (e *everyday) next() {
	for e.more = false; e.rest != "" && !e.more; {
		e.from = e.end - len(e.rest)
		e.line, e.rest = cutLine(e.rest)
		depth := indentation(e.line)
		switch {
		case e.line == "":
		case depth == len(e.line): // the parser treats some of them as content
			e.bad = true
		case e.line[depth] == '#':
			e.check(e.line)
		default:
			e.more = true
		}
	}
	if !e.more {
		e.line = ""
	}
}

// check rejects text with characters that YAML treats specially.
func (e *everyday) check(text string) {
	if !printable(text) {
		e.bad = true
	}
}

// at returns the offset in the file of text, which is a suffix of the current
// line.
func (e *everyday) at(text string) int { return e.from + len(e.line) - len(text) }

// node returns a new node at an offset in the file.
func (e *everyday) node(tag, text string, offset int) *tree.Node {
	if len(e.nodes) == cap(e.nodes) {
		e.nodes = make([]tree.Node, 0, max(16, min(2*cap(e.nodes), 128)))
	}
	e.nodes = append(e.nodes, tree.Node{Tag: tag, Text: text, Begin: offset, Start: offset})
	return &e.nodes[len(e.nodes)-1]
}

// room returns storage for the keys of a mapping, enough for most.
func (e *everyday) room() []*tree.Node {
	const limit = 8
	if cap(e.members)-len(e.members) < limit {
		e.members = make([]*tree.Node, 0, 4*limit)
	}
	begin := len(e.members)
	e.members = e.members[:begin+limit]
	return e.members[begin : begin : begin+limit]
}

// cutLine returns the first line of text, without its newline, and the
// remaining text.
func cutLine(text string) (line, rest string) {
	end := strings.IndexByte(text, '\n')
	if end < 0 {
		return text, ""
	}
	return strings.TrimSuffix(text[:end], "\r"), text[end+1:]
}

// fail rejects the text.
func (e *everyday) fail() *tree.Node {
	e.bad, e.more = true, false
	return e.node("", "", 0)
}

// mapping reads the lines of one mapping, all indented by depth.
func (e *everyday) mapping(depth, level int) *tree.Node {
	n := e.node(tree.Mapping, "", e.from+depth)
	n.Children = e.room()
	for e.more && indentation(e.line) == depth {
		key, value, ok := splitLine(e.line[depth:])
		if !ok || !isKey(key) || n.Member(key) != nil || e.spent() {
			return e.fail()
		}
		begin := e.from + depth
		member := e.value(value, depth, level)
		member.Key, member.Begin = key, begin
		n.Children = append(n.Children, member)
		if e.bad {
			return n
		}
	}
	if e.more && indentation(e.line) > depth {
		return e.fail() // a value that continues
	}
	return n
}

func (e *everyday) spent() bool {
	e.left--
	return e.left < 0
}

// value reads a key's value. text is the rest of the key's line.
func (e *everyday) value(text string, depth, level int) *tree.Node {
	e.check(text)
	switch {
	case e.bad:
		return e.fail()
	case text == "" || text[0] == '#':
		e.next()
		return e.below(depth, level+1)
	case text[0] == '|' || text[0] == '>':
		return e.block(text, depth)
	}
	n, ok := e.inline(text, depth)
	if !ok || e.bad || e.spent() {
		return e.fail()
	}
	e.next()
	return n
}

// continued returns the text of the next line, which continues a string in a value of a key
// at depth; false if the YAML parser must read it.
func (e *everyday) continued(depth int) (text string, ok bool) {
	text, e.rest = cutLine(e.rest)
	in := indentation(text)
	e.check(text)
	return text[in:], depth >= 0 && in > depth && in < len(text) && !e.bad
}

// below reads the mapping or list in the lines below a key.
func (e *everyday) below(depth, level int) *tree.Node {
	in := indentation(e.line)
	switch {
	case !e.more || level > everydayDepth:
		return e.fail() // null
	case isItem(e.line[in:]) && in >= depth:
		return e.list(in)
	case in > depth:
		return e.mapping(in, level)
	}
	return e.fail()
}

func isItem(line string) bool { return strings.HasPrefix(line, "- ") }

// list reads a block list of values, one on each line.
func (e *everyday) list(depth int) *tree.Node {
	n := e.node(tree.List, "", e.from+depth)
	for e.more && indentation(e.line) == depth && isItem(e.line[depth:]) {
		text := e.line[depth+2:]
		e.check(text)
		item, ok := e.inline(text[indentation(text):], -1)
		if !ok || e.bad || e.spent() {
			return e.fail()
		}
		n.Children = append(n.Children, item)
		e.next()
	}
	if e.more && indentation(e.line) > depth {
		return e.fail()
	}
	return n
}

// block reads a block scalar, literal (|) or folded (>), that keeps one or no
// newline at its end. A folded scalar with more deeply indented lines, and an
// empty line before the first, are left to the parser.
func (e *everyday) block(header string, depth int) *tree.Node {
	at := e.at(header)
	header = strings.TrimRight(header, " ")
	if header != "|" && header != ">" && header != "|-" && header != ">-" {
		return e.fail()
	}
	lines, ok := e.blockLines(depth, header[0] == '>')
	if !ok || e.spent() {
		return e.fail()
	}
	e.lines = lines
	if e.skim {
		e.next()
		return e.node(tree.String, "", at)
	}
	text := strings.Join(lines, "\n")
	if header[0] == '>' {
		text = folded(lines)
	}
	if len(header) == 1 {
		text += "\n"
	}
	e.next()
	return e.node(tree.String, text, at)
}

// blockLines reads the lines of a block scalar, without their indentation and
// without trailing empty lines.
func (e *everyday) blockLines(depth int, even bool) (lines []string, ok bool) {
	in, last := 0, 0
	lines = e.lines[:0]
	for e.rest != "" {
		line, rest := cutLine(e.rest)
		at := indentation(line)
		switch {
		case line == "":
		case at == len(line):
			return nil, false
		case in == 0:
			in = at
		}
		if line != "" && (at <= depth || at < in) {
			if at > depth {
				return nil, false
			}
			break
		}
		if in == 0 || even && at > in || !printable(line) {
			return nil, false
		}
		lines, e.rest = append(lines, line[min(in, len(line)):]), rest
		if line != "" {
			last = len(lines)
		}
	}
	return lines[:last], last > 0
}

// folded joins lines with spaces, and paragraphs with newlines.
func folded(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		switch {
		case line == "":
			b.WriteByte('\n')
		case i > 0 && lines[i-1] != "":
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String()
}

func indentation(line string) int {
	depth := 0
	for depth < len(line) && line[depth] == ' ' {
		depth++
	}
	return depth
}

// splitLine splits `key: value`. The value is "" if only spaces follow the
// colon.
func splitLine(line string) (key, value string, ok bool) {
	colon := strings.IndexByte(line, ':')
	if colon < 0 {
		return "", "", false
	}
	value = line[colon+1:]
	trimmed := value[indentation(value):]
	return line[:colon], trimmed, trimmed == "" || len(trimmed) < len(value)
}

// isKey reports whether a key is one plain word, or several with dots between,
// as in metadata.when.
func isKey(key string) bool {
	for i := range len(key) {
		if c := key[i]; !letter(c) && !digit(c) && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return key != "" && letter(key[0]) && len(key) <= 64
}

// printable rejects tabs, control characters, characters that YAML reads as a
// line end or a byte-order mark, and noncharacters.
func printable(text string) bool {
	i := 0
	const each = 0x0101010101010101
	for ; len(text)-i >= 8; i += 8 { // a byte below the space, above the tilde, or next to such a byte sets the high bit of a byte
		word := binary.LittleEndian.Uint64([]byte(text[i : i+8]))
		if (word|(word-each*' ')|(word+each))&(each<<7) != 0 {
			break
		}
	}
	for ; i < len(text); i++ {
		if c := text[i]; c-' ' >= 0x7f-' ' { // below the space, it wraps around
			return c >= utf8.RuneSelf && printableRunes(text[i:])
		}
	}
	return true
}

func printableRunes(text string) bool {
	for _, r := range text {
		switch {
		case r < ' ', r >= 0x7f && r <= 0xa0:
			return false
		case r == '\u2028' || r == '\u2029' || r == '\ufeff' || r >= 0xfff0 && r <= 0xffff:
			return false
		}
	}
	return true
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func digit(c byte) bool { return c >= '0' && c <= '9' }
