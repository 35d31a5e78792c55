package cases

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/spec"
)

// source is a case's file, and what is wrong with it.
type source struct {
	path        string
	bytes       []byte
	diagnostics []spec.Diagnostic
}

// The codes of what may be wrong.
const (
	badFile  = "case-file"
	badKey   = "case-key"
	badValue = "case-value"
)

// report adds a diagnostic at a byte offset.
func (s *source) report(code string, offset int, message string) {
	line, column, text := s.position(offset)
	s.diagnostics = append(s.diagnostics, spec.Diagnostic{
		Path: s.path, Line: line, Column: column, Severity: spec.Error, Code: code, Message: message, Source: text,
	})
}

// reportFile adds a diagnostic of the file as a whole.
func (s *source) reportFile(message string) {
	s.diagnostics = append(s.diagnostics, spec.Diagnostic{Path: s.path, Severity: spec.Error, Code: badFile, Message: message})
}

// position counts lines and, in characters, columns from 1, and returns the
// line itself. A byte-order mark takes no column.
func (s *source) position(offset int) (line, column int, text string) {
	offset = min(max(offset, s.mark()), len(s.bytes))
	start := bytes.LastIndexByte(s.bytes[:offset], '\n') + 1
	if start == 0 {
		start = min(s.mark(), offset)
	}
	rest, _, _ := bytes.Cut(s.bytes[start:], []byte("\n"))
	line = 1 + bytes.Count(s.bytes[:offset], []byte("\n"))
	return line, 1 + utf8.RuneCount(s.bytes[start:offset]), strings.TrimSuffix(string(rest), "\r")
}

const byteOrderMark = "\ufeff"

// mark is the length of the byte-order mark.
func (s *source) mark() int {
	if bytes.HasPrefix(s.bytes, []byte(byteOrderMark)) {
		return len(byteOrderMark)
	}
	return 0
}

// isUTF8 reports the first byte that is not UTF-8.
func (s *source) isUTF8() bool {
	for offset := 0; offset < len(s.bytes); {
		r, size := utf8.DecodeRune(s.bytes[offset:])
		if r == utf8.RuneError && size == 1 {
			s.report(badFile, offset, "a byte that is not UTF-8; save the file as UTF-8")
			return false
		}
		offset += size
	}
	return true
}
