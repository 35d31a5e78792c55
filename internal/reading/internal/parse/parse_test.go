package parse

import (
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// TestText checks what is parsed of a text, the rest of it, and the notes on what shells may read otherwise.
func TestText(t *testing.T) {
	for _, c := range []struct {
		text   string
		shells Shells
		count  int
		rest   string
		notes  []string
	}{
		{"a; b", Dash | Zsh, 2, "", nil},
		{"a\x00b\r\nc", 0, 2, "", []string{"it has a NUL byte", "it has a carriage return"}},
		{"cat <<E\nx", 0, 1, "", nil},
		{"a # x \\\nb", 0, 2, "", nil},
		{"a; b (", 0, 1, "b ( ", nil},
		{"[[ a && b ]]", Dash, 1, "", []string{"sh and bash read %s differently"}},
		{"[[ a && b ]]", Zsh, 1, "", nil},
		{`echo "${x:-'$y'}"`, 0, 1, "", []string{"single quotes inside an expansion in double quotes are not quotes: %s"}},
		{`$'\c'`, 0, 1, "", []string{NoControl}},
		{strings.Repeat("(", 300), 0, 0, "", []string{"it has more than 200 brackets inside each other"}},
	} {
		f, deep := Text(c.text, c.shells)
		var causes []string
		for _, n := range f.Notes {
			causes = append(causes, n.Cause)
		}
		if len(f.Stmts) != c.count || f.Rest != c.rest || (f.Err == nil) != (c.rest == "") || !slices.Equal(causes, c.notes) || deep != (c.text[0] == '(') {
			t.Errorf("%.40q: %d statements, rest %q, %v, notes %q", c.text, len(f.Stmts), f.Rest, f.Err, causes)
		}
	}
}

// TestAltered checks the parts that zsh may expand to any words.
func TestAltered(t *testing.T) {
	for text, want := range map[string]int{"echo $x:t": 1, "echo $x[1]": 2, "echo $=x": 2, "echo $x: ${x}:t $x.y": 0} {
		if f, _ := Text(text, Zsh); len(f.Altered) != want {
			t.Errorf("%s: %d parts", text, len(f.Altered))
		}
		if f, _ := Text(text, 0); len(f.Altered) > 0 {
			t.Errorf("%s: %d parts in bash", text, len(f.Altered))
		}
	}
}

// TestBraces checks brace expansion within its limit.
func TestBraces(t *testing.T) {
	for text, want := range map[string]string{
		"a{b,c}d": "abd acd", "{1..3}": "1 2 3", "{5..1..2}": "5 3 1", "{a..c}": `\a \b \c`, "a{b": "a{b", "{a,b}{c,d}": "ac ad bc bd", "{1..9}{1..9}": "11",
	} {
		f, _ := Text("x "+text, 0)
		e := Braces(f.Stmts[0].Cmd.(*syntax.CallExpr).Args[1], 20)
		var words []string
		for _, parts := range e.Words {
			words = append(words, (&syntax.Word{Parts: parts}).Lit())
		}
		got := strings.Join(words, " ")
		if got != want && !(len(e.Causes) > 0 && strings.HasPrefix(got, want)) {
			t.Errorf("%s: %s %q", text, got, e.Causes)
		}
	}
}

// TestFragments checks the parts of a text that does not parse.
func TestFragments(t *testing.T) {
	parts, parses := Fragments("if a; then b \"c;d\" && (e | f ; g 'h")
	if got := strings.Join(parts, "/"); got != `a/b "c;d"/e | f/g 'h` || !slices.Equal(parses, []bool{true, true, true, false}) {
		t.Error(got, parses)
	}
}
