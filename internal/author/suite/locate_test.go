package suite_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
)

func TestFind(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	hooks := filepath.Join(root, ".agents", "hooks")
	for _, file := range []string{"guard/HOOK.md", "guard/tests/rm.yaml", "outer/inner/HOOK.md", "lower/Hook.txt", "none/scripts/run"} {
		path := filepath.Join(hooks, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("---\nname: guard\n---\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	all, _ := discovery.ReadScope(hooks, discovery.ProjectScope)
	f := suite.Finder{Command: "test", Dir: root, Project: hooks, Hooks: all}
	for _, test := range []struct {
		arg, name string // of the test case
		byPath    bool
	}{
		{"guard", "", false},
		{"guard/rm", "rm", false},
		{".agents/hooks/guard", "", true},
		{".agents/hooks/guard/HOOK.md", "", true},
		{".agents/hooks/guard/tests", "", true},
		{".agents/hooks/guard/tests/rm.yaml", "rm", true},
		{".agents/hooks/guard/rm", "rm", true},
		{".agents/hooks", "", true},
		{".", "", true},
	} {
		found, err := f.Find(test.arg)
		if err != nil || len(found.Hooks) != 1 || found.Hooks[0].Folder != "guard" || found.Case != test.name || found.ByPath != test.byPath {
			t.Errorf("%s: %+v, %v", test.arg, found, err)
		}
	}
	for arg, hint := range map[string]string{
		"gaurd":                               "did you mean `agent-hooks test guard`?",
		"gaurd/rn":                            "did you mean `agent-hooks test guard/rm`?",
		"inner":                               `move up the hooks that are one level too deep: "inner"`,
		"none":                                "add a HOOK.md, or remove the folder",
		".agents/hooks/none":                  "add a HOOK.md, or remove the folder",
		".agents/hooks/guard/tests/rm.yaml/x": "agent-hooks list shows the hooks; a path to a hook's folder works, too",
		"nothing-like-it":                     "agent-hooks list shows the hooks; a path to a hook's folder works, too",
	} {
		var e *suite.FindError
		if _, err := f.Find(arg); !errors.As(err, &e) || e.Hint() != hint {
			t.Errorf("%s: %v, want the hint %q, got %+v", arg, err, hint, e)
		}
	}
}
