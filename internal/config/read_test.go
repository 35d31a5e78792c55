package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/discovery"
)

func TestReadNone(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, Name, "")
	if Read("", discovery.UserScope) != nil {
		t.Error("the file in the current directory is read")
	}
	os.Remove(Name)
	if Read("", discovery.UserScope) != nil || Read(filepath.Join(dir, "hooks"), discovery.UserScope) != nil || Read(filepath.Join(dir, "no", "hooks"), discovery.UserScope) != nil {
		t.Error("a missing file has diagnostics")
	}
	path := filepath.Join(dir, "file")
	write(t, path, "")
	if f := ReadFile(filepath.Join(path, Name), discovery.UserScope); f != nil && runtime.GOOS != "windows" {
		t.Errorf("below a file: %v", f.Diagnostics)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, Name), "[hooks]\nprotect = ['a']\n")
	f := Read(filepath.Join(dir, "hooks"), discovery.UserScope)
	if f == nil || f.Diagnostics != nil || f.Path != filepath.Join(dir, Name) || !(Config{User: f}).Protected("a") {
		t.Errorf("%+v", f)
	}
}

// A file that cannot be used is reported, and a user's file is then strict.
func TestReadUnusable(t *testing.T) {
	tests := []struct {
		name string
		make func(path string) error
		want string
	}{
		{"directory", func(path string) error { return os.Mkdir(path, 0o755) }, "not a regular file"},
		{"dangling link", func(path string) error { return os.Symlink("nowhere", path) }, "a symbolic link leads nowhere"},
		{"loop", func(path string) error { return os.Symlink(Name, path) }, "cannot be read: "},
		{"too large", func(path string) error { return os.WriteFile(path, make([]byte, 30<<20), 0o600) }, "more than 65536 bytes"},
		{"everyone's", func(path string) error {
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				return err
			}
			return os.Chmod(path, 0o666)
		}, "can be changed by everyone; fix with: chmod go-w "},
	}
	for _, test := range tests {
		if runtime.GOOS == "windows" && test.name != "directory" && test.name != "too large" {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), Name)
			if err := test.make(path); err != nil {
				t.Fatal(err)
			}
			for _, scope := range []discovery.Scope{discovery.UserScope, discovery.ProjectScope} {
				f := ReadFile(path, scope)
				if f == nil || len(f.Diagnostics) != 1 || f.Diagnostics[0].Code != "config-file" || !strings.Contains(f.Diagnostics[0].Message, test.want) {
					t.Fatalf("%s: %+v", scope, f)
				}
				if strict := scope == discovery.UserScope; f.requireTrust != strict || f.protectAll != strict || f.Blank() {
					t.Errorf("%s: %+v", scope, f)
				}
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A link out of the project is rejected, because diagnostics would show parts of its target. A
// link inside the project is followed.
func TestReadLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("creating links needs a privilege")
	}
	root := t.TempDir()
	agents := filepath.Join(root, "project", ".agents")
	if err := os.MkdirAll(agents, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(root, "secret"), "TOKEN=abc123\n")
	write(t, filepath.Join(root, "project", "shared.toml"), "[hooks]\nenabled = false\n")
	for target, want := range map[string]string{
		"../../secret":                "leads out of the project",
		"../shared.toml":              "",
		filepath.Join(root, "secret"): "leads out of the project",
		"../../project/../secret":     "leads out of the project",
		"../../project/./shared.toml": "",
	} {
		path := filepath.Join(agents, Name)
		os.Remove(path)
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
		if f := ReadFile(path, discovery.UserScope); f == nil || strings.HasPrefix(target, "..") && strings.HasSuffix(target, ".toml") && len(f.Diagnostics) > 0 {
			t.Errorf("the user's %s: %+v", target, f)
		}
		f := ReadFile(path, discovery.ProjectScope)
		switch {
		case want == "" && (len(f.Diagnostics) > 0 || f.hooks.values["enabled"].line != 2):
			t.Errorf("%s: %v", target, f.Diagnostics)
		case want != "" && (len(f.Diagnostics) != 1 || !strings.Contains(f.Diagnostics[0].Message, want) || f.Diagnostics[0].Source != ""):
			t.Errorf("%s: %v", target, f.Diagnostics)
		}
	}
}

// TestProjectQuotesNothing checks that no part of a project's file is shown.
func TestProjectQuotesNothing(t *testing.T) {
	for _, text := range []string{
		"s3cret", "s3cret = ", "[s3cret]\nx = 1", "s3cret = 's3cret'", "[hooks]\nenabled = 's3cret'", "[hooks]\ns3cret = 1", "[hooks]\nenabled = 31337",
		"[[hooks.disable]]\nname = 's3cret'", "[[hooks.override]]\nname = 's3cret'\n[[hooks.override]]\nname = 's3cret'",
		"[[hooks.override]]\nname = 'a'\non-failure = 's3cret'", "[hooks]\ns3cret = 1\ns3cret = 2", "a.s3cret = 1\n[a.s3cret]",
	} {
		f := Parse([]byte(text), "/p/hooks.toml", discovery.ProjectScope)
		all := append(f.Diagnostics, Config{Project: f}.Unused([]*discovery.Hook{hook(discovery.ProjectScope, "a")})...)
		if len(all) == 0 {
			t.Errorf("%q: nothing is reported", text)
		}
		for _, d := range all {
			if shown := d.String() + d.Source; strings.Contains(shown, "s3cret") || strings.Contains(shown, "31337") {
				t.Errorf("%q: %s %q", text, d, d.Source)
			}
		}
	}
}
