package install

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// machine returns a System in its own directory.
func machine(t *testing.T) System {
	t.Helper()
	root := t.TempDir()
	for _, dir := range []string{"home dir", "project", "state"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return System{
		Home: filepath.Join(root, "home dir"), Project: filepath.Join(root, "project"), GOOS: "linux",
		Getenv: func(string) string { return "" }, LookPath: func(string) (string, error) { return "", errors.New("none") },
		VersionOf: func(context.Context, string) string { return "" },
		StateDir:  filepath.Join(root, "state", "agent-hooks"), ConfigDir: filepath.Join(root, "home dir", ".config"), StateHome: filepath.Join(root, "state"),
	}
}

func userOptions() Options { return Options{Scope: "user", Program: program} }

// snapshot returns every file below a directory.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			files[rel+"/"] = ""
			return nil
		}
		if d.Type()&os.ModeSymlink != 0 {
			link, err := os.Readlink(path)
			files[rel] = "link to " + link
			return err
		}
		text, err := os.ReadFile(path)
		info, _ := d.Info()
		files[rel] = info.Mode().String() + "\n" + string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func (s System) both(t *testing.T) map[string]string {
	t.Helper()
	return snapshot(t, filepath.Dir(s.Home))
}

func withoutState(files map[string]string) map[string]string {
	for path := range files {
		if strings.HasPrefix(path, "state/") {
			delete(files, path)
		}
	}
	return files
}

// dropEmpty removes empty directories and files, whose origin is unknown
// without the record.
func dropEmpty(files map[string]string) {
	for path, text := range files {
		_, content, _ := strings.Cut(text, "\n")
		if content = strings.TrimSpace(content); content == "" || content == "{}" || content == "{\n  \"version\": 1\n}" {
			delete(files, path)
		}
	}
}

func mustInstall(t *testing.T, s System, c *Client) {
	t.Helper()
	if _, err := s.Target(c).Install(userOptions(), false); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	syscall.ForkLock.RLock() // a program that another test starts meanwhile would keep the file open: "text file busy"
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func edit(t *testing.T, path, old, new string) {
	t.Helper()
	write(t, path, strings.Replace(read(t, path), old, new, 1))
}

func quoteJSON(s string) string { return jsText(s) }
