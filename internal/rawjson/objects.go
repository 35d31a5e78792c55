package rawjson

import "bytes"

// Objects returns the outermost JSON objects in a text. broken is the offset of
// the first brace that begins like an object but is not one, -1 if there is
// none.
//
// Its time is linear in the length of b. A walk from a bracket that was open
// when an earlier walk failed would fail at the same place, so it is skipped.
// Walks from braces inside the strings of a failed walk remain; for them,
// strings begin where they ended for the failed walk.
func Objects(b []byte) (objects [][]byte, broken int) {
	broken = -1
	w := Walker{Buf: b}
	var failed []bool // offsets of braces that were open when a walk failed
	for i := 0; i < len(b); i++ {
		at := bytes.IndexByte(b[i:], '{')
		if at < 0 {
			break
		}
		i += at
		if failed != nil && failed[i] || i > 0 && !likeObject(b, i) {
			continue
		}
		if end := w.Value(i); end >= 0 {
			objects = append(objects, b[i:end])
			i = end - 1
			continue
		}
		if failed == nil {
			broken = i
			failed = make([]bool, len(b))
		}
		for _, open := range w.Open {
			failed[open] = true
		}
	}
	return objects, broken
}

// likeObject distinguishes an object's opening brace from one in a program or
// in prose.
func likeObject(b []byte, i int) bool {
	next := SkipSpace(b, i+1)
	return next < len(b) && (b[next] == '"' || b[next] == '}')
}
