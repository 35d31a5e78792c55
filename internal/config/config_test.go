package config

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden reads each testdata/err/NAME.toml, as a project's file if the name says so, and
// compares all diagnostics with NAME.txt.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/err/*.toml")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	codes := map[string]bool{}
	for _, c := range spec.Codes() {
		codes[c.Code] = !c.Fatal
	}
	for _, path := range files {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		scope := discovery.UserScope
		if strings.HasPrefix(filepath.Base(path), "project") {
			scope = discovery.ProjectScope
		}
		f := Parse(source, "hooks.toml", scope)
		var got strings.Builder
		for _, d := range f.Diagnostics {
			got.WriteString(d.String() + "\n  " + d.Source + "\n")
			if !codes[d.Code] {
				t.Errorf("%s: the code %q is not in the table, or fatal", path, d.Code)
			}
		}
		c := Config{User: f}
		if c.RequireTrust() {
			got.WriteString("trust required\n")
		}
		if c.Protected("any") {
			got.WriteString("all protected\n")
		}
		golden := strings.TrimSuffix(path, ".toml") + ".txt"
		if *update {
			if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || got.String() != string(want) {
			t.Errorf("%s: %v\n got: %s\nwant: %s", path, err, got.String(), want)
		}
	}
}

func hook(scope discovery.Scope, name string) *discovery.Hook {
	return &discovery.Hook{
		Hook:  manifest.Hook{Name: name, Timeout: spec.DefaultTimeout, Priority: spec.DefaultPriority},
		Scope: scope, Folder: name, State: discovery.Active,
	}
}

func parse(t *testing.T, scope discovery.Scope, text string) *File {
	t.Helper()
	if text == "" {
		return nil
	}
	f := Parse([]byte(text), "/"+string(scope)+"/hooks.toml", scope)
	for _, d := range f.Diagnostics {
		t.Errorf("%s", d)
	}
	return f
}

func TestApply(t *testing.T) {
	const user, project = discovery.UserScope, discovery.ProjectScope
	tests := []struct {
		name          string
		user, project string
		scope         discovery.Scope
		set           func(*discovery.Hook)
		want          string
	}{
		{"no file", "", "", user, nil, "active 30s false 100"},
		{"empty", "# nothing\n", "# nothing\n", project, nil, "active 30s false 100"},
		{"the user disables the user's", "[[hooks.disable]]\nname = \"a\"", "", user, nil, "disabled /user/hooks.toml:2"},
		{"the user disables the project's", "[[hooks.disable]]\nname = \"a\"", "", project, nil, "disabled /user/hooks.toml:2"},
		{"in an inline table", "[hooks]\ndisable = [\n  {name = \"b\"},\n  {name = \"a\"}]", "", user, nil, "disabled /user/hooks.toml:4"},
		{"another is disabled", "[[hooks.disable]]\nname = \"b\"", "", user, nil, "active 30s false 100"},
		{"by the name as NFKC", "[[hooks.disable]]\nname = \"\uff41\"", "", user, nil, "disabled /user/hooks.toml:2"},
		{"a pause of the project's", "[[hooks.disable]]\nname = \"a\"\nuntil = 2099-01-02", "", project, nil, "active 30s false 100"},
		{"a pause before the end", "[[hooks.disable]]\nname = \"a\"\nuntil = 2099-01-02\n[[hooks.disable]]\nname = \"a\"", "", project, nil, "disabled /user/hooks.toml:5"},
		{"a broken one", "[[hooks.disable]]\nname = \"a\"", "", user, func(h *discovery.Hook) { h.State, h.Name = discovery.Invalid, "b" }, "disabled /user/hooks.toml:2"},
		{"all of both scopes", "[hooks]\nenabled = false", "", project, nil, "disabled /user/hooks.toml:2"},
		{"enabled = true has no effect", "[hooks]\nenabled = true", "[[hooks.disable]]\nname = \"a\"", project, nil, "disabled /project/hooks.toml:2"},
		{"the project disables its own", "", "[hooks]\nenabled = false", project, nil, "disabled /project/hooks.toml:2"},
		{"the project cannot disable all", "", "[hooks]\nenabled = false", user, nil, "active 30s false 100"},
		{"the project cannot disable the user's", "", "[[hooks.disable]]\nname = \"a\"", user, nil, "active 30s false 100"},
		{"the project cannot override the user's", "", "[[hooks.override]]\nname = \"a\"\npriority = 0\nasync = true\ntimeout = 100", user, nil, "active 30s false 100"},
		{"the project cannot give the user's defaults", "", "[hooks.defaults]\nasync = true\ntimeout = 100", user, nil, "active 30s false 100"},
		{"the project overrides its own", "", "[[hooks.override]]\nname = \"a\"\npriority = 0\nasync = true\ntimeout = 100", project, nil, "active 100ms true 0"},
		{"the user's override holds", "[[hooks.override]]\nname = \"a\"\nasync = false\npriority = 7", "[[hooks.override]]\nname = \"a\"\npriority = 0\nasync = true\ntimeout = 100", project, nil, "active 100ms false 7"},
		{"the user's default holds", "[hooks.defaults]\ntimeout = 5000", "[hooks.defaults]\ntimeout = 100\nasync = true", project, nil, "active 5s true 100"},
		{"the project's override beats the user's default", "[hooks.defaults]\ntimeout = 5000", "[[hooks.override]]\nname = \"a\"\ntimeout = 100", project, nil, "active 100ms false 100"},
		{"a default does not beat HOOK.md", "[hooks.defaults]\ntimeout = 5000\nasync = true", "", user, func(h *discovery.Hook) { h.TimeoutSet, h.AsyncSet = true, true }, "active 30s false 100"},
		{"an override beats HOOK.md", "[[hooks.override]]\nname = \"a\"\nasync = true\ntimeout = 100", "", user, func(h *discovery.Hook) { h.TimeoutSet, h.AsyncSet = true, true }, "active 100ms true 100"},
		{"overridden with zero values", "[[hooks.override]]\nname = \"a\"\nasync = false\npriority = 0", "", user, func(h *discovery.Hook) { h.Async = true }, "active 30s false 0"},
	}
	for _, test := range tests {
		h := hook(test.scope, "a")
		if test.set != nil {
			test.set(h)
		}
		Config{parse(t, user, test.user), parse(t, project, test.project)}.Apply(h)
		if got := outcome(h); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func outcome(h *discovery.Hook) string {
	if h.State != discovery.Active {
		return string(h.State) + " " + h.Cause
	}
	return fmt.Sprintf("%s %v %v %d", h.State, h.Timeout, h.Async, h.Priority)
}

func TestChanges(t *testing.T) {
	c := Config{
		User:    parse(t, discovery.UserScope, "[[hooks.override]]\nname = \"a\"\npriority = 7\n"),
		Project: parse(t, discovery.ProjectScope, "[hooks.defaults]\ntimeout = 100\nasync = true\n"),
	}
	var got []string
	for _, change := range c.Changes(hook(discovery.ProjectScope, "a")) {
		got = append(got, change.String())
	}
	want := "timeout 100 ms (/project/hooks.toml:2), async true (/project/hooks.toml:3), priority 7 (/user/hooks.toml:3)"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPolicies(t *testing.T) {
	const user, project = discovery.UserScope, discovery.ProjectScope
	own := func(p manifest.OnFailure) func(*discovery.Hook) {
		return func(h *discovery.Hook) { h.OnFailure, h.OnFailureSet = p, true }
	}
	tests := []struct {
		name          string
		user, project string
		scope         discovery.Scope
		set           func(*discovery.Hook)
		want          manifest.OnFailure
		observe       bool
	}{
		{"a default", "[hooks.defaults]\non-failure = 'deny'", "", project, nil, manifest.Deny, false},
		{"HOOK.md beats a default", "[hooks.defaults]\non-failure = 'deny'", "", user, own(manifest.Allow), manifest.Allow, false},
		{"an override", "[[hooks.override]]\nname = 'a'\non-failure = 'ask'", "", user, nil, manifest.Ask, false},
		{"HOOK.md beats an override", "[[hooks.override]]\nname = 'a'\non-failure = 'allow'", "", user, own(manifest.Deny), manifest.Deny, false},
		{"a project's reach", "", "[hooks.defaults]\non-failure = 'deny'", user, nil, "", false},
		{"a project's own", "", "[hooks.defaults]\non-failure = 'deny'", project, nil, manifest.Deny, false},
		{"observe all", "[hooks]\nobserve = true", "", project, nil, "", true},
		{"observe all but one", "[hooks]\nobserve = true\n[[hooks.override]]\nname = 'a'\nobserve = false", "", user, nil, "", false},
		{"observe one", "[[hooks.override]]\nname = 'a'\nobserve = true", "", user, nil, "", true},
	}
	for _, test := range tests {
		h := hook(test.scope, "a")
		if test.set != nil {
			test.set(h)
		}
		Config{parse(t, user, test.user), parse(t, project, test.project)}.Apply(h)
		if h.OnFailure != test.want || h.Observe != test.observe {
			t.Errorf("%s: on-failure %q, observe %v", test.name, h.OnFailure, h.Observe)
		}
	}
	c := Config{User: parse(t, user, "[hooks]\nstop-limit = 7\n[hooks.defaults]\non-failure = 'ask'")}
	if c.StopLimit() != 7 || c.OnFailure() != manifest.Ask || (Config{}).StopLimit() != spec.DefaultStopLimit || (Config{}).OnFailure() != manifest.Allow {
		t.Errorf("stop-limit %d, on-failure %s", c.StopLimit(), c.OnFailure())
	}
}

func TestProtected(t *testing.T) {
	c := Config{User: parse(t, discovery.UserScope, "[hooks]\nprotect = ['a', \"\uff42\"]\n")}
	for name, want := range map[string]bool{"a": true, "b": true, "c": false} {
		if c.Protected(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	if (Config{}).Protected("a") || (Config{}).RequireTrust() || c.RequireTrust() {
		t.Error("a key that is not set has an effect")
	}
	if c.User.Blank() || !parse(t, discovery.UserScope, "# nothing").Blank() || !(*File)(nil).Blank() {
		t.Error("Blank is wrong")
	}
}

func TestUnused(t *testing.T) {
	c := Config{
		User:    parse(t, discovery.UserScope, "[hooks]\nprotect = ['block-rm',\n 'theirs']\n[[hooks.disable]]\nname = 'theirs'\n[[hooks.disable]]\nname = 'theirs'\nuntil = 2099-01-01\n[[hooks.override]]\nname='blok-rm'\nasync=true"),
		Project: parse(t, discovery.ProjectScope, "[[hooks.disable]]\nname = 'block-rm'\n[[hooks.disable]]\nname = 'theirs'\n"),
	}
	var got []string
	for _, d := range c.Unused([]*discovery.Hook{hook(discovery.UserScope, "block-rm"), hook(discovery.ProjectScope, "theirs")}) {
		got = append(got, d.String())
	}
	want := []string{
		`/project/hooks.toml:2: there is no hook of this project of this name; agent-hooks list shows the hooks [config-name]`,
		`/user/hooks.toml:3: there is no hook of yours "theirs"; agent-hooks list shows the hooks [config-name]`,
		`/user/hooks.toml:7: there is no hook of yours "theirs"; agent-hooks list shows the hooks [config-name]`,
		`/user/hooks.toml:10: there is no hook "blok-rm"; did you mean "block-rm"? [config-name]`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %s", strings.Join(got, "\n"))
	}
}

// TestJudge checks that only a valid command of the user's file names a program.
func TestJudge(t *testing.T) {
	read := func(text string, scope discovery.Scope) *Judge {
		f := Parse([]byte(text), "hooks.toml", scope)
		if scope == discovery.ProjectScope {
			return Config{Project: f}.Judge()
		}
		return Config{User: f}.Judge()
	}
	const usual = "[judge]\ncommand = [\"ollama\", \"run\", \"{model}\"]\nmodel = \"qwen3\"\n"
	if j := read(usual, discovery.UserScope); j == nil || strings.Join(j.Command, " ") != "ollama run {model}" || j.Model != "qwen3" {
		t.Errorf("%+v", j)
	}
	if j := read(usual, discovery.ProjectScope); j != nil {
		t.Errorf("a project's file names %+v", j)
	}
	for _, text := range []string{
		"", "[judge]", "[judge]\nmodel = \"x\"", "[judge]\ncommand = []", "[judge]\ncommand = [\"\"]", "[judge]\ncommand = [\"./x\"]",
		"[judge]\ncommand = [\"{model}\"]", "[judge]\ncommand = [\"x\", 1]", "[judge]\ncommand = \"x\"", "judge = 1", "[judge]\ncommand = [\"a\\u0000\"]",
	} {
		if j := read(text, discovery.UserScope); j != nil {
			t.Errorf("%q: %+v", text, j)
		}
	}
}
