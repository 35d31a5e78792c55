package cases

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/spec"
)

// source is a case's file and its diagnostics.
type source struct {
	path        string
	bytes       []byte
	cursor      *tree.Cursor
	diagnostics []spec.Diagnostic
	leftOut     int // number of diagnostics above maxProblems
}

// maxProblems bounds the diagnostics of one case.
const maxProblems = 50

// problems returns the diagnostics of the file, in the order in which they were found.
func (s *source) problems() []spec.Diagnostic {
	if s.leftOut > 0 {
		s.reportFile(fmt.Sprintf("%d more problems are not listed", s.leftOut))
		s.leftOut = 0
	}
	return s.diagnostics
}

// The codes of diagnostics.
const (
	badFile  = "case-file"
	badKey   = "case-key"
	badValue = "case-value"
)

// report adds a diagnostic at a byte offset. A byte-order mark does not count as a column.
func (s *source) report(code string, offset int, message string) {
	if len(s.diagnostics) >= maxProblems {
		s.leftOut++
		return
	}
	if s.cursor == nil {
		s.cursor = tree.NewCursor(s.bytes[s.mark():])
	}
	line, column, text := s.cursor.Position(offset - s.mark())
	s.diagnostics = append(s.diagnostics, spec.Diagnostic{
		Path: s.path, Line: line, Column: column, Severity: spec.Error, Code: code, Message: message, Source: text,
	})
}

// reportFile adds a diagnostic of the file as a whole.
func (s *source) reportFile(message string) {
	s.diagnostics = append(s.diagnostics, spec.Diagnostic{Path: s.path, Severity: spec.Error, Code: badFile, Message: message})
}

// mark returns the length of the byte-order mark.
func (s *source) mark() int {
	return len(s.bytes) - len(bytes.TrimPrefix(s.bytes, []byte(rawjson.ByteOrderMark)))
}

// parseJSON reads a JSON file; nil if it cannot be read, which is reported.
func (s *source) parseJSON() *value {
	body := s.bytes[s.mark():]
	var whole json.RawMessage
	err := json.Unmarshal(body, &whole) // no comments
	var root *tree.Node
	if err == nil {
		root, err = tree.ReadJSON(body)
	}
	if err != nil {
		at := len(body)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) && syntax.Offset > 0 {
			at = min(int(syntax.Offset)-1, at)
		}
		s.report(badFile, s.mark()+at, "not JSON: "+strings.TrimPrefix(err.Error(), "json: "))
		return nil
	}
	r := reader{source: s, base: s.mark(), left: maxValues}
	r.scalar = func(v *value, n *tree.Node) { // as it is written, because it may be an event
		v.kind, v.token = kindOf(n), string(body[n.Start:n.End])
	}
	return r.read(root)
}

// parseYAML reads a YAML file; nil if it cannot be read, which is reported.
func (s *source) parseYAML() *value {
	text := s.bytes[s.mark():]
	root, err := tree.DecodeYAML(text)
	if err != nil {
		offset, message := tree.YAMLProblem(text, err)
		s.report(badFile, s.mark()+offset, message)
		return nil
	}
	if root == nil {
		return &value{kind: null, token: "null"}
	}
	y := yamlReader{s, tree.NewPositions(text, s.mark())}
	root, ok := tree.Expand(root, 2*maxValues, maxDepth, y.report)
	if !ok {
		s.reportFile(tooMuch)
		return nil
	}
	r := reader{source: s, left: 2 * maxValues, scalar: y.scalar}
	return r.read(y.positions.Tree(root))
}

// yamlReader reads what is special in YAML.
type yamlReader struct {
	source    *source
	positions *tree.Positions
}

func (y yamlReader) report(kind tree.Kind, at *yaml.Node, message string) {
	code := badKey
	if kind == tree.BadTag {
		code = badValue
	}
	y.source.report(code, y.positions.Offset(at), message)
}

// scalar reads a scalar. Only a plain scalar can be anything except a string.
func (y yamlReader) scalar(v *value, n *tree.Node) {
	if !n.Plain {
		if n.Tag != tree.String && n.Tag != tree.Refused {
			y.source.report(badValue, v.at, fmt.Sprintf("a value tagged %q; write it without the tag", n.Tag))
		}
		v.kind, v.token = text, tree.JSON(n.Text)
		return
	}
	kind, token, problem := plain(n.Text)
	if problem != "" {
		y.source.report(badValue, v.at, problem)
	}
	v.kind, v.token = kind, token
}

// plain interprets a plain scalar by the core schema of YAML 1.2, in which yes, no and dates are
// strings, and returns it as JSON. problem is "", or explains why the scalar is ambiguous.
func plain(s string) (k kind, token, problem string) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return null, "null", ""
	case "true", "True", "TRUE":
		return boolean, "true", ""
	case "false", "False", "FALSE":
		return boolean, "false", ""
	}
	if json.Valid([]byte(s)) {
		return number, s, ""
	}
	if isOddNumber(strings.ToLower(s)) {
		problem = fmt.Sprintf("%s is a number that JSON writes in another way; write it so, or in quotes", s)
	}
	return text, tree.JSON(s), problem
}

// isOddNumber reports whether YAML reads s, in lower case, as a number.
func isOddNumber(s string) bool {
	switch {
	case strings.TrimLeft(s, "+-") == ".inf", s == ".nan":
		return true
	case strings.HasPrefix(s, "0x"), strings.HasPrefix(s, "0o"):
		return isNumber(strconv.ParseUint(s, 0, 64))
	}
	return strings.Trim(s, "0123456789.e+-") == "" && isNumber(strconv.ParseFloat(s, 64))
}

// isNumber reports whether a text was parsed as a number, even if the number is too large.
func isNumber[N any](_ N, err error) bool { return !errors.Is(err, strconv.ErrSyntax) }
