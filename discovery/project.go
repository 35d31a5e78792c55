package discovery

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// Candidate is a folder from which the search for the project may start, and
// where its value came from: "--project", "CLAUDE_PROJECT_DIR",
// "workspace_roots[0]", "work_dir", "cwd", "current directory". What is not
// set at all is no candidate; a value that is set but blank is one.
type Candidate struct{ Source, Dir string }

// Project is where the search for a project's hooks has ended (D2).
type Project struct {
	Root   string // the folder that holds .agents/hooks, else the start; a physical path, "" if no candidate is usable
	Hooks  string // its .agents/hooks, "" if there is none
	Start  string // where the search started; a physical path
	Other  string // where another search started that gave no project; "" if there was none
	Source string // the candidate that the search started from
}

// Sources of candidates that have a meaning of their own (D2).
const (
	FromOption    = "--project"
	FromProcess   = "current directory"                        // the process's own
	FromElsewhere = "current directory (which may be another)" // of an agent that changes it
)

// given reports whether --project or a host's variable names the candidate:
// then the search is not repeated from the process's directory.
func (c Candidate) given() bool {
	return c.Source == FromOption || c.Source == strings.ToUpper(c.Source)
}

// mayBeHome reports whether the user's home can be the project if it is
// exactly the candidate.
func (c Candidate) mayBeHome() bool {
	return c.Source == FromOption || c.Source == FromProcess || c.Source == FromElsewhere
}

// FindProject searches the project from the first usable candidate (D2):
// from there upward to the nearest .agents/hooks, up to and including the
// repository's root; outside a repository only in ancestors strictly below
// home, or else in the start alone. home itself is a project only if it is
// exactly --project or the process's directory; "" means that there is none.
// If there is no .agents/hooks, the search is repeated from the candidate
// FromProcess, unless --project or a host's variable gave the start.
//
// counts says whether an .agents/hooks may hide outer ones and be the
// project's: under required trust, only if it has a trusted hook; nil means
// that every one does.
//
// The warnings name each candidate that was skipped, each .agents/hooks
// that is broken, and each that is hidden by a nearer one.
func FindProject(candidates []Candidate, home string, counts func(hooks string) bool) (Project, []string) {
	start, chosen, warnings := firstUsable(candidates)
	if start == "" {
		if above := ancestors(candidates); len(above) > 0 {
			start, chosen = above[0].Dir, above[0]
		}
	}
	if start == "" {
		return Project{}, append(warnings, "there is no folder to search the project's hooks from")
	}
	h := homeFolder{path: home}
	p, more, counted := findFrom(start, chosen, &h, counts)
	warnings = append(warnings, more...)
	if counted || chosen.given() {
		return p, warnings
	}
	for _, c := range candidates {
		own, err := physicalFolder(c.Dir)
		if c.Source != FromProcess || err != nil || own == start {
			continue
		}
		if second, more, counted := findFrom(own, c, &h, counts); counted || p.Hooks == "" && second.Hooks != "" {
			second.Other = start
			return second, append(warnings, more...)
		}
		p.Other = own
	}
	for _, c := range ancestors(candidates) {
		if second, more, counted := findFrom(c.Dir, c, &h, counts); counted {
			return second, append(warnings, more...)
		}
	}
	return p, warnings
}

// ancestors returns, for each candidate that is gone, the nearest directory
// above it: a removed working directory must not lose the project's guards.
func ancestors(candidates []Candidate) (above []Candidate) {
	for _, c := range candidates {
		if !filepath.IsAbs(c.Dir) || strings.ContainsRune(c.Dir, 0) {
			continue
		}
		if _, err := physicalFolder(c.Dir); err == nil {
			return above // later ones count less
		}
		for dir := filepath.Dir(filepath.Clean(c.Dir)); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if physical, err := physicalFolder(dir); err == nil {
				above = append(above, Candidate{Source: c.Source, Dir: physical})
				break
			}
		}
	}
	return above
}

// findFrom searches from one start. counted says that it found an
// .agents/hooks that counts.
func findFrom(start string, from Candidate, h *homeFolder, counts func(hooks string) bool) (p Project, warnings []string, counted bool) {
	p = Project{Root: start, Start: start, Source: from.Source}
	var uncounted []Project
	dirs := searched(start, h)
	isHome := from.mayBeHome() && h.is(start)
	if isHome && len(dirs) == 0 {
		dirs = []string{start}
	}
	for _, dir := range dirs {
		hooks, err := hooksIn(dir)
		switch {
		case hooks == "" && err == nil:
		case h.is(dir) && !(isHome && dir == start):
			warnings = append(warnings, skippedHome(dir)...)
		case err != nil:
			// Something broken must not hide the guards of an outer
			// folder, so the search goes on.
			warnings = append(warnings, err.Error()+"; skipped")
		case counts != nil && !counts(hooks):
			uncounted = append(uncounted, Project{Root: dir, Hooks: hooks, Start: start, Source: from.Source})
		case p.Hooks == "":
			p.Root, p.Hooks = dir, hooks
		default:
			warnings = append(warnings, fmt.Sprintf("%s is hidden by the nearer %s", shown.Path(hooks), shown.Path(p.Hooks)))
		}
	}
	if p.Hooks == "" && len(uncounted) > 0 {
		// Its hooks do not run, but they are told of.
		return uncounted[0], warnings, false
	}
	if p.Hooks == "" {
		warnings = append(warnings, outside(start, dirs, h)...)
	}
	for _, u := range uncounted {
		warnings = append(warnings, fmt.Sprintf("%s has no hook that you trust; skipped", shown.Path(u.Hooks)))
	}
	return p, warnings, p.Hooks != ""
}

// skippedHome warns if the home folder has project hooks.
func skippedHome(home string) []string {
	hooks, err := hooksIn(home)
	if hooks == "" || err != nil {
		return nil
	}
	return []string{fmt.Sprintf("%s is in the home directory, which is a project only if --project or the agent's own directory is exactly that; its hooks do not run", shown.Path(hooks))}
}

// outside warns of the nearest .agents/hooks above dirs, which were searched: a
// repository made inside a project, say, would otherwise switch the project's
// guards off in silence.
func outside(start string, dirs []string, home *homeFolder) []string {
	if len(dirs) == 0 { // home itself
		return skippedHome(start)
	}
	for dir := filepath.Dir(dirs[len(dirs)-1]); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if home.is(dir) {
			return skippedHome(dir)
		}
		if hooks, err := hooksIn(dir); hooks != "" && err == nil {
			return []string{fmt.Sprintf("%s lies above the project %s; its hooks do not run", shown.Path(hooks), shown.Path(start))}
		}
	}
	return nil
}

// firstUsable returns the physical path of the first candidate that is a
// folder.
func firstUsable(candidates []Candidate) (start string, chosen Candidate, warnings []string) {
	for _, c := range candidates {
		dir, err := physicalFolder(c.Dir)
		if err == nil {
			return dir, c, warnings
		}
		warnings = append(warnings, fmt.Sprintf("%s %s: %v; skipped", c.Source, quoted(c.Dir), err))
	}
	return "", Candidate{}, warnings
}

func physicalFolder(dir string) (string, error) {
	switch {
	case strings.TrimSpace(dir) == "":
		return "", errors.New("blank")
	case !filepath.IsAbs(dir):
		return "", errors.New("not an absolute path")
	}
	physical, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", cause(err)
	}
	info, err := os.Stat(physical)
	switch {
	case err != nil:
		return "", cause(err)
	case !info.IsDir():
		return "", errors.New("not a directory")
	}
	return physical, nil
}

// cause is the reason inside a path error: the message around it names the
// path already.
func cause(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

// quoted keeps a value that an event may have made very long readable.
func quoted(value string) string {
	const most = 256
	if len(value) > most {
		value = value[:most] + "…"
	}
	return fmt.Sprintf("%q", value)
}

// searched returns the folders that may hold the project's hooks, nearest
// first.
func searched(start string, home *homeFolder) []string {
	var dirs []string
	repository := 0 // how many of dirs are inside the repository
	for dir := start; ; dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
		switch gitMark(dir) {
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
		if home.is(dir) {
			return dirs[:i]
		}
	}
	return dirs[:1]
}

// hooksIn returns dir's .agents/hooks, "" if there is none. It is an error if
// something of that name is there that is not a directory or cannot be
// reached.
func hooksIn(dir string) (string, error) {
	agents := filepath.Join(dir, ".agents")
	hooks := filepath.Join(agents, "hooks")
	if _, err := os.Lstat(agents); errors.Is(err, fs.ErrNotExist) {
		return "", nil // as in most folders above one
	}
	info, err := os.Stat(hooks)
	switch {
	case err == nil && info.IsDir():
		return hooks, nil
	case err == nil:
		return "", fmt.Errorf("%s is not a directory", shown.Path(hooks))
	case !errors.Is(err, fs.ErrNotExist):
		// This includes a file named .agents: a checkout without
		// symbolic links makes one of a link.
		return "", fmt.Errorf("%s: %w", shown.Path(hooks), cause(err))
	}
	for _, path := range []string{agents, hooks} {
		if err := dangling(path); err != nil {
			return "", err
		}
	}
	return "", nil
}

// dangling is an error if path is a symbolic link that leads nowhere.
func dangling(path string) error {
	info, err := os.Lstat(path)
	if err != nil || !isDangling(path, info) {
		return nil
	}
	return fmt.Errorf("%s is a symbolic link that leads nowhere", shown.Path(path))
}

// isDangling is dangling for a path that was looked at.
func isDangling(path string, info fs.FileInfo) bool {
	if info.Mode()&fs.ModeSymlink == 0 {
		return false
	}
	_, err := os.Stat(path)
	return err != nil
}

// homeFolder is the user's home, looked at when first asked about.
type homeFolder struct {
	path   string
	looked bool
	info   fs.FileInfo // nil: there is none

	last   string // the directory that was last compared
	lastIs bool
}

// is reports whether dir is the home folder, however each is spelled.
func (h *homeFolder) is(dir string) bool {
	if !h.looked {
		h.looked = true
		if filepath.IsAbs(h.path) {
			h.info, _ = os.Stat(h.path)
		}
	}
	if h.info == nil {
		return false
	}
	if dir != h.last {
		info, err := os.Stat(dir)
		h.last, h.lastIs = dir, err == nil && os.SameFile(info, h.info)
	}
	return h.lastIs
}

// Places returns the directories of hooks that FindProject may find from the
// same candidates, now or once they are made.
func Places(candidates []Candidate, home string) []string {
	start, _, _ := firstUsable(candidates)
	if start == "" {
		return nil
	}
	h := homeFolder{path: home}
	var places []string
	for _, dir := range searched(start, &h) {
		if !h.is(dir) {
			places = append(places, filepath.Join(dir, ".agents", "hooks"))
		}
	}
	return places
}
