package matcher

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestRequiredWords(t *testing.T) {
	for _, c := range []struct {
		source string
		want   string // joined by spaces, "" if nothing is known
		exact  bool
	}{
		{"Shell", "Shell", true},
		{"Shell|Bash", "Shell|Bash", true},
		{`git\s+push`, "push", false},
		{`^\s*npm\s`, "npm", false},
		{`terraform\s+(apply|destroy)`, "terraform", false},
		{`(?:apply|destroy) x`, "apply|destroy", false},
		{`(rm|mv)(\s+-rf)`, "-rf", false},
		{`\.go$`, ".go", false},
		{`\brm\b|dd if=`, "rm|dd if=", false},
		{"abc?d", "ab", false},
		{"ab+cd", "cd", false},
		{"(abc)?", "", false},
		{"(abc)*d", "d", false},
		{"abc|", "", false},
		{"abc|.", "", false},
		{"(abc|)de", "de", false},
		{`[a-z]+`, "", false},
		{`[^0-9_]x`, "x", false},
		{`a\.bc`, ".bc", false},
		{`abc\.d\.`, "abc", false},
		{`\.\.`, ".", false},
		{`\(ab`, "(ab", true},
		{`[a-zA-Z0-9 ./_]bc`, "bc", false},
		{`[\w.=:@-]bc`, "bc", false},
		{`ab(?!cde)f`, "ab", false},
		{`ab(?=cde)`, "ab", false},
		{`(?!ab)`, "", false},
		{`(?!ab)cd|(?=x)ef`, "cd|ef", false},
		{`[^-\s]ab\ncde`, "cde", false},
		{`ab␣`, "ab␣", true},
		{`a(?i:bcd)ef`, "ef", false},
		{`(?<!abc)de`, "de", false},
		{`[^|'"(␣]ab`, "ab", false},
	} {
		got, _, ok := parsePlain(c.source)
		if !ok || strings.Join(got.list(), "|") != c.want || got.exact != c.exact {
			t.Errorf("%q: %q, exact %v, plain %v", c.source, got.list(), got.exact, ok)
		}
	}
}

func TestNotPlain(t *testing.T) {
	for _, source := range []string{
		"a(?i)b", "(?<=a+)", "(?<!a|bc)", "(?<!)a", "(?<n>a)", "(?!abc)*", "(?P<n>a)", "a{2,1}", "a{,2}", "a{2", "a}", "a]", "a**", "a+?", "a++", "^*a", "*a", "|*", "(", ")", "a)", "(a",
		"[", "[]", "[^]", "[z-a]", "[a-f]", `[\b]`, `[\w-a]`, "[-]", "[--]", "[a--]", `[\]`, `\`, `\1`, `\x41`, `\Aa`, `\e`, "[a||b]", "[a&&b]", `(a\2)`, `\1(a)`, "a\xff", "a\tb", "\x00",
		strings.Repeat("(", 20) + "a" + strings.Repeat(")", 20),
	} {
		if got, _, ok := parsePlain(source); ok {
			t.Errorf("%q is plain: %q", source, got.list())
		}
	}
}

// Random expressions and texts have few different characters, so that most
// match.
func TestPlainOnRandomExpressions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "a", "b", "b", "ab", ".", `\s`, `\.`, "[a-z]", "[^a]", `[\w.-]`, "(?!", "(?=", "^", "$", `\b`, "(", "(?:", ")", ")", "|", "|", "*", "+", "?", "()", "é", "(?i:", "A", "(?<!a)", "(?<=b)", "[^|'é]", `[^-\s]`, `[^\n]`, `\n`, `\"`}
	plain := 0
	for range 100000 {
		var source, text strings.Builder
		for range 1 + random.IntN(7) {
			source.WriteString(pieces[random.IntN(len(pieces))])
		}
		for range random.IntN(6) {
			text.WriteString(string([]rune("aabb. \nAé|")[random.IntN(10)]))
		}
		if comparePlain(t, source.String(), text.String()) {
			plain++
		}
	}
	if plain < 10000 {
		t.Errorf("only %d were plain", plain)
	}
}

// comparePlain checks source and reports whether it is plain.
func comparePlain(t *testing.T, source, text string) bool {
	t.Helper()
	w, p, ok := parsePlain(source)
	if !ok || source == "" {
		return false
	}
	e, err := compileEngine("tool", source)
	if err != nil {
		t.Fatalf("%q is plain, but does not compile: %v", source, err)
	}
	if d := Differences(source); e.negative != p.negative || len(d) > 0 {
		t.Errorf("%q is plain: negative %v, parsed as %v, differences %v", source, e.negative, p.negative, d)
	}
	split := newExpression("tool", source)
	if err := split.prepare(); err != nil {
		t.Fatal(err)
	}
	for _, text := range append(slices.Clone(w.list()), text, text+strings.Join(w.list(), text)) {
		left := 20 * time.Millisecond
		found, err := e.search(text, &left)
		contains := w.in(text)
		if again, why := split.search(text, &left); err == nil && why == nil && again != found {
			t.Errorf("%q in %q: %v, by its alternatives %v", source, text, found, again)
		}
		if isSimple(text) && err == nil && !p.ahead {
			if simulated, decided := (&expression{source: source}).simulate(text); decided && simulated != found {
				t.Errorf("%q in %q: %v, simulated %v", source, text, found, simulated)
			}
		}
		if err == nil && found && !contains && w.known() {
			t.Errorf("%q matches %q, which has none of %q", source, text, w.list())
		}
		if err == nil && contains && w.exact && !found {
			t.Errorf("%q does not match %q, which has one of %q", source, text, w.list())
		}
	}
	return true
}

// FuzzPlain compares the words with the engine. Every plain expression
// compiles, has no negative look-around and does not differ from Python's re; a
// text that it matches contains one of its words; and if the words are exact,
// it matches every text that contains one.
func FuzzPlain(f *testing.F) {
	texts := []string{"", "Shell", "git push origin", "terraform destroy x", "rm -rf /", "abd", "ab\ncd", "aé b", "a\xffb"}
	for _, source := range []string{
		"Shell|Bash", `git\s+push`, `^\s*npm\s`, `terraform\s+(apply|destroy)`, `(?:rm|mv)\s+-[a-zA-Z]*[rf]`, `\.(env|pem)$`,
		"abc?d", "(ab|c|)*d+", `\brm\b|dd if=`, "[^a-z_ ]x", `^(?!a )(rm|g(i|o)t|npm) |^abd$`, `^a?b|^(a|b)*c`, `(?i)a(b|C)d`, `(a|b)x\1`, `^(c|d)\1|^ab`, `[^-\s|]{2,3}d`, `[\\a&|]`, "()", "()*a", "(|)|a", "^$", "a|b|", `\\\.\$`, "#x y", "<a>'_",
	} {
		for _, text := range texts {
			f.Add(source, text)
		}
	}
	f.Fuzz(func(t *testing.T, source, text string) {
		if len(source)+len(text) < 200 { // the engine's time may be exponential
			comparePlain(t, source, text)
		}
	})
}

// list returns all words.
func (w words) list() []string {
	if w.word != "" {
		return []string{w.word}
	}
	return w.more
}
