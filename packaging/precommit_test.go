package packaging

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestPreCommit runs the hooks' program as pre-commit does: in a clone of one commit, at a tag with a
// release, at one without, and at a commit.
func TestPreCommit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the release of this test is a script")
	}
	source := t.TempDir()
	git := func(dir string, args ...string) string {
		t.Helper()
		out, err := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	for name, text := range map[string]string{
		"go.mod":                  "module example.com/agent-hooks\n\ngo 1.21\n",
		"cmd/agent-hooks/main.go": "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"compiled\") }\n",
	} {
		path := filepath.Join(source, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"pre-commit", "install.sh"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(source, "packaging"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(source, "packaging", name), data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	git(source, "init", "-q")
	git(source, "add", ".")
	git(source, "commit", "-qm", "x")
	git(source, "tag", "v1.2.3")
	git(source, "tag", "-a", "-m", "x", "v1.2.4")
	git(source, "commit", "-q", "--allow-empty", "-m", "y")

	r := newRelease(t)
	for path, data := range r.files { // the same program as v1.2.4
		path = strings.ReplaceAll(path, "1.2.3", "1.2.4")
		r.files[path] = []byte(strings.ReplaceAll(string(data), "_1.2.3_", "_1.2.4_"))
	}
	for _, test := range []struct{ rev, want string }{
		{"v1.2.3", "program validate x"},
		{"v1.2.4", "program validate x"}, // an annotated tag
		{git(source, "rev-parse", "HEAD"), "compiled"},
		{"v9.9.9", "compiled"},
	} {
		t.Run(test.rev, func(t *testing.T) {
			if test.rev == "v9.9.9" {
				git(source, "tag", test.rev)
			}
			home, clone := newHome(t), t.TempDir()
			git(clone, "init", "-q")
			git(clone, "fetch", "-q", source, test.rev, "--depth=1")
			git(clone, "checkout", "-q", "FETCH_HEAD")
			for _, network := range []string{r.URL, "http://127.0.0.1:1"} { // the second time without
				out, err := r.command(t, home, []string{filepath.Join(clone, "packaging/pre-commit"), "validate", "x"},
					"AGENT_HOOKS_DOWNLOADS="+network, "GOCACHE="+goCache(t), "GOFLAGS=").Output()
				if err != nil || strings.TrimSpace(string(out)) != test.want {
					t.Errorf("%q, %v; want %q", out, err, test.want)
				}
			}
		})
	}
	t.Run("wrong checksum", func(t *testing.T) {
		for path := range r.files {
			if strings.HasSuffix(path, ".gz") {
				r.files[path] = tarball(t, "agent-hooks", "#!/bin/sh\necho somebody else\n")
			}
		}
		home, clone := newHome(t), t.TempDir()
		git(clone, "clone", "-q", "--branch", "v1.2.3", source, ".")
		if out, status := r.run(t, home, []string{filepath.Join(clone, "packaging/pre-commit"), "validate"}); status != 1 || strings.Contains(out, "compiled") {
			t.Errorf("status %d", status)
		}
	})
}

func goCache(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
