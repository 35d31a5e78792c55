package cases

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/discovery"
)

// inProject creates a project with files, a hook that lists its work dir, and a case.
func inProject(t *testing.T, files map[string]string, text string) (root string, c *Case) {
	t.Helper()
	needsShell(t)
	root = t.TempDir()
	plant(t, root, files)
	dir := filepath.Join(root, ".agents", "hooks", "probe")
	plant(t, dir, map[string]string{
		"HOOK.md":        "---\nname: probe\ndescription: Probes.\n" + onTool + "---\n",
		"scripts/run":    "#!/bin/sh\necho changed >> a.txt\nfind . -path ./.agents -prune -o ! -type d -print | sort | tr '\\n' ' ' >&2\nexit 2\n",
		"tests/one.yaml": text,
	})
	all, problems := Read(discovery.ReadHook(dir, discovery.ProjectScope))
	if len(all) != 1 || len(problems) > 0 {
		t.Fatalf("%d cases, problems %v", len(all), problems)
	}
	return root, all[0]
}

func TestCopy(t *testing.T) {
	files := map[string]string{
		"a.txt": "a\n", "src/x.go": "x", "src/deep/y.go": "y", "run": "#!/bin/sh\n", ".git/config": "c", "src/.git": "gitdir: /elsewhere\n",
	}
	for _, test := range []struct{ copy, found string }{
		{"[]", "./a.txt "},
		{"[a.txt]", "./a.txt "},
		{"[src]", "./a.txt ./src/deep/y.go ./src/x.go "},
		{"[src/, ./run]", "./a.txt ./run ./src/deep/y.go ./src/x.go "},
		{"['src/*.go', a.txt]", "./a.txt ./src/x.go "},
		{"[.]", "./a.txt ./run ./src/deep/y.go ./src/x.go "},
		{"['*']", "./a.txt ./run ./src/deep/y.go ./src/x.go "},
		{"[.git]", "./.git/config ./a.txt "},
		{"[., src]", "./a.txt ./run ./src/deep/y.go ./src/x.go "},
	} {
		root, c := inProject(t, files, "copy: "+test.copy+"\nexpect: {reason: x}\n")
		r := c.Run(context.Background(), os.Environ())
		if r.Problem != "" || r.Hook == nil || r.Hook.Stderr != test.found {
			t.Errorf("copy %s: found %+v, problem %q, %v; want %q", test.copy, r.Hook, r.Problem, c.Diagnostics, test.found)
		}
		if text, err := os.ReadFile(filepath.Join(root, "a.txt")); string(text) != "a\n" || err != nil {
			t.Errorf("copy %s: the project's own file is %q, %v", test.copy, text, err)
		}
	}
}

func TestCopyKeepsPermissionsAndContents(t *testing.T) {
	_, c := inProject(t, map[string]string{"run": "#!/bin/sh\n", "b.txt": "of the project", "readonly": "r"},
		"copy: [run, b.txt, readonly]\nfiles: {b.txt: of the case}\nsetup: test -x run && test \"$(cat b.txt)\" = 'of the case'\nexpect: {decision: deny}\n")
	if r := c.Run(context.Background(), os.Environ()); r.Status != Passed {
		t.Errorf("%s: %s %v", r.Status, r.Problem, r.Mismatches)
	}
}

func TestCopyLinks(t *testing.T) {
	outside := t.TempDir()
	plant(t, outside, map[string]string{"secret": "s"})
	for _, test := range []struct{ at, target, copy, problem string }{
		{"src/link", "x.go", "[src]", ""},
		{"src/link", "../a.txt", "[src]", ""},
		{"link", "src", "[.]", ""},
		{"link", "src", "[link]", ""},
		{"link", "nowhere", "[.]", ""},
		{"link", ".", "[.]", ""},
		{"link", "src", "[., link]", ""},
		{"src/link", "../../x", "[src]", "leads out"},
		{"src/link", filepath.Join(outside, "secret"), "[src]", "leads out"},
		{"src/link", "deep/../../../x", "[src]", "leads out"},
		{"link", filepath.Join(outside, "secret"), "[link]", "link: "},
		{"link", outside, "[link]", "link: "},
		{"link", outside, "[link/secret]", "link/secret"},
		{"link", outside, "['link/*']", "link/*"},
	} {
		root, c := inProject(t, map[string]string{"a.txt": "a", "src/x.go": "x"}, "copy: "+test.copy+"\nexpect: {decision: deny}\n")
		if err := os.Symlink(test.target, filepath.Join(root, test.at)); err != nil {
			t.Fatal(err)
		}
		r := c.Run(context.Background(), os.Environ())
		if wrong := test.problem != ""; wrong != (r.Status == Broken) || !strings.Contains(r.Problem, test.problem) {
			t.Errorf("%s -> %s, copy %s: %s %q", test.at, test.target, test.copy, r.Status, r.Problem)
		}
	}
}

func TestCopyRefuses(t *testing.T) {
	for path, at := range map[string]string{
		"../x": "is not a path inside the project", "/etc/passwd": "is not a path inside the project", "a/../../x": "is not a path inside the project",
		"'a\\b'": "is not a path inside the project", "'[a'": "is not a path inside the project", "''": "is not a path inside the project", "1": "a number in it",
	} {
		c := parsed("x.yaml", "copy: [ok, "+path+"]\nexpect: {}\n")
		if len(c.Diagnostics) != 1 || !strings.Contains(c.Diagnostics[0].Message, at) || c.Diagnostics[0].Column != 12 {
			t.Errorf("%s: %v", path, c.Diagnostics)
		}
	}
	_, c := inProject(t, nil, "copy: [nothing]\nexpect: {}\n")
	if r := c.Run(context.Background(), os.Environ()); !strings.HasPrefix(r.Problem, "copy: there is no nothing in ") {
		t.Errorf("%s: %q", r.Status, r.Problem)
	}
	if r := one(t, onTool, "exit 0\n", "copy: [x]\nexpect: {}\n"); r.Status != Broken || !strings.Contains(r.Problem, "is not in .agents/hooks of a project") {
		t.Errorf("%s: %q", r.Status, r.Problem)
	}
	_, c = inProject(t, map[string]string{".git": "gitdir: /elsewhere\n"}, "copy: [.git]\nexpect: {}\n")
	if r := c.Run(context.Background(), os.Environ()); !strings.Contains(r.Problem, "a repository elsewhere") {
		t.Errorf("%s: %q", r.Status, r.Problem)
	}
}

func TestCopyIsBounded(t *testing.T) {
	root, c := inProject(t, nil, "copy: [data]\nexpect: {}\n")
	plant(t, root, map[string]string{"data/a": "", "data/b": "b"})
	if err := os.Truncate(filepath.Join(root, "data", "a"), maxCopied); err != nil {
		t.Fatal(err)
	}
	if r := c.Run(context.Background(), os.Environ()); r.Problem != "copy: more than 32 MiB, with data/b; name the files and folders that the hook needs" {
		t.Errorf("%s: %q", r.Status, r.Problem)
	}
	if os.Getenv("LONG_TESTS") == "" {
		t.Skip("LONG_TESTS is not set: the rest creates 5000 directories")
	}
	root, c = inProject(t, nil, "copy: [data]\nexpect: {}\n")
	if err := os.Mkdir(filepath.Join(root, "data"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range maxCopiedFiles {
		if err := os.Mkdir(filepath.Join(root, "data", strconv.Itoa(i)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if r := c.Run(context.Background(), os.Environ()); !strings.HasPrefix(r.Problem, "copy: more than 5000 files; ") {
		t.Errorf("%s: %q", r.Status, r.Problem)
	}
}
