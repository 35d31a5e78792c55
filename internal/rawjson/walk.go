package rawjson

// Token is a syntax element that a Walker reports.
type Token byte

// The tokens.
const (
	TokenOpen   Token = iota // an opening bracket
	TokenClose               // a closing bracket
	TokenComma               // a comma
	TokenKey                 // an object's key, as its JSON text
	TokenScalar              // a string, number, boolean or null
)

// Walker parses one JSON value strictly, in one pass and without recursion, so that deep nesting
// costs little stack and time.
type Walker struct {
	Buf   []byte
	Open  []int // offsets of the open brackets
	Visit func(t Token, text []byte) bool
}

// Value returns the offset after the JSON value that begins at i, or -1 if
// there is none or Visit returned false. Open then holds the brackets that were
// open at that point.
func (w *Walker) Value(i int) int {
	w.Open = w.Open[:0]
	for {
		next, inside := w.begin(i)
		if next >= 0 && !inside {
			next = w.leave(next)
		}
		if next < 0 || len(w.Open) == 0 {
			return next
		}
		i = next
	}
}

// begin advances past the scalar at i, or from the opening bracket at i to its first value.
// inside reports whether the bracket contains a value.
func (w *Walker) begin(i int) (next int, inside bool) {
	if i >= len(w.Buf) {
		return -1, false
	}
	c := w.Buf[i]
	if c != '{' && c != '[' {
		end := scalarTokenEnd(w.Buf, i)
		if end < 0 || !w.emit(TokenScalar, i, end) {
			return -1, false
		}
		return end, false
	}
	w.Open = append(w.Open, i)
	if !w.emit(TokenOpen, i, i+1) {
		return -1, false
	}
	i = SkipSpace(w.Buf, i+1)
	if i < len(w.Buf) && w.Buf[i] == Closing(c) {
		return i, false
	}
	return w.key(i), true
}

// leave closes the brackets that end at i and advances to the value after the
// next comma, or past the last bracket.
func (w *Walker) leave(i int) int {
	for len(w.Open) > 0 {
		i = SkipSpace(w.Buf, i)
		if i >= len(w.Buf) {
			return -1
		}
		top := len(w.Open) - 1
		switch w.Buf[i] {
		case Closing(w.Buf[w.Open[top]]):
			w.Open = w.Open[:top]
			if !w.emit(TokenClose, i, i+1) {
				return -1
			}
			i++
		case ',':
			if !w.emit(TokenComma, i, i+1) {
				return -1
			}
			return w.key(SkipSpace(w.Buf, i+1))
		default:
			return -1
		}
	}
	return i
}

// key returns the offset of the value after the key at i, if the innermost bracket is an
// object's; otherwise i.
func (w *Walker) key(i int) int {
	if w.Buf[w.Open[len(w.Open)-1]] == '[' {
		return i
	}
	end := StringTokenEnd(w.Buf, i)
	if end < 0 || !w.emit(TokenKey, i, end) {
		return -1
	}
	colon := SkipSpace(w.Buf, end)
	if colon >= len(w.Buf) || w.Buf[colon] != ':' {
		return -1
	}
	return SkipSpace(w.Buf, colon+1)
}

func (w *Walker) emit(t Token, start, end int) bool {
	return w.Visit == nil || w.Visit(t, w.Buf[start:end])
}

// scalarTokenEnd returns the offset after the string, number, boolean or null
// that begins at i, or -1.
func scalarTokenEnd(buf []byte, i int) int {
	if buf[i] == '"' {
		return StringTokenEnd(buf, i)
	}
	end := scalarEnd(buf, i)
	if end < 0 || KindOf(buf[i:end]) == Invalid {
		return -1
	}
	return end
}

// StringTokenEnd returns the offset after the string whose opening quote is at
// i, or -1. Control characters and unknown escapes are invalid; bytes that are
// not UTF-8 are accepted.
func StringTokenEnd(buf []byte, i int) int {
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
