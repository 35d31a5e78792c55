package reading

import (
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/reading/passage"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// TestMembers checks that the paths of an input are the same with and without an access (D124), and
// what is not plain (D125).
func TestMembers(t *testing.T) {
	home, project := work(t)
	for _, c := range []struct {
		tool, key, value string
		want             string // a path among those with an access, by its name
		odd              bool   // an exception does not cover it
	}{
		{"mcp__files__move_file", "source", "$HOME/.aws/credentials", "$HOME/.aws/credentials", false},
		{"mcp__files__read_file", "path", "file://$HOME/.env", "$HOME/.env", false},
		{"Read", "file_path", "file:$HOME/.env", "$HOME/.env", false},
		{"Read", "file_path", "vscode-local:$HOME/.env", "$HOME/.env", true},
		{"Read", "file_path", `"$HOME/.env"`, "$HOME/.env", true},
		{"Read", "file_path", "@src/x", "$PROJECT/src/x", true},
		{"Read", "file_path", "\u2068$HOME/.env", "$HOME/.env", true},
		{"Read", "file_path", `"@file://$HOME/.env"`, "$HOME/.env", true},
		{"Read", "file_path", "src/x", "$PROJECT/src/x", false},
		{"Grep", "glob", ".env", "$PROJECT/.env", false},
		{"Glob", "pattern", "src/**/.env", "$PROJECT/src/.env", false},
		{"Bash", "command", "apply_patch <<'E'\n*** Begin Patch\n*** Delete File: src/x\n*** End Patch\nE", "$PROJECT/src/x", false},
		{"Bash", "command", "git apply <<'E'\n--- a/src/x\n+++ b/src/x\n@@ -1 +1 @@\n-a\n+b\nE", "$PROJECT/src/x", false},
		{"Bash", "command", "patch -p1 <<'E'\n--- a/src/x\n+++ b/src/x\n@@ -1 +1 @@\n-a\n+b\nE", "$PROJECT/src/x", false},
	} {
		value := strings.ReplaceAll(c.value, "$HOME", home)
		call := callOf(t, home, project, c.tool, map[string]any{c.key: value})
		used, _ := call.Paths(spec.AnyAccess)
		i := slices.IndexFunc(used, func(p passage.Passage) bool { return p.Text == c.want })
		if i < 0 {
			t.Errorf("%s %s: the paths %v lack %s", c.tool, value, shownPaths(used), c.want)
			continue
		}
		all, _ := call.Paths(0)
		bare := strings.NewReplacer("$HOME", home, "$PROJECT", project).Replace(c.want)
		if !slices.ContainsFunc(all, func(p passage.Passage) bool { return p.Text == bare }) {
			t.Errorf("%s %s: without access, the paths %v lack %s", c.tool, value, shownPaths(all), bare)
		}
		for _, access := range []spec.Access{0, spec.AnyAccess} {
			found, unknown := call.Paths(access)
			m := matcher.New("", "env|src/x|credentials")
			m.Unless([]string{".*"})
			if got := m.Match(matcher.Subject{Passages: func() ([]passage.Passage, string) { return found, unknown }}); got.Matched != c.odd {
				t.Errorf("%s %s, access %d: an exception covers it: %t, want %t", c.tool, value, access, !got.Matched, !c.odd)
			}
		}
	}
}

func shownPaths(all []passage.Passage) (texts []string) {
	for _, p := range all {
		texts = append(texts, p.Text)
	}
	return texts
}
