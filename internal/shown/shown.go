// Package shown spells file names in messages.
package shown

import (
	"strconv"
	"strings"
	"unicode"
)

// Path returns a path as it appears in a message: quoted if it would break the
// line, since whoever makes a folder chooses its name.
func Path(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(path)
	}
	return path
}
