package protocol

// token is a syntax element that a walker reports.
type token byte

const (
	tokenOpen   token = iota // an opening bracket
	tokenClose               // a closing bracket
	tokenComma               // a comma
	tokenKey                 // an object's key, as its JSON text
	tokenScalar              // a string, number, boolean or null
)

// walker walks one JSON value strictly by the grammar, in one pass and without
// recursion, so that hostile nesting is cheap in stack and time.
type walker struct {
	buf   []byte
	open  []int // offsets of the open brackets
	visit func(t token, text []byte) bool
}

// value returns the offset after the JSON value that begins at i, or -1 if
// there is none or visit returned false. open then holds the brackets that were
// open at that point.
func (w *walker) value(i int) int {
	w.open = w.open[:0]
	for {
		next, inside := w.begin(i)
		if next >= 0 && !inside {
			next = w.leave(next)
		}
		if next < 0 || len(w.open) == 0 {
			return next
		}
		i = next
	}
}

// begin passes the scalar at i, or the bracket at i up to its first value.
// inside reports whether there is one.
func (w *walker) begin(i int) (next int, inside bool) {
	if i >= len(w.buf) {
		return -1, false
	}
	c := w.buf[i]
	if c != '{' && c != '[' {
		end := scalarTokenEnd(w.buf, i)
		if end < 0 || !w.emit(tokenScalar, i, end) {
			return -1, false
		}
		return end, false
	}
	w.open = append(w.open, i)
	if !w.emit(tokenOpen, i, i+1) {
		return -1, false
	}
	i = skipSpace(w.buf, i+1)
	if i < len(w.buf) && w.buf[i] == closing(c) {
		return i, false
	}
	return w.key(i), true
}

// leave closes the brackets that end at i and advances to the value after the
// next comma, or past the last bracket.
func (w *walker) leave(i int) int {
	for len(w.open) > 0 {
		i = skipSpace(w.buf, i)
		if i >= len(w.buf) {
			return -1
		}
		top := len(w.open) - 1
		switch w.buf[i] {
		case closing(w.buf[w.open[top]]):
			w.open = w.open[:top]
			if !w.emit(tokenClose, i, i+1) {
				return -1
			}
			i++
		case ',':
			if !w.emit(tokenComma, i, i+1) {
				return -1
			}
			return w.key(skipSpace(w.buf, i+1))
		default:
			return -1
		}
	}
	return i
}

// key passes an object's key if the innermost bracket is an object, and returns
// the offset of the value.
func (w *walker) key(i int) int {
	if w.buf[w.open[len(w.open)-1]] == '[' {
		return i
	}
	end := stringTokenEnd(w.buf, i)
	if end < 0 || !w.emit(tokenKey, i, end) {
		return -1
	}
	colon := skipSpace(w.buf, end)
	if colon >= len(w.buf) || w.buf[colon] != ':' {
		return -1
	}
	return skipSpace(w.buf, colon+1)
}

func (w *walker) emit(t token, start, end int) bool {
	return w.visit == nil || w.visit(t, w.buf[start:end])
}

// scalarTokenEnd returns the offset after the string, number, boolean or null
// that begins at i, or -1.
func scalarTokenEnd(buf []byte, i int) int {
	if buf[i] == '"' {
		return stringTokenEnd(buf, i)
	}
	end := scalarEnd(buf, i)
	if end < 0 || kindOf(buf[i:end]) == kindInvalid {
		return -1
	}
	return end
}

// stringTokenEnd returns the offset after the string whose opening quote is at
// i, or -1. Control characters and unknown escapes are invalid; bytes that are
// not UTF-8 are accepted.
func stringTokenEnd(buf []byte, i int) int {
	if i >= len(buf) || buf[i] != '"' {
		return -1
	}
	for i++; i < len(buf); {
		switch c := buf[i]; {
		case c == '"':
			return i + 1
		case c < 0x20:
			return -1
		case c == '\\':
			n := escapeLen(buf[i:])
			if n == 0 {
				return -1
			}
			i += n
		default:
			i++
		}
	}
	return -1
}

// escapeLen returns the length of the escape at the start of b, 0 if it is not
// an escape.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(b) >= 6 && isHex(b[2]) && isHex(b[3]) && isHex(b[4]) && isHex(b[5]) {
			return 6
		}
	}
	return 0
}

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isNumber reports whether b is a JSON number.
func isNumber(b []byte) bool {
	i := 0
	if b[0] == '-' {
		i++
	}
	whole := digits(b, i)
	if whole == i || b[i] == '0' && whole > i+1 {
		return false
	}
	i = whole
	if i < len(b) && b[i] == '.' {
		fraction := digits(b, i+1)
		if fraction == i+1 {
			return false
		}
		i = fraction
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		exponent := digits(b, i)
		if exponent == i {
			return false
		}
		i = exponent
	}
	return i == len(b)
}

// digits returns the offset after the digits that begin at i.
func digits(b []byte, i int) int {
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	return i
}
