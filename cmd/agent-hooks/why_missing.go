package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

// misplaced returns an error that explains why the folder with that name is not a hook, or nil
// if there is none.
func (env *Env) misplaced(name string, where projectFlags) error {
	if name != filepath.Base(name) || strings.HasPrefix(name, ".") {
		return nil
	}
	hooks := env.load(where, nil)
	user, _ := env.userHooks()
	for _, dir := range [...]string{hooks.Project.Hooks, user} {
		if dir == "" {
			continue
		}
		if err := env.notHook(filepath.Join(dir, name)); err != nil {
			return err
		}
		if err := env.tooDeep(dir, name); err != nil {
			return err
		}
	}
	return nil
}

// notHook returns an error that describes what a folder has instead of a HOOK.md.
func (env *Env) notHook(folder string) error {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() || hookIn(folder) != "" {
		return nil
	}
	hint := "agent-hooks new makes a hook"
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if strings.EqualFold(e.Name(), spec.HookFile) {
			hint = fmt.Sprintf("%s is there, but names count by case; rename it to HOOK.md", e.Name())
			break
		}
		if e.IsDir() && hookIn(filepath.Join(folder, e.Name())) != "" {
			hint = fmt.Sprintf("%s has one, but a hook is a folder right below the hooks; move it up", env.short(filepath.Join(folder, e.Name())))
		}
	}
	return usagef(hint, "the folder %s has no HOOK.md, so it is no hook", env.short(folder))
}

// tooDeep returns an error if one of the folders in dir contains a folder with that name.
func (env *Env) tooDeep(dir, name string) error {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if deep := filepath.Join(dir, e.Name(), name); e.IsDir() && hookIn(deep) != "" {
			return usagef("move it to "+env.short(filepath.Join(dir, name)), "%s has a %s, but is a folder too deep to be a hook", env.short(deep), hookIn(deep))
		}
	}
	return nil
}

// hookIn returns the name of the file that makes a folder a hook, or "".
func hookIn(folder string) string {
	for _, name := range [...]string{spec.HookFile, spec.OtherHookFile} {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			return name
		}
	}
	return ""
}
