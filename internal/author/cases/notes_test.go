package cases

import (
	"context"
	"fmt"
	"os"
	"slices"
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
	return slices.Collect(RunAll(context.Background(), all, os.Environ(), 2))
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
		{onTool, stop, []string{rm}, "every case expects a block"},
		{onTool + "matcher: {pattern: rm}\n", stop, []string{rm, ls + "\n"}, ""},
		{onTool, stop, []string{ls}, "no case expects a block or an answer"},
		{onTool + "metadata: {on-failure: deny}\n", "exit 0\n", []string{rm}, "it is a guard (on-failure: deny), but no case"},
		{onTool + "async: true\n", "exit 0\n", []string{rm}, ""},
		{"trigger: post-session\n", "exit 0\n", []string{"expect: {}"}, ""},
		{onTool, "echo '{\"system_message\": \"hi\"}'\n", []string{rm}, ""},
		{onTool, "echo x > out\n", []string{"expect: {files: {out: x}}"}, ""},
		{onTool, stop, []string{rm, "expect: {nothing: 1}"}, ""},
		{onTool, stop, nil, ""},
		{onTool, "exit 3\n", []string{"expect: {failure: x}"}, ""},
		{onTool + "metadata: {on-failure: deny}\n", "exit 0\n", []string{ls, strings.Replace(rm, "{}", "{exit: 2}", 1)}, ""}, // a case fails
		{onTool, "exit 2\n", []string{rm, strings.Replace(ls, "{}", "{fires: false}", 1)}, ""},
		{onTool + "matcher: {pattern: rm}\n", "exit 2\n", []string{rm, strings.Replace(ls, "{}", "{fires: false}", 1)}, ""},
		{onTool + "metadata: {on-failure: deny}\n", "echo '{\"modified_input\": {\"command\": \"ls\"}}'\n", []string{rm}, ""},
		{onTool, "echo '{\"decision\": \"allow\"}'\n", []string{rm}, ""},
		{onTool, "exit 0\n", []string{strings.Replace(rm, "{}", "{context: null, modified_input: null}", 1)}, "no case expects a block or an answer"},
	} {
		var hook = hookWith(t, test.front, test.script, nil)
		rs := results(t, test.front, test.script, test.texts...)
		got := strings.Join(Notes(hook, rs), "; ")
		if !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s %s: %q, want %q", test.front, test.texts, got, test.want)
		}
	}
}
