package settings

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// tomlSplicer edits TOML. It adds tables at the end of the document, and in a list in brackets
// only inline tables that each have a line and a comma.
type tomlSplicer struct{}

var errBrackets = errors.New("the list is written in brackets; write each element as a table in double brackets")

func (tomlSplicer) create(d *document, value any) ([]byte, error) {
	body := d.body
	for _, f := range value.(Object) {
		body = appendTOML(body, f.Key, f.Value)
	}
	return body, nil
}

func (tomlSplicer) add(d *document, parent *tree.Node, key string, value any) ([]byte, error) {
	end := newline(d.body)
	switch n := len(parent.Children); {
	case !parent.Flow:
		return appendTOML(slices.Clone(d.body), key, value), nil
	case parent.Tag == tree.Mapping:
		return nil, errBrackets
	case n > 0:
		at, err := afterComma(d.body, parent.Children[n-1])
		return splices(d.body, splice{at, at, end + inlineTable(value)}), err
	case len(bytes.TrimSpace(d.body[parent.Start+1:parent.End-1])) > 0:
		return nil, errBrackets
	}
	return splices(d.body, splice{parent.Start + 1, parent.End - 1, end + inlineTable(value) + end}), nil
}

func (tomlSplicer) replace(d *document, child *tree.Node, value any) ([]byte, error) {
	if child.Flow {
		return splices(d.body, splice{child.Start, child.End, strings.Trim(inlineTable(value), " ,")}), nil
	}
	return splices(d.body, splice{nextLine(d.body, child.Start), child.After, tomlLines(nil, nil, value, newline(d.body))}), nil
}

func (tomlSplicer) remove(d *document, parent *tree.Node, i int) ([]byte, error) {
	child := parent.Children[i]
	if !child.Flow {
		from, end := lineStart(d.body, child.Start), newline(d.body)
		if before := string(d.body[:from]); before == end || strings.HasSuffix(before, end+end) { // an empty line
			from -= len(end)
		}
		return splices(d.body, splice{from, child.After, ""}), nil
	}
	to, err := afterComma(d.body, child)
	from := len(bytes.TrimRight(d.body[:child.Start], " \t\r\n"))
	if last := parent.End - 1; from-1 == parent.Start && len(bytes.TrimSpace(d.body[to:last])) == 0 {
		to = last
	}
	return splices(d.body, splice{from, to, ""}), err
}

// afterComma returns the offset after the comma that follows an element in brackets.
func afterComma(body []byte, element *tree.Node) (int, error) {
	rest := bytes.TrimLeft(body[element.End:], " \t\r\n")
	if !bytes.HasPrefix(rest, []byte(",")) {
		return 0, errBrackets
	}
	return len(body) - len(rest) + 1, nil
}

// appendTOML appends a member of the document. An empty line precedes a table.
func appendTOML(body []byte, key string, value any) []byte {
	end := newline(body)
	text := tomlLines(nil, []string{key}, value, end)
	if len(body) > 0 && strings.HasPrefix(text, "[") {
		text = end + text
	}
	return append(body, text...)
}

// tomlLines returns the lines of a value in a table: dotted keys for members, and a table for each
// element of a list. Keys are written without quotes, which those of agents' settings do not need.
func tomlLines(table, key []string, value any, end string) (lines string) {
	switch v := value.(type) {
	case Object:
		for _, f := range v {
			lines += tomlLines(table, append(slices.Clone(key), f.Key), f.Value, end)
		}
		return lines
	case []Object:
		path := slices.Concat(table, key)
		for _, o := range v {
			lines += "[[" + strings.Join(path, ".") + "]]" + end + tomlLines(path, nil, o, end)
		}
		return lines
	}
	return strings.Join(key, ".") + " = " + scalar(value) + end
}

// inlineTable returns the line of an element in brackets, without its newline.
func inlineTable(value any) string {
	var members []string
	for _, f := range value.(Object) {
		members = append(members, f.Key+" = "+scalar(f.Value))
	}
	return "  { " + strings.Join(members, ", ") + " },"
}

// scalar returns a string, a number or a boolean, which each format writes in the same way.
func scalar(v any) string {
	if s, ok := v.(string); ok {
		return tree.JSON(s)
	}
	return fmt.Sprint(v)
}
