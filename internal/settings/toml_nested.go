package settings

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// applyNested edits groups: [[ROOT.EVENT]] tables with [[ROOT.EVENT.hooks]]
// below them. A group is replaced or removed only if all of its handlers are
// the caller's own.
func (d *tomlDoc) applyNested(l Layout, want []List, ours func(any) bool) ([]byte, error) {
	at, _ := At(d.decode(), l.Root...)
	events, ok := at.(map[string]any)
	if at != nil && !ok {
		return nil, fmt.Errorf("%s is not a mapping", shownPath(l.Root))
	}
	var parts []splice
	have := map[string]int{}
	for _, event := range slices.Sorted(maps.Keys(events)) {
		path := append(slices.Clone(l.Root), event)
		elements, _ := events[event].([]any)
		edits, n, err := d.groups(l, path, elements, wantAt(want, path), ours)
		if err != nil {
			return nil, err
		}
		parts, have[event] = append(parts, edits...), n
	}
	slices.SortFunc(parts, func(a, b splice) int { return a.from - b.from })
	body := splices(d.body, parts...)
	for _, w := range want {
		for _, o := range w.Want[min(have[w.Path[len(w.Path)-1]], len(w.Want)):] {
			body = appendTable(body, newline(d.body), d.group(l, w.Path, o))
		}
	}
	return body, nil
}

// groups returns the edits to the groups of one event, and the number of the
// caller's own handlers in it.
func (d *tomlDoc) groups(l Layout, path []string, elements []any, wanted []Object, ours func(any) bool) ([]splice, int, error) {
	var parts []splice
	tables := d.tables(path)
	n := 0
	for i, element := range elements {
		handlers, _ := l.grouped(element)
		own := slices.DeleteFunc(slices.Clone(handlers), func(h any) bool { return !ours(h) })
		switch {
		case len(own) == 0:
			continue
		case len(tables) != len(elements) || len(own) != len(handlers):
			return nil, 0, fmt.Errorf("%s mixes entries of agent-hooks with others; edit it by hand", shownPath(path))
		case n >= len(wanted):
			parts = append(parts, d.cut(tables[i]))
		case len(own) > 1 || !reflect.DeepEqual(own[0], plain(wanted[n])):
			parts = append(parts, splice{tables[i].start, tables[i].end, d.group(l, path, wanted[n])})
		}
		n++
	}
	return parts, n, nil
}

func (d *tomlDoc) group(l Layout, path []string, o Object) string {
	var b strings.Builder
	b.WriteString("[[" + tomlKey(path) + "]]" + newline(d.body))
	b.WriteString(d.table(append(slices.Clone(path), l.Nested), o))
	return b.String()
}
