package manifest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
	"github.com/agent-hooks/agent-hooks/spec"
)

// sameTrigger checks Trigger against both parsers.
func sameTrigger(t *testing.T, file []byte) (decided bool) {
	t.Helper()
	event := new(Parser).Trigger(file, "")
	if event == "" {
		return false
	}
	parsed, _ := Parse(file, folder)
	if parsed.Trigger != event {
		t.Errorf("%q: %q, Parse returns %q", file, event, parsed.Trigger)
	}
	if len(parsed.OtherTriggers) > 0 {
		t.Errorf("%q: only %q, Parse also returns %q", file, event, parsed.OtherTriggers)
	}
	if full := read(file, folder).hook.Trigger; full != event {
		t.Errorf("%q: %q, the YAML parser returns %q", file, event, full)
	}
	return true
}

func TestTrigger(t *testing.T) {
	const post = "trigger: post-tool-call\n"
	for _, c := range []struct{ name, front, want string }{
		{"first", post + "name: a\n", "post-tool-call"},
		{"last", "name: a\ndescription: Don't \"go\" [on\n" + post, "post-tool-call"},
		{"double quotes", "trigger: \"pre-session\"\nname: a\n", "pre-session"},
		{"single quotes", "trigger: 'pre-session' \nname: a\n", "pre-session"},
		{"comment", "name: a\n# trigger: pre-tool-call\n" + "trigger: pre-session # c\n", "pre-session"},
		{"folded text", "description: >-\n  Don't\n  \"go\ntrigger: pre-session\n", "pre-session"},
		{"closed quotes", "name: 'a'\ndescription: \"b\"\n" + post, "post-tool-call"},
		{"nested", "metadata:\n  a: \"b\"\n  trigger: pre-session\n" + post, "post-tool-call"},
		{"list", "metadata:\n- a\n- 'b'\n" + post, "post-tool-call"},
		{"CRLF", "name: a\r\ntrigger: pre-session\r\nasync: true\r\n", "pre-session"},
		{"blank lines after it", post + "\n\nname: a\n", "post-tool-call"},
		{"a word that ends with it", post + "name: sysrq-trigger\n", "post-tool-call"},

		{"a second one", post + "trigger: pre-tool-call\n", ""},
		{"a second one in quotes", post + "name: a\n'trigger': pre-tool-call\n", ""},
		{"a second one with escapes", post + "\"tr\\u0069gger\": pre-tool-call\n", ""},
		{"a second one by an anchor", post + "name: &a trigger\n*a : pre-tool-call\n", ""},
		{"a second one after a line separator", post + "name: a\u2028trigger: pre-tool-call\n", ""},
		{"a second one after a next line", post + "name: a\u0085trigger: pre-tool-call\n", ""},
		{"a second one in parts", post + "? \"tri\\\n  gger\"\n: pre-tool-call\n", ""},
		{"a second one in a file that is not YAML", post + "trigger: pre-tool-call\nname: [\n", ""},
		{"only a comment before it", "# trigger: pre-tool-call\n" + post, ""},
		{"a broken line before it", "name: a: b\n" + post, ""},
		{"continued", post + "  b\n", ""},
		{"continued after a blank line", post + "\n  b\n", ""},
		{"continued after spaces", post + " \n", ""},
		{"a list after it", post + "- b\n", ""},
		{"in double quotes", "description: \"a\n" + post + "b\"\ntrigger: pre-tool-call\n", ""},
		{"in single quotes", "description: 'a\n" + post + "b'\n", ""},
		{"in quotes below", "metadata:\n  - a: \"b\n" + post + "b\"\n", ""},
		{"in brackets", "metadata: [a,\n" + post + "]\n", ""},
		{"in braces below", "metadata:\n  a: {b: c,\n" + post + "}\n", ""},
		{"a list of events", "trigger: [post-tool-call]\n", ""},
		{"block scalar", "trigger: >-\n  post-tool-call\n", ""},
		{"anchor", "trigger: &a post-tool-call\n", ""},
		{"anchor before it", "name: &a trigger\n*a : pre-tool-call\n" + post, ""},
		{"tag", "trigger: !!str post-tool-call\n", ""},
		{"quoted key before it", "\"trigger\": pre-tool-call\n" + post, ""},
		{"escaped key before it", "\"trigg\\x65r\": pre-tool-call\n" + post, ""},
		{"complex key before it", "? trigger\n: pre-tool-call\n" + post, ""},
		{"empty one before it", "trigger:\n  pre-tool-call\n" + post, ""},
		{"root in braces", "{trigger: pre-tool-call}\n" + post, ""},
		{"indented root", " name: a\n" + post, ""},
		{"end of the document", "name: a\n...\n" + post, ""},
		{"carriage return", "name: a\rtrigger: pre-tool-call\r\n" + post, ""},
		{"next line", "name: a\u0085trigger: pre-tool-call\n" + post, ""},
		{"line separator", "name: a\u2028trigger: pre-tool-call\n" + post, ""},
		{"byte-order mark", "\ufefftrigger: pre-tool-call\n" + post, ""},
		{"carriage return after it", "trigger: post-tool-call # a\rtrigger: b\n", ""},
		{"tab", "trigger:\tpost-tool-call\n" + post, ""},
		{"unknown event", "trigger: post-tool\n", ""},
		{"indented", "  trigger: post-tool-call\n", ""},
		{"after the end", "name: a\n---\n" + post, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := fenced(c.front)
			sameTrigger(t, file)
			if got := new(Parser).Trigger(file, ""); got != spec.EventType(c.want) {
				t.Errorf("Trigger returned %q, want %q", got, c.want)
			}
		})
	}
}

// Invalid files also have the same trigger.
func TestTriggerOfBrokenFiles(t *testing.T) {
	const line = "---\ntrigger: post-tool-call\n"
	for _, file := range []string{
		line, line + "name: a\n", line + " ---\nname: a\n", line + "a\xff\n---\n", "\ufeff" + line + "---\n",
		"--- \t\r\n" + line[4:] + "---\n", line + strings.Repeat("a: b\n", 20000) + "---\n", line + "name: [\n---\n",
		line + strings.Repeat("\n", spec.MaxFrontMatter) + "  a\n---\n", "", "---", "---\n", "--\n" + line, "--- a\n" + line,
	} {
		sameTrigger(t, []byte(file))
	}
}

// The trigger of each example is found without parsing.
func TestTriggerOfTheExamples(t *testing.T) {
	for name, file := range hookFiles(t, "../examples") {
		if !sameTrigger(t, file) {
			t.Errorf("%s has to be parsed", name)
		}
	}
}

// triggerLines are the lines of random files.
var triggerLines = strings.Split("trigger: post-tool-call\n|trigger: post-tool-call\n|trigger: pre-session\n|trigger: 'pre-session' # c\n|trigger:\n|\"trigger\": pre-session\n|"+
	"name: a\n|name: \"a\n|b\"\n|c: 'd\n|e'\n|f: [g,\n|]\n|h: {\n|}\n|i: >\n|j: ¦\n|  k: \"l\n|  m\"\n|  - n: 'o\n|- p\n|- \"q\n|  r: s\n|  t\n|\n| \n|# u\n|#\n|u:\n|\r\n|v: w\r\n|x: y\r|"+
	"---\n|...\n|--- a\n|? z\n|: z\n|*a : b\n|c: &a trigger\n|\t\n|\ufeff|\u2028|  - ¦\n|e: \"f\" # g\n|h: (i \"j\n|k: l # m\"\n|!!str trigger: n\n|<<: *a\n|o: p: \"q\n|  : \"r\n|s: ''t\n|u: \"\\\"\n", "|")

func TestTriggerOnRandomLines(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	decided := 0
	for range testenv.Rounds(33_000) {
		var front strings.Builder
		for range 1 + random.IntN(7) {
			front.WriteString(strings.ReplaceAll(triggerLines[random.IntN(len(triggerLines))], "¦", "|"))
		}
		if sameTrigger(t, fenced(front.String())) {
			decided++
		}
	}
	if decided < testenv.Rounds(1000) {
		t.Errorf("only %d were decided", decided)
	}
}

// FuzzTrigger compares Trigger with the YAML parser: every trigger that it
// returns is the parser's.
func FuzzTrigger(f *testing.F) {
	for _, dir := range []string{"../examples", "../testdata/vectors", "testdata"} {
		for _, file := range hookFiles(f, dir) {
			f.Add(file)
		}
	}
	for _, line := range triggerLines {
		f.Add([]byte("---\nname: a\n" + line + "trigger: post-tool-call\n" + line + "---\n"))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		sameTrigger(t, file)
		sameTrigger(t, fenced(string(file)))
		sameTrigger(t, fenced(string(file)+"trigger: post-tool-call\n"+string(file)))
	})
}

func BenchmarkTrigger(b *testing.B) {
	file := fenced(everydayFront)
	var p Parser
	b.ReportAllocs()
	for b.Loop() {
		p.Trigger(file, "")
	}
}
