package settings

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// document is a parsed text.
type document struct {
	body   []byte
	root   *tree.Node // nil: the document is empty
	splice splicer
	value  any // root, decoded by Cache.Decode
}

// splicer edits a document in one syntax. Each edit returns a new text.
type splicer interface {
	create(d *document, value any) ([]byte, error)
	add(d *document, parent *tree.Node, key string, value any) ([]byte, error) // key "": a list's element
	replace(d *document, child *tree.Node, value any) ([]byte, error)          // child may be null
	remove(d *document, parent *tree.Node, i int) ([]byte, error)
}

// editor changes the lists of a tree to the wanted content, one edit at a time.
type editor struct {
	layout Layout
	doc    *document
	ours   func(any) bool
	keep   func(path []string) bool
}

const maxEdits = 10_000

// step returns the text after the next edit, nil if nothing remains to be done.
func (e *editor) step(want []List) ([]byte, error) {
	if e.layout.Key != "" {
		return e.stepKey(want)
	}
	for _, at := range e.layout.lists(e.doc.root) {
		wanted := wantAt(want, at.path)
		for i, h := range e.own(at.node) {
			switch {
			case i >= len(wanted) || h.only != "":
				return e.remove(at, h)
			case !reflect.DeepEqual(h.node.Decode(), plain(wanted[i])):
				return e.doc.splice.replace(e.doc, h.node, wanted[i])
			}
		}
	}
	for _, w := range want {
		if n := len(e.own(find(e.doc.root, w.Path))); n < len(w.Want) {
			return e.add(w.Path, []Object{e.element(w, w.Want[n])})
		}
	}
	return nil, nil
}

// stepKey is like step for a handler that is a member of a mapping.
func (e *editor) stepKey(want []List) ([]byte, error) {
	path := append(slices.Clone(e.layout.Root), e.layout.Key)
	child := find(e.doc.root, path)
	wanted := wantAt(want, e.layout.Root)
	switch {
	case child == nil && len(wanted) > 0:
		return e.add(path, wanted[0])
	case child == nil:
		return nil, nil
	case !e.ours(child.Decode()):
		return nil, fmt.Errorf("%s belongs to someone else", shownPath(path))
	case len(wanted) == 0:
		return e.removeMember(path)
	case !reflect.DeepEqual(child.Decode(), plain(wanted[0])):
		return e.doc.splice.replace(e.doc, child, wanted[0])
	}
	return nil, nil
}

func wantAt(want []List, path []string) []Object {
	for _, w := range want {
		if slices.Equal(w.Path, path) {
			return w.Want
		}
	}
	return nil
}

// element returns the list element for a handler.
func (e *editor) element(in List, handler Object) Object {
	if e.layout.Nested == "" || in.Plain {
		return handler
	}
	return append(slices.Clone(in.Group), Field{e.layout.Nested, []Object{handler}})
}

// located is a list that may contain handlers.
type located struct {
	path  []string
	event string // "" in a flat list
	node  *tree.Node
}

// lists returns the lists that may contain handlers.
func (l Layout) lists(root *tree.Node) []located {
	at := find(root, l.Root)
	if at == nil {
		return nil
	}
	if l.Flat {
		return []located{{l.Root, "", at}}
	}
	var found []located
	for _, child := range at.Children {
		if at.Tag == tree.Mapping && child.Tag == tree.List {
			found = append(found, located{append(slices.Clone(l.Root), child.Key), child.Key, child})
		}
	}
	return found
}

// handlerNode is a handler in a list.
type handlerNode struct {
	node           *tree.Node
	group          *tree.Node // the list that contains it within a group, otherwise nil
	only           string     // the matcher of the group; "" if it selects every call
	element, index int
}

// handlers returns the handlers in a list; none if it is not a list.
func (l Layout) handlers(in *tree.Node) []handlerNode {
	if in == nil || in.Tag != tree.List {
		return nil
	}
	var found []handlerNode
	for i, element := range in.Children {
		group := element.Member(l.Nested)
		if l.Nested == "" || group == nil || group.Tag != tree.List {
			found = append(found, handlerNode{element, nil, "", i, 0})
			continue
		}
		only := ""
		if matcher := element.Member("matcher").Decode(); matcher != nil && matcher != "*" && matcher != ".*" {
			only = fmt.Sprint(matcher)
		}
		for j, h := range group.Children {
			found = append(found, handlerNode{h, group, only, i, j})
		}
	}
	return found
}

// own returns the caller's own handlers in a list.
func (e *editor) own(in *tree.Node) []handlerNode {
	return slices.DeleteFunc(e.layout.handlers(in), func(h handlerNode) bool { return !e.ours(h.node.Decode()) })
}

func (e *editor) remove(at located, h handlerNode) ([]byte, error) {
	if h.group != nil && len(h.group.Children) > 1 {
		return e.doc.splice.remove(e.doc, h.group, h.index)
	}
	// A list of TOML tables ends with its last table, and one in brackets may remain.
	if len(at.node.Children) > 1 || len(at.path) == 0 || e.layout.Format == TOML || e.kept(at.path) {
		return e.doc.splice.remove(e.doc, at.node, h.element)
	}
	return e.removeMember(at.path)
}

// removeMember removes the member at path, and mappings that become empty.
func (e *editor) removeMember(path []string) ([]byte, error) {
	depth := len(path) - 1
	for ; depth > 0; depth-- {
		parent := find(e.doc.root, path[:depth])
		if len(parent.Children) > 1 || e.kept(path[:depth]) {
			break
		}
	}
	parent := find(e.doc.root, path[:depth])
	return e.doc.splice.remove(e.doc, parent, slices.Index(parent.Children, parent.Member(path[depth])))
}

func (e *editor) kept(path []string) bool { return e.keep != nil && e.keep(path) }

// find returns the node at a path; nil if there is none.
func find(n *tree.Node, path []string) *tree.Node {
	for _, key := range path {
		n = n.Member(key)
	}
	return n
}

func shownPath(path []string) string {
	if len(path) == 0 {
		return "the document"
	}
	return fmt.Sprintf("%q", strings.Join(path, "."))
}

// add appends to the list at path, or inserts a mapping there, and creates the
// parents of path.
func (e *editor) add(path []string, value any) ([]byte, error) {
	element, isList := value.([]Object)
	for depth := len(path); ; depth-- {
		n := find(e.doc.root, path[:depth])
		// A TOML table, or the list at the end of a path, may be written without brackets. Tables are
		// added to it at the end of the file, with all keys of the path.
		tables := e.layout.Format == TOML && n != nil && !n.Flow && (n.Tag == tree.Mapping || depth == len(path) && n.Tag == tree.List)
		switch {
		case depth == 0 && n == nil:
			return e.doc.splice.create(e.doc, append(slices.Clone(e.layout.Top), value.(Object)...))
		case n == nil, depth > 0 && tables:
		case n.Tag == tree.Null:
			return e.doc.splice.replace(e.doc, n, value)
		case depth == len(path) && n.Tag == tree.List && isList:
			return e.doc.splice.add(e.doc, n, "", element[0])
		case depth < len(path) && n.Tag == tree.Mapping:
			return e.doc.splice.add(e.doc, n, path[depth], value.(Object)[0].Value)
		default:
			return nil, fmt.Errorf("%s is not a list of hooks", shownPath(path[:depth]))
		}
		if depth > 0 {
			value = Object{{path[depth-1], value}}
		}
	}
}

// plain converts a value to write to the form in which it would be decoded.
func plain(v any) any {
	n, _ := tree.ReadJSON([]byte(jsonStyle{compact: true}.render(v, "")))
	return n.Decode()
}

// splice replaces a part of a text. Splices are given in order and do not
// overlap.
type splice struct {
	from, to int
	text     string
}

func splices(body []byte, parts ...splice) []byte {
	b := make([]byte, 0, len(body)) // never nil
	at := 0
	for _, p := range parts {
		b = append(append(b, body[at:p.from]...), p.text...)
		at = p.to
	}
	return append(b, body[at:]...)
}
