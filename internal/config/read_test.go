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
	if Read("", discovery.UserScope) != nil || Read(filepath.Join(dir, "hooks"), discovery.UserScope) != nil || Read(filepath.Join(dir, "no", "hooks"), discovery.UserScope) != nil {
		t.Error("a file that is not there says something")
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

// What is there and cannot be used is reported, and a user's is strict.
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
		}, "can be changed by everyone; mend it with: chmod go-w "},
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
