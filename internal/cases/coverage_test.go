package cases

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
)

// results runs the cases with the given texts.
func results(t *testing.T, front, script string, texts ...string) []*Result {
	t.Helper()
	needsShell(t)
	files := map[string]string{}
	for i, text := range texts {
		files[fmt.Sprintf("tests/%02d.yaml", i)] = text
	}
	all, _ := Read(hookWith(t, front, script, files))
	var got []*Result
	RunAll(context.Background(), all, os.Environ(), 2, func(r *Result) { got = append(got, r) })
	return got
}

func TestCoverage(t *testing.T) {
	event := func(tool, command string) string {
		return fmt.Sprintf("event: {tool_name: %s, tool_input: {command: '%s'}}\nexpect: {}", tool, command)
	}
	const front = onTool + "matcher:\n  tool: Shell|ReadFile|my_tool\n  pattern: \\brm\\b|\\bgit push\\b|\\bgit reset\\b\n"
	for _, test := range []struct {
		front string
		texts []string
		want  string
	}{
		{front, nil, "trigger pre-tool-call; tool Shell; tool name Shell; tool name Bash; tool ReadFile; tool name ReadFile; tool name Read; tool my_tool; " +
			`pattern \brm\b; pattern \bgit push\b; pattern \bgit reset\b; matcher ; of 12`},
		{front, []string{event("Bash", "git push"), event("Bash", "ls")},
			`tool name Shell; tool ReadFile; tool name ReadFile; tool name Read; tool my_tool; pattern \brm\b; pattern \bgit reset\b; of 12`},
		{front, []string{event("Shell", "rm"), event("Bash", "git push"), event("Read", "git reset"), event("ReadFile", "rm"), event("my_tool", "rm"), event("Bash", "ls")}, "of 12"},
		{onTool, []string{event("Bash", "x")}, "of 1"},
		{onTool + "matcher: {pattern: 'npm( ci| install)?'}\n", []string{event("Bash", "npm ci")}, "matcher ; of 3"},
		{onTool + "matcher: {tool: '.*'}\n", []string{event("Bash", "x")}, "matcher ; of 3"},
		{"trigger: pre-session\n", []string{"expect: {}"}, "of 1"},
		{"trigger: pre-session\n", []string{"sample: rm-rf\nexpect: {fires: false}"}, "trigger pre-session; of 1"},
	} {
		rs := results(t, test.front, "exit 0\n", append([]string{"sample: post-session\nexpect: {nothing: 1}"}, test.texts...)...)
		c := Cover(rs[0].Case.Hook, rs)
		var got []string
		for _, g := range c.Gaps {
			if g.Needs == "" {
				t.Errorf("%+v needs nothing", g)
			}
			got = append(got, g.Part+" "+g.Branch)
		}
		got = append(got, fmt.Sprintf("of %d", c.Parts))
		if text := strings.Join(got, "; "); text != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.texts, text, test.want)
		}
	}
}

func TestNotes(t *testing.T) {
	const stop = "case $(cat) in *rm*) exit 2;; esac\n"
	rm, ls := "event: {tool_name: Bash, tool_input: {command: rm}}\nexpect: {}", "event: {tool_name: Bash, tool_input: {command: ls}}\nexpect: {}"
	for _, test := range []struct {
		front, script string
		texts         []string
		want          string
	}{
		{onTool, stop, []string{rm, ls}, ""},
		{onTool, stop, []string{rm}, "every case is one that it stops"},
		{onTool + "matcher: {pattern: rm}\n", stop, []string{rm, ls + "\n"}, ""},
		{onTool, stop, []string{ls}, "no case shows it do anything"},
		{onTool + "metadata: {on-failure: deny}\n", "exit 0\n", []string{rm}, "it is a guard (on-failure: deny), and no case"},
		{onTool + "async: true\n", "exit 0\n", []string{rm}, ""},
		{"trigger: post-session\n", "exit 0\n", []string{"expect: {}"}, ""},
		{onTool, "echo '{\"system_message\": \"hi\"}'\n", []string{rm}, ""},
		{onTool, "echo x > out\n", []string{"expect: {files: {out: x}}"}, ""},
		{onTool, stop, []string{rm, "expect: {nothing: 1}"}, ""},
		{onTool, stop, nil, ""},
		// Cases that fail.
		{onTool + "metadata: {on-failure: deny}\n", "exit 0\n", []string{ls, rm + "\n", strings.Replace(rm, "{}", "{decision: deny}", 1)}, ""},
		{onTool + "metadata: {on-failure: deny}\n", "exit 0\n", []string{ls, strings.Replace(rm, "{}", "{exit: 2}", 1)}, ""},
		{onTool + "metadata: {on-failure: deny}\n", "exit 0\n", []string{ls, strings.Replace(rm, "{}", "{reason: no}", 1)}, ""},
		{onTool + "metadata: {on-failure: deny}\n", "exit 2\n", []string{strings.Replace(ls, "{}", "{decision: none}", 1)}, "it is a guard (on-failure: deny), and no case"},
		{onTool, "exit 2\n", []string{rm, strings.Replace(ls, "{}", "{decision: none}", 1)}, ""},
		{onTool, "exit 2\n", []string{rm, strings.Replace(ls, "{}", "{fires: false}", 1)}, ""},
		{onTool, "exit 0\n", []string{strings.Replace(rm, "{}", "{modified_input: {command: ls}}", 1)}, ""},
		{onTool, "exit 0\n", []string{strings.Replace(rm, "{}", "{context: x}", 1)}, ""},
		{onTool, "exit 0\n", []string{strings.Replace(rm, "{}", "{context: null, modified_input: null}", 1)}, "no case shows it do anything"},
	} {
		var hook = hookWith(t, test.front, test.script, nil)
		rs := results(t, test.front, test.script, test.texts...)
		got := strings.Join(Notes(hook, rs), "; ")
		if !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s %s: %q, want %q", test.front, test.texts, got, test.want)
		}
	}
}
