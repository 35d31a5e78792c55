package manifest

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/spec"
)

// source is the bytes of a HOOK.md, with the position of its front matter and
// the mapping from offsets to lines and columns.
type source struct {
	bytes       []byte
	start, end  int // the front matter between its fences; end is the closing fence
	body        int
	cursor      *tree.Cursor
	diagnostics []spec.Diagnostic
	fatal       bool             // a fatal diagnostic was reported
	leftOut     int              // number of diagnostics omitted
	key         string           // the front-matter key being read
	triggers    []spec.EventType // all that it names
}

// maxProblems limits the diagnostics of one file, which is untrusted.
const maxProblems = 50

// report adds a diagnostic at a byte offset. Above the limit it only counts it,
// unless it is the first fatal one.
func (s *source) report(code string, offset int, message string) {
	d := spec.Diagnostic{Severity: spec.Error, Code: code, Message: message, Key: s.key}
	fatal := d.Fatal()
	if len(s.diagnostics) >= maxProblems && (s.fatal || !fatal) {
		s.leftOut++
		return
	}
	s.fatal = s.fatal || fatal
	d.Severity = spec.SeverityOf(code)
	if s.cursor == nil {
		s.cursor = tree.NewCursor(s.bytes[s.mark():])
	}
	d.Line, d.Column, d.Source = s.cursor.Position(offset - s.mark()) // a byte-order mark takes no column
	s.diagnostics = append(s.diagnostics, d)
}

// full reports whether no further diagnostic would be kept.
func (s *source) full() bool { return len(s.diagnostics) >= maxProblems && s.fatal }

// problems returns the diagnostics, followed by one with the number of those
// omitted.
func (s *source) problems() []spec.Diagnostic {
	if s.leftOut == 0 {
		return s.diagnostics
	}
	more := spec.Diagnostic{Severity: spec.SeverityOf("left-out"), Code: "left-out", Message: fmt.Sprintf("%d more problems in this file are not listed", s.leftOut)}
	return append(s.diagnostics, more)
}

// mark returns the length of the byte-order mark.
func (s *source) mark() int {
	if bytes.HasPrefix(s.bytes, []byte("\ufeff")) {
		return len("\ufeff")
	}
	return 0
}

// front returns the front matter without its fences.
func (s *source) front() []byte { return s.bytes[s.start:s.end] }

// fences finds the front matter (D10). If it returns false, start and end still
// enclose the text in which to search for a trigger (D5). It reads no further
// than the front matter's size limit.
func (s *source) fences() bool {
	s.end, s.body = min(len(s.bytes), spec.MaxFrontMatter), len(s.bytes)
	s.start = min(s.mark(), s.end)
	if len(s.bytes) > spec.MaxHookFile {
		s.report("file-size", 0, "the file is above 1 MiB; move text into other files of the folder")
	}
	next := s.next(s.start)
	switch first := s.bytes[s.start:next]; {
	case fence(first):
	case !utf8.Valid(first):
		s.report("encoding", 0, "the file does not begin with UTF-8 text; save it as UTF-8")
		return false
	default:
		s.report("front-matter-missing", s.start, "the file does not begin with front matter; its first line must be exactly `---`")
		return false
	}
	s.start = next
	for offset := next; offset < len(s.bytes) && !s.full(); offset = next {
		if offset-s.start > spec.MaxFrontMatter {
			s.end = offset
			return s.fits()
		}
		next = s.next(offset)
		switch line := s.bytes[offset:next]; {
		case !mayBeFence(line):
		case fence(line):
			s.end, s.body = offset, next
			return s.fits()
		case bytes.Contains(line, []byte("---")) && string(bytes.TrimSpace(line)) == "---":
			s.report("front-matter-fence", offset, "`---` with spaces around it inside the front matter, which other readers treat as its end; write it differently, or begin the line with it to end the front matter")
		}
	}
	s.end = max(s.start, s.end)
	s.report("front-matter-unclosed", 0, "the front matter is not closed; add a line that is exactly `---` after the last key")
	return false
}

// fits reports whether the front matter may be parsed.
func (s *source) fits() bool {
	if len(s.front()) > spec.MaxFrontMatter {
		s.report("front-matter-size", 0, "the front matter is above 64 KiB, or no line that is exactly `---` ends it; move text into the body")
		return false
	}
	if !utf8.Valid(s.front()) {
		s.report("encoding", s.start+tree.FirstInvalid(s.front()), "a byte that is not UTF-8; save the file as UTF-8")
		return false
	}
	for _, d := range s.diagnostics {
		if d.Code == "front-matter-fence" {
			return false
		}
	}
	return true
}

// next returns the offset of the line after the one that begins at offset.
func (s *source) next(offset int) int {
	if i := bytes.IndexByte(s.bytes[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(s.bytes)
}

// mayBeFence is a fast check that most lines are not a fence, with or without white space.
func mayBeFence(line []byte) bool {
	for _, c := range line {
		if c != ' ' {
			return c == '-' || c < ' ' || c >= utf8.RuneSelf
		}
	}
	return false
}

// fence reports whether a line is `---` followed only by white space.
func fence(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("---")) {
		return false
	}
	line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	return string(bytes.TrimRight(line, " \t")) == "---"
}
