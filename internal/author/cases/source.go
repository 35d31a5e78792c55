package cases

import (
	"bytes"
	"fmt"

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
