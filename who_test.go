package agenthooks_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/internal/testtree"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// A speaker is somebody who says something about hooks: the folder next to which a hooks.toml is, in
// a directory with the home "home" and the project "project", or the administrator's. Further scopes
// are further rows of speakers and owners.
type speaker struct {
	title  string
	folder string
	trust  bool // trust is required
}

func speakers() []speaker {
	all := []speaker{
		{"your hooks.toml", "home/.config/agents", false},
		{"a project's hooks.toml", "project/.agents", false},
		{"the same before your review, if you require trust", "project/.agents", true},
	}
	if asAdministrator() {
		all = append(all, speaker{administrators, administratorsFolder(), false})
	}
	return all
}

// administrators is the title of the last column, which only root can compare.
const administrators = "the administrator's"

func administratorsFolder() string { return filepath.Dir(place.ManagedHooks()) }

// asAdministrator reports whether this process has an /etc of its own, in which it is root.
func asAdministrator() bool { return os.Getenv("OWN_ETC") != "" }

// owner is whose hooks are spoken about.
type owner struct {
	cell   string // in the table
	scope  discovery.Scope
	folder string
}

func owners() []owner {
	all := []owner{{"yours", discovery.UserScope, "home/.config/agents/hooks"}, {"the project's", discovery.ProjectScope, "project/.agents/hooks"}}
	if asAdministrator() {
		all = append(all, owner{"managed ones", discovery.ManagedScope, place.ManagedHooks()})
	}
	return all
}

// in returns a folder of a speaker or an owner.
func in(root, folder string) string {
	if filepath.IsAbs(folder) {
		return folder
	}
	return filepath.Join(root, filepath.FromSlash(folder))
}

// sayings are what a hooks.toml can say about the hook NAME: "one", which one owner has, or "both", which
// every owner has.
func sayings() [][3]string {
	override := func(line string) string { return "[[hooks.override]]\nname = \"NAME\"\n" + line + "\n" }
	return [][3]string{
		{"`[[hooks.disable]]`: a hook does not run", "one", "[[hooks.disable]]\nname = \"NAME\"\n"},
		{"`enabled = false`: no hook runs", "one", "[hooks]\nenabled = false\n"},
		{"an override of `timeout`", "one", override("timeout = 7777")},
		{"an override of `priority`: the order", "one", override("priority = 77")},
		{"an override of `async`", "one", override("async = true")},
		{"an override of `on-failure`, if the HOOK.md has none", "one", override(`on-failure = "ask"`)},
		{"`[hooks.defaults]`, for what the HOOK.md does not set", "one", "[hooks.defaults]\ntimeout = 7777\non-failure = \"deny\"\n"},
		{"`observe`: a hook runs without effect", "one", override("observe = true")},
		{"`unless`: exceptions from a pattern", "one", override("unless = ['x']")},
		{"`protect`: no project's hook replaces one of this name", "both", "[hooks]\nprotect = [\"NAME\"]\n"},
		{"`only-managed`: no other hook runs", "one", "[hooks]\nonly-managed = true\n"},
		{"`require-trust`: a hook runs only after your review", "one", "[hooks]\nrequire-trust = true\n"},
	}
}

// hookOf returns what a hooks.toml can change in the hook that an owner has under a name; "" if it
// is not read.
func hookOf(t *testing.T, root string, o owner, name string, trusted bool) string {
	t.Helper()
	hooks := agenthooks.Load(agenthooks.Options{
		Project: filepath.Join(root, "project"), Dir: root, NoLog: true, TrustProject: !trusted,
		Environ:   []string{"HOME=" + filepath.Join(root, "home"), "USERPROFILE=" + filepath.Join(root, "home"), "PATH=" + os.Getenv("PATH")},
		ConfigDir: filepath.Join(root, "home", ".config"), StateDir: filepath.Join(root, "state"), AccountHome: filepath.Join(root, "home"),
	})
	for _, rows := range hooks.Table {
		for _, h := range rows {
			if h.Scope == o.scope && h.Folder == name {
				if trusted && h.Scope == discovery.ProjectScope && !h.Reviewed {
					t.Fatalf("the project's hook is not reviewed: %s", h.Cause)
				}
				return fmt.Sprint(h.State, h.Timeout, h.Priority, h.Async, h.OnFailure, h.Observe, h.Unless)
			}
		}
	}
	return ""
}

// whoMaySay returns the table: for each key and each file, whose hooks it changes.
func whoMaySay(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| |")
	for _, s := range speakers() {
		fmt.Fprintf(&b, " %s |", s.title)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(speakers())) + "\n")
	for _, saying := range sayings() {
		fmt.Fprintf(&b, "| %s |", saying[0])
		for _, s := range speakers() {
			fmt.Fprintf(&b, " %s |", whose(t, s, saying[1], saying[2]))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// whose returns whose hooks a text in a speaker's hooks.toml changes.
func whose(t *testing.T, s speaker, name, text string) string {
	t.Helper()
	var changed []string
	for _, o := range owners() {
		root := testtree.New(t)
		if asAdministrator() {
			if err := os.RemoveAll(administratorsFolder()); err != nil {
				t.Fatal(err)
			}
		}
		for _, other := range owners() { // hooks of different names, unless one may replace the other
			if folder := in(root, other.folder); name == "both" || other == o {
				plant(t, folder, name+"/HOOK.md=---\nname: "+name+"\ndescription: d\ntrigger: pre-tool-call\nmatcher: {tool: Shell, pattern: x}\n---\n", name+"/scripts/run.sh=exit 0\n")
			}
		}
		file := filepath.Join(in(root, s.folder), "hooks.toml")
		plant(t, in(root, s.folder), "hooks/")
		if s.trust && o.scope == discovery.ProjectScope {
			reviewed(t, root, o.folder+"/"+name)
		}
		before := hookOf(t, root, o, name, s.trust)
		if before == "" {
			t.Fatalf("there is no %s hook %s", o.scope, name)
		}
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(text, "NAME", name)), 0o644); err != nil {
			t.Fatal(err)
		}
		if hookOf(t, root, o, name, s.trust) != before {
			changed = append(changed, o.cell)
		}
	}
	if len(changed) == 0 {
		return "nobody's"
	}
	return strings.Join(changed, " and ")
}

// reviewed makes a project's hook a reviewed one.
func reviewed(t *testing.T, root, folder string) {
	t.Helper()
	store, err := trust.Open(filepath.Join(root, "state", "agent-hooks", "trust"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = state.Discard(filepath.Join(root, "state")) })
	content, err := trust.Read(filepath.Join(root, filepath.FromSlash(folder)))
	if err == nil {
		err = store.Add(filepath.Join(root, "project"), false, []*trust.Folder{content}, time.Now())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func plant(t *testing.T, root string, files ...string) {
	t.Helper()
	for _, f := range files {
		if err := testtree.Plant(root, f); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWhoMaySayWhat compares the table in docs/config.md with what the engine does for each file and
// each hook. -update writes it. The administrator's files are in an /etc of the test's own: only root
// has one, others compare the other columns.
func TestWhoMaySayWhat(t *testing.T) {
	if os.Geteuid() == 0 && runtime.GOOS == "linux" && !asAdministrator() {
		const inside = `cp -a /etc "$1/etc" && chmod 755 "$1/etc" && rm -rf "$1/etc/agents" && mount --bind "$1/etc" /etc && shift && exec "$@"`
		cmd := exec.Command("unshare", "--mount", "sh", "-c", inside, "sh", t.TempDir(), os.Args[0], "-test.run=^TestWhoMaySayWhat$")
		if *update {
			cmd.Args = append(cmd.Args, "-update")
		}
		cmd.Env = append(os.Environ(), "OWN_ETC=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	const begin, end = "<!-- go test . -run TestWhoMaySayWhat -update -->\n", "<!-- end -->\n"
	const document = "docs/config.md"
	text := read(t, document)
	before, rest, ok := strings.Cut(text, begin)
	now, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no table", document)
	}
	want := "\n" + whoMaySay(t) + "\n"
	if !asAdministrator() {
		now = withoutLastColumn(now)
	}
	if *update && !asAdministrator() {
		t.Fatal("only root on Linux can write the column of the administrator's file")
	}
	if *update {
		if err := os.WriteFile(document, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if now != want {
		t.Errorf("the table in %s differs; go test . -run TestWhoMaySayWhat -update writes\n%s", document, want)
	}
}

// withoutLastColumn returns a table without its last column.
func withoutLastColumn(table string) string {
	var b strings.Builder
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			line = strings.Join(cells[:len(cells)-2], "|") + "|\n"
		}
		b.WriteString(line)
	}
	return b.String()
}
