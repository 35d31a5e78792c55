package matcher

import (
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/spec"
)

func TestEvery(t *testing.T) {
	for _, row := range []struct {
		source string
		line   Line
		want   bool
	}{
		{`a/.+`, Line{{Text: "a/"}, {Hole: Filename}}, true},
		{`a/.+`, Line{{Text: "a/"}, {Hole: Name}}, false},
		{`a/[^/]+`, Line{{Text: "a/"}, {Hole: Below}}, false},
		{`a/(.+/)?b(/.*)?`, Line{{Text: "a/"}, {Hole: Below}, {Text: "/b"}}, true},
		{`a/(.+/)?b(/.*)?`, Line{{Text: "a/b"}, {Hole: Name}}, false},
		{`a/(.+/)?b(/.*)?`, Line{{Text: "a/b/"}, {Hole: Filename}}, true},
		{`a.*`, Line{{Text: "a"}, {Hole: Any}}, false}, // a newline
		{`a/\w+`, Line{{Text: "a/"}, {Hole: Filename}}, false},
		{`a/(?!keep).*`, Line{{Text: "a/"}, {Hole: Filename}}, false},
		{`npm publish --dry-run( .*)?`, Line{{Text: "npm publish --dry-run"}, {Hole: Words}}, true},
		{`npm publish --dry-run`, Line{{Text: "npm publish --dry-run"}, {Hole: Words}}, false},
		{`npm publish .*`, Line{{Text: "npm publish "}, {Hole: Unspaced}}, true},
		{`npm publish`, Line{{Text: "npm publish"}}, true},
		{`^a$`, Line{{Text: "a"}}, true},
	} {
		e, left := newExpression("unless", row.source), spec.MatchBudget
		if got := e.every(row.line, &left); got != row.want {
			t.Errorf("%s for every %v: %t, want %t", row.source, row.line, got, row.want)
		}
	}
}

// FuzzEvery checks that an expression that matches a line for every value matches it
// for the given one.
func FuzzEvery(f *testing.F) {
	f.Add(`a/(.+/)?b(/.*)?`, "a/", "x", "/b", uint8(Below))
	f.Add(`[^a]+|a[^b]*`, "", "ab", "", uint8(Filename))
	f.Add(`x( .*)?$`, "x", " y", "", uint8(Words))
	f.Fuzz(func(t *testing.T, source, before, value, after string, hole uint8) {
		h := Hole(hole)
		if h == Known || h > Below || !isSimple(before+value+after) || len(source) > 200 {
			t.Skip()
		}
		switch {
		case strings.ContainsFunc(value, func(c rune) bool { return !h.has(c) }),
			(h == Filename || h == Below) && (value == "" || value[0] == '/'),
			h == Words && value != "" && value[0] != ' ':
			t.Skip()
		}
		e, left := newExpression("unless", source), spec.MatchBudget
		if e.every(Line{{Text: before}, {Hole: h}, {Text: after}}, &left) && !Whole(source, before+value+after) {
			t.Errorf("%q does not match %q as a whole", source, before+value+after)
		}
	})
}
