package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/BurntSushi/toml"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/spec"
)

// FuzzParse checks for any bytes that there is no panic, that a project's file changes no
// user's hook and protects nothing, that each diagnostic is on one line, and that a user's file
// rejected by the parser is treated as the strictest.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/err/*.toml")
	for _, path := range files {
		source, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(source)
	}
	f.Add([]byte("[hooks]\nenabled = false\n[[hooks.disable]]\nname = 'a'\n[[hooks.override]]\nname='a'\npriority=1\ntimeout=100\nasync=true\n[hooks.defaults]\nasync=true\ntimeout=100"))
	f.Add([]byte("\x1b = 1"))
	f.Add([]byte("a = \x01"))
	f.Add([]byte("'\u202e' = 1\n\"\u202e\" = 2"))
	f.Fuzz(func(t *testing.T, source []byte) {
		project := Parse(source, "/p/hooks.toml", discovery.ProjectScope)
		h := hook(discovery.UserScope, "a")
		c := Config{Project: project}
		c.Apply(h)
		if got := outcome(h); got != "active 30s false 100" || len(c.Changes(h)) > 0 || c.RequireTrust() || c.Protected("a") || project.requireTrust || project.protectAll || project.protect != nil {
			t.Errorf("the project's file reaches beyond the project: %s", got)
		}
		user := Parse(source, "/u/hooks.toml", discovery.UserScope)
		p := hook(discovery.ProjectScope, "a")
		Config{User: user, Project: project}.Apply(p)
		if p.Timeout < spec.MinTimeout || p.Timeout > spec.MaxTimeout || p.Priority < 0 || p.Priority > spec.MaxPriority {
			t.Errorf("out of range: %s", outcome(p))
		}
		for _, d := range append(user.Diagnostics, project.Diagnostics...) {
			if strings.ContainsFunc(d.String(), func(r rune) bool { return !unicode.IsPrint(r) }) || d.Code == "" || d.Fatal() {
				t.Errorf("a bad diagnostic: %q", d.String())
			}
			if d.Line > 0 && d.Line > strings.Count(string(source), "\n")+1 {
				t.Errorf("a line that does not exist: %s", d)
			}
		}
		var document map[string]any
		if _, err := toml.Decode(string(source), &document); err != nil && (!user.requireTrust || !user.protectAll || user.Diagnostics == nil) {
			t.Errorf("the protected hook is missing: %v", err)
		}
	})
}

// TestParseIsBounded parses files of the maximum size, with and without nesting.
func TestParseIsBounded(t *testing.T) {
	fill := func(unit string) string { return strings.Repeat(unit, spec.MaxConfigFile/len(unit)) }
	for name, text := range map[string]string{
		"arrays":      "a = " + fill("[")[4:],
		"inline":      fill("a={")[3:],
		"dotted":      fill("a.")[3:] + "a=1",
		"header":      "[" + fill("a.")[4:] + "a]",
		"tables":      fill("[[a]]\n"),
		"empty lines": fill("\n"),
		"strings":     "a = [" + fill(`"",`)[9:] + "]",
		"unclosed":    "a = '''" + fill("'' ")[9:],
		"errors":      "[hooks]\nprotect = [" + fill("1,")[30:] + "]",
		"overrides":   fill("[[hooks.override]]\nname='a'\n"),
		"too large":   fill("\n") + "##########",
	} {
		began := time.Now()
		Parse([]byte(text), "hooks.toml", discovery.ProjectScope)
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%s: %v", name, took)
		} else {
			t.Logf("%s: %v", name, took)
		}
	}
	if f := Parse([]byte("[hooks]\nprotect = ["+fill("1,")[30:]+"]"), "hooks.toml", discovery.UserScope); len(f.Diagnostics) != maxProblems || !f.protectAll {
		t.Errorf("%d problems", len(f.Diagnostics))
	}
	if f := Parse([]byte(fill("\n")+"#"), "hooks.toml", discovery.UserScope); !f.requireTrust || f.Diagnostics[0].Code != "config-file" {
		t.Errorf("a file above the limit: %v", f.Diagnostics)
	}
	if f := Parse([]byte(fill("\n")), "hooks.toml", discovery.UserScope); f.requireTrust || f.Diagnostics != nil {
		t.Errorf("a file at the limit: %v", f.Diagnostics)
	}
}
