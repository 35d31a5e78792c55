package manifest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// everydayFront is front matter as most hooks have it.
const everydayFront = `name: protect-secrets
description: Keeps .env files, private keys and credential files from being read.
trigger: pre-tool-call
matcher:
  tool: "Shell|ReadFile"
  pattern: ^\s*git\s+push
timeout: 10000
async: false

priority: 890
metadata:
  on-failure: deny
  author: 'someone'
`

// pair reads front matter in both ways. fast is false if the everyday reader
// leaves it to the parser.
func pair(t *testing.T, file []byte) (fast bool) {
	t.Helper()
	quick, full := &source{bytes: file}, &source{bytes: file}
	if !quick.fences() || !full.fences() {
		return false
	}
	got, fast := quick.everyday()
	if !fast {
		return false
	}
	want, ok := full.parseYAML()
	if !ok || len(full.diagnostics) > len(quick.diagnostics) {
		t.Errorf("the YAML parser refuses %q: %v", quick.front(), full.diagnostics)
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(entry{}, node{})); d != "" {
		t.Errorf("%q (-yaml +everyday)\n%s", quick.front(), d)
	}
	return true
}

func fenced(front string) []byte { return []byte("---\n" + front + "---\n# Body\n") }

func TestEveryday(t *testing.T) {
	for _, c := range []struct {
		name, front string
		fast        bool
	}{
		{"everyday", everydayFront, true},
		{"CRLF", strings.ReplaceAll(everydayFront, "\n", "\r\n"), true},
		{"non-ASCII", "description: Räumt auf – 清理 🧹\n", true},
		{"trailing blanks", "name: a  \nmatcher:  \n  tool:  a  \n", true},
		{"quotes with signs inside", "a: \"b: c # d\"\nb: 'c: d # e'\nc: \"\"\n", true},
		{"colons and signs inside words", "a: http://b#c,[d]{e}&*!|>'\"%@`\n", true},
		{"words", "a: yes\nb: nullify\nc: off\nd: NaN\n", true},
		{"booleans and integers as keys", "true: a\nnull: b\n", true},
		{"all indented", " a: b\n c: d\n", true},
		{"zero", "a: 0\n", true},
		{"mapping in the middle", "a:\n b: c\n\n d: e\nf: g\n", true},

		{"nothing", "", false},
		{"a comment line", "# comment\na: b\n", false},
		{"a comment", "a: b # c\n", false},
		{"null", "a:\nb: c\n", false},
		{"null at the end", "b: c\na:\n", false},
		{"null below", "a:\n  b:\n  c: d\n", false},
		{"two levels", "a:\n  b:\n    c: d\n", false},
		{"deeper line", "a:\n  b: c\n   d: e\n", false},
		{"shallower line", "a:\n   b: c\n  d: e\n", false},
		{"indented less than at the start", " a: b\nc: d\n", false},
		{"blank lines", "\n\n", false},
		{"plain scalar on two lines", "a: b\n  c\n", false},
		{"a line that is no pair", "a: b\nc\n", false},
		{"duplicate", "a: b\na: c\n", false},
		{"duplicate below", "a:\n  b: c\n  b: d\n", false},
		{"no blank", "a:b\n", false},
		{"mapping on one line", "a: b: c\n", false},
		{"mapping at the end", "a: b:\n", false},
		{"tab", "a:\tb\n", false},
		{"tab inside", "a: b\tc\n", false},
		{"escape", `a: "b\n"` + "\n", false},
		{"quote in quotes", "a: 'it''s'\n", false},
		{"text behind quotes", "a: 'b' c\n", false},
		{"comment behind quotes", "a: 'b' # it's\n", false},
		{"a lone quote", "a: '\n", false},
		{"flow", "a: [b]\n", false},
		{"block", "a: |\n  b\n", false},
		{"tag", "a: !!str b\n", false},
		{"anchor", "a: &b c\n", false},
		{"alias", "a: *b\n", false},
		{"tilde", "a: ~\n", false},
		{"null in capitals", "a: NULL\n", false},
		{"true in capitals", "a: True\n", false},
		{"octal", "a: 0777\n", false},
		{"digits with underscores", "a: 1_000\n", false},
		{"a date", "a: 2024-01-01\n", false},
		{"a fraction", "a: .5\n", false},
		{"a negative number", "a: -5\n", false},
		{"too many digits", "a: 12345678901234567890\n", false},
		{"line separator", "a: b\u2028c\n", false},
		{"next line", "a: b\u0085c\n", false},
		{"carriage return inside", "a: b\rc: d\n", false},
		{"control character", "a: b\x01\n", false},
		{"byte-order mark inside", "a: \ufeffb\n", false},
		{"merge", "<<: a\n", false},
		{"too many lines", strings.Repeat("\n", mostLines) + "a: b\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if fast := pair(t, fenced(c.front)); fast != c.fast {
				t.Errorf("read by the everyday reader: %v", fast)
			}
		})
	}
}

// The examples are everyday front matter, so that runs stay fast with them.
func TestEverydayReadsTheExamples(t *testing.T) {
	files := hookFiles(t, "../examples")
	if len(files) < 8 {
		t.Fatalf("%d examples", len(files))
	}
	for name, file := range files {
		if !pair(t, file) {
			t.Errorf("%s is left to the YAML parser", name)
		}
	}
}

func hookFiles(t testing.TB, dir string) map[string][]byte {
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Base(path) != "HOOK.md" {
			return err
		}
		files[path], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Random lines of what front matter is made of reach combinations that bytes
// at random seldom do.
func TestEverydayOnRandomLines(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(from string) string {
		words := strings.Split(from, "|")
		return words[random.IntN(len(words))]
	}
	accepted := 0
	for range 20000 {
		var front strings.Builder
		for range 1 + random.IntN(5) {
			front.WriteString(pick("||| |  |  |   ") + pick("a|b|c|d|true|null|e-f|é|") + pick(": |: |: |:|:  | :"))
			front.WriteString(pick("|||a|a b|'|\"|'a'|\"b: c\"|^\\s(|1|0|12e3|0x1f|1_0|true|Yes|~|é|\u2028|a: b|- b|a #b|#b|a|[a]|{}|a\tb"))
			front.WriteString(pick("|||| | #c|'|:") + pick("\n|\n|\n|\r\n|\n\n|\n \n|\n#c\n|\r"))
		}
		if pair(t, fenced(front.String()+"\n")) {
			accepted++
		}
	}
	if accepted < 300 {
		t.Errorf("only %d were read by the everyday reader", accepted)
	}
}

// FuzzEveryday holds the everyday reader against the YAML parser: whatever it
// accepts has the same keys, values, types and offsets there, and no
// diagnostic.
func FuzzEveryday(f *testing.F) {
	f.Add(everydayFront)
	for _, dir := range []string{"../examples", "../testdata/vectors", "testdata"} {
		for _, file := range hookFiles(f, dir) {
			front := &source{bytes: file}
			front.fences()
			f.Add(string(front.front()))
		}
	}
	f.Add("a: 'b'\r\nb:\r\n\r\n  c: \"d\"\r\n  e: 0 \r\n")
	f.Add("a: é\nb: é\nmatcher:\n tool: \\d\n\nc: $x\n")
	f.Fuzz(func(t *testing.T, front string) { pair(t, fenced(front)) })
}

func BenchmarkParse(b *testing.B) {
	file := fenced(everydayFront)
	b.Run("everyday", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Parse(file, "protect-secrets")
		}
	})
	b.Run("yaml", func(b *testing.B) {
		file := fenced(everydayFront + "# comment\n")
		b.ReportAllocs()
		for b.Loop() {
			Parse(file, "protect-secrets")
		}
	})
}
