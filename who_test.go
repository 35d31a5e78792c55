package agenthooks_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/testtree"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// A speaker is somebody who says something about hooks: the folder next to which a hooks.toml is, in
// a directory with the home "home" and the project "project". Further scopes are further rows of
// speakers and owners.
type speaker struct {
	title  string
	folder string
	trust  bool // trust is required
}

func speakers() []speaker {
	return []speaker{
		{"your hooks.toml", "home/.config/agents", false},
		{"a project's hooks.toml", "project/.agents", false},
		{"the same, if you require trust", "project/.agents", true},
	}
}

// owner is whose hooks are spoken about.
type owner struct {
	cell   string // in the table
	scope  discovery.Scope
	folder string
}

func owners() []owner {
	return []owner{{"yours", discovery.UserScope, "home/.config/agents/hooks"}, {"the project's", discovery.ProjectScope, "project/.agents/hooks"}}
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
		{"an override of `on-failure`, if the HOOK.md has none", "one", override(`on-failure = "deny"`)},
		{"`[hooks.defaults]`, for what the HOOK.md does not set", "one", "[hooks.defaults]\ntimeout = 7777\non-failure = \"deny\"\n"},
		{"`observe`: a hook runs without effect", "one", override("observe = true")},
		{"`unless`: exceptions from a pattern", "one", override("unless = ['x']")},
		{"`protect`: no project's hook replaces one of this name", "both", "[hooks]\nprotect = [\"NAME\"]\n"},
		{"`require-trust`: a hook runs only after your review", "one", "[hooks]\nrequire-trust = true\n"},
	}
}

// hookOf returns what a hooks.toml can change in the hook that an owner has under a name.
func hookOf(t *testing.T, root string, o owner, name string, trusted bool) string {
	t.Helper()
	hooks := agenthooks.Load(agenthooks.Options{
		Project: filepath.Join(root, "project"), Dir: root, NoLog: true, RequireTrust: trusted,
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
	t.Fatalf("there is no %s hook %s: %q", o.scope, name, hooks.Warnings)
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
		for _, other := range owners() { // hooks of different names, unless one may replace the other
			if folder := other.folder + "/" + name; name == "both" || other == o {
				plant(t, root, folder+"/HOOK.md=---\nname: "+name+"\ndescription: d\ntrigger: pre-tool-call\nmatcher: {tool: Shell, pattern: x}\n---\n", folder+"/scripts/run.sh=exit 0\n")
			}
		}
		file := filepath.Join(root, filepath.FromSlash(s.folder), "hooks.toml")
		plant(t, root, s.folder+"/hooks/")
		if s.trust && o.scope == discovery.ProjectScope {
			reviewed(t, root, o.folder+"/"+name)
		}
		before := hookOf(t, root, o, name, s.trust)
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
	t.Cleanup(func() { _ = trust.Discard(filepath.Join(root, "state")) })
	content, err := trust.Read(filepath.Join(root, filepath.FromSlash(folder)))
	if err == nil {
		_, _, err = store.Add(filepath.Join(root, "project"), false, []*trust.Folder{content}, time.Now())
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
// each hook. -update writes it.
func TestWhoMaySayWhat(t *testing.T) {
	const begin, end = "<!-- go test . -run TestWhoMaySayWhat -update -->\n", "<!-- end -->\n"
	const document = "docs/config.md"
	text := read(t, document)
	before, rest, ok := strings.Cut(text, begin)
	now, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no table", document)
	}
	want := "\n" + whoMaySay(t) + "\n"
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
