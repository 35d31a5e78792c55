package cases

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/discovery"
)

// shownDiagnostics formats diagnostics without the path and the code.
func shownDiagnostics(c *Case) []string {
	var all []string
	for _, d := range c.Diagnostics {
		all = append(all, fmt.Sprintf("%d:%d: %s", d.Line, d.Column, d.Message))
	}
	return all
}

func TestCaseDiagnostics(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"a.yaml", "expct: {}", `1:1: unknown key "expct"; did you mean "expect"?`},
		{"a.yaml", "nothing: 1", `1:1: unknown key "nothing"; the keys here are description, agent, event, sample, patch, copy, files, setup, env, expect`},
		{"a.yaml", "decision: deny", `1:1: unknown key "decision"; it belongs under "expect"`},
		{"a.yaml", "expect: {additional_context: x}", `1:10: unknown key "additional_context"; did you mean "context"?`},
		{"a.yaml", "additional_context: x", `1:1: unknown key "additional_context"; the keys here are description, agent, event, sample, patch, copy, files, setup, env, expect`},
		{"a.yaml", "expect:\n  sample: x", `2:3: unknown key "sample"; it belongs under "the case itself"`},
		{"a.yaml", "expect:\n  decison: deny", `2:3: unknown key "decison"; did you mean "decision"?`},
		{"a.yaml", "expect: {decision: dney}", `1:20: unknown decision "dney"; did you mean "deny"?`},
		{"a.yaml", "expect: {decision: refuse}", `1:20: unknown decision "refuse"; it is deny, ask, allow or none`},
		{"a.yaml", "expect: {decision: block}", `1:20: unknown decision "block"; deny means it`},
		{"a.yaml", "expect: {decision: null}", `1:20: "decision" is null; it takes deny, ask, allow or none`},
		{"a.yaml", "expect: {exit: two}", `1:16: "exit" is a string; it takes an integer from 0 to 255`},
		{"a.yaml", "expect: {exit: 1.5}", `1:16: "exit" is 1.5; it takes an integer from 0 to 255`},
		{"a.yaml", "expect: {exit: 256}", `1:16: "exit" is 256; it takes an integer from 0 to 255`},
		{"a.yaml", "expect: {max_ms: 0}", `1:18: "max_ms" is 0; it takes an integer from 1 to 600000`},
		{"a.yaml", "expect: {fires: yes}", `1:17: "fires" is a string; it takes true or false`},
		{"a.yaml", "expect: {fires: false, exit: 0}", `1:1: "fires: false" expects that the hook does not run; nothing else can be expected`},
		{"a.yaml", "expect: {reason: 5}", `1:18: "reason" is a number; it takes a regular expression, or null for none; a number needs quotes`},
		{"a.yaml", "expect: {reason: '('}", `1:18: regular expression "(": missing closing )`},
		{"a.yaml", "expect: {reason: ''}", `1:18: an empty expression, which is found everywhere; remove the key, or write null for none`},
		{"a.yaml", "expect: {modified_input: x}", `1:26: "modified_input" is a string; it takes the whole input as a mapping, or null for none`},
		{"a.yaml", "expect: {files: {../x: a}}", `1:18: "../x" is not the path of a file inside the work dir; write it without a leading / and without ..`},
		{"a.yaml", "expect: {files: {'[': a}}", `1:18: "[" is neither a path nor a pattern of paths`},
		{"a.yaml", "expect: deny", `1:9: "expect" is a string; it takes a mapping such as {decision: deny}`},
		{"a.yaml", "sample: claude/PreToolUs", `1:9: there is no sample event "claude/PreToolUs"; did you mean "claude/PreToolUse"?`},
		{"a.yaml", "sample: [a]", `1:9: "sample" is a list; it takes the name of one`},
		{"a.yaml", "patch: 5", `1:8: "patch" is a number; it takes a mapping`},
		{"a.yaml", "event: {}\nsample: rm-rf", `2:9: both "event" and "sample"; keep one: an event is whole, a sample is patched`},
		{"a.yaml", "event: [1]", `1:8: "event" is a list; it takes a mapping`},
		{"a.yaml", "event: {event_type: pre-tool-cal}", `1:21: unknown event "pre-tool-cal"; did you mean "pre-tool-call"?`},
		{"a.yaml", "files: {/etc/passwd: x}", `1:9: "/etc/passwd" is not the path of a file inside the work dir; write it without a leading / and without ..`},
		{"a.yaml", "files: {a/../../b: x}", `1:9: "a/../../b" is not the path of a file inside the work dir; write it without a leading / and without ..`},
		{"a.yaml", "files: {a/: x}", `1:9: "a/" is not the path of a file inside the work dir; write it without a leading / and without ..`},
		{"a.yaml", "files: {a: 5}", `1:12: "a" is a number; it takes the file's content as a string`},
		{"a.yaml", "files: a", `1:8: "files" is a string; it takes a mapping of paths to contents`},
		{"a.yaml", "env: {A=B: x}", `1:7: "A=B" is not the name of a variable`},
		{"a.yaml", "env: {A: [x]}", `1:10: "A" is a list; it takes a string, or null to unset it`},
		{"a.yaml", `env: {A: "\0"}`, `1:10: a NUL character, which no variable can contain`},
		{"a.yaml", "setup: [x]", `1:8: "setup" is a list; it takes a script for sh`},
		{"a.yaml", "description: 5", `1:14: "description" is a number; it takes a string`},
		{"a.yaml", "- a", `1:1: a list instead of a mapping; write lines of the form ` + "`key: value`"},
		{"a.yaml", "event: {a: 1, a: 2}", `1:15: key "a" appears twice; keep one of them`},
		{"a.yaml", "event: {<<: {a: 1}}", "1:9: a merge key `<<`; write the keys out"},
		{"a.yaml", "event: {[a]: 1}", `1:9: a key that is not a plain word`},
		{"a.yaml", "event: {a: !!binary aGk=}", `1:12: a value tagged "!!binary"; write it without the tag`},
		{"a.yaml", "event: {a: 0644}", `1:12: 0644 is a number that JSON writes in another way; write it so, or in quotes`},
		{"a.yaml", "event: {a: 1}\n---\nevent: {}", `2:1: not YAML from here on: a second document begins; quotes around a value help where it holds ` + "`: `, ` #`, or begins with a sign"},
		{"a.yaml", "event:\n  a: b: c\n", "2:3: not YAML from here on: mapping values are not allowed in this context; quotes around a value help where it holds `: `, ` #`, or begins with a sign"},
		{"a.yaml", "event: \"\xff\"", "1:9: a byte that is not UTF-8; save the file as UTF-8"},
		{"a.json", `{"expct": {}}`, `1:2: unknown key "expct"; did you mean "expect"?`},
		{"a.json", "{\n  \"event\": {\"a\": 1, \"a\": 2}}", `2:21: key "a" appears twice; keep one of them`},
		{"a.json", `{"event": {},}`, `1:14: not JSON: invalid character '}' looking for beginning of object key string`},
		{"a.json", `{"event": {`, `1:11: not JSON: unexpected end of JSON input`},
		{"a.json", ``, `1:1: not JSON: unexpected end of JSON input`},
		{"a.json", `[]`, "1:1: a list instead of a mapping; write lines of the form `key: value`"},
		{"a.json", "\ufeff{\"expct\": 1}", `1:2: unknown key "expct"; did you mean "expect"?`},
	} {
		if got := strings.Join(shownDiagnostics(parsed(test.name, test.text)), "\n"); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.text, got, test.want)
		}
	}
}

// TestEventForms checks the events from both forms.
func TestEventForms(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"a.yaml", "event: {a: yes, b: 2026-01-02, c: 1.50, d: null, e: [~, true], f: 'x', 1: y}", `{"a": "yes", "b": "2026-01-02", "c": 1.50, "d": null, "e": [null, true], "f": "x", "1": "y"}`},
		{"a.yaml", "event:\n  command: |\n    a\n    b\n", `{"command": "a\nb\n"}`},
		{"a.yaml", "event: {a: &x {b: 1}, c: *x}", `{"a": {"b": 1}, "c": {"b": 1}}`},
		{"a.yaml", "event: {a: \"<é\\u00e9\\U0001F600>\"}", `{"a": "<éé😀>"}`},
		{"a.json", "{\t\"event\":{\"a\":\"\\ud83d\\ude00\",\"b\":\"\\ud800\",\"c\":1E5, \"d\":[ ]}}", `{"a": "\ud83d\ude00", "b": "\ud800", "c": 1E5, "d": []}`},
		{"a.json", "{\"sample\": \"rm-rf\", \"patch\": {\"event_type\": null, \"timestamp\": null, \"session_id\": null, \"context\": null, \"tool_use_id\": null, \"tool_input\": {\"x\": 1}}}",
			`{"work_dir": "{{work_dir}}", "tool_name": "Shell", "tool_input": {"command": "rm -rf /tmp", "x": 1}}`},
	} {
		c := parsed(test.name, test.text)
		if len(c.Diagnostics) > 0 {
			t.Errorf("%s: %v", test.text, c.Diagnostics)
			continue
		}
		if got := string(encode(c.event.value)); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.text, got, test.want)
		}
	}
}

func TestTriggerOfCase(t *testing.T) {
	for text, want := range map[string]string{
		"event: {}":                         "pre-tool-call",
		"event: {event_type: post-session}": "post-session",
		"sample: claude/Stop":               "pre-agent-turn-stop",
		"sample: gemini/BeforeTool":         "pre-tool-call",
		"sample: pre-session":               "pre-session",
		"{sample: rm-rf, patch: {event_type: post-tool-call}}":              "post-tool-call",
		"{sample: codex/SessionStart, patch: {event_type: pre-agent-turn}}": "pre-agent-turn",
	} {
		if got := parsed("a.yaml", text).event.trigger; string(got) != want {
			t.Errorf("%s is of %s, want %s", text, got, want)
		}
	}
	hook := &discovery.Hook{}
	hook.Trigger = "post-agent-turn-stop"
	c := &Case{Hook: hook, Path: "a.yaml", source: &source{}}
	c.parse([]byte("sample: claude/Stop"), nil)
	if c.event.trigger != hook.Trigger {
		t.Errorf("Stop of a hook on %s is %s", hook.Trigger, c.event.trigger)
	}
}

func TestTooMuch(t *testing.T) {
	laughs := "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for i := range 9 {
		laughs += fmt.Sprintf("%c: &%c [%s]\n", 'b'+i, 'b'+i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c,", 'a'+i), 10), ","))
	}
	for name, text := range map[string]string{
		"a.yaml": "event:\n  " + strings.ReplaceAll(laughs, "\n", "\n  "),
		"b.yaml": "event: " + strings.Repeat("[", 300) + strings.Repeat("]", 300),
		"c.json": `{"event": ` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + "}",
		"d.json": `{"event": [` + strings.Repeat("1,", maxValues) + "1]}",
	} {
		c := parsed(name, text)
		if got := strings.Join(shownDiagnostics(c), " "); !strings.Contains(got, "expands to more than") {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := shownDiagnostics(parsed("a.json", strings.Repeat(" ", maxFile+1))); len(got) != 1 || !strings.Contains(got[0], "above 1 MiB") {
		t.Errorf("a large file: %q", got)
	}
}

func TestReadFolder(t *testing.T) {
	h := hookWith(t, onTool, "", map[string]string{
		"tests/b.yaml": "expect: {}", "tests/a.json": `{"expect": {}}`, "tests/c.yml": "expect: {}",
		"tests/README.md": "", "tests/.hidden.yaml": "", "tests/#a.yaml": "", "tests/b.yaml~": "", "tests/.yaml": "", "tests/deep/x.yaml": "",
		"tests/b.json": `{"expect": {}}`,
	})
	all, problems := Read(h)
	var got []string
	for _, c := range all {
		got = append(got, fmt.Sprintf("%s %d", filepath.Base(c.Path), len(c.Diagnostics)))
	}
	if want := []string{"a.json 0", "b.json 0", "b.yaml 1", "c.yml 0"}; !slices.Equal(got, want) || len(problems) > 0 {
		t.Errorf("got %q %v, want %q", got, problems, want)
	}
}

func TestReadNoFolder(t *testing.T) {
	if all, problems := Read(hookWith(t, onTool, "", nil)); len(all)+len(problems) > 0 {
		t.Errorf("cases %v, problems %v", all, problems)
	}
	all, problems := Read(hookWith(t, onTool, "", map[string]string{"tests": "a file"}))
	if len(all) > 0 || len(problems) != 1 || problems[0].Code != badFile {
		t.Errorf("a file named tests: cases %v, problems %v", all, problems)
	}
}

func TestReadTooManyCases(t *testing.T) {
	files := map[string]string{}
	for i := range maxCases + 1 {
		files[fmt.Sprintf("tests/%04d.yaml", i)] = "expect: {}"
	}
	all, problems := Read(hookWith(t, onTool, "", files))
	if len(all) != maxCases || len(problems) != 1 || !strings.Contains(problems[0].Message, "more than 1000") {
		t.Errorf("%d cases, problems %v", len(all), problems)
	}
}

func TestReadLinksAndOddNames(t *testing.T) {
	needsShell(t)
	h := hookWith(t, onTool, "", map[string]string{"tests/a.yaml": "expect: {}", "tests/x\x1b.yaml": "expect: {}"})
	tests := filepath.Join(h.Dir, Folder)
	for name, target := range map[string]string{"dangling.yaml": "nowhere", "folder.yaml": ".", "link.yaml": "a.yaml"} {
		if err := os.Symlink(target, filepath.Join(tests, name)); err != nil {
			t.Fatal(err)
		}
	}
	all, _ := Read(h)
	var got []string
	for _, c := range all {
		text := ""
		for _, d := range c.Diagnostics {
			text = d.Message
		}
		got = append(got, fmt.Sprintf("%q %s", c.Name, text))
	}
	want := []string{
		`"a" `, `"dangling" no such file or directory`, `"folder" not a regular file`, `"link" `,
		`"x\x1b" a name with characters that cannot be printed; rename the file`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}
