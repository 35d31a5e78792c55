// Package place finds the user's and the project's directories of hooks (D1,
// D2), and the directory for agent-hooks' own state. It does not read hooks.
package place

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// Candidate is a folder from which the search for the project may start. An
// unset value is not a candidate; a value of only white space is one.
type Candidate struct {
	Kind Kind
	Name string // for messages: "CLAUDE_PROJECT_DIR", "workspace_roots[0]", "cwd", "current directory"
	Dir  string
}

// Kind is the kind of place that a candidate comes from (D2).
type Kind byte

// The sources of candidates.
const (
	Event     Kind = iota // a directory that the event names
	Option                // --project
	Variable              // a host's variable
	Process               // the process's directory
	Elsewhere             // the process's directory, if the agent may have changed it
	Beside                // another root of the event's workspace
)

// Project is the result of the search for a project's hooks (D2).
type Project struct {
	Root  string // the folder that contains .agents/hooks, otherwise the start; a physical path, "" if no candidate is usable
	Hooks string // its .agents/hooks, "" if there is none
	Start string // start of the search; a physical path
	Other string // start of another search that found no project; "" if there was none
}

// given reports whether the candidate comes from --project or a host's
// variable. If so, the search is not repeated from the process's directory.
func (c Candidate) given() bool { return c.Kind == Option || c.Kind == Variable }

// FindProject searches for the project from the first usable candidate (D2):
// upward to the nearest .agents/hooks, up to and including the repository's
// root. Outside a repository it searches only ancestors strictly below home,
// otherwise only the start. home itself is a project only if it is exactly
// --project or the process's directory; if home is "", there is no home. If
// there is no .agents/hooks, the search is repeated from the candidate
// Process, unless the start came from --project or a host's variable.
//
// counts reports whether an .agents/hooks can be the project's and hide outer
// ones: if trust is required, only one with a trusted hook can. If counts is
// nil, every one can.
//
// The warnings report each skipped candidate, each invalid .agents/hooks, and
// each one that is hidden by a nearer one or belongs to another root of the workspace.
func (s *Search) FindProject(home string, counts func(hooks string) bool) (Project, []string) {
	p, warnings := s.findProject(home, counts)
	return p, append(warnings, s.beside(p, home, counts)...)
}

// beside names the hooks of a workspace's other roots, which do not run on a call in p.
func (s *Search) beside(p Project, home string, counts func(hooks string) bool) (warnings []string) {
	seen := []string{"", p.Hooks}
	for _, c := range s.candidates {
		start, err := s.folder(c.Dir)
		if c.Kind != Beside || err != nil {
			continue
		}
		for _, dir := range s.searched(start, home) {
			if hooks, _ := hooksIn(dir); !slices.Contains(seen, hooks) && (counts == nil || counts(hooks)) {
				seen = append(seen, hooks)
				warnings = append(warnings, fmt.Sprintf("%s does not run: the call is in another root of the workspace, %s", shown.Path(hooks), shown.Path(p.Root)))
			}
		}
	}
	return warnings
}

func (s *Search) findProject(home string, counts func(hooks string) bool) (Project, []string) {
	start, chosen, warnings := s.firstUsable()
	if start == "" {
		if above := s.ancestors(); len(above) > 0 {
			start, chosen = above[0].Dir, above[0]
		}
	}
	if start == "" {
		return Project{}, append(warnings, "there is no directory from which to search for the project's hooks")
	}
	p, more, counted := s.findFrom(start, chosen, home, counts)
	warnings = append(warnings, more...)
	if counted || chosen.given() {
		return p, warnings
	}
	for _, c := range s.candidates {
		own, err := s.folder(c.Dir)
		if c.Kind != Process || err != nil || own == start {
			continue
		}
		if second, more, counted := s.findFrom(own, c, home, counts); counted || p.Hooks == "" && second.Hooks != "" {
			second.Other = start
			return second, append(warnings, more...)
		}
		p.Other = own
	}
	for _, c := range s.ancestors() {
		if second, more, counted := s.findFrom(c.Dir, c, home, counts); counted {
			return second, append(warnings, more...)
		}
	}
	return p, warnings
}

// ancestors returns, for each candidate that no longer exists, the nearest
// existing directory above it: removing the working directory must not disable
// the project's guards.
func (s *Search) ancestors() (above []Candidate) {
	for _, c := range s.candidates {
		if !filepath.IsAbs(c.Dir) || strings.ContainsRune(c.Dir, 0) {
			continue
		}
		if _, err := s.folder(c.Dir); err == nil {
			return above // later candidates have lower precedence
		}
		if physical, err := s.folder(paths.Existing(filepath.Dir(filepath.Clean(c.Dir)))); err == nil && physical != filepath.Dir(physical) {
			above = append(above, Candidate{c.Kind, c.Name, physical})
		}
	}
	return above
}

// findFrom searches from one start. counted reports whether it found an
// .agents/hooks that counts.
func (s *Search) findFrom(start string, from Candidate, home string, counts func(hooks string) bool) (p Project, warnings []string, counted bool) {
	p = Project{Root: start, Start: start}
	var uncounted []Project
	dirs := s.searched(start, home)
	mayBeHome := from.Kind == Option || from.Kind == Process || from.Kind == Elsewhere // home can be the project if it is exactly that
	isHome := mayBeHome && s.isHome(home, start)
	if isHome && len(dirs) == 0 {
		dirs = []string{start}
	}
	for _, dir := range dirs {
		hooks, err := hooksIn(dir)
		switch {
		case hooks == "" && err == nil:
		case s.isHome(home, dir) && !(isHome && dir == start):
			warnings = append(warnings, skippedHome(dir)...)
		case err != nil:
			// An invalid directory must not hide the guards of an outer folder,
			// so the search continues.
			warnings = append(warnings, err.Error()+"; skipped")
		case counts != nil && !counts(hooks):
			uncounted = append(uncounted, Project{Root: dir, Hooks: hooks, Start: start})
		case p.Hooks == "":
			p.Root, p.Hooks = dir, hooks
		default:
			warnings = append(warnings, fmt.Sprintf("%s is hidden by the nearer %s", shown.Path(hooks), shown.Path(p.Hooks)))
		}
	}
	if p.Hooks == "" && len(uncounted) > 0 {
		// Its hooks do not run, but they are reported.
		return uncounted[0], warnings, false
	}
	if p.Hooks == "" {
		warnings = append(warnings, s.outside(start, dirs, home)...)
	}
	for _, u := range uncounted {
		warnings = append(warnings, fmt.Sprintf("%s has no hook that you trust; skipped", shown.Path(u.Hooks)))
	}
	return p, warnings, p.Hooks != ""
}

// skippedHome returns a warning if the home folder has project hooks.
func skippedHome(home string) []string {
	hooks, err := hooksIn(home)
	if hooks == "" || err != nil {
		return nil
	}
	return []string{fmt.Sprintf("%s is in the home directory, which is a project only if --project or the agent's own directory is exactly that; its hooks do not run", shown.Path(hooks))}
}

// outside returns a warning about the nearest .agents/hooks above the searched
// dirs. For example, a repository created inside a project would otherwise
// disable the project's guards silently.
func (s *Search) outside(start string, dirs []string, home string) []string {
	if len(dirs) == 0 { // home itself
		return skippedHome(start)
	}
	for dir := filepath.Dir(dirs[len(dirs)-1]); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if s.isHome(home, dir) {
			return skippedHome(dir)
		}
		if hooks, err := hooksIn(dir); hooks != "" && err == nil {
			return []string{fmt.Sprintf("%s is above the project %s; its hooks do not run", shown.Path(hooks), shown.Path(start))}
		}
	}
	return nil
}

// firstUsable returns the physical path of the first candidate that is a
// folder.
func (s *Search) firstUsable() (start string, chosen Candidate, warnings []string) {
	for _, c := range s.candidates {
		dir, err := s.folder(c.Dir)
		if err == nil {
			return dir, c, warnings
		}
		warnings = append(warnings, fmt.Sprintf("%s %q: %v; skipped", c.Name, shown.Cut(c.Dir, 256), err))
	}
	return "", Candidate{}, warnings
}

func physicalFolder(dir string) (string, error) {
	switch {
	case strings.TrimSpace(dir) == "":
		return "", errors.New("empty")
	case !filepath.IsAbs(dir):
		return "", errors.New("not an absolute path")
	}
	physical, err := paths.Real(dir)
	if err != nil {
		return "", shown.Cause(err)
	}
	info, err := os.Stat(physical)
	switch {
	case err != nil:
		return "", shown.Cause(err)
	case !info.IsDir():
		return "", errors.New("not a directory")
	}
	return physical, nil
}

// searched returns the folders that may hold the project's hooks, nearest
// first.
func (s *Search) searched(start, home string) []string {
	var dirs []string
	repository := 0 // number of dirs inside the repository
	for dir := start; ; dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
		switch s.mark(dir) {
		case gitRoot:
			return dirs
		case gitSubmodule:
			repository = len(dirs)
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if repository > 0 { // a submodule without its superproject
		return dirs[:repository]
	}
	for i, dir := range dirs {
		if s.isHome(home, dir) {
			return dirs[:i]
		}
	}
	return dirs[:1]
}

// hooksIn returns dir's .agents/hooks, "" if there is none. It returns an error
// if a file of that name is not a directory or is not accessible.
func hooksIn(dir string) (string, error) {
	agents := filepath.Join(dir, ".agents")
	hooks := filepath.Join(agents, "hooks")
	above, err := os.Lstat(agents)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil // the usual case
	case err == nil && above.Mode().IsRegular():
		// A checkout without symbolic links turns a link into a file. On Windows,
		// a file below a file is only missing.
		return "", fmt.Errorf("%s: not a directory", shown.Path(hooks))
	}
	info, err := os.Stat(hooks)
	switch {
	case err == nil && info.IsDir():
		return hooks, nil
	case err == nil:
		return "", fmt.Errorf("%s is not a directory", shown.Path(hooks))
	case !errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("%s: %w", shown.Path(hooks), shown.Cause(err))
	}
	for _, path := range []string{agents, hooks} {
		if err := paths.Dangling(path); err != nil {
			return "", err
		}
	}
	return "", nil
}

// isHome reports whether dir is the user's home, even if the paths are different.
func (s *Search) isHome(home, dir string) bool {
	if !filepath.IsAbs(home) {
		return false
	}
	one, other := s.info(home), s.info(dir)
	return one != nil && other != nil && os.SameFile(one, other)
}

// HooksDirs returns the hooks directories that FindProject could find from the
// same candidates, including those that do not exist yet.
func (s *Search) HooksDirs(home string) []string {
	start, _, _ := s.firstUsable()
	if start == "" {
		return nil
	}
	var places []string
	for _, dir := range s.searched(start, home) {
		if !s.isHome(home, dir) {
			places = append(places, filepath.Join(dir, ".agents", "hooks"))
		}
	}
	return places
}
