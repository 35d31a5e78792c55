package trust

import "strconv"

// encodePath encodes a path, like a Go string without its quotes, so that JSON and a line of
// text preserve all its bytes.
func encodePath(s string) string {
	quoted := strconv.Quote(s)
	return quoted[1 : len(quoted)-1]
}

// decodePath is the inverse of encodePath.
func decodePath(s string) (string, error) {
	return strconv.Unquote(`"` + s + `"`)
}
