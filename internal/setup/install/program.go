package install

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

// Program returns the program for agents' entries: the running program, by its path on PATH if
// that is the same file, because that path remains valid when a package manager replaces the
// link's target. A program in a folder of node packages that may be removed at any time is to be
// copied. Any other program in a temporary location is an error. A link in the current project is
// the project's, which may point it at another program later.
func Program(executable, name string, s System) (Chosen, error) {
	if inNodeModules(executable) && !s.stays(executable) {
		path := s.copyPath()
		switch {
		case path == "":
			return Chosen{}, fmt.Errorf("%s may be removed at any time, and the data directory for a copy cannot be found: HOME is not set to an absolute path", executable)
		case temporary(path, s) && !paths.Contains(s.Home, path):
			return Chosen{}, fmt.Errorf("%s may be removed at any time, and so may a copy of it in %s", executable, filepath.Dir(path))
		}
		return Chosen{Path: path, From: executable}, nil
	}
	candidates := []string{}
	for _, word := range []string{"agent-hooks", name} {
		if path, err := s.LookPath(word); err == nil && filepath.IsAbs(path) && !forOneCommand(path) && (!s.ofProject(path) || s.ofProject(executable)) {
			candidates = append(candidates, path)
		}
	}
	for _, path := range append(candidates, executable) {
		if sameFile(path, executable) && !temporary(path, s) {
			return Chosen{Path: lasting(path)}, nil
		}
	}
	for _, path := range candidates {
		if isProgramName(path) && !temporary(path, s) && !isScript(path) {
			return Chosen{Path: path}, nil
		}
	}
	return Chosen{}, fmt.Errorf("%s is a temporary program; agents need one that stays", executable)
}

// lasting returns the path of a program in the folder of a version by the link to that folder that its
// package manager keeps next to it and changes with the version: mise's latest, Scoop's current.
func lasting(path string) string {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		for _, name := range []string{"latest", "current"} {
			link := filepath.Join(filepath.Dir(dir), name)
			below, err := filepath.Rel(dir, path)
			if target, _ := os.Readlink(link); target != "" && err == nil && sameFile(link, dir) {
				return filepath.Join(link, below)
			}
		}
	}
	return path
}

// forOneCommand reports whether a program was found on PATH only because npm or npx added a folder
// of node packages to it. Agents do not have that folder on PATH.
func forOneCommand(path string) bool {
	return strings.Contains(filepath.ToSlash(path), "/node_modules/")
}

// ofProject reports whether a path, before links are followed, is in the current project. The home
// directory, with or without a repository, is not a project.
func (s System) ofProject(path string) bool {
	return s.Project != "" && paths.Contains(s.Project, path) && (s.Home == "" || !paths.Contains(s.Project, s.Home))
}

// CheckProgram returns the absolute path of a program named by the user.
func CheckProgram(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", err
	case info.IsDir():
		return "", fmt.Errorf("%s is a directory", path)
	case strings.ContainsAny(path, "\n\r\x00"):
		return "", fmt.Errorf("%q contains a line break, which settings files cannot contain", path)
	}
	if err := executableFile(path, info); err != nil {
		return "", err
	}
	return path, nil
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// temporary reports whether a path is in a location that is cleared at some
// time: a temporary directory, or the cache of a tool that runs programs
// without installing them.
func temporary(path string, s System) bool {
	roots := append([]string{s.Getenv("GOCACHE"), s.Getenv("TMPDIR"), s.Getenv("TEMP")}, s.Temporary...)
	real, err := paths.Real(path)
	if err != nil {
		real = path
	}
	for _, root := range roots {
		if root == "" {
			continue
		}
		if resolved, err := paths.Real(root); err == nil && paths.Contains(resolved, real) || paths.Contains(root, path) {
			return true
		}
	}
	for _, part := range []string{"/go-build", "/_npx/", "/.cache/", "/Library/Caches/"} {
		if strings.Contains(filepath.ToSlash(real), part) {
			return true
		}
	}
	return strings.HasSuffix(path, " (deleted)")
}
