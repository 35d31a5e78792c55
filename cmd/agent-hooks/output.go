package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/author/output"
	"github.com/agent-hooks/agent-hooks/internal/author/past"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/pack"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

// formatFlag selects the format of a command's results. --json is short for --format json.
type formatFlag struct{ format string } // "" if not given

// declare declares --format, --json and, with short, flags that are names of other formats.
func (f *formatFlag) declare(fs *flag.FlagSet, short ...string) {
	names := strings.Join(output.Names(), "|")
	choose := func(name string) error {
		if f.format != "" && f.format != name {
			return fmt.Errorf("the format is %s or %s, not both", f.format, name)
		}
		f.format = name
		return nil
	}
	fs.Func("format", "print the results as `"+names+"`", func(name string) error {
		if !slices.Contains(output.Names(), name) {
			return fmt.Errorf("not one of %s", strings.Join(output.Names(), ", "))
		}
		return choose(name)
	})
	for _, name := range append(short, "json") {
		fs.BoolFunc(name, map[string]string{"json": "print JSON", "junit": "print JUnit XML, for CI"}[name], func(text string) error {
			on, err := strconv.ParseBool(text)
			if err != nil {
				return errors.New("takes no value")
			}
			if !on {
				return nil
			}
			return choose(name)
		})
	}
}

// machine reports whether the results are not for people.
func (f *formatFlag) machine() bool { return f.format != "" && f.format != output.Names()[0] }

// write prints a report in the selected format.
func (f *formatFlag) write(env *Env, r *output.Report) error {
	r.Version, r.Root = strings.TrimPrefix(buildVersion().Version, "v"), env.repository()
	if strings.HasPrefix(r.Version, "(") { // not of a release, nor of a commit
		r.Version = ""
	}
	return output.Find(f.format).Write(env.Stdout, r)
}

// repository returns the folder of the repository that contains the working directory, which code
// hosts and editors open; without one, the working directory.
func (env *Env) repository() string {
	for dir := env.Dir; dir != ""; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return env.Dir
}

// report returns the results of validate: a check for each hook, and for each other file with a
// diagnostic.
func (c *checked) report() *output.Report {
	left, g := slices.Clone(c.diagnostics), output.Group{Name: "validate"}
	add := func(name, file string, isMine func(path string) bool) {
		var mine []spec.Diagnostic
		left = slices.DeleteFunc(left, func(d spec.Diagnostic) bool {
			if isMine(d.Path) {
				mine = append(mine, d)
				return true
			}
			return false
		})
		check := output.Check{Name: name, File: file, Findings: output.Diagnostics(mine)}
		for _, d := range mine {
			check.Text += d.String() + "\n"
			if d.Severity == spec.Error && check.Outcome == output.Passed {
				check.Outcome, check.Title = output.Failed, d.Message
			}
		}
		g.Checks = append(g.Checks, check)
	}
	for _, dir := range c.dirs {
		add(filepath.Base(dir), filepath.Join(dir, "HOOK.md"), func(path string) bool {
			rel, err := filepath.Rel(dir, path)
			return err == nil && filepath.IsLocal(rel)
		})
	}
	for len(left) > 0 {
		file := left[0].Path
		add(filepath.Base(file), file, func(path string) bool { return path == file })
	}
	return &output.Report{Groups: []output.Group{g}, Rules: output.DiagnosticRules(), JSON: append([]spec.Diagnostic{}, c.diagnostics...)}
}

// lockRules describe the states of hooks that are not as hooks.lock or the base says.
var lockRules = []output.Rule{
	{ID: "edited", Meaning: "a hook differs from what hooks.lock says", Fix: "agent-hooks update installs the hook again, or add it again after a review"},
	{ID: "missing", Meaning: "a hook of hooks.lock is missing", Fix: "agent-hooks update installs it again; agent-hooks remove removes it from hooks.lock"},
	{ID: "unreadable", Meaning: "a hook or hooks.lock cannot be read"},
	{ID: "not-as-at-its-source", Meaning: "hooks.lock does not say what the hook's source has"},
	{ID: "weaker", Meaning: "a hook or test case is gone or weaker than at the base", Fix: "if that is meant, end a commit message with: Hooks-changed: NAME"},
	{ID: "changed-as-stated", Meaning: "a hook is weaker than at the base, and a commit message says so"},
	{ID: "not-as-the-policy-requires", Meaning: "the hooks are not as the project's or the administrator's policy requires"},
}

// lockReport returns the results of update --check.
func (env *Env) lockReport(all []pack.Locked) *output.Report {
	g := output.Group{Name: "update --check"}
	for _, l := range all {
		file, line := lockedAt(l)
		check := output.Check{Name: l.Name, File: file}
		if l.State != pack.Same {
			level := output.Error
			check.Title, check.Outcome = string(l.State)+because(l.Cause), output.Failed
			if l.State == pack.Stated {
				level, check.Outcome = output.Note, output.Passed
			}
			check.Text = env.deviation(l)
			check.Findings = []output.Finding{{Rule: strings.ReplaceAll(string(l.State), " ", "-"), Level: level, File: file, Line: line, Message: check.Text}}
		}
		g.Checks = append(g.Checks, check)
	}
	return &output.Report{Groups: []output.Group{g}, Rules: lockRules, JSON: append([]pack.Locked{}, all...)}
}

// lockedAt returns where the finding about a hook is: its entry in hooks.lock, its HOOK.md if a commit
// says otherwise, or the hooks.toml that requires something.
func lockedAt(l pack.Locked) (file string, line int) {
	switch {
	case l.State == pack.Broken || l.Name == config.Name:
		return filepath.Join(filepath.Dir(l.Place.Hooks), config.Name), 0
	case l.IsDirectory():
		return filepath.Join(filepath.Dir(filepath.Dir(l.Place.Hooks)), filepath.FromSlash(l.Name)), 0
	case l.State == pack.Weak || l.State == pack.Stated:
		return filepath.Join(l.Place.Hooks, l.Name, "HOOK.md"), 0
	}
	file = l.Place.LockPath()
	text, _ := os.ReadFile(file)
	for i, one := range strings.Split(string(text), "\n") {
		if strings.TrimSpace(one) == "[hooks."+l.Name+"]" {
			return file, i + 1
		}
	}
	return file, 0
}

// pastReport returns the results of replay: a check for each row, which is a finding at the hook. What
// --with compares is only in the text and in JSON.
func pastReport(s *past.Summary) *output.Report {
	r := &output.Report{JSON: s}
	row := func(h *past.Hook, l *past.Group) output.Check {
		text := fmt.Sprintf("%s: %s %s", l.Effect, l.Tool, l.Text)
		if l.Reason != "" {
			text += ": " + l.Reason
		}
		calls := term.Plural(l.Count, "call")
		if !l.Last.IsZero() {
			calls += ", last on " + day(l.Last)
		}
		f := output.Finding{Rule: h.Hook, Level: output.Note, File: h.File, Message: text + " (" + calls + ")", Count: l.Count}
		check := output.Check{Name: l.Call, Stdout: f.Message + "\n"}
		if l.Effect == "failed" {
			f.Level, check.Outcome, check.Title, check.Text = output.Error, output.Broken, text, f.Message
		}
		check.Findings = []output.Finding{f}
		return check
	}
	for _, h := range s.Hooks {
		g := output.Group{Name: h.Hook}
		for _, l := range h.Groups {
			g.Checks = append(g.Checks, row(h, l))
		}
		r.Groups = append(r.Groups, g)
		r.Rules = append(r.Rules, output.Rule{ID: h.Hook, Meaning: "what the hook " + h.Hook + " would have done in past sessions"})
	}
	for _, n := range s.NotRun {
		text := notRunText(n)
		r.Groups = append(r.Groups, output.Group{Name: n.Hook, Checks: []output.Check{{
			Name: "not run", File: n.File, Outcome: output.Stopped, Findings: []output.Finding{{Rule: "not-run", Level: output.Warning, File: n.File, Message: text}},
		}}})
	}
	r.Rules = append(r.Rules, output.Rule{ID: "not-run", Meaning: "a hook matches past calls, but was not run on them"})
	return r
}
