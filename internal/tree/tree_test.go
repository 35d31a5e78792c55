package tree

import "testing"

func TestCursor(t *testing.T) {
	text := "äb\r\n\nxyz"
	c := NewCursor([]byte(text))
	for _, want := range []struct {
		offset, line, column int
		text                 string
	}{
		{0, 1, 1, "äb"}, {2, 1, 2, "äb"}, {5, 2, 1, ""}, {6, 3, 1, "xyz"}, {8, 3, 3, "xyz"}, {99, 3, 4, "xyz"}, {2, 1, 2, "äb"}, {-1, 1, 1, "äb"},
	} {
		if line, column, text := c.Position(want.offset); line != want.line || column != want.column || text != want.text {
			t.Errorf("%d: got %d:%d %q, want %d:%d %q", want.offset, line, column, text, want.line, want.column, want.text)
		}
	}
}
