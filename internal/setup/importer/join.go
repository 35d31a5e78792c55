package importer

import (
	"regexp"
	"slices"
	"strings"
)

// join adds the matcher of another entry with the same options to the hook, so that one call runs it
// once (D153). It reports whether that is possible.
func (b *builder) join(other *builder) bool {
	if b.entry.part != nil || len(b.when) > 1 || len(other.when) > 1 {
		return false
	}
	conditions := [2]string{}
	field := ""
	for i, when := range [][][2]string{b.when, other.when} {
		if len(when) == 1 {
			conditions[i] = when[0][1]
			if field != "" && field != when[0][0] {
				return false
			}
			field = when[0][0]
		}
	}
	if field != "" && b.tool+other.tool != "" {
		return false
	}
	tool, ok := either(b.tool, other.tool)
	value, ok2 := either(conditions[0], conditions[1])
	if !ok || !ok2 {
		return false
	}
	b.tool, b.when = tool, nil
	if value != "" {
		b.when = [][2]string{{field, value}}
	}
	for _, w := range other.hook.Warnings {
		if !slices.Contains(b.hook.Warnings, w) {
			b.hook.Warnings = append(b.hook.Warnings, w)
		}
	}
	return true
}

// either returns an expression that matches what one of two does; "" matches everything. It reports
// whether there is one.
func either(a, b string) (expression string, ok bool) {
	names := regexp.MustCompile(`^\^\(?([A-Za-z0-9_|-]+)\)?\$$`)
	// What has another meaning in a longer expression: look-around, references, and groups that
	// they count or name.
	apart := regexp.MustCompile(`\(\?[=!<'P]|\(\?[a-z-]*\)|\\[1-9k]`)
	switch {
	case a == "" || b == "":
		return "", true
	case a == b || b == never:
		return a, true
	case a == never:
		return b, true
	}
	if first, second := names.FindStringSubmatch(a), names.FindStringSubmatch(b); first != nil && second != nil {
		list := strings.Split(first[1], "|")
		for name := range strings.SplitSeq(second[1], "|") {
			if !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
		return "^(" + strings.Join(list, "|") + ")$", true
	}
	return "(?:" + a + ")|(?:" + b + ")", !apart.MatchString(a) && !apart.MatchString(b)
}
