package cases

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
)

// editor writes an expectation into a case's file. What it writes is read
// again before it is believed, so it may be wrong about odd spellings.
type editor struct {
	*Case
	changes []change
}

func (e *editor) isJSON() bool { return filepath.Ext(e.Path) == ".json" }

// all is the file.
func (e *editor) all() []byte { return e.source.bytes }

// splice is a piece of the file to be replaced.
type splice struct {
	begin, end int
	text       string
}

func (e *editor) apply(splices []splice) []byte {
	slices.SortStableFunc(splices, func(a, b splice) int { return b.begin - a.begin })
	updated := slices.Clone(e.all())
	for _, s := range splices {
		if s.begin > s.end || s.end > len(updated) {
			return nil
		}
		updated = slices.Replace(updated, s.begin, s.end, []byte(s.text)...)
	}
	return updated
}

// keys changes the values of keys, and adds those that are not there.
func (e *editor) keys() []byte {
	expect := e.root.find("expect")
	var splices []splice
	var added []change
	for _, c := range e.changes {
		old := expect.find(c.key)
		if old == nil {
			added = append(added, c)
			continue
		}
		end, ok := e.end(old)
		if !ok { // over several lines
			end = e.used(old.at, e.following(old.at))
		}
		kept, ok := e.above(expect, c.key, old.at, end)
		if !ok {
			return nil
		}
		splices = append(splices, splice{old.at, end, e.spell(c.value)})
		splices = append(splices, kept...)
	}
	if len(added) > 0 {
		s, ok := e.insert(expect, added)
		if !ok {
			return nil
		}
		splices = append(splices, s)
	}
	return e.apply(splices)
}

// whole writes the whole expectation, in the place of what is there.
func (e *editor) whole() []byte {
	for i, old := range e.root.entries {
		if old.key != "expect" {
			continue
		}
		if e.isJSON() || e.isFlow(e.root) {
			end, ok := e.end(old.value)
			if !ok || len(e.comments(old.value.at, end)) > 0 {
				return nil
			}
			return e.apply([]splice{{old.value.at, end, e.flow()}})
		}
		end := len(e.all())
		if i+1 < len(e.root.entries) {
			end = e.root.entries[i+1].at
		}
		end = e.used(old.at, end)
		lines := append(e.comments(old.at, end), e.block())
		return e.apply([]splice{{old.at, end, strings.Join(lines, "\n")}})
	}
	if e.isJSON() || e.isFlow(e.root) {
		s, ok := e.insert(e.root, []change{{"expect", mapping(e.changes)}})
		if !ok {
			return nil
		}
		return e.apply([]splice{s})
	}
	text := e.block()
	if all := e.all(); len(all) > 0 && !bytes.HasSuffix(all, []byte("\n")) {
		text = "\n" + text
	}
	return e.apply([]splice{{len(e.all()), len(e.all()), text + "\n"}})
}

// used is the end of what stands between begin and end, without the blank
// lines and comments behind it, which may belong to what follows.
func (e *editor) used(begin, end int) int {
	for end > begin {
		line := bytes.LastIndexByte(e.all()[begin:end-1], '\n') + 1
		if line == 0 {
			break
		}
		text := strings.TrimSpace(string(e.all()[begin+line : end]))
		if text != "" && text[0] != '#' {
			break
		}
		end = begin + line
	}
	return begin + len(bytes.TrimRight(e.all()[begin:end], "\r\n"))
}

// block spells the expectation over several lines of YAML.
func (e *editor) block() string {
	lines := []string{"expect:"}
	for _, c := range e.changes {
		lines = append(lines, "  "+c.key+": "+e.spell(c.value))
	}
	return strings.Join(lines, "\n")
}

func (e *editor) flow() string { return e.spell(mapping(e.changes)) }

// spell spells a value on one line.
func (e *editor) spell(v *value) string {
	if !e.isJSON() && v.kind == text {
		return yamlText(v.text())
	}
	return string(v.JSON())
}

// yamlText spells a string: plainly where it is a word, in the quotes in which
// a backslash is one where that can be.
func yamlText(s string) string {
	if slices.Contains(decisions[:], s) {
		return s
	}
	if token := quote(s); strings.Contains(strings.ReplaceAll(token, `\\`, ""), `\`) && !strings.Contains(s, `"`) || !isPlainText(s) {
		return token
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// isPlainText reports whether nothing in s needs an escape.
func isPlainText(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff'
	})
}

func (e *editor) isFlow(v *value) bool {
	return v.at < len(e.all()) && e.all()[v.at] == '{'
}

// end finds where a value on one line ends.
func (e *editor) end(v *value) (int, bool) {
	if v.end > 0 {
		return v.end, true
	}
	return scanYAML(e.all(), v.at, e.isFlow(e.root) || e.isFlow(e.root.find("expect")))
}

// insert adds keys behind the last one of a mapping.
func (e *editor) insert(into *value, added []change) (splice, bool) {
	all := e.all()
	if !e.isJSON() && !e.isFlow(into) {
		return e.insertLines(into, added)
	}
	between, before := ", ", ""
	at := into.at + 1
	if n := len(into.entries); n > 0 {
		last := into.entries[n-1]
		end, ok := e.end(last.value)
		if !ok {
			return splice{}, false
		}
		at, before = end, between
		line := bytes.LastIndexByte(all[:last.at], '\n') + 1
		if indent := string(all[line:last.at]); strings.TrimSpace(indent) == "" && line > 0 {
			between, before = ",\n"+indent, ",\n"+indent
		}
	}
	var texts []string
	for _, c := range added {
		key := c.key
		if e.isJSON() {
			key = quote(key)
		}
		texts = append(texts, key+": "+e.spell(c.value))
	}
	return splice{at, at, before + strings.Join(texts, between)}, true
}

// following is where the first key behind at begins, of the case or of its
// expectation, or the end of the file.
func (e *editor) following(at int) int {
	end := len(e.all())
	for _, other := range slices.Concat(e.root.entries, e.root.find("expect").entries) {
		if other.at > at {
			end = min(end, other.at)
		}
	}
	return end
}

// insertLines adds keys to a mapping that is written line by line.
func (e *editor) insertLines(into *value, added []change) (splice, bool) {
	if len(into.entries) == 0 {
		return splice{}, false
	}
	first, last := into.entries[0], into.entries[len(into.entries)-1]
	line := bytes.LastIndexByte(e.all()[:first.at], '\n') + 1
	at := e.used(last.at, e.following(last.value.at))
	var b strings.Builder
	for _, c := range added {
		b.WriteString("\n" + strings.Repeat(" ", first.at-line) + c.key + ": " + e.spell(c.value))
	}
	return splice{at, at, b.String()}, true
}

// holds reports whether updated is the case with the changes and nothing
// else.
func (e *editor) holds(updated []byte, whole bool) bool {
	c := e.with(updated)
	if len(c.Diagnostics) > 0 || c.root == nil {
		return false
	}
	want := *e.root
	want.entries = slices.Clone(e.root.entries)
	expect := mapping(e.changes)
	if old := want.find("expect"); old != nil && !whole {
		expect = &value{kind: object, entries: slices.Clone(old.entries)}
		for _, c := range e.changes {
			expect.set(c.key, c.value)
		}
	}
	want.set("expect", expect)
	return c.root.same(&want)
}
