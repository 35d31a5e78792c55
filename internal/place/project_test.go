package place

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/testtree"
)

func TestFindProject(t *testing.T) {
	tests := []struct {
		name     string
		tree     []string
		start    string
		home     string
		root     string // of the project
		found    bool   // root has the hooks
		warnings []string
	}{
		{"in the start", []string{"p/.git/", "p/.agents/hooks/"}, "p", "h", "p", true, nil},
		{"above, in the repository", []string{"p/.git/", "p/.agents/hooks/", "p/a/b/"}, "p/a/b", "h", "p", true, nil},
		{"not above the repository", []string{".agents/hooks/", "p/.git/", "p/a/"}, "p/a", "h", "p/a", false, []string{"is above the project"}},
		{"nearest first", []string{"p/.git/", "p/.agents/hooks/", "p/a/.agents/hooks/", "p/a/b/"}, "p/a/b", "h", "p/a", true,
			[]string{"p/.agents/hooks is hidden by the nearer"}},
		{"no repository, below home", []string{"h/p/.agents/hooks/", "h/p/a/"}, "h/p/a", "h", "h/p", true, nil},
		{"no repository, not below home", []string{"p/.agents/hooks/", "p/a/", "h/"}, "p/a", "h", "p/a", false, []string{"is above the project"}},
		{"no repository, the start itself", []string{"p/a/.agents/hooks/", "h/"}, "p/a", "h", "p/a", true, nil},
		{"no home", []string{"p/.agents/hooks/", "p/a/"}, "p/a", "", "p/a", false, []string{"is above the project"}},
		{"home does not exist", []string{"p/.agents/hooks/", "p/a/"}, "p/a", "nowhere", "p/a", false, []string{"is above the project"}},
		{"home is the start", []string{"h/.agents/hooks/"}, "h", "h", "h", false, []string{"h/.agents/hooks is in the home directory, which is a project only if --project or the agent's own directory is exactly that; its hooks do not run"}},
		{"home is above", []string{"h/.agents/hooks/", "h/p/"}, "h/p", "h", "h/p", false, []string{"h/.agents/hooks is in the home directory, which is a project only if --project or the agent's own directory is exactly that; its hooks do not run"}},
		{"home is the repository's root", []string{"h/.git/", "h/.agents/hooks/", "h/p/"}, "h/p", "h", "h/p", false, []string{"h/.agents/hooks is in the home directory, which is a project only if --project or the agent's own directory is exactly that; its hooks do not run"}},
		{"home is inside the repository", []string{".git/", ".agents/hooks/", "h/.agents/hooks/", "h/p/"}, "h/p", "h", ".", true, []string{"h/.agents/hooks is in the home directory, which is a project only if --project or the agent's own directory is exactly that; its hooks do not run"}},
		{"home's are broken", []string{"h/.git/", "h/.agents/hooks=", "h/p/"}, "h/p", "h", "h/p", false, nil},
		{"home with another spelling", []string{"h/.agents/hooks/", "h/p/", "home->h"}, "h/p", "home", "h/p", false, []string{"h/.agents/hooks is in the home directory, which is a project only if --project or the agent's own directory is exactly that; its hooks do not run"}},
		{"start by a link", []string{"p/.git/", "p/.agents/hooks/", "p/a/", "q/.agents/hooks/", "q/l->../p/a"}, "q/l", "h", "p", true, nil},
		{"hooks by a link", []string{"p/.git/", "p/.agents/hooks->../../shared", "shared/"}, "p", "h", "p", true, nil},
		{"hooks are a file", []string{"p/.git/", "p/.agents/hooks/", "p/a/.agents/hooks="}, "p/a", "h", "p", true,
			[]string{"p/a/.agents/hooks is not a directory; skipped"}},
		{".agents is a file", []string{"p/.git/", "p/.agents/hooks/", "p/a/.agents=../x"}, "p/a", "h", "p", true,
			[]string{"p/a/.agents/hooks: not a directory; skipped"}},
		{"hooks lead nowhere", []string{"p/.git/", "p/.agents/hooks/", "p/a/.agents/hooks->gone"}, "p/a", "h", "p", true,
			[]string{"p/a/.agents/hooks is a symbolic link that leads nowhere; skipped"}},
		{".agents leads nowhere", []string{"p/.git/", "p/.agents->gone"}, "p", "h", "p", false,
			[]string{"p/.agents is a symbolic link that leads nowhere; skipped"}},
		{"hooks lead in a loop", []string{"p/.git/", "p/.agents/hooks->hooks"}, "p", "h", "p", false,
			[]string{"p/.agents/hooks: too many levels of symbolic links; skipped"}},
		{".agents without hooks", []string{"p/.git/", "p/.agents/skills/"}, "p", "h", "p", false, nil},
		{"worktree ends", []string{".git/", ".agents/hooks/", "w/.git=gitdir: /x/.git/worktrees/w\n", "w/a/"}, "w/a", "h", "w/a", false, []string{"is above the project"}},
		{"submodule continues upward", []string{".git/", ".agents/hooks/", "s/.git=gitdir: ../.git/modules/s\n", "s/a/"}, "s/a", "h", ".", true, nil},
		{"submodule without a superproject", []string{".agents/hooks/", "s/.git=gitdir: ../.git/modules/s\n", "s/.agents/hooks/", "s/a/"}, "s/a", "h", "s", true, nil},
		{"submodule in a worktree continues upward", []string{".git=gitdir: /x/.git/worktrees/w", ".agents/hooks/", "s/.git=gitdir: /x/.git/worktrees/w/modules/s"}, "s", "h", ".", true, nil},
		{"worktree of a submodule ends", []string{".git/", ".agents/hooks/", ".git/modules/s/worktrees/w/commondir=../..", "w/.git=gitdir: ../.git/modules/s/worktrees/w"}, "w", "h", "w", false, []string{"is above the project"}},
		{"another .git file ends", []string{".git/", ".agents/hooks/", "s/.git=gitdir: ../elsewhere"}, "s", "h", "s", false, []string{"is above the project"}},
		{"a .git file of noise ends", []string{".git/", ".agents/hooks/", "s/.git=/modules/"}, "s", "h", "s", false, []string{"is above the project"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := testtree.New(t, test.tree...)
			home := ""
			if test.home != "" {
				home = filepath.Join(root, test.home)
			}
			project, warnings := NewSearch([]Candidate{{Event, "cwd", filepath.Join(root, test.start)}}).FindProject(home, nil)
			start, _ := paths.Real(filepath.Join(root, test.start))
			want := Project{Root: filepath.Join(root, test.root), Start: start}
			if test.found {
				want.Hooks = filepath.Join(want.Root, ".agents", "hooks")
			}
			if project != want {
				t.Errorf("got %+v, want %+v", project, want)
			}
			checkLines(t, warnings, test.warnings)
		})
	}
}

// portable returns a message of Windows as other systems have it.
func portable(line string) string {
	if runtime.GOOS != "windows" {
		return line
	}
	return strings.NewReplacer(`\\`, "/", `\"`, `\"`, `\t`, `\t`, `\x`, `\x`, `\`, "/", "File not found.", "no such file or directory",
		"The system cannot find the file specified.", "no such file or directory").Replace(line)
}

// checkLines checks that each line contains its counterpart.
func checkLines(t *testing.T, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range want {
		if !strings.Contains(portable(got[i]), want[i]) {
			t.Errorf("got %q, want it to contain %q", got[i], want[i])
		}
	}
}

func TestFindProjectCandidates(t *testing.T) {
	root := testtree.New(t, "p/.git/", "p/.agents/hooks/", "file=x", "loop->loop")
	bad := []Candidate{
		{Variable, "A", ""}, {Variable, "B", "\t "}, {Variable, "C", "relative"}, {Variable, "D", filepath.Join(root, "gone")}, {Variable, "E", filepath.Join(root, "file")},
		{Variable, "F", filepath.Join(root, "loop")}, {Variable, "G", "/nul\x00"}, {Variable, "H", "/" + strings.Repeat("x", 100_000)},
	}
	causes := []string{
		`A "": empty`, `B "\t ": empty`, `C "relative": not an absolute path`, `gone": no such file or directory`, `file": not a directory`,
		`loop": `, `G "/nul\x00": invalid argument`, `x…": file name too long`,
	}
	good := []Candidate{{Event, "work_dir", filepath.Join(root, "p")}, {Event, "cwd", "relative and never looked at"}}
	project, warnings := NewSearch(append(bad, good...)).FindProject("", nil)
	if want := (Project{Root: filepath.Join(root, "p"), Hooks: filepath.Join(root, "p/.agents/hooks"), Start: filepath.Join(root, "p")}); project != want {
		t.Errorf("got %+v, want %+v", project, want)
	}
	checkLines(t, warnings, causes)

	project, warnings = NewSearch(bad).FindProject("", nil)
	if want := (Project{Root: root, Start: root}); project != want { // above the removed folder
		t.Errorf("got %+v, want %+v", project, want)
	}
	checkLines(t, warnings, causes)
	project, warnings = NewSearch(bad[:3]).FindProject("", nil)
	if project != (Project{}) {
		t.Errorf("got %+v, want none", project)
	}
	checkLines(t, warnings, append(causes[:3:3], "there is no directory from which to search"))
}

// Layouts that git creates.
func TestFindProjectGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	root := testtree.New(t, "super/.agents/hooks/h/HOOK.md=x", "library/file=x", "home/")
	run := func(dir string, args ...string) {
		t.Helper()
		command := exec.Command(git, append([]string{"-c", "protocol.file.allow=always", "-c", "user.name=n", "-c", "user.email=e@example.org"}, args...)...)
		command.Dir = filepath.Join(root, dir)
		command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(root, "home"), "GIT_CONFIG_NOSYSTEM=1"}
		if output, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, output)
		}
	}
	for _, dir := range []string{"library", "super"} {
		run(dir, "init", "-q")
		run(dir, "add", ".")
		run(dir, "commit", "-qm", "first")
	}
	run("super", "submodule", "--quiet", "add", filepath.Join(root, "library"), "worktrees/sub")
	run("super", "commit", "-qm", "second")
	run("super", "worktree", "add", "-q", "tree")
	run("super/tree", "submodule", "--quiet", "update", "--init")
	run("super/worktrees/sub", "worktree", "add", "-q", "../../../super/modules/subtree")
	for start, want := range map[string]string{
		"super":                    "super",
		"super/worktrees/sub":      "super",
		"super/tree":               "super/tree",
		"super/tree/worktrees/sub": "super/tree",
		"super/modules/subtree":    "",
	} {
		project, warnings := NewSearch([]Candidate{{Event, "cwd", filepath.Join(root, start)}}).FindProject(filepath.Join(root, "home"), nil)
		hooks := ""
		if want != "" {
			hooks = filepath.Join(root, want, ".agents/hooks")
		}
		if project.Hooks != hooks || (len(warnings) != 0) != (want == "") {
			t.Errorf("from %s: got %q, want %q; warnings %q", start, project.Hooks, hooks, warnings)
		}
	}
}

func TestUserHooks(t *testing.T) {
	const unset = "HOME is not set to an absolute path"
	tests := []struct {
		goos, env, dir, warning string
	}{
		{"linux", "HOME=/home/me", "/home/me/.config/agents/hooks", ""},
		{"darwin", "HOME=/Users/me", "/Users/me/.config/agents/hooks", ""},
		{"linux", "HOME=/", "/.config/agents/hooks", ""},
		{"linux", "HOME=/home/me XDG_CONFIG_HOME=/c/", "/c/agents/hooks", ""},
		{"linux", "XDG_CONFIG_HOME=/c", "/c/agents/hooks", ""},
		{"linux", "HOME=/home/me XDG_CONFIG_HOME=c", "/home/me/.config/agents/hooks", "XDG_CONFIG_HOME is not an absolute path"},
		{"linux", "", "", unset},
		{"linux", "HOME=me XDG_CONFIG_HOME=c", "", unset},
		{"linux", `HOME=C:\me`, "", unset},
		{"windows", `USERPROFILE=C:\me HOME=/home/me`, `C:\me\.config\agents\hooks`, ""},
		{"windows", `USERPROFILE=C:\me XDG_CONFIG_HOME=D:/c/`, `D:\c\agents\hooks`, ""},
		{"windows", `XDG_CONFIG_HOME=\\host\c`, `\\host\c\agents\hooks`, ""},
		{"windows", `XDG_CONFIG_HOME=\c`, "", "USERPROFILE is not set"},
		{"windows", `HOME=C:\me`, "", "USERPROFILE is not set"},
	}
	for _, test := range tests {
		if (test.goos == "windows") != (runtime.GOOS == "windows") {
			continue
		}
		env := map[string]string{}
		for _, pair := range strings.Fields(test.env) {
			key, value, _ := strings.Cut(pair, "=")
			env[key] = value
		}
		dir, warning := UserHooks(func(key string) string { return env[key] })
		if dir != test.dir || !strings.HasPrefix(warning, test.warning) || (warning == "") != (test.warning == "") {
			t.Errorf("%s %s: got %q, %q; want %q, %q", test.goos, test.env, dir, warning, test.dir, test.warning)
		}
	}
}

func TestStateDir(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the state home of Windows is a known folder")
	}
	t.Setenv("XDG_STATE_HOME", "/state")
	if got := StateDir(os.Getenv); got != "/state/agent-hooks" {
		t.Errorf("got %q", got)
	}
	t.Cleanup(xdg.Reload)
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("HOME", t.TempDir())
	xdg.Reload()
	if got, want := StateDir(os.Getenv), filepath.Join(xdg.StateHome, "agent-hooks"); got != want {
		t.Errorf("got %q, want %q as in package xdg", got, want)
	}
	for _, home := range []string{"", filepath.Join(t.TempDir(), "gone")} {
		t.Setenv("HOME", home)
		if got := StateDir(os.Getenv); got != "" {
			t.Errorf("got %q with HOME=%q", got, home)
		}
	}
}

// TestStateDirOfAnotherEnvironment checks that an environment that is not the
// process's own decides.
func TestStateDirOfAnotherEnvironment(t *testing.T) {
	home, variable := t.TempDir(), HomeVariable()
	env := map[string]string{variable: home}
	if got, want := StateDir(func(key string) string { return env[key] }), defaultStateDir(home); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	env["XDG_STATE_HOME"] = filepath.Join(home, "state")
	if got, want := StateDir(func(key string) string { return env[key] }), filepath.Join(home, "state", "agent-hooks"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLongDirectory checks that the search takes linear time in the length of the directory that
// an event names.
func TestLongDirectory(t *testing.T) {
	root := testtree.New(t)
	began := time.Now()
	project, _ := NewSearch([]Candidate{{Event, "cwd", filepath.Join(root, strings.Repeat("a/", 60_000))}}).FindProject("", nil)
	if project.Root != root {
		t.Errorf("found %.80s…, want %s", project.Root, root)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}
