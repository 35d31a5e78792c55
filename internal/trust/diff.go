package trust

import (
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// NoNewline follows a last line without a newline, as in the output of diff.
const NoNewline = "\\ No newline at end of file"

// Diff returns the changes from old to new in the format of diff -u, without the file names:
// lines that begin with "@", " ", "-", "+" or "\\", without newlines. The result is empty if
// nothing changed.
func Diff(old, new string) []string {
	text := strings.TrimSuffix(string(diff.Diff("old", []byte(old), "new", []byte(new))), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")[3:] // after the names
}
