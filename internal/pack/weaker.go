package pack

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Weaker compares the project's hooks, their test cases, hooks.toml and hooks.lock with the base.
// Nothing is executed: whether a changed script still blocks is decided by the test cases, which
// must be those of the base; without any, a change of it counts. So does a change of what a
// hook matches.
func (b *Base) Weaker() (rows []Locked, err error) {
	dir := filepath.Join(b.Root, ".agents", "hooks")
	at := &Place{Scope: discovery.ProjectScope, Hooks: dir}
	lock, err := at.readLock()
	if err != nil {
		return nil, err
	}
	was, is := config.Config{Project: b.config}, config.Config{Project: config.Read(dir, discovery.ProjectScope)}
	names := slices.Concat(slices.Collect(maps.Keys(b.hooks)), slices.Collect(maps.Keys(b.lock.Hooks)))
	slices.Sort(names)
	said := strings.FieldsFunc(b.Said, func(r rune) bool { return strings.ContainsRune(" \t\r\n,;:", r) })
	note := func(name string, causes ...string) {
		row := Locked{Name: name, Scope: at.Scope, State: Weak, Cause: strings.Join(causes, "; "), Place: at}
		if slices.Contains(said, name) {
			row.State = Stated
		}
		if len(causes) > 0 {
			rows = append(rows, row)
		}
	}
	for _, name := range []string{".agents", ".agents/hooks"} {
		if isLinked(filepath.Join(b.Root, filepath.FromSlash(name))) && !b.linked[name] {
			note(name, "a link is in its place")
		}
	}
	for _, dir := range b.nested {
		note(path.Join(dir, ".agents", "hooks"), "it is new, and hides the project's hooks from sessions below "+dir)
	}
	for _, name := range slices.Compact(names) {
		var causes []string
		if before := b.hooks[name]; before != nil {
			folder := filepath.Join(dir, name)
			if b.linked[name] {
				folder = paths.Physical(folder)
			}
			now, err := readInstalled(folder, executables(before))
			if now != nil {
				now.Name = name
			}
			if isLinked(folder) { // a new one, whose target could change
				causes = append(causes, "a link is in its place")
			} else if err != nil || now == nil || hookFile(now) == nil {
				causes = append(causes, "it is gone")
			} else {
				causes = append(causes, weakerHook(effective(before, was), effective(now, is))...)
				causes = append(causes, weakerFiles(before, now)...)
			}
		}
		entry, locked := b.lock.Hooks[name]
		switch now := lock.Hooks[name]; {
		case !locked:
		case now.Digest == "":
			causes = append(causes, "it is not in "+LockName+" any more")
		case now.Source != entry.Source || now.Ref != entry.Ref:
			causes = append(causes, fmt.Sprintf("it is from %s instead of %s", now.Describe(), entry.Describe()))
		case now.Digest != entry.Digest && now.Commit == entry.Commit && now.Commit != "":
			causes = append(causes, "its digest in "+LockName+" changed, but not its commit")
		}
		note(name, causes...)
	}
	for _, name := range b.config.Policy().Require {
		if !slices.Contains(is.Project.Policy().Require, name) {
			note(name, "the project's policy does not require it any more")
		}
	}
	if least := b.config.Policy().Version; least != "" && !AtLeast(is.Project.Policy().Version, least) {
		note(config.Name, "the project's policy does not require version "+least+" any more")
	}
	return rows, nil
}

func isLinked(file string) bool {
	info, err := os.Lstat(file)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// hookFile returns a hook's HOOK.md; nil if it has none.
func hookFile(f *trust.Folder) []byte {
	for _, name := range []string{"HOOK.md", "hook.md"} {
		if file, is := f.Find(name); is && file.Link == "" {
			return file.Data
		}
	}
	return nil
}

// executables returns the files with an execute permission.
func executables(f *trust.Folder) (paths []string) {
	for _, file := range f.Files {
		if file.Executable {
			paths = append(paths, file.Path)
		}
	}
	return paths
}

// effective parses a hook and applies the project's hooks.toml to it. A HOOK.md with an error that
// stops the hook gives an Invalid hook.
func effective(f *trust.Folder, with config.Config) *discovery.Hook {
	h := &discovery.Hook{Scope: discovery.ProjectScope, Folder: f.Name}
	parsed, problems := manifest.Parse(hookFile(f), f.Name)
	h.Hook = parsed
	with.Apply(h)
	if slices.ContainsFunc(problems, spec.Diagnostic.Fatal) {
		h.State = discovery.Invalid
	}
	return h
}

// weakerHook returns what makes a hook weaker than it was.
func weakerHook(was, is *discovery.Hook) (causes []string) {
	note := func(weaker bool, format string, args ...any) {
		if weaker {
			causes = append(causes, fmt.Sprintf(format, args...))
		}
	}
	note(is.State != "" && is.State != was.State, "it does not run any more (%s)", is.State)
	note(is.Async && !was.Async, "it is async, and cannot block")
	note(strictness(string(is.OnFailure)) < strictness(string(was.OnFailure)), "on-failure is %s instead of %s", is.OnFailure, was.OnFailure)
	note(is.Answer == nil && is.Timeout < was.Timeout, "its timeout is %d ms instead of %d", is.Timeout.Milliseconds(), was.Timeout.Milliseconds())
	if was.Answer != nil && was.Answer.Restricts() {
		note(is.Answer == nil || strictness(string(is.Answer.Decision)) < strictness(string(was.Answer.Decision)), "its answer is not %s any more", was.Answer.Decision)
	}
	more := slices.DeleteFunc(slices.Clone(is.Unless), func(e string) bool { return slices.Contains(was.Unless, e) })
	note(len(more) > 0, "it has more exceptions (unless)")
	matches := func(h *discovery.Hook) []any {
		return []any{h.Trigger, h.Tool, h.Pattern, h.Match, h.Access, len(h.When), fmt.Sprint(h.When), h.Pass}
	}
	note(!reflect.DeepEqual(matches(is), matches(was)), "it matches something else")
	return causes
}

// strictness orders decisions and policies.
func strictness(decision string) int { return slices.Index([]string{"ask", "deny"}, decision) }

// weakerFiles returns the test cases that are gone or changed. Without test cases, a change of
// another file than the HOOK.md counts.
func weakerFiles(was, is *trust.Folder) (causes []string) {
	tested := slices.ContainsFunc(was.Files, func(f trust.File) bool { return strings.HasPrefix(f.Path, "tests/") })
	for _, f := range was.Files {
		now, there := is.Find(f.Path)
		same := there && now.Link == f.Link && bytes.Equal(now.Data, f.Data) && (now.Executable || !f.Executable)
		switch test := strings.HasPrefix(f.Path, "tests/"); {
		case same, strings.EqualFold(f.Path, "HOOK.md"):
		case test && !there:
			causes = append(causes, "the test "+f.Path+" is gone")
		case test:
			causes = append(causes, "the test "+f.Path+" changed")
		case !there:
			causes = append(causes, f.Path+" is gone")
		case !tested:
			causes = append(causes, f.Path+" changed, and no test case shows that it still blocks")
		}
	}
	return causes
}

// Policy returns what is not as the [policy] of the hooks.toml of each place requires (D108): the
// project's, and the administrator's, which may require hooks of the user, too. version is the
// program's, and hooks returns those that may run.
func Policy(places []*Place, version string, hooks func() []*discovery.Hook) (rows []Locked) {
	for _, at := range places {
		if at.Scope == discovery.UserScope {
			continue
		}
		file := config.Read(at.Hooks, at.Scope)
		policy := file.Policy()
		note := func(name, cause string) {
			rows = append(rows, Locked{Name: name, Scope: at.Scope, State: Broken, Cause: cause, Place: at})
		}
		if err := file.Unusable(); err != nil {
			note(config.Name, err.Error())
		}
		if policy.Version != "" && !AtLeast(version, policy.Version) {
			note("agent-hooks", "this is version "+version+", and at least "+policy.Version+" is required")
		}
		if len(policy.Require) == 0 {
			continue
		}
		if err := at.Open(); err != nil {
			note(LockName, err.Error())
			continue
		}
		in := []*Place{at}
		if at.Scope == discovery.ManagedScope {
			in = append(in, slices.DeleteFunc(slices.Clone(places), func(p *Place) bool { return p.Scope != discovery.UserScope })...)
		}
		for _, name := range policy.Require {
			if cause := lacks(name, in, hooks); cause != "" {
				note(name, cause)
			}
		}
	}
	return rows
}

// lacks returns why none of the places has a hook as its lock says, or why that does not run.
func lacks(name string, places []*Place, hooks func() []*discovery.Hook) (cause string) {
	cause = "it is in no " + LockName
	for _, at := range places {
		if !at.Has(name) {
			continue
		}
		if _, state, why := at.compare(at.lock, name, nil); state != Same {
			cause = "it is " + string(state)
			if why != nil {
				cause += " (" + why.Error() + ")"
			}
			continue
		}
		for _, h := range hooks() {
			switch {
			case h.Folder != name || h.Scope != at.Scope:
			case h.State != discovery.Active && h.State != discovery.Untrusted:
				return fmt.Sprintf("it is %s: %s", h.State, h.Cause)
			case h.Observe:
				return "it is only observed"
			}
		}
		return ""
	}
	return cause
}
