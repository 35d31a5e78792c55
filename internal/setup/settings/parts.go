package settings

import (
	"bytes"
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// Level says what a Part is.
type Level int

// The levels.
const (
	Top     Level = iota // a member of the document
	Hooks                // the value at the layout's Root
	Event                // the value of an event
	Element              // of the list of an event
	Handler              // in a group
)

// Part is a value in a document of hooks.
type Part struct {
	Level          Level
	Key            string // of a member
	Event          string // "" in a flat list, and above the events
	Element, Index int    // of the list element, and of the handler in its group; -1 above them
	Value          any
	Line           int
	Again          bool // a later member has the same key, so that this one does not count
}

// Parts calls each for the parts of a document, in the order of the file, whether or not they have
// the layout's form.
func (l Layout) Parts(text []byte, each func(Part)) error {
	_, body := cutMark(text)
	doc, err := l.parsed(body)
	if err != nil || doc.root == nil {
		return err
	}
	say := func(p Part, n *tree.Node, parent *tree.Node) {
		p.Value, p.Line = n.Decode(), 1+bytes.Count(body[:n.Begin], []byte("\n"))
		p.Again = p.Key != "" && parent.Member(p.Key) != n
		each(p)
	}
	for _, n := range doc.root.Children {
		say(Part{Level: Top, Key: n.Key, Element: -1, Index: -1}, n, doc.root)
	}
	at := find(doc.root, l.Root)
	switch {
	case at == nil:
		return nil
	case l.Flat:
		say(Part{Level: Hooks, Element: -1, Index: -1}, at, nil)
		l.elements("", at, say)
	default:
		say(Part{Level: Hooks, Element: -1, Index: -1}, at, nil)
		if at.Tag != tree.Mapping {
			return nil
		}
		for _, n := range at.Children {
			say(Part{Level: Event, Key: n.Key, Event: n.Key, Element: -1, Index: -1}, n, at)
			if at.Member(n.Key) == n {
				l.elements(n.Key, n, say)
			}
		}
	}
	return nil
}

// elements says the parts of a list.
func (l Layout) elements(event string, in *tree.Node, say func(Part, *tree.Node, *tree.Node)) {
	if in.Tag != tree.List {
		return
	}
	for i, n := range in.Children {
		say(Part{Level: Element, Event: event, Element: i, Index: -1}, n, nil)
		if l.Nested == "" {
			continue
		}
		if group := n.Member(l.Nested); group != nil && group.Tag == tree.List {
			for j, h := range group.Children {
				say(Part{Level: Handler, Event: event, Element: i, Index: j}, h, nil)
			}
		}
	}
}

// Loose returns the lines of the first comment and of the first trailing comma in JSON; 0 if there
// is none.
func Loose(text []byte) (comment, comma int) {
	_, body := cutMark(text)
	line := func(at int) int { return 1 + bytes.Count(body[:at], []byte("\n")) }
	last := -1 // a comma that only white space and comments follow
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '"':
			for i++; i < len(body) && body[i] != '"'; i++ {
				if body[i] == '\\' {
					i++
				}
			}
			last = -1
		case c == '/':
			if comment == 0 {
				comment = line(i)
			}
			end := []byte("\n")
			if bytes.HasPrefix(body[i:], []byte("/*")) {
				end = []byte("*/")
			}
			n := bytes.Index(body[min(i+2, len(body)):], end)
			if n < 0 {
				return comment, comma
			}
			i += 1 + n + len(end)
		case c == ',':
			last = i
		case (c == ']' || c == '}') && last >= 0 && comma == 0:
			comma = line(last)
			last = -1
		case !slices.Contains([]byte(" \t\r\n"), c):
			last = -1
		}
	}
	return comment, comma
}
