package cases

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/spec"
)

// source is a case's file and its diagnostics.
type source struct {
	path        string
	bytes       []byte // without a byte-order mark
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

// report adds a diagnostic at a byte offset.
func (s *source) report(code string, offset int, message string) {
	if len(s.diagnostics) >= maxProblems {
		s.leftOut++
		return
	}
	if s.cursor == nil {
		s.cursor = tree.NewCursor(s.bytes)
	}
	line, column, text := s.cursor.Position(offset)
	s.diagnostics = append(s.diagnostics, spec.Diagnostic{
		Path: s.path, Line: line, Column: column, Severity: spec.Error, Code: code, Message: message, Source: text,
	})
}

// reportFile adds a diagnostic of the file as a whole.
func (s *source) reportFile(message string) {
	s.diagnostics = append(s.diagnostics, spec.Diagnostic{Path: s.path, Severity: spec.Error, Code: badFile, Message: message})
}

// maxDepth is the maximum depth of nested values, maxValues the maximum number of values in a
// file.
const (
	maxDepth  = 200
	maxValues = 100_000
)

const tooMuch = "the file expands to more than 100000 values or 200 levels; shorten it"

// parseJSON reads a JSON file; nil if it cannot be read, which is reported.
func (s *source) parseJSON() *tree.Node {
	var whole json.RawMessage
	err := json.Unmarshal(s.bytes, &whole) // no comments
	var root *tree.Node
	if err == nil {
		root, err = tree.ReadJSON(s.bytes)
	}
	if err != nil {
		at := len(s.bytes)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) && syntax.Offset > 0 {
			at = min(int(syntax.Offset)-1, at)
		}
		s.report(badFile, at, "not JSON: "+strings.TrimPrefix(err.Error(), "json: "))
		return nil
	}
	return s.values(root, func(n *tree.Node) {
		n.Text = string(s.bytes[n.Start:n.End]) // as it is written, because it may be an event
	})
}

// parseYAML reads a YAML file; nil if it cannot be read, which is reported. Only a plain scalar can
// be anything except a string.
func (s *source) parseYAML() *tree.Node {
	parsed, err := tree.DecodeYAML(s.bytes)
	if err != nil {
		offset, message := tree.YAMLProblem(s.bytes, err)
		s.report(badFile, offset, message)
		return nil
	}
	if parsed == nil {
		return &tree.Node{Tag: tree.Null, Text: "null"}
	}
	positions := tree.NewPositions(s.bytes, 0)
	parsed, ok := tree.Expand(parsed, 2*maxValues, maxDepth, func(kind tree.Kind, at *yaml.Node, message string) {
		code := badKey
		if kind == tree.BadTag {
			code = badValue
		}
		s.report(code, positions.Offset(at), message)
	})
	if !ok {
		s.reportFile(tooMuch)
		return nil
	}
	return s.values(positions.Tree(parsed), func(n *tree.Node) {
		problem := ""
		if n.Plain {
			n.Tag, n.Text, problem = plain(n.Text)
		} else {
			if n.Tag != tree.String && n.Tag != tree.Refused {
				problem = fmt.Sprintf("a value tagged %q; write it without the tag", n.Tag)
			}
			n.Tag, n.Text = tree.String, tree.JSON(n.Text)
		}
		if problem != "" {
			s.report(badValue, n.Start, problem)
		}
	})
}

// values turns the nodes of a document into values; nil if it is too large, which is reported. scalar
// sets the text of a scalar.
func (s *source) values(root *tree.Node, scalar func(n *tree.Node)) *tree.Node {
	left := maxValues
	var read func(n *tree.Node, depth int)
	read = func(n *tree.Node, depth int) {
		left--
		if depth > maxDepth {
			left = -1
		}
		if n.Tag != tree.List && n.Tag != tree.Mapping {
			scalar(n)
			return
		}
		seen := map[string]bool{}
		n.Children = slices.DeleteFunc(n.Children, func(c *tree.Node) bool {
			if left < 0 {
				return true
			}
			read(c, depth+1)
			if n.Tag == tree.List || !seen[c.Key] {
				seen[c.Key] = true
				return false
			}
			s.report(badKey, c.Begin, fmt.Sprintf("key %q appears twice; keep one of them", c.Key))
			return true
		})
	}
	read(root, 0)
	if left < 0 {
		s.reportFile(tooMuch)
		return nil
	}
	return root
}

// plain interprets a plain scalar by the core schema of YAML 1.2, in which yes, no and dates are
// strings, and returns it as JSON. problem is "", or explains why the scalar is ambiguous.
func plain(s string) (tag, text, problem string) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return tree.Null, "null", ""
	case "true", "True", "TRUE":
		return tree.Bool, "true", ""
	case "false", "False", "FALSE":
		return tree.Bool, "false", ""
	}
	if json.Valid([]byte(s)) {
		return tree.Float, s, ""
	}
	if isOddNumber(strings.ToLower(s)) {
		problem = fmt.Sprintf("%s is a number that JSON writes in another way; write it so, or in quotes", s)
	}
	return tree.String, tree.JSON(s), problem
}

// isOddNumber reports whether YAML reads s, in lower case, as a number.
func isOddNumber(s string) bool {
	switch {
	case strings.TrimLeft(s, "+-") == ".inf", s == ".nan":
		return true
	case strings.HasPrefix(s, "0x"), strings.HasPrefix(s, "0o"):
		_, err := strconv.ParseUint(s, 0, 64)
		return !errors.Is(err, strconv.ErrSyntax)
	}
	_, err := strconv.ParseFloat(s, 64)
	return strings.Trim(s, "0123456789.e+-") == "" && !errors.Is(err, strconv.ErrSyntax)
}
