package settings

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// pin is a member that a document with the caller's handlers has.
type pin struct {
	path  []string
	value any
}

// pins returns the members of an object and of those within it.
func pins(path []string, o Object) (all []pin) {
	for _, f := range o {
		key := append(slices.Clone(path), f.Key)
		if inner, ok := f.Value.(Object); ok {
			all = append(all, pins(key, inner)...)
		} else {
			all = append(all, pin{key, f.Value})
		}
	}
	return all
}

// pin adds the members of l.Pin that a text lacks. Another value is somebody's decision, and an
// error.
func (l Layout) pin(text []byte) ([]byte, error) {
	for _, p := range pins(nil, l.Pin) {
		doc, err := l.parse(text)
		if err != nil {
			return nil, err
		}
		switch value, ok := At(doc.root.Decode(), p.path...); {
		case !ok:
			text, err = l.addMember(doc, p)
			if err == nil {
				_, err = l.parse(text)
			}
			if err != nil {
				return nil, fmt.Errorf("%s cannot be added: write it yourself, with the value %v, and install again", shownPath(p.path), p.value)
			}
		case !reflect.DeepEqual(value, plain(p.value)):
			return nil, fmt.Errorf("%s is %v, and hooks need %v: change it, or remove it, and install again", shownPath(p.path), value, p.value)
		}
	}
	return text, nil
}

// addMember adds a member. In TOML, that is a line below the header of its table, or with all keys
// of the path at the top of the document.
func (l Layout) addMember(d *document, p pin) ([]byte, error) {
	e := editor{layout: l, doc: d}
	if l.Format != TOML {
		return e.add(p.path, p.value)
	}
	last := len(p.path) - 1
	at, key := 0, p.path
	if table := find(d.root, p.path[:last]); last > 0 && table != nil {
		next := nextLine(d.body, table.Start)
		if header := "[" + strings.Join(p.path[:last], ".") + "]"; strings.HasPrefix(string(d.body[lineStart(d.body, table.Start):next]), header) {
			at, key = next, p.path[last:]
		}
	}
	return splices(d.body, splice{at, at, tomlLines(nil, key, p.value, newline(d.body))}), nil
}

// withoutPins removes from after the members of l.Pin, and the initial members of a new document,
// that before lacks.
func (l Layout) withoutPins(after, before any) {
	for _, p := range pins(nil, slices.Concat(l.Top, l.Pin)) {
		if _, had := At(before, p.path...); had {
			continue
		}
		for depth := len(p.path) - 1; depth >= 0; depth-- {
			parent, _ := At(after, p.path[:depth]...)
			m, _ := parent.(map[string]any)
			if v, ok := m[p.path[depth]].(map[string]any); depth == len(p.path)-1 || ok && len(v) == 0 {
				delete(m, p.path[depth])
			}
		}
	}
}
