package tree

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/pelletier/go-toml/v2/unstable"
)

// maxNesting is the maximum nesting of keys and values. The decoder's time grows with the square
// of the number of a key's parts, and its stack with nested brackets.
const maxNesting = 16

// TOMLError is the reason why a text cannot be parsed from an offset on.
type TOMLError struct {
	Offset, Line int
	Message      string
}

// Error returns the line and the message.
func (e *TOMLError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// ReadTOML returns the table in a text, which has no byte-order mark. The error is an *TOMLError if it has a position.
//
// One library decodes the text and so rejects what is not TOML, such as a repeated key. The other
// one locates its values.
func ReadTOML(text []byte) (*Node, error) {
	r := &tomlReader{text: text, root: &Node{Tag: Mapping}, members: map[tomlMember]*Node{}}
	var document map[string]any
	if _, err := r.decode(&document); err != nil {
		return nil, err
	}
	return r.root, nil
}

// DecodeTOML decodes a text that somebody else may have written (D134). The error is an *TOMLError if it
// has a position.
func DecodeTOML(text []byte, to any) (toml.MetaData, error) {
	r := &tomlReader{text: text, root: &Node{Tag: Mapping}, members: map[tomlMember]*Node{}}
	return r.decode(to)
}

// decode makes the tree, and decodes the text unless it is nested too deeply for the decoder. It recovers
// from a panic in the parser, which would end the run and every guard.
func (r *tomlReader) decode(to any) (meta toml.MetaData, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("cannot be parsed: %v", p)
		}
	}()
	r.scan()
	if r.problem == "" {
		var bad toml.ParseError
		meta, err = toml.Decode(string(r.text), to)
		switch {
		case errors.As(err, &bad):
			r.fail(strings.TrimSuffix(bad.Message, "."), bad.Position.Start)
		case err != nil:
			return meta, err
		}
	}
	if r.problem != "" {
		line, _, _ := NewCursor(r.text).Position(r.problemAt)
		return meta, &TOMLError{r.problemAt, line, r.problem}
	}
	return meta, nil
}

// tomlReader makes the tree. It does not reject everything that the decoder does.
type tomlReader struct {
	text      []byte
	root      *Node
	members   map[tomlMember]*Node
	open      []*Node // the elements of lists to which the following lines belong
	at        int     // the end of the last located token
	problem   string  // why the text cannot be parsed; "" if it can
	problemAt int
}

type tomlMember struct {
	of  *Node
	key string
}

func (r *tomlReader) scan() {
	var p unstable.Parser
	p.Reset(r.text)
	table := r.root
	for r.problem == "" && p.NextExpression() {
		e := p.Expression()
		if e.Kind == unstable.KeyValue {
			r.pair(table, e, 1)
		} else {
			table = r.header(e)
		}
		after := r.lineAfter(r.at)
		for _, element := range r.open {
			element.After = after
		}
	}
	var bad *unstable.ParserError
	if errors.As(p.Error(), &bad) {
		r.fail(bad.Message, int(p.Range(bad.Highlight).Offset))
	}
}

// fail stops the scan. The first problem counts.
func (r *tomlReader) fail(problem string, at int) {
	if r.problem == "" {
		r.problem, r.problemAt = problem, at
	}
}

func (r *tomlReader) limit(depth, at int) {
	if depth > maxNesting {
		r.fail(fmt.Sprintf("nested more than %d deep", maxNesting), at)
	}
}

// lineAfter returns the start of the line after the one of an offset.
func (r *tomlReader) lineAfter(offset int) int {
	if i := bytes.IndexByte(r.text[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(r.text)
}

// member returns the member of a table, which is created if it does not exist.
func (r *tomlReader) member(n *Node, key string, offset int) *Node {
	n.Tag = Mapping
	m := r.members[tomlMember{n, key}]
	if m == nil {
		m = &Node{Key: key, Begin: offset, Start: offset}
		r.members[tomlMember{n, key}] = m
		n.Children = append(n.Children, m)
	}
	return m
}

// header returns the table of `[key]` or `[[key]]`.
func (r *tomlReader) header(e *unstable.Node) *Node {
	n := r.root
	parts, start := r.key(e)
	r.open = nil
	for i, part := range parts {
		n = r.member(n, part, start)
		if e.Kind == unstable.ArrayTable && i == len(parts)-1 {
			n.Tag = List
			n.Children = append(n.Children, &Node{Begin: start, Start: start})
		}
		if last := len(n.Children) - 1; last >= 0 && n.Tag == List {
			n = n.Children[last]
			r.open = append(r.open, n)
		}
	}
	n.Tag = Mapping
	return n
}

// key returns the parts of an expression's key, and its offset.
func (r *tomlReader) key(e *unstable.Node) (parts []string, start int) {
	for it := e.Key(); it.Next(); {
		n := it.Node()
		if len(parts) == 0 {
			start = int(n.Raw.Offset)
		}
		r.at = int(n.Raw.Offset + n.Raw.Length)
		parts = append(parts, string(n.Data))
		r.limit(len(parts), r.at)
	}
	return parts, start
}

// pair reads `key = value`.
func (r *tomlReader) pair(n *Node, e *unstable.Node, depth int) {
	parts, start := r.key(e)
	for _, part := range parts {
		n = r.member(n, part, start)
	}
	r.value(n, e.Value(), depth)
}

func (r *tomlReader) value(n *Node, v *unstable.Node, depth int) {
	if v.Kind == unstable.Array { // the parser does not locate them
		n.Start = r.next()
		r.at = n.Start + 1
	} else {
		n.Start = int(v.Raw.Offset)
		r.at = n.Start + int(v.Raw.Length)
	}
	r.limit(depth, n.Start)
	if n.Tag == Mapping { // the decoder accepts a list
		r.fail("a second value of a table", n.Start)
	}
	if r.problem != "" {
		return
	}
	switch v.Kind {
	case unstable.InlineTable:
		n.Tag, n.Flow = Mapping, true
		for it := v.Children(); it.Next(); {
			r.pair(n, it.Node(), depth+1)
		}
	case unstable.Array:
		n.Tag, n.Flow = List, true
		for it := v.Children(); it.Next(); {
			element := &Node{}
			r.value(element, it.Node(), depth+1)
			element.Begin = element.Start
			n.Children = append(n.Children, element)
		}
	case unstable.String:
		n.Tag = String
	case unstable.Bool:
		n.Tag = Bool
	case unstable.Integer:
		n.Tag = Int
	case unstable.Float:
		n.Tag = Float
	default:
		n.Tag = Time
	}
	if n.Flow {
		r.at = min(r.next()+1, len(r.text))
	} else {
		n.Text = string(v.Data)
	}
	n.End = r.at
}

// next returns the offset of the next bracket or value, after separators and comments.
func (r *tomlReader) next() int {
	for at := r.at; at < len(r.text); at++ {
		switch c := r.text[at]; {
		case c == '#':
			at = r.lineAfter(at) - 1
		case strings.IndexByte(" \t\r\n,=", c) < 0:
			return at
		}
	}
	return len(r.text)
}
