package matcher

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

func TestMay(t *testing.T) {
	for _, c := range []struct{ source, may, not string }{
		{"Shell|Bash", "a Shell,Bash", "shell,,Shel"},
		{`git\s+push`, "a git xpush", "git,push,gitpus"},
		{`^terraform\s+(apply|destroy)`, "terraform apply", "a terraform apply,terraform,terraform appl"},
		{`^(?:apply|destroy) x`, "apply x,destroy x", "apply,apply 1,xapply x"},
		{`(rm|mv)(\s+-rf)`, "x rm -rf", "rm -r,-rf"},
		{`\.go$`, "a.go.", "go,."},
		{"abc?d", "abd", "ad"},
		{"ab+cd", "ab cd", "ab,cd"},
		{"(abc)*d", "d", "abc"},
		{"abc|", ",x", ""},
		{"abc|.", "x", ""},
		{"^(abc|)de", "de,abcde", "abd"},
		{`^(a|b)*c`, "aac", "aa"},
		{`^(a|b)?c`, "xc", "a"},
		{`^a?b`, "xb", "a"},
		{`x^a`, "", "xa,x"},
		{`^\.a`, ".a", "a,x.a"},
		{`[^0-9_]x`, "x", "0"},
		{`^[b-d1-3]*ef`, "bef", "be"},
		{`^ab(?!cde)f`, "abf,abff", "abcf"},
		{`^(?!ab)cd`, "cd", "abcd"},
		{`^(?!ab)cd|(?=x)ef`, "cd,xef", "abcd,x"},
		{`ab␣`, "ab␣", "ab"},
		{`a(?i:Bcd)ef`, "a BCD ef,a ſé ef", "abcf,bcdeg,AXF"},
		{`(?i)^AbC|x`, "aBc,é,X", "dabc,ab"},
		{`(?i)^é\.b`, "e.b,é", ".a,b"},
		{`(?<!abc)de`, "de", "abc"},
		{`^[^|'"(␣]ab`, "ab", "a"},
		{`^(\S+) \| \1$`, "a | b", "a b"},
		{`^(c|d)\1|^ab`, "cc,ab", "b,xab"},
		{`^((x-)?(ab|cd))(\.py)?( |$)`, "x-ab,cd", "x-"},
		{`^a{2}b`, "xb", "a"},
	} {
		p, ok := scan(c.source)
		e := expression{branches: p.branches}
		for _, text := range strings.Split(c.may, ",") {
			if !ok || e.excludes(text, false) && text != "" {
				t.Errorf("%q may not match %q, plain %v", c.source, text, ok)
			}
		}
		for _, text := range strings.Split(c.not, ",") {
			if text != "" && !e.excludes(text, false) {
				t.Errorf("%q may match %q", c.source, text)
			}
		}
	}
}

func TestNotPlain(t *testing.T) {
	for _, source := range []string{
		"a(?i)b", "(?<=a+)", "(?<!a|bc)", "(?<!)a", "(?<n>a)", "(?!abc)*", "(?P<n>a)", "a{2,1}", "a{02}", "a{,2}", "a{2", "a}", "a]", "a**", "a+?", "a++", "^*a", "*a", "|*", "(", ")", "a)", "(a",
		"[", "[]", "[^]", "[z-a]", "[A-z]", "[0-a]", `[\b]`, `[\w-a]`, "[-]", "[--]", "[a--]", `[\]`, `\`, `\1`, `\x41`, `\Aa`, `\e`, "[a||b]", "[a&&b]", `(a\2)`, `\1(a)`, "a\xff", "a\tb", "\x00", "(?\x00)",
		strings.Repeat("(", 20) + "a" + strings.Repeat(")", 20),
	} {
		if _, ok := scan(source); ok {
			t.Errorf("%q is plain", source)
		}
	}
}

// The examples are searched for in every command of a long text, so the engine must not
// be needed where a command's first word excludes them.
func TestExamplesArePlain(t *testing.T) {
	files, err := filepath.Glob("../examples/.agents/hooks/*/HOOK.md")
	if err != nil || len(files) < 30 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var hook struct{ Matcher struct{ Pattern string } }
		if err := yaml.Unmarshal(bytes.Split(text, []byte("\n---\n"))[0], &hook); err != nil {
			t.Fatal(file, err)
		}
		if _, ok := scan(hook.Matcher.Pattern); !ok {
			t.Errorf("%s: the pattern is not plain", file)
		}
	}
}

// Random expressions and texts have few different characters, so that most
// match.
func TestPlainOnRandomExpressions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "a", "b", "b", "ab", ".", `\s`, `\.`, "[a-z]", "[a-f]", "[^a]", `[\w.-]`, "(?!", "(?=", "^", "$", `\b`, "(", "(?:", ")", ")", "|", "|", "*", "+", "?", "()", "é", "(?i:", "A", "(?<!a)", "(?<=b)", "[^|'é]", `[^-\s]`, `[^\n]`, `\n`, `\"`}
	plain := 0
	for range testenv.Rounds(100_000) {
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
	if plain < testenv.Rounds(10_000) {
		t.Errorf("only %d were plain", plain)
	}
}

// comparePlain checks source and reports whether it is plain.
func comparePlain(t *testing.T, source, text string) bool {
	t.Helper()
	p, ok := scan(source)
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
	around := slices.ContainsFunc(p.branches, func(b branch) bool { return b.around })
	words := strings.FieldsFunc(source, func(c rune) bool { return c < utf8.RuneSelf && !isOrdinary(byte(c)) })
	for _, text := range append(slices.Clone(words), text, text+strings.Join(words, text), strings.Join(words, "")) {
		left := 20 * time.Millisecond
		found, err := e.search(text, &left)
		if again, why := split.search(text, &left); err == nil && why == nil && again != found {
			t.Errorf("%q in %q: %v, by its alternatives %v", source, text, found, again)
		}
		left = time.Second
		if isSimple(text) && err == nil && !around {
			if simulated, decided := (&expression{source: source}).simulate(text, &left); decided && simulated != found {
				t.Errorf("%q in %q: %v, simulated %v", source, text, found, simulated)
			}
		}
		for i := range len(text) + 1 {
			if err == nil && found && (split.excludes(text, false) || split.excludes(text[:i], true)) {
				t.Errorf("%q matches %q, but is excluded by its first %d bytes", source, text, i)
			}
		}
	}
	return true
}

// FuzzPlain compares plain expressions with the engine. Each compiles, and does not differ
// from Python's re; no text that it matches is excluded, nor the beginning of one; and its
// alternatives match the same texts.
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
