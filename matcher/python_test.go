package matcher

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// searched is the reference's result for a pattern: whether it compiles, and in
// which subjects it is found.
type searched struct {
	OK    bool   `json:"ok"`
	Error string `json:"error"`
	Found []bool `json:"found"`
}

const reference = `
import json, re, sys, warnings
warnings.simplefilter("ignore")
out = []
for pattern, subjects in json.load(sys.stdin):
    try:
        r = re.compile(pattern)
        out.append({"ok": True, "found": [bool(r.search(s)) for s in subjects]})
    except Exception as e:
        out.append({"ok": False, "error": str(e)})
json.dump(out, sys.stdout)
`

type pair struct {
	pattern  string
	subjects []string
}

func python(t *testing.T, pairs []pair) []searched {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 to compare with")
	}
	rows := make([][2]any, len(pairs))
	for i, p := range pairs {
		rows[i] = [2]any{p.pattern, p.subjects}
	}
	in, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "-c", reference)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var results []searched
	if err := json.Unmarshal(out, &results); err != nil {
		t.Fatal(err)
	}
	return results
}

func found(t *testing.T, e *expression, subject string) bool {
	t.Helper()
	left := time.Minute
	ok, err := e.search(subject, &left)
	if err != nil {
		t.Fatalf("%q in %q: %v", e.source, subject, err)
	}
	return ok
}

// Everything that compiles in both matches the same subjects.
func TestSameAsPython(t *testing.T) {
	pairs := []pair{
		{`rm\s+-rf`, []string{"rm -rf /", "rm  -r", "xrm\t-rfx"}},
		{`^git push`, []string{"git push", "x git push", "\ngit push"}},
		{`\.py$`, []string{"a.py", "a.py\n", "a.py\n\n", "a.pyc"}},
		{`(?m)^b$`, []string{"a\nb\nc", "ab"}},
		{`a.b`, []string{"a\nb", "a\rb", "aéb"}},
		{`(?s)a.b`, []string{"a\nb"}},
		{`foo\Z`, []string{"foo", "foo\n"}},
		{`(?P<q>['"])(.*)\1`, []string{`"ab"`, `"ab'`, `aa`}},
		{`(x)(?P<q>['"])(y)\3`, []string{`x"yy`, `x"y"`}},
		{`(?P<q>['"])(.*)(?P=q)`, []string{`"ab"`, `"ab'`}},
		{`(a)?(?P<b>b)?(?(b)c|d)`, []string{"abc", "ad", "bd", "c"}},
		{`^(a)?(?(1)b)$`, []string{"ab", "", "a", "b"}},
		{`(a)?(?(1)b|c)`, []string{"ab", "c", "a", "b"}},
		{`^a{,2}$`, []string{"", "a", "aa", "aaa", "a{,2}"}},
		{`^a{,}$`, []string{"", "aaaa", "a{,}"}},
		{`^a{}$`, []string{"a{}", "a", ""}},
		{`^a{1 ,2}$`, []string{"a{1 ,2}", "aa"}},
		{`{`, []string{"{", "a"}},
		{`[a-z-[aeiou]]`, []string{"b]", "b", "[]", "e]", "-]"}},
		{`[[:alpha:]]`, []string{"a]", "a", ":]", "z]", "[]"}},
		{`[]a]+$`, []string{"]", "a", "b"}},
		{`[^]a]`, []string{"]", "a", "b"}},
		{`[+-\-]`, []string{",", "+", "-", "\\", "a"}},
		{`[\x20-\x7E]`, []string{" ", "~", "é"}},
		{`[\]\\^-]`, []string{"]", "\\", "^", "-", "a"}},
		{`[\b]`, []string{"\b", "b"}},
		{`\<b\>`, []string{"<b>", "b"}},
		{`\<b>`, []string{"<b>", "b"}},
		{`(a)\<1>`, []string{"a<1>", "aa"}},
		{`\_\é\-\/`, []string{"_é-/"}},
		{`[\_\é]`, []string{"_", "é", "a"}},
		{`\U0001F600\u00e9`, []string{"😀é", "é"}},
		{`[\U0001F600-\U0001F64F]`, []string{"😀", "a"}},
		{`\07\012\101`, []string{"\a\nA"}},
		{`(a)\101`, []string{"aA", "aa"}},
		{`[\101\60]`, []string{"A", "0", "1", "6"}},
		{`(a)\08`, []string{"a\x008"}},
		{`(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\10`, []string{"abcdefghijj", "abcdefghija"}},
		{`(a)\11`, []string{"aa1"}},
		{`(?x) a b # (comment (?P<n>
			c`, []string{"abc", "a b"}},
		{`(?x)(?P<n>a) # (b)
			(?P<m>c)(?P=m)`, []string{"acc", "aca"}},
		{`(?x:a b)(?P<n> c)(?P=n)`, []string{"ab c c", "abc c"}},
		{`(?x:a)#(?P<n>b)(?P=n)`, []string{"a#bb", "a#b", "a"}},
		{`(?x)a\ b[ #]`, []string{"a b#", "ab#"}},
		{`(?x:a(?-x: b))`, []string{"a b", "ab"}},
		{`(?#(?P<a>)(?P<b>x)(?P=b)`, []string{"xx", "x"}},
		{`a(?#c)*b`, []string{"aab", "b"}},
		{`\(?P<a>`, []string{"(P<a>", "P<a>"}},
		{`[(?P<a>]+\Z`, []string{"(?P<a>", "b"}},
		{`(?i)straße|É`, []string{"STRASSE", "STRAßE", "é"}},
		{`(?i:A)b`, []string{"ab", "aB"}},
		{`(?iu)a`, []string{"A"}},
		{`(?u)a`, []string{"A", "a"}},
		{`(?u:a)`, []string{"A", "a"}},
		{`(?i)(?m)^a`, []string{"b\nA"}},
		{`(?s-i:a.)`, []string{"a\n"}},
		{`^(?!.*test).*$`, []string{"a", "a test"}},
		{`(?<!\w)rm\b`, []string{"rm", "arm", "rm-", "rmx"}},
		{`(?<=sudo )rm`, []string{"sudo rm", "rm"}},
		{`(?>a+)b`, []string{"aab", "aa"}},
		{`(a|b)*?c`, []string{"abac", "ab"}},
		{`\w+\d\s\b`, []string{"é٣ x", "a1 ", "a1 b"}},
		{`\W\D\S`, []string{"-a-", "a1 "}},
		{`(?:a|)b{2}?`, []string{"bb", "b"}},
		{`(`, nil}, {`)`, nil}, {`a**`, nil}, {`[a`, nil}, {`a{2}{3}`, nil}, {`\8`, nil}, {`(?P=x)`, nil},
		{`(?P<a>x)(?P<a>y)`, nil}, {`(?P<1a>x)`, nil}, {`(?P<a>?:x)`, nil}, {`(?n:a)`, nil}, {`(?e)a`, nil},
		{`(?d)a`, nil}, {`(?I)a`, nil}, {`(?+i)a`, nil}, {`(?'n'a)`, nil}, {`(?<a-b>x)`, nil}, {`(\1)`, nil},
		{`(?(x)a|b)`, nil}, {`(?(0)a|b)`, nil}, {`(a)\10`, nil}, {`\400`, nil}, {`[\8]`, nil}, {`\h`, nil}, {`\`, nil},
		{`(?`, nil}, {`(?P`, nil}, {`(?#`, nil}, {`(?P<`, nil}, {`(?)`, nil}, {`(?-:a)`, nil}, {`\U0000`, nil},
		{`\U00110000`, nil}, {`\Uxxxxxxxx`, nil}, {`*`, nil}, {`{,3}`, nil}, {`\u12`, nil}, {`\x1`, nil}, {`[z-a]`, nil},
		{`(a)?(?(1)a|b|c)`, nil}, {`(?L)a`, nil}, {`[\Z]`, nil}, {`(?P>a)`, nil},
	}
	compare(t, pairs, false)
}

// The same for random expressions of difficult parts.
func TestSameAsPythonAtRandom(t *testing.T) {
	pieces := []string{`a`, `b`, `(`, `)`, `(?:`, `(?P<n>`, `(?P<m>`, `(?P=n)`, `(?P=m)`, `\1`, `\2`, `(?(n)`, `(?(1)`, `|`, `*`, `+`, `?`,
		`{,2}`, `{1,2}`, `{2}`, `{`, `}`, `[`, `]`, `[^`, `-`, `[a-z]`, `\-`, `\b`, `\B`, `\w`, `\W`, `\d`, `\s`, `\Z`, `\A`, `^`, `$`, `.`, `(?!`, `(?=`,
		`(?<=`, `(?<!`, `(?i)`, `(?x)`, `(?x: `, `(?#c)`, `#`, "\n", ` `, `\<`, `\_`, `\é`, `é`, `\07`, `\101`, `<`, `>`, `:`, `,`, `1`, `0`, `(?>`, `(?i:`, `(?s)`}
	subjects := []string{"", "a", "b", "ab", "aab", "a b", "a\nb\n", "ba-1", "aa{,2}", "<a>", "é_é", "[a]", "abab", "a#b", "bA", "\aA", "a>b<a:1,0"}
	random := rand.New(rand.NewPCG(1, 2))
	var pairs []pair
	for range 3000 {
		var b strings.Builder
		opened := 0
		for range 1 + random.IntN(9) {
			piece := pieces[random.IntN(len(pieces))]
			opened += strings.Count(piece, "(") - strings.Count(piece, ")")
			b.WriteString(piece)
		}
		b.WriteString(strings.Repeat(")", max(0, opened)))
		pairs = append(pairs, pair{b.String(), subjects})
	}
	compare(t, pairs, true)
}

// compare reports differences between the engine and the reference. With
// lenient, an expression that the reference rejects may compile, because that
// cannot disable a guard.
func compare(t *testing.T, pairs []pair, lenient bool) {
	both := 0
	for i, r := range python(t, pairs) {
		p := pairs[i]
		e := newExpression("pattern", p.pattern)
		err := e.prepare()
		switch {
		case !r.OK:
			if err == nil && !lenient && len(Differences(p.pattern)) == 0 {
				t.Errorf("%q compiles; the reference says %s", p.pattern, r.Error)
			}
			continue
		case err != nil:
			if !strings.Contains(p.pattern, "+") && !strings.Contains(err.Error(), "unterminated comment") {
				t.Errorf("%q: %v; the reference takes it", p.pattern, err)
			}
			continue
		}
		both++
		for j, want := range r.Found {
			if p.subjects[j] == "" && strings.Contains(p.pattern, `\B`) {
				continue // the reference finds it in an empty string only since 3.14
			}
			if got := found(t, &e, p.subjects[j]); got != want {
				t.Errorf("%q in %q = %v, the reference says %v (translated: %s)", p.pattern, p.subjects[j], got, want, e.engine)
			}
		}
	}
	if both < len(pairs)/10 {
		t.Errorf("only %d of %d expressions were compared", both, len(pairs))
	}
}
