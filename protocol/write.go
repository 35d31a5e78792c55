package protocol

import (
	"bufio"
	"bytes"
	"io"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// WriteTo writes the event as a hook reads it (D21): the caller's object, each
// colon followed by one space, with missing base fields added, and one newline.
// Bytes that already have this form are written unchanged. Others are
// reformatted while writing, keeping their tokens, order, numbers and escapes,
// without a copy of the event.
func (e *Event) WriteTo(w io.Writer) (int64, error) {
	if len(e.replaced) == 0 && e.raw != nil && isFormatted(e.raw) {
		n, err := w.Write(e.raw)
		if err != nil {
			return int64(n), err
		}
		end, err := w.Write([]byte{'\n'})
		return int64(n + end), err
	}
	out := &formatter{Writer: bufio.NewWriterSize(w, min(e.Size()+512, 32<<10))}
	out.put("{")
	for i, f := range e.replaced {
		if i > 0 {
			out.put(", ")
		}
		out.put(`"`)
		out.put(f.key)
		out.put(`": `)
		out.reformat(f.value)
	}
	e.writeRest(out)
	out.put("\n")
	err := out.Flush()
	return out.written - int64(out.Buffered()), err
}

// writeRest writes the caller's members that are not replaced, and the
// closing brace.
func (e *Event) writeRest(out *formatter) {
	if !e.decodable {
		// Its members cannot be separated, so all of them are kept.
		if len(e.replaced) > 0 && rawjson.SkipSpace(e.raw, 1) < len(e.raw)-1 {
			out.put(", ")
		}
		out.reformat(e.raw[1:])
		return
	}
	first := len(e.replaced) == 0
	_ = e.each(func(key, value []byte) bool {
		if e.replacement(key) != nil {
			return true
		}
		if !first {
			out.put(", ")
		}
		first = false
		out.write(key)
		out.put(": ")
		out.reformat(value)
		return out.err == nil
	})
	out.put("}")
}

// replacement returns the field that replaces the caller's member, nil if none
// does.
func (e *Event) replacement(keyText []byte) *field {
	key := rawjson.KeyName(keyText)
	for i := range e.replaced {
		if e.replaced[i].key == string(key) {
			return &e.replaced[i]
		}
	}
	return nil
}

// formatter writes JSON with exactly one space after each colon.
type formatter struct {
	*bufio.Writer
	written int64
	err     error // of a write; Flush returns it, too
}

func (s *formatter) put(t string) {
	n, err := s.WriteString(t)
	s.written, s.err = s.written+int64(n), err
}

func (s *formatter) write(b []byte) {
	n, err := s.Write(b)
	s.written, s.err = s.written+int64(n), err
}

// reformat writes value without spaces before its colons and with one space
// after each. It stops at an error: many hooks end without reading a large
// event.
func (s *formatter) reformat(value []byte) {
	for s.err == nil {
		before, after := nextColon(value)
		if before < 0 {
			s.write(value)
			return
		}
		s.write(bytes.TrimRight(value[:before], " \t\r\n"))
		s.put(": ")
		value = value[rawjson.SkipSpace(value, after):]
	}
}

// nextColon returns the offsets of, and after, the first colon outside strings,
// or -1.
func nextColon(b []byte) (at, after int) {
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case ':':
			return i, i + 1
		case '"':
			end := rawjson.StringEnd(b, i+1)
			if end < 0 {
				return -1, -1
			}
			i = end - 1
		}
	}
	return -1, -1
}

// isFormatted reports whether each colon follows its key immediately and is
// followed by one space.
func isFormatted(b []byte) bool {
	for {
		at, after := nextColon(b)
		if at < 0 {
			return true
		}
		if at == 0 || rawjson.IsSpace(b[at-1]) || after+1 >= len(b) || b[after] != ' ' || rawjson.IsSpace(b[after+1]) {
			return false
		}
		b = b[after:]
	}
}
