package cases

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUpdate checks the written bytes, and that the case then passes.
func TestUpdate(t *testing.T) {
	const deny = "echo 'no (way)' >&2; exit 2"
	const modify = `printf '%s' '{"modified_input": {"command": "caf\u00e9 '$PWD'"}, "additional_context": "it'"'"'s\nmore"}'`
	for _, test := range []struct{ name, script, before, after string }{
		{"a.yaml", deny, "", "expect:\n  exit: 2\n  decision: deny\n  reason: 'no \\(way\\)'\n"},
		{"a.yaml", deny, "# why", "# why\nexpect:\n  exit: 2\n  decision: deny\n  reason: 'no \\(way\\)'\n"},
		{"a.yaml", deny, "sample: rm-rf # x\n", "sample: rm-rf # x\nexpect:\n  exit: 2\n  decision: deny\n  reason: 'no \\(way\\)'\n"},
		{"a.yaml", deny, "{sample: rm-rf}\n", "{sample: rm-rf,\n  \"expect\": {\"exit\": 2, \"decision\": \"deny\", \"reason\": \"no \\\\(way\\\\)\"}}\n"},
		{"a.json", deny, "{\n  \"sample\": \"rm-rf\"\n}\n", "{\n  \"sample\": \"rm-rf\",\n  \"expect\": {\"exit\": 2, \"decision\": \"deny\", \"reason\": \"no \\\\(way\\\\)\"}\n}\n"},
		{"a.json", deny, "{}", `{"expect": {"exit": 2, "decision": "deny", "reason": "no \\(way\\)"}}`},
		{"a.yaml", modify, "sample: rm-rf\n", "sample: rm-rf\nexpect:\n  exit: 0\n  decision: none\n  modified_input: {\"command\": \"café {{work_dir}}\"}\n  context: 'it''s'\n"},
		{"a.yaml", "echo \"at $PWD, sure\" >&2; exit 2", "sample: rm-rf\n", "sample: rm-rf\nexpect:\n  exit: 2\n  decision: deny\n  reason: 'at .*, sure'\n"},
		{"a.yaml", "echo \"see $HOME/.cache/log\" >&2; exit 2", "", "expect:\n  exit: 2\n  decision: deny\n  reason: 'see .*/\\.cache/log'\n"},
		{"a.yaml", "echo \"$TMPDIR/x\" >&2; exit 2", "", "expect:\n  exit: 2\n  decision: deny\n  reason: '.*/tmp/x'\n"},
		{"a.yaml", "printf '%070d%s' 0 \"$HOME\" >&2; exit 2", "", "expect:\n  exit: 2\n  decision: deny\n  reason: '" + strings.Repeat("0", 70) + ".*'\n"},
		{"a.yaml", deny, "expect:\n  # todo\nsample: rm-rf\n", "expect:\n  exit: 2\n  decision: deny\n  reason: 'no \\(way\\)'\n  # todo\nsample: rm-rf\n"},
		{"a.yaml", deny, "# why\nexpect: # now\n", "# why\nexpect: # now\n  exit: 2\n  decision: deny\n  reason: 'no \\(way\\)'\n"},
	} {
		needsShell(t)
		h := hookWith(t, onTool, test.script+"\n", map[string]string{"tests/" + test.name: test.before})
		all, _ := Read(h)
		r := all[0].Run(context.Background(), os.Environ())
		u, err := r.Update(context.Background(), os.Environ())
		if err != nil || string(u.Text) != test.after {
			t.Errorf("%q\n got %q\nwant %q (%v)\n%s", test.before, u.Text, test.after, err, outcome(r))
			continue
		}
		if err := all[0].Write(u.Text); err != nil {
			t.Error(err)
		}
		again, _ := Read(h)
		if r := again[0].Run(context.Background(), os.Environ()); r.Status != Passed {
			t.Errorf("%q: %s", u.Text, outcome(r))
		}
		if entries, _ := os.ReadDir(filepath.Join(h.Dir, Folder)); len(entries) != 1 {
			t.Errorf("%v is left", entries)
		}
	}
}

func TestUpdateReportsWhatItOmits(t *testing.T) {
	for _, test := range []struct{ name, script, text, err string }{
		{"a.yaml", "exit 3", "expect: {exit: 4, decision: deny}", "the hook failed; fix it"},
		{"a.yaml", "exit 3", "expect: {failure: zzz}", "the hook failed; fix it"},
		{"a.yaml", "exit 3", "sample: rm-rf", "the hook failed; fix it"},
		{"a.yaml", "exit 0", "expect: {files: {a: b}}", "change it by hand"},
		{"a.yaml", "exit 0", "sample: pre-session\nexpect: {exit: 0, files: {a: b}}", "change it by hand"},
		{"a.yaml", "exit 0", "expect: {exit: 0}", "the case is pass"},
		{"a.yaml", "exit 0", "expect: {nothing: 0}", "the case is broken"},
		{"a.yaml", "exit 2", "expect: ~\n", "cannot be changed safely"},
	} {
		needsShell(t)
		all, _ := Read(hookWith(t, onTool, test.script+"\n", map[string]string{"tests/" + test.name: test.text}))
		u, err := all[0].Run(context.Background(), os.Environ()).Update(context.Background(), os.Environ())
		if err == nil || !strings.Contains(err.Error(), test.err) || u.Text != nil {
			t.Errorf("%s: %q, %v", test.text, u.Text, err)
		}
	}
}

func TestWriteRejectsChangedFiles(t *testing.T) {
	needsShell(t)
	h := hookWith(t, onTool, "exit 0\n", map[string]string{"tests/a.yaml": "expect: {}", "tests/b.yaml": "expect: {}", "elsewhere": "expect: {}"})
	path := filepath.Join(h.Dir, Folder, "c.yaml")
	if err := os.Symlink("../elsewhere", path); err != nil {
		t.Fatal(err)
	}
	all, _ := Read(h)
	plant(t, h.Dir, map[string]string{"tests/a.yaml": "expect: {exit: 0}"})
	if err := os.Remove(all[1].Path); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"it was changed in the meantime", "no such file", "it is a link"} {
		if err := all[i].Write([]byte("x")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", all[i].Name, err, want)
		}
	}
}

func TestUpdateKeepsTheMode(t *testing.T) {
	needsShell(t)
	h := hookWith(t, onTool, "exit 0\n", map[string]string{"tests/a.yaml": "expect: {exit: 1}"})
	all, _ := Read(h)
	if err := os.Chmod(all[0].Path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := all[0].Write([]byte("expect: {exit: 0}")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(all[0].Path)
	if err != nil || info.Mode().Perm() != 0o640 || string(all[0].Source()) == "" {
		t.Errorf("%v %v", info, err)
	}
}

// TestUpdateRunsAgain checks the messages about a hook whose results differ between runs,
// because it counts runs outside its scratch directory.
func TestUpdateRunsAgain(t *testing.T) {
	for _, test := range []struct{ script, text, err string }{
		{"echo run $n >&2; exit 2", "expect:\n", `a second run gave a different result: reason was matches "run 1", and then "run 2"; write the expectation by hand`},
		{"echo '{\"modified_input\": {\"a\": '$n'}, \"additional_context\": \"b\"}'", "", `a second run gave a different result: modified_input was {"a": 1}, and then {"a": 2}`},
		{"[ $n = 1 ] && exit 2; true", "", "a second run gave a different result: exit was 2, and then 0"},
		{"[ $n = 1 ] && exit 2; exit 3", "", "a second run gave a different result: failure was none, and then "},
	} {
		needsShell(t)
		count := filepath.Join(t.TempDir(), "count")
		r := one(t, onTool, "echo >>'"+count+"'; n=$(($(wc -l <'"+count+"')))\n"+test.script+"\n", test.text)
		u, err := r.Update(context.Background(), os.Environ())
		if err == nil || !strings.Contains(err.Error(), test.err) || u.Text != nil {
			t.Errorf("%s: %q, %v, want %q", test.script, u.Text, err, test.err)
		}
	}
}

// TestUpdateShowsTheDiff checks the diff for a case with an expectation.
func TestUpdateShowsTheDiff(t *testing.T) {
	for _, test := range []struct{ script, text, diff string }{
		{"exit 2", "expect:\n  decision: none # for now\n  exit: 0\n", "-  exit: 0|+  exit: 2|-  decision: none|+  decision: deny"},
		{"echo no >&2; exit 2", "expect: {fires: false}", "-  fires: false|+  exit: 2|+  decision: deny|+  reason: 'no'"},
		{"exit 0", "expect: {reason: x}", "-  reason: 'x'|+  reason: null"},
	} {
		r := one(t, onTool, test.script+"\n", test.text)
		u, err := r.Update(context.Background(), os.Environ())
		if got := strings.Join(u.Diff, "|"); got != test.diff || err == nil || u.Text != nil {
			t.Errorf("%s: %q, %q, %v", test.text, got, u.Text, err)
		}
	}
}
