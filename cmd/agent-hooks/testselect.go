package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/cases"
	"github.com/agent-hooks/agent-hooks/internal/near"
	"github.com/agent-hooks/agent-hooks/internal/suite"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
)

// suiteSelection finds the hooks and cases that the arguments name.
type suiteSelection struct {
	env    *Env
	hooks  []*discovery.Hook // of user and project
	trust  *trust.Check      // nil: trust is not required
	suites []*suite.Suite
}

// selectSuites returns the suites that args name, or all hooks of user and project.
func (env *Env) selectSuites(flags testFlags, args []string) ([]*suite.Suite, error) {
	loaded := env.load(flags.projectFlags, nil)
	s := &suiteSelection{env: env, hooks: everyHook(loaded.Table)}
	if loaded.RequiresTrust() {
		s.trust = trust.NewCheck(trust.Options{Store: env.trustDir(), Home: env.home()})
	}
	for _, arg := range args {
		if err := s.argument(arg); err != nil {
			return nil, err
		}
	}
	if len(args) == 0 {
		env.warnAll(loaded.Warnings)
		for _, d := range loaded.Diagnostics {
			env.warn("%s", d)
		}
		for _, h := range s.hooks {
			s.add(h, "")
		}
	}
	for _, suite := range s.suites {
		suite.Check(env.Getenv("PATH"), env.relative)
	}
	return s.suites, nil
}

// everyHook returns the hooks of a table in the order of the list command.
func everyHook(table discovery.Table) []*discovery.Hook {
	var hooks []*discovery.Hook
	for _, info := range spec.Events() {
		hooks = append(hooks, table[info.Event]...)
	}
	return append(hooks, table[""]...)
}

// argument adds the hooks of one argument: HOOK, HOOK/CASE, or a path.
func (s *suiteSelection) argument(arg string) error {
	if found, err := s.byName(arg, ""); found || err != nil {
		return err
	}
	if hook, name, ok := strings.Cut(arg, "/"); ok {
		if found, err := s.byName(hook, name); found || err != nil {
			return err
		}
	}
	path := arg
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.env.Dir, path)
	}
	if info, err := os.Stat(path); err == nil {
		return s.byPath(arg, path, info.IsDir())
	}
	if dir, name := filepath.Split(path); name != "" && hasHookFile(dir) {
		return s.addNamed(s.read(dir), name)
	}
	return s.unknown(arg)
}

func (s *suiteSelection) unknown(arg string) error {
	name, rest, isCase := strings.Cut(arg, "/")
	var names []string
	for _, h := range s.hooks {
		names = append(names, h.Shown())
	}
	hint := "agent-hooks list shows the hooks; a path to a hook's folder does as well"
	if near, ok := near.Word(name, names); ok {
		if isCase {
			near += s.nearestCase(near, rest)
		}
		hint = fmt.Sprintf("did you mean `agent-hooks test %s`?", near)
	}
	return usagef(hint, "test: there is no hook %q", arg)
}

// nearestCase returns "/" and the most similar case of a hook, or "".
func (s *suiteSelection) nearestCase(hook, name string) string {
	var names []string
	for _, h := range s.hooks {
		if h.Shown() != hook {
			continue
		}
		all, _ := cases.Read(h)
		for _, c := range all {
			names = append(names, c.Name)
		}
	}
	if near, ok := near.Word(name, names); ok {
		return "/" + near
	}
	return ""
}

func (s *suiteSelection) byName(name, only string) (found bool, err error) {
	for _, h := range s.hooks {
		if h.Shown() == name || h.Folder == name {
			found = true
			if err := s.addNamed(h, only); err != nil {
				return true, err
			}
		}
	}
	return found, nil
}

// byPath adds a hook's folder, a directory of hooks, a project with hooks, or
// the file of one case.
func (s *suiteSelection) byPath(arg, path string, isDir bool) error {
	parent := filepath.Dir(path)
	switch {
	case !isDir && isHookFile(filepath.Base(path)):
		return s.addNamed(s.read(parent), "")
	case !isDir && isCaseOf(filepath.Dir(parent), path):
		return s.addNamed(s.read(filepath.Dir(parent)), strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	case !isDir:
	case hasHookFile(path):
		return s.addNamed(s.read(path), "")
	case filepath.Base(path) == cases.Folder && hasHookFile(parent):
		return s.addNamed(s.read(parent), "")
	default:
		return s.directory(arg, path)
	}
	return usagef("name a hook, HOOK/CASE, the folder of a hook, a directory of hooks, or the file of a case", "test: %q is no hook and no case", arg)
}

func (s *suiteSelection) directory(arg, path string) error {
	if inner := filepath.Join(path, ".agents", "hooks"); isFolder(inner) {
		path = inner
	}
	hooks, diagnostics := discovery.ReadScope(path, s.scope(path))
	for _, d := range diagnostics {
		s.env.warn("%s", d)
	}
	if len(hooks) == 0 {
		return usagef("name a hook, the folder of a hook, or a directory of hooks", "test: there is no hook in %q", arg)
	}
	for _, h := range hooks {
		s.add(s.trusted(h), "")
	}
	return nil
}

func (s *suiteSelection) read(dir string) *discovery.Hook {
	return s.trusted(discovery.ReadHook(dir, s.scope(filepath.Dir(dir))))
}

// scope distinguishes the user's own directory of hooks from others, which may belong to a
// repository.
func (s *suiteSelection) scope(hooks string) discovery.Scope {
	user, _ := s.env.userHooks()
	if user != "" && filepath.Clean(hooks) == filepath.Clean(user) {
		return discovery.UserScope
	}
	return discovery.ProjectScope
}

// trusted returns the reviewed copy that runs instead of the hook if trust is required.
func (s *suiteSelection) trusted(h *discovery.Hook) *discovery.Hook {
	if s.trust == nil || h.Scope == discovery.UserScope {
		return h
	}
	root := filepath.Dir(filepath.Dir(filepath.Dir(h.Dir)))
	if physical, err := filepath.EvalSymlinks(root); err == nil && physical != root {
		h = discovery.ReadHook(filepath.Join(physical, ".agents", "hooks", h.Folder), h.Scope)
	}
	return s.trust.Trust(h)
}

// addNamed adds a hook, or only its named case.
func (s *suiteSelection) addNamed(h *discovery.Hook, only string) error {
	if s.add(h, only) {
		s.suites[s.of(h)].Named = true
		return nil
	}
	all, _ := cases.Read(h)
	var names []string
	for _, c := range all {
		names = append(names, c.Name)
	}
	hint := fmt.Sprintf("%s has no cases", h.Shown())
	if len(names) > 0 {
		hint = "its cases are " + strings.Join(names, ", ")
	}
	if near, ok := near.Word(only, names); ok {
		hint = fmt.Sprintf("did you mean `agent-hooks test %s/%s`?", h.Shown(), near)
	}
	return usagef(hint, "test: hook %s has no case %q", h.Shown(), only)
}

// add adds a hook's cases or, if only is not "", the case with that name to the hook's suite.
// It returns false if there is no such case.
func (s *suiteSelection) add(h *discovery.Hook, only string) bool {
	all, problems := cases.Read(h)
	i := s.of(h)
	if i < 0 {
		i = len(s.suites)
		s.suites = append(s.suites, &suite.Suite{Hook: h, Problems: problems})
	}
	suite := s.suites[i]
	if only == "" {
		suite.Cases, suite.All = all, true
		return true
	}
	named := slices.DeleteFunc(all, func(c *cases.Case) bool { return c.Name != only })
	if !suite.All {
		suite.Cases = append(suite.Cases, named...)
	}
	return len(named) > 0
}

// of returns the index of a hook's suite; -1 if it has none yet.
func (s *suiteSelection) of(h *discovery.Hook) int {
	return slices.IndexFunc(s.suites, func(o *suite.Suite) bool { return o.Hook.Dir == h.Dir })
}
