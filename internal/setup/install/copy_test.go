package install

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testtree"
)

// TestProgramOfNPM installs programs where npm and others put them: only the one of npm install -g
// is called where it is.
func TestProgramOfNPM(t *testing.T) {
	const file = "node_modules/@agent-hooks/linux-x64/bin/agent-hooks"
	tests := []struct {
		name, program, link, target string // link and its target: agent-hooks on PATH
		other                       string // another file
		copied                      bool
	}{
		{"npm install -g", "lib/" + file, "bin/agent-hooks", "lib/node_modules/agent-hooks/bin/agent-hooks.js", "", false},
		{"nested", "lib/node_modules/agent-hooks/" + file, "bin/agent-hooks", "lib/node_modules/agent-hooks/bin/agent-hooks.js", "", false},
		{"global, not on PATH", "lib/" + file, "", "", "", true},
		{"another on PATH", "lib/" + file, "bin/agent-hooks", "opt/agent-hooks", "", true},
		{"npx", "_npx/a1/" + file, "_npx/a1/node_modules/.bin/agent-hooks", "_npx/a1/node_modules/agent-hooks/bin/agent-hooks.js", "_npx/a1/package.json", true},
		{"npx without its list", "_npx/a1/" + file, "_npx/a1/node_modules/.bin/agent-hooks", "_npx/a1/node_modules/agent-hooks/bin/agent-hooks.js", "", true},
		{"project", "src/" + file, "bin/agent-hooks", "src/node_modules/agent-hooks/bin/agent-hooks.js", "src/package.json", true},
		{"pnpm add -g", "pnpm/global/5/.pnpm/x@1/" + file, "pnpm/agent-hooks", "pnpm/agent-hooks.sh", "pnpm/global/5/package.json", true},
		{"yarn", ".yarn/unplugged/x/" + file, "run/agent-hooks", "run/agent-hooks.sh", "package.json", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := machine(t)
			root, err := filepath.EvalSymlinks(filepath.Dir(s.Home))
			if err != nil {
				t.Fatal(err)
			}
			at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
			s.DataDir = filepath.Join(s.Home, "data")
			program := at(tt.program)
			write(t, program, "program")
			if tt.other != "" {
				write(t, at(tt.other), "{}")
			}
			if tt.link != "" {
				write(t, at(tt.target), "#!/usr/bin/env node\n")
				if err := os.MkdirAll(filepath.Dir(at(tt.link)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := testtree.Link(at(tt.target), at(tt.link)); err != nil {
					t.Skip("links cannot be made here:", err)
				}
				s.LookPath = func(string) (string, error) { return at(tt.link), nil }
			}
			want := Chosen{Path: program}
			if tt.copied {
				want = Chosen{Path: filepath.Join(s.DataDir, "bin", "agent-hooks"), From: program}
			}
			if got, err := Program(program, program, s); err != nil || got != want {
				t.Errorf("got %v, %v, want %v", got, err, want)
			}
		})
	}
}

// TestProgramOfNPMOnWindows finds npm's .cmd file next to the global node_modules, however PATH spells
// the folder.
func TestProgramOfNPMOnWindows(t *testing.T) {
	s := machine(t)
	s.GOOS, s.DataDir = "windows", filepath.Join(s.Home, "data")
	program := filepath.Join(s.Home, "npm", "node_modules", "agent-hooks", "node_modules", "@agent-hooks", "win32-x64", "bin", "agent-hooks.exe")
	write(t, program, "program")
	write(t, filepath.Join(s.Home, "npm", "agent-hooks.cmd"), "@node agent-hooks.js %*\r\n")
	write(t, filepath.Join(s.Home, "other", "agent-hooks.cmd"), "@node agent-hooks.js %*\r\n")
	if err := testtree.Link(filepath.Join(s.Home, "npm"), filepath.Join(s.Home, "junction")); err != nil {
		t.Fatal(err)
	}
	defer testtree.Unlink(filepath.Join(s.Home, "junction"))
	copied := Chosen{Path: s.copyPath(), From: program}
	for folder, want := range map[string]Chosen{"npm": {Path: program}, "junction": {Path: program}, "other": copied} {
		s.LookPath = func(string) (string, error) { return filepath.Join(s.Home, folder, "agent-hooks.cmd"), nil }
		if got, err := Program(program, program, s); err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", folder, got, err, want)
		}
	}
}

// TestProgramOfProject runs a program that stays, while PATH finds a link to it that the project, or
// one of its packages, could point at another program.
func TestProgramOfProject(t *testing.T) {
	tests := []struct {
		name, program, link string
		home                string // as the project
		want                string
	}{
		{"a folder of the project", "usr/agent-hooks", "project/bin/agent-hooks", "", "usr/agent-hooks"},
		{"its packages", "usr/agent-hooks", "project/node_modules/.bin/agent-hooks", "", "usr/agent-hooks"},
		{"packages elsewhere", "usr/agent-hooks", "x/node_modules/.bin/agent-hooks", "", "usr/agent-hooks"},
		{"built there", "project/build/agent-hooks", "project/bin/agent-hooks", "", "project/bin/agent-hooks"},
		{"the home directory", "usr/agent-hooks", "home dir/bin/agent-hooks", "home dir", "home dir/bin/agent-hooks"},
		{"a package manager's link", "usr/agent-hooks", "bin/agent-hooks", "", "bin/agent-hooks"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := machine(t)
			at := func(name string) string { return filepath.Join(filepath.Dir(s.StateHome), filepath.FromSlash(name)) }
			if tt.home != "" {
				s.Project = at(tt.home)
			}
			write(t, at(tt.program), "program")
			if err := os.MkdirAll(filepath.Dir(at(tt.link)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := testtree.Link(at(tt.program), at(tt.link)); err != nil {
				t.Skip("links cannot be made here:", err)
			}
			s.LookPath = func(string) (string, error) { return at(tt.link), nil }
			if got, err := Program(at(tt.program), "agent-hooks", s); err != nil || got != (Chosen{Path: at(tt.want)}) {
				t.Errorf("got %v, %v, want %s", got, err, at(tt.want))
			}
			if bare := s.program("agent-hooks"); strings.Contains(tt.link, "node_modules") == (bare != "") {
				t.Errorf("a project's entries call %q", bare)
			}
		})
	}
}

// TestProgramIsNoScript checks that entries never call npm's script, which starts Node.
func TestProgramIsNoScript(t *testing.T) {
	s := machine(t)
	link := filepath.Join(s.Home, "bin", "agent-hooks")
	write(t, link, "#!/usr/bin/env node\n")
	s.LookPath = func(string) (string, error) { return link, nil }
	s.Temporary = []string{s.Project}
	if got, err := Program(filepath.Join(s.Project, "agent-hooks"), "x", s); err == nil {
		t.Errorf("got %v", got)
	}
}

func TestCopy(t *testing.T) {
	s := machine(t)
	s.DataDir = filepath.Join(s.Home, "data", "agent-hooks")
	s.VersionOf = func(context.Context, string) string { return "1.0" }
	c := Chosen{From: filepath.Join(s.Project, "new"), Path: s.copyPath()}
	for _, text := range []string{"one", "two", "two"} {
		changed := !sameText(c.Path, text)
		write(t, c.From, text)
		if copied, err := c.Copy(context.Background(), s); err != nil || copied != changed {
			t.Fatalf("%q: %v, %v", text, copied, err)
		}
		if got := read(t, c.Path); got != text {
			t.Errorf("copied %q, want %q", got, text)
		}
	}
	if _, err := CheckProgram(c.Path); err != nil {
		t.Error(err)
	}

	// A link is not a copy.
	for _, link := range []func(old, name string) error{testtree.Link, os.Link} {
		if err := os.Remove(c.Path); err != nil {
			t.Fatal(err)
		}
		if err := link(c.From, c.Path); err != nil && !errors.Is(err, testtree.ErrNoLinks) {
			t.Skip("links cannot be made here:", err)
		}
		if err := os.Chmod(c.From, 0o755); err != nil {
			t.Fatal(err)
		}
		if copied, err := c.Copy(context.Background(), s); err != nil || !copied || sameFile(c.From, c.Path) {
			t.Errorf("over a link: %v, %v", copied, err)
		}
	}

	// A program that does not run there does not replace the old one.
	s.VersionOf = func(context.Context, string) string { return "" }
	write(t, c.From, "three")
	if _, err := c.Copy(context.Background(), s); err == nil || !strings.Contains(err.Error(), "does not run") {
		t.Errorf("a copy that does not run: %v", err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(c.Path)); read(t, c.Path) != "two" || len(entries) != 1 {
		t.Errorf("%q, with %v", read(t, c.Path), entries)
	}

	// It stays as long as an entry calls it. What an install that was killed left goes with it.
	write(t, filepath.Join(filepath.Dir(c.Path), scratchName+"1", "agent-hooks"), "half")
	client, o := Find("codex"), Options{Scope: "user", Program: c.Path}
	if _, err := s.Target(client).Install(o, false); err != nil {
		t.Fatal(err)
	}
	if path, err := s.RemoveCopy(false); path != "" || err != nil {
		t.Errorf("removed %s, %v", path, err)
	}
	if _, err := s.Target(client).Uninstall("user", false); err != nil {
		t.Fatal(err)
	}
	if path, err := s.RemoveCopy(false); path != c.Path || err != nil {
		t.Errorf("removed %q, %v", path, err)
	}
	for _, gone := range []string{s.DataDir, s.StateDir} {
		if _, err := os.Lstat(gone); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", gone, err)
		}
	}
}

// TestCopyElsewhere keeps a copy that only settings in another directory call.
func TestCopyElsewhere(t *testing.T) {
	s := machine(t)
	s.DataDir = filepath.Join(s.Home, "data")
	write(t, s.copyPath(), "program")
	other, elsewhere := s, t.TempDir()
	other.Getenv = func(name string) string {
		if name == "CODEX_HOME" {
			return elsewhere
		}
		return ""
	}
	if _, err := other.Target(Find("codex")).Install(Options{Scope: "user", Program: s.copyPath()}, false); err != nil {
		t.Fatal(err)
	}
	if path, err := s.RemoveCopy(false); path != "" || err != nil {
		t.Errorf("removed %s, %v", path, err)
	}
}

// TestOldCopy checks that doctor, run by another version of the program, reports a copy: npm does not
// upgrade it.
func TestOldCopy(t *testing.T) {
	s := machine(t)
	s.DataDir, s.Running = filepath.Join(s.Home, "data"), filepath.Join(s.Project, "agent-hooks")
	write(t, s.copyPath(), "one")
	if err := os.Chmod(s.copyPath(), 0o755); err != nil {
		t.Fatal(err)
	}
	target, e := s.Target(Find("codex")), Entry{Words: []string{s.copyPath(), "run"}}
	for text, want := range map[string]string{"one": "", "two": Warning} {
		write(t, s.Running, text)
		if f := target.programOf("user", e); f.Level != want {
			t.Errorf("the running program is %q: %v", text, f)
		}
	}
	target.Running = s.copyPath()
	if f := target.programOf("user", e); f != (Finding{}) {
		t.Errorf("the copy itself: %v", f)
	}
}

func TestCopyRefused(t *testing.T) {
	s := machine(t)
	program := filepath.Join(s.Project, "node_modules", "x", "agent-hooks")
	write(t, program, "program")
	if _, err := Program(program, program, s); err == nil || !strings.Contains(err.Error(), "HOME") {
		t.Errorf("without a data directory: %v", err)
	}
	s.DataDir, s.Temporary = filepath.Join(t.TempDir(), "data"), []string{os.TempDir()}
	if _, err := Program(program, program, s); err == nil || !strings.Contains(err.Error(), "so may a copy") {
		t.Errorf("with a temporary data directory: %v", err)
	}
}

func sameText(path, text string) bool {
	got, err := os.ReadFile(path)
	return err == nil && string(got) == text
}
