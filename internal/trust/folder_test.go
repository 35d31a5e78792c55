package trust

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/internal/testtree"
)

// put writes files below dir: PATH=CONTENTS, PATH*=CONTENTS for an executable file, PATH@TARGET for
// a link.
func put(t *testing.T, dir string, files ...string) {
	t.Helper()
	for _, f := range files {
		at := strings.IndexAny(f, "=@*")
		path := filepath.Join(dir, f[:at])
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		rest, mode := f[at+1:], os.FileMode(0o644)
		var err error
		switch f[at] {
		case '@':
			err = testtree.Link(rest, path)
		case '*':
			rest, mode = rest[1:], 0o755
			fallthrough
		default:
			if err = os.WriteFile(path, []byte(rest), mode); err == nil {
				err = os.Chmod(path, mode)
			}
		}
		if errors.Is(err, testtree.ErrNoLinks) {
			t.Skipf("%s: %v", f, err)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, dir string) *Folder {
	t.Helper()
	f, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestReadAndWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "guard")
	put(t, dir, "HOOK.md=text", "scripts/run*=#!/bin/sh\n", "scripts/lib/a=x", "b@scripts/lib/a", "scripts/up@../HOOK.md",
		"__pycache__/a.pyc=1", ".DS_Store=1", "scripts/__pycache__/b=2")
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	f := read(t, dir)
	var got []string
	for _, file := range f.Files {
		got = append(got, fmt.Sprint(file.Path, " ", file.kind(), " ", string(file.content())))
	}
	want := []string{"HOOK.md file text", "b link scripts/lib/a", "scripts/lib/a file x", "scripts/run executable #!/bin/sh\n", "scripts/up link ../HOOK.md"}
	if !slices.Equal(got, want) {
		t.Errorf("read %q, want %q", got, want)
	}
	to := t.TempDir()
	if err := f.Write(to); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = state.Discard(filepath.Join(to, "guard")) })
	if copied := read(t, filepath.Join(to, "guard")); copied.Digest() != f.Digest() {
		t.Errorf("the copy's digest differs from its origin's")
	}
	for path, mode := range map[string]os.FileMode{"": 0o500, "scripts": 0o500, "HOOK.md": 0o400, "scripts/run": 0o500} {
		info, err := os.Lstat(filepath.Join(to, "guard", path))
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%q has mode %v, %v, want %v", path, info.Mode(), err, mode)
		}
	}
	if err := f.Write(to); err == nil {
		t.Errorf("a second copy was written over the first")
	}
	if err := state.Discard(filepath.Join(to, "guard")); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(to); len(left) > 0 {
		t.Errorf("discarding left %v", left)
	}
}

func TestDigestDistinguishesFolders(t *testing.T) {
	folders := map[string][]string{
		"base":          {"HOOK.md=a", "scripts/run*=b"},
		"contents":      {"HOOK.md=a", "scripts/run*=c"},
		"not a program": {"HOOK.md=a", "scripts/run=b"},
		"path":          {"HOOK.md=a", "scripts/run.sh*=b"},
		"more":          {"HOOK.md=a", "scripts/run*=b", "x="},
		"a link":        {"HOOK.md=a", "scripts/run*=b", "x@HOOK.md"},
		"as text":       {"HOOK.md=a", "scripts/run*=b", "x=HOOK.md"},
		"shifted":       {"HOOK.md=aexecutable 11 scripts/run 1\nb"},
	}
	seen := map[string]string{}
	for name, files := range folders {
		dir := filepath.Join(t.TempDir(), "guard")
		put(t, dir, files...)
		digest := read(t, dir).Digest()
		if other, ok := seen[digest]; ok {
			t.Errorf("%q and %q have one digest", name, other)
		}
		seen[digest] = name
	}
	a := &Folder{Name: "a", Files: []File{{Path: "x"}}}
	b := &Folder{Name: "b", Files: []File{{Path: "x"}}}
	if a.Digest() == b.Digest() {
		t.Error("the folder's name is not in the digest")
	}
}

func TestReadRefuses(t *testing.T) {
	many := make([]string, MaxEntries+1)
	for i := range many {
		many[i] = fmt.Sprintf("f%d=", i)
	}
	tests := []struct {
		name  string
		files []string
		want  string
	}{
		{"absolute link", []string{"a@/etc/passwd"}, `"a" is a link out of the folder, to "/etc/passwd"`},
		{"link to above", []string{"scripts/run@../../x"}, "link out of the folder"},
		{"link through another link", []string{"a/b/up@../..", "x@a/b/up/../y"}, "link out of the folder"},
		{"too many", many, "more than 256 files"},
		{"too large", []string{"a=" + strings.Repeat("x", MaxSize/2), "b=" + strings.Repeat("x", MaxSize/2+1)}, "more than 16 MiB"},
	}
	for _, test := range tests {
		dir := filepath.Join(t.TempDir(), "guard")
		put(t, dir, test.files...)
		if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a missing folder was read")
	}
	dir := filepath.Join(t.TempDir(), "guard")
	put(t, dir, many[1:]...)
	if _, err := Read(dir); err != nil {
		t.Errorf("as many as allowed: %v", err)
	}
}

func TestStaysInside(t *testing.T) {
	tests := []struct {
		name, target string
		want         bool
	}{
		{"a", "b", true}, {"a", "./b", true}, {"a", ".", true}, {"s/a", "../b", true}, {"s/a", "..", true}, {"s/t/a", "../.././b/", true},
		{"a", "", false}, {"a", "/b", false}, {"a", "..", false}, {"s/a", "../..", false}, {"a", "b/../c", false}, {"s/a", "b/../../c", false}, {"s/a", "..//..", false},
	}
	for _, test := range tests {
		if got := staysInside(test.name, test.target); got != test.want {
			t.Errorf("%q -> %q: %v", test.name, test.target, got)
		}
	}
}

// FuzzStaysInside checks that a tree of links that all stay inside never leads out when the
// system resolves them.
func FuzzStaysInside(f *testing.F) {
	f.Add("a/b/up", "../..", "x", "a/b/up/../y")
	f.Add("a/l", "../b", "b/l", "../a")
	f.Fuzz(func(t *testing.T, n1, t1, n2, t2 string) {
		for _, s := range []string{n1, t1, n2, t2} {
			if len(s) > 100 || strings.ContainsRune(s, 0) {
				return
			}
		}
		if !filepath.IsLocal(n1) || !filepath.IsLocal(n2) || filepath.Clean(n1) != n1 || filepath.Clean(n2) != n2 || !staysInside(n1, t1) || !staysInside(n2, t2) {
			return
		}
		outer := t.TempDir()
		dir := filepath.Join(outer, "x", "x", "x", "hook")
		for _, l := range [][2]string{{n1, t1}, {n2, t2}} {
			path := filepath.Join(dir, l[0])
			if os.MkdirAll(filepath.Dir(path), 0o755) != nil || os.Symlink(l[1], path) != nil {
				return
			}
			// Only links outside linked folders are read.
			if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err != nil || real != filepath.Dir(path) {
				return
			}
		}
		for _, n := range []string{n1, n2} {
			if real, err := filepath.EvalSymlinks(filepath.Join(dir, n)); err == nil && real != dir && !strings.HasPrefix(real, dir+"/") {
				t.Errorf("%q -> %q and %q -> %q lead to %q", n1, t1, n2, t2, real)
			}
		}
	})
}

// TestCompare checks that a project's large folder is read only if a reviewed copy with its name is
// equally large.
func TestCompare(t *testing.T) {
	store := filepath.Join(t.TempDir(), "trust")
	t.Cleanup(func() { _ = state.Discard(store) }) // an ordinary user cannot remove sealed copies
	s, err := Open(store)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "guard")
	large := strings.Repeat("x", smallFolder+1)
	put(t, dir, "HOOK.md="+large)
	if _, err := s.compare(dir); !errors.Is(err, errTooLarge) {
		t.Errorf("without a copy: %v, want %v", err, errTooLarge)
	}
	if err := s.Add(filepath.Dir(dir), false, []*Folder{read(t, dir)}, time.Now()); err != nil {
		t.Fatal(err)
	}
	if f, err := s.compare(dir); err != nil || f.Digest() != read(t, dir).Digest() {
		t.Errorf("with an equal copy: %v", err)
	}
	put(t, s.namePath("guard"), "damaged/f=") // a copy without a folder
	put(t, dir, "more="+large)
	if _, err := s.compare(dir); !errors.Is(err, errTooLarge) {
		t.Errorf("larger than the copy: %v, want %v", err, errTooLarge)
	}
}
