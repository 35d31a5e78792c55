package advice

import "slices"

// verdicts returns findings about the whole expression, or about a branch of it.
func verdicts(x expression) []Finding {
	never := func(at *item, what string, branch bool) []Finding {
		what += " because of " + quote(x.source[at.begin:at.end])
		return []Finding{{Code: Never, Offset: at.begin, What: what, Fix: "remove it or what conflicts with it", Branch: branch}}
	}
	all := branches(x.rows)
	if at := contradiction(all[0]); at != nil && len(all) == 1 {
		return never(at, "can never match", false)
	}
	if empty := slices.IndexFunc(all, func(r row) bool { return r.begin == r.end }); empty >= 0 && len(all) > 1 {
		const what = "matches everything because of an empty alternative"
		return []Finding{{Code: Everything, Offset: all[empty].begin, What: what, Fix: "remove the extra |"}}
	}
	if slices.ContainsFunc(all, everything) {
		return []Finding{{Code: Everything, What: "matches everything", Fix: "remove the key"}}
	}
	for _, branch := range x.core() {
		if at := contradiction(branch); at != nil {
			return never(at, "has an alternative that can never match", true)
		}
	}
	return nil
}

// contradiction returns a ^ after a character, or a $ before one; nil if there is none.
func contradiction(r row) *item {
	certain := func(i *item) bool { return i.is(literal) && i.char != '\n' }
	for i, item := range r.items {
		if item.isStart() && i > 0 && certain(r.items[i-1]) || item.isEnd() && i+1 < len(r.items) && certain(r.items[i+1]) {
			return item
		}
	}
	return nil
}

// everything reports whether a branch matches every non-empty text of one line, such as the
// name of a tool. It recognizes only the simple forms: nothing, and one dot or repetition.
func everything(branch row) bool {
	items := branches([]row{branch})[0].items
	start := len(items) > 0 && items[0].isStart()
	if start {
		items = items[1:]
	}
	end := len(items) > 0 && items[len(items)-1].isEnd()
	if end {
		items = items[:len(items)-1]
	}
	whole := start && end
	switch {
	case len(items) != 1:
		return len(items) == 0 && !whole
	case items[0].quantifier == "":
		return items[0].kind == dot && !whole
	}
	least, endless := items[0].counts()
	return endless && least < 2 && items[0].kind == dot || least == 0 && !whole
}
