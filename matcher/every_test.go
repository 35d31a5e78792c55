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
		{`a [^|]*`, Line{{Text: "a "}, {Hole: Unspaced, Stage: true}}, true},
		{`a [^|]*`, Line{{Text: "a "}, {Hole: Unspaced}}, false},
		{`npm publish`, Line{{Text: "npm publish"}}, true},
		{`^a$`, Line{{Text: "a"}}, true},
		{`a{2}/.{1,}(b{0,3}/)?c`, Line{{Text: "aa/"}, {Hole: Filename}, {Text: "c"}}, true},
		{`a{2}/.{1,9}c`, Line{{Text: "aa/"}, {Hole: Filename}, {Text: "c"}}, false},
		{`git␣(a|b)+`, Line{{Text: "git␣ab"}}, true},
		{`git\b.*`, Line{{Text: "git x"}}, true},
		{`x$0*`, Line{{Text: "x"}}, true},
		{`é(?=a)a`, Line{{Text: "éa"}}, true},
	} {
		x, err := newException(row.source)
		left := spec.MatchBudget
		if got := x.excepts(row.line, &left); got != row.want || err != nil {
			t.Errorf("%s for every %v: %t, want %t", row.source, row.line, got, row.want)
		}
	}
}

// FuzzEvery checks that an expression that matches a line for every value matches it
// for the given one, and that the program and the engine agree about known text.
func FuzzEvery(f *testing.F) {
	f.Add(`a/(.+/)?b(/.*)?`, "a/", "x", "/b", uint8(Below))
	f.Add(`a{2}(b{1,3}c{0,})+$`, "aab", "b", "c", uint8(Unspaced))
	f.Add(`[^a]+|a[^b]*`, "", "ab", "", uint8(Filename))
	f.Add(`x( .*)?$`, "x", " y", "", uint8(Words))
	f.Fuzz(func(t *testing.T, source, before, value, after string, hole uint8) {
		h := Hole(hole)
		if h == Known || h > Below || !isSimple(before+value+after) || len(source) > 200 {
			t.Skip()
		}
		switch {
		case strings.ContainsFunc(value, func(c rune) bool { return !has(h, c) }),
			(h == Filename || h == Below) && (value == "" || value[0] == '/'),
			h == Words && value != "" && value[0] != ' ':
			t.Skip()
		}
		x, err := newException(source)
		left := spec.MatchBudget
		if err == nil && x.excepts(Line{{Text: before}, {Hole: h}, {Text: after}}, &left) && !Whole(source, before+value+after) {
			t.Errorf("%q does not match %q as a whole", source, before+value+after)
		}
		if text := before + value + after; err == nil && x.excepts(KnownLine(text), &left) != Whole(source, text) {
			t.Errorf("%q for %q: not as the engine", source, text)
		}
	})
}
