package manifest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
	"github.com/agent-hooks/agent-hooks/spec"
)

// everydayFront is typical front matter.
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

const folder = "protect-secrets"

// pair parses front matter in both ways. fast is false if the everyday reader
// rejects it.
func pair(t *testing.T, file []byte, folder string) (fast bool) {
	t.Helper()
	got, fast := new(Parser).readFast(file, folder)
	if !fast {
		return false
	}
	full := read(file, folder)
	if d := cmp.Diff(full.source.diagnostics, got.source.diagnostics); d != "" {
		t.Errorf("%q: diagnostics (-yaml +everyday)\n%s", file, d)
	}
	if d := cmp.Diff(full.hook, got.hook); d != "" {
		t.Errorf("%q (-yaml +everyday)\n%s", file, d)
	}
	return true
}

func fenced(front string) []byte { return []byte("---\n" + front + "---\n# Body\n") }

// required are the mandatory keys.
const required = "name: protect-secrets\ndescription: d\ntrigger: pre-tool-call\n"

func TestEveryday(t *testing.T) {
	without := func(key string) string {
		return regexp.MustCompile("(?m)^"+key+": .*\n").ReplaceAllString(required, "")
	}
	for _, c := range []struct {
		name, front string
		fast        bool
	}{
		{"everyday", everydayFront, true},
		{"CRLF", strings.ReplaceAll(everydayFront, "\n", "\r\n"), true},
		{"non-ASCII", without("description") + "description: Räumt auf – 清理 🧹\n", true},
		{"trailing spaces", required + "matcher:  \n  tool:  a  \n", true},
		{"mapping in the middle", required + "matcher:\n tool: c\n\n pattern: e\nasync: true\n", true},
		{"blank line below a key", required + "matcher:\r\n\r\n tool: c\r\n", true},
		{"no quotes needed", without("trigger") + "trigger: 'post-tool-call'\n", true},
		{"limits", required + "timeout: 100\npriority: 0\nmetadata:\n  retry: 5\n", true},
		{"other limits", required + "timeout: 600000\npriority: 1000\nmetadata:\n  retry: 0\n", true},

		{"literal block", without("description") + "description: |\n  a\n   b\n\n  c\n\n", true},
		{"folded block", without("description") + "description: >-\n  a\n  b\n\n\n  c # no comment\n# comment\n", true},
		{"block at the end", required + "metadata:\n  a: |-\n    b\n", true},
		{"list", required + "metadata:\n  a:\n    - b\n    # comment\n    - \"c\" # d\n  e:\n  - 1\n", true},
		{"a comment after a mapping's key", required + "metadata: # ours\n  a: b\n", true},
		{"matcher in braces", required + "matcher: {tool: Shell, pattern: \"rm\"}\n", true},
		{"empty list and mapping", required + "metadata:\n  a: []\n  b: {}\n", true},

		{"deeper line in a folded block", required + "metadata:\n  a: >\n    b\n     c\n", false},
		{"block that keeps its end", required + "metadata:\n  a: |+\n    b\n", false},
		{"block with an indentation", required + "metadata:\n  a: |2\n    b\n", false},
		{"empty block", required + "metadata:\n  a: |\n  b: c\n", false},
		{"list of mappings", required + "metadata:\n  a:\n    - b: c\n", false},
		{"list with a lower line", required + "metadata:\n  a:\n    - b\n   - c\n", false},
		{"list on two lines", required + "metadata:\n  a: [b,\n    c]\n", false},
		{"plain text on two lines in a list", required + "metadata:\n  a:\n    - b\n      c\n", false},
		{"nothing", "", false},
		{"no name", without("name"), true},
		{"no description", without("description"), true},
		{"no trigger", without("trigger"), true},
		{"another name", without("name") + "name: other\n", true},
		{"a bad name", without("name") + "name: A\n", true},
		{"a number as name", without("name") + "name: 7\n", true},
		{"a boolean as name", without("name") + "name: true\n", true},
		{"an empty description", without("description") + "description: ''\n", true},
		{"a blank description", without("description") + "description: ' '\n", true},
		{"a long description", without("description") + "description: " + strings.Repeat("ä", spec.MaxDescription+1) + "\n", true},
		{"an unknown event", without("trigger") + "trigger: pre-tool\n", true},
		{"a matcher in vain", without("trigger") + "trigger: pre-session\nmatcher:\n  tool: a\n", true},
		{"an unknown key", required + "toool: a\n", true},
		{"an unknown key of the matcher", required + "matcher:\n  name: a\n", true},
		{"a number as tool", required + "matcher:\n  tool: 7\n", true},
		{"a boolean as pattern", required + "matcher:\n  pattern: true\n", true},
		{"a short timeout", required + "timeout: 99\n", true},
		{"a long timeout", required + "timeout: 600001\n", true},
		{"a timeout in quotes", required + "timeout: '5000'\n", true},
		{"a high priority", required + "priority: 1001\n", true},
		{"async in words", required + "async: yes\n", true},
		{"async in quotes", required + "async: 'true'\n", true},
		{"a bad policy", required + "metadata:\n  on-failure: block\n", true},
		{"a policy that is not a string", required + "metadata:\n  on-failure: true\n", true},
		{"too many retries", required + "metadata:\n  retry: 6\n", true},
		{"a protocol", required + "metadata:\n  protocol: a\n", true},
		{"a mapping where none may be", required + "timeout:\n  a: b\n", true},
		{"a comment line", "# comment\n" + required, true},
		{"a comment", required + "async: true # c\n", true},
		{"null", "metadata:\n" + required, false},
		{"null at the end", required + "metadata:\n", false},
		{"null below", required + "metadata:\n  b:\n  c: d\n", false},
		{"two levels", required + "metadata:\n  b:\n    c: d\n", true},
		{"deeper line", required + "metadata:\n  b: c\n   d: e\n", false},
		{"shallower line", required + "metadata:\n   b: c\n  d: e\n", false},
		{"all indented", " " + strings.ReplaceAll(strings.TrimSpace(required), "\n", "\n ") + "\n", false},
		{"blank lines", "\n\n", false},
		{"a line of spaces", required + "  \n", false},
		{"plain scalar on two lines", required + "async: true\n  c\n", false},
		{"a pair below a scalar", required + "async: true\n  c: d\n", false},
		{"a line that is not a pair", required + "c\n", false},
		{"an item of spaces", required + "metadata:\n  a:\n    -   \n", false},
		{"an open brace", required + "matcher: {tool: \n", false},
		{"a backslash at the end", without("description") + "description: \"a\\\n", false},
		{"duplicate", required + "name: protect-secrets\n", false},
		{"duplicate mapping", required + "metadata:\n  a: b\nmetadata:\n  c: d\n", false},
		{"duplicate below", required + "metadata:\n  b: c\n  b: d\n", false},
		{"duplicate tool", required + "matcher:\n  tool: c\n  tool: d\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if fast := pair(t, fenced(c.front), folder); fast != c.fast {
				t.Errorf("read by the everyday reader: %v", fast)
			}
		})
	}
}

func TestEverydayScalars(t *testing.T) {
	for _, c := range []struct {
		name, line string
		fast       bool
	}{
		{"plain", "a: b", true},
		{"quotes with signs inside", "a: \"b: c # d\"", true},
		{"single quotes with signs inside", "a: 'b: c # d'", true},
		{"empty", `a: ""`, true},
		{"colons and signs inside words", "a: http://b#c,[d]{e}&*!|>'\"%@`", true},
		{"words", "a: yes", true},
		{"a word that begins like null", "a: nullify", true},
		{"a boolean as key", "true: a", true},
		{"null as key", "null: a", true},
		{"zero", "a: 0", true},
		{"a boolean", "a: false", true},

		{"a comment", "a: b # c", true},
		{"escapes", `a: "\\.py\"\n\t"`, true},
		{"escaped line breaks", "a: \"b \\\n    c\\\\\\\n     # d\"", true},
		{"an escaped line break in a comment", "a: \"b\" # \\\n  c: d", true},
		{"a backslash before the end", "a: \"b\\\\\"", true},
		{"a version", "a: 1.2.3", true},
		{"a fraction of two digits", "a: 1.0", true},
		{"a list", `a: [b, 'c', "d", 1, true, e f, 0.5]`, true},
		{"a mapping", `a: {b: c, d: "e"}`, true},

		{"a line break", "a: \"b\n    c\"", false},
		{"an escaped line break without indentation", "a: \"b\\\n  c\"", false},
		{"another escape", `a: "\x41"`, false},
		{"a list in a list", "a: [[b]]", false},
		{"a comma at the end", "a: [b,]", false},
		{"an empty item", "a: [b, ,c]", false},
		{"text after a list", "a: [b] c", false},
		{"a comment without a space", "a: [b]#c", false},
		{"a pair in a list", "a: [b: c]", false},
		{"a key without a value", "a: {b}", false},
		{"an exponent", "a: 1e3", false},
		{"a leading zero", "a: 01.5", false},
		{"no space", "a:b", false},
		{"mapping on one line", "a: b: c", false},
		{"mapping at the end", "a: b:", false},
		{"tab", "a:\tb", false},
		{"tab inside", "a: b\tc", false},
		{"escape", `a: "b\n"`, true},
		{"quote in quotes", "a: 'it''s'", true},
		{"text after quotes", "a: 'b' c", false},
		{"comment after quotes", "a: 'b' # it's", true},
		{"a lone quote", "a: '", false},
		{"flow", "a: [b]", true},
		{"block", "a: |", false},
		{"tag", "a: !!str b", false},
		{"anchor", "a: &b c", false},
		{"alias", "a: *b", false},
		{"tilde", "a: ~", false},
		{"null in capitals", "a: NULL", false},
		{"true in capitals", "a: True", false},
		{"octal", "a: 0777", false},
		{"digits with underscores", "a: 1_000", false},
		{"a date", "a: 2024-01-01", false},
		{"a fraction", "a: .5", false},
		{"a negative number", "a: -5", false},
		{"too many digits", "a: 12345678901234567890", false},
		{"line separator", "a: b\u2028c", false},
		{"next line", "a: b\u0085c", false},
		{"carriage return inside", "a: b\rc: d", false},
		{"control character", "a: b\x01", false},
		{"byte-order mark inside", "a: \ufeffb", false},
		{"merge", "<<: a", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if fast := pair(t, fenced(required+"metadata:\n  "+c.line+"\n"), folder); fast != c.fast {
				t.Errorf("read by the everyday reader: %v", fast)
			}
		})
	}
}

// The everyday reader accepts the examples.
func TestEverydayReadsTheExamples(t *testing.T) {
	files := hookFiles(t, "../examples")
	if len(files) < 8 {
		t.Fatalf("%d examples", len(files))
	}
	for name, file := range files {
		if !pair(t, file, filepath.Base(filepath.Dir(name))) {
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

// below indents lines as those of a mapping.
func below(key, lines string) string {
	text := key + ":\n"
	for line := range strings.Lines(lines) {
		if strings.TrimSpace(line) != "" {
			line = "  " + line
		}
		text += line
	}
	return text
}

// Random combinations of typical lines reach cases that random bytes rarely do.
func TestEverydayOnRandomLines(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(from string) string {
		words := strings.Split(from, "|")
		return strings.ReplaceAll(words[random.IntN(len(words))], "¦", "|")
	}
	accepted := 0
	for range testenv.Rounds(20_000) {
		var front strings.Builder
		for range 1 + random.IntN(4) {
			front.WriteString(pick("|||||| |  |   ") + pick("a|b|c|tool|matcher|metadata|retry|timeout|priority|async|true|null|e-f|é|answer|decision|match|on-failure|") + pick(": |: |: |: |: |:|:  | :"))
			front.WriteString(pick("|||a|a b|'|\"|'a'|\"b: c\"|>|¦|>-|¦-|[a, b]|{a: b}|[|]|, |- |- a|  - b|'a''b'|\"\\n\"|1.0|1.2.3|^\\s(|1|0|12e3|0x1f|1_0|true|Yes|~|é|\u2028|a: b|- b|a #b|#b|a|[a]|{}|a\tb|deny|{decision: deny}|{decision: deny, reason: a; b}|commands|{a: ^(b¦c) d$}|{a: b'c}|[a'b, c\\d]|{a: x+*}"))
			front.WriteString(pick("|||||| | #c|'|:") + pick("\n|\n|\n|\n|\r\n|\n\n|\n \n|\n#c\n|\r"))
		}
		for _, text := range []string{front.String(), below("matcher", front.String()), below("metadata", front.String())} {
			if pair(t, fenced(required+text+"\n"), folder) {
				accepted++
			}
		}
	}
	t.Logf("%d accepted", accepted)
	if accepted < testenv.Rounds(300) {
		t.Errorf("only %d were read by the everyday reader", accepted)
	}
}

// FuzzEveryday compares the everyday reader with the YAML parser: for
// everything that it accepts, both return the same hook and no diagnostics.
func FuzzEveryday(f *testing.F) {
	f.Add(everydayFront)
	for _, dir := range []string{"../examples", "../testdata/vectors", "testdata"} {
		for _, file := range hookFiles(f, dir) {
			front := &source{bytes: file}
			front.fences()
			f.Add(string(front.front()))
		}
	}
	f.Add("a: 'b'\r\nb: 7\r\n")
	f.Add("matcher: {tool: Shell, pattern: ^(npm|yarn) publish}\nmetadata: {match: commands}\n")
	f.Add("metadata:\n  match: paths\n  answer: {decision: deny, reason: a; it's b}\n")
	f.Add("metadata:\n  answer:\n    decision: allow\n    reason: >-\n      a\n  retry: 3\n  protocol: x\n")
	f.Add("matcher:\r\n\r\n tool: \\d\n\ntimeout: 5000\nmetadata:\n  a: é\n  retry: 3\n")
	f.Add("# c\na: |-\n  b\n   c\n\nd: >\n  e\n  f\n\n  g # h\ni:\n  - j\n  - 'k''l' # m\nn: [o, \"p\\n\", 1.0]\nq: {r: s}\n")
	f.Fuzz(func(t *testing.T, front string) {
		name, _, _ := strings.Cut(strings.TrimPrefix(front, "name: "), "\n")
		for _, folder := range []string{folder, name} {
			pair(t, fenced(front), folder)
		}
		pair(t, fenced(required+front), folder)
		pair(t, fenced(required+below("metadata", front)), folder)
	})
}

func BenchmarkParse(b *testing.B) {
	file := fenced(everydayFront)
	b.Run("everyday", func(b *testing.B) {
		b.ReportAllocs()
		var p Parser
		for b.Loop() {
			p.Parse(file, "protect-secrets")
		}
	})
	b.Run("unknown key", func(b *testing.B) {
		b.ReportAllocs()
		file := fenced("license: MIT\n" + everydayFront)
		var p Parser
		for b.Loop() {
			p.Parse(file, "protect-secrets")
		}
	})
	b.Run("yaml", func(b *testing.B) {
		file := fenced(everydayFront + "  a: &b c\n")
		b.ReportAllocs()
		for b.Loop() {
			Parse(file, "protect-secrets")
		}
	})
}
