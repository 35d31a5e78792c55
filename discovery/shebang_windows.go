package discovery

import (
	"path/filepath"
	"strings"
)

const programSuffix = ".exe"

func pythons() []string { return []string{"python3", "python", "py"} }

// programFolders omits the folders whose bash belongs to another system and
// whose python is a store placeholder, and adds the shells of Git, which its
// installer does not add to PATH.
func programFolders(path string) []string {
	var folders []string
	for _, folder := range absoluteFolders(path) {
		switch strings.ToLower(filepath.Base(folder)) {
		case "system32", "windowsapps":
		default:
			folders = append(folders, folder)
		}
	}
	for _, folder := range folders {
		if isProgram(filepath.Join(folder, "git.exe")) {
			git := filepath.Dir(folder)
			return append(folders, filepath.Join(git, "bin"), filepath.Join(git, "usr", "bin"))
		}
	}
	return folders
}

func isProgram(file string) bool {
	_, ok := isRegular(file)
	return ok
}

// byShebang finds a program of this system for the one that a #! line names.
func (s script) byShebang(path string) ([]string, error) {
	line, _, err := s.shebang()
	switch {
	case err != nil:
		return nil, err
	case line == "":
		return nil, entryProblem("entry-point", s.path, " has no #! line")
	}
	name, arguments := interpreter(line)
	program, err := findProgram(path, s.path, alike(filepath.Base(filepath.FromSlash(name))))
	if err != nil {
		return nil, err
	}
	return append(append([]string{program}, arguments...), s.path), nil
}

// alike lists the programs that can replace an interpreter.
func alike(name string) []string {
	name = strings.TrimSuffix(name, programSuffix)
	switch {
	case name == "sh":
		return []string{"sh", "bash"}
	case name == "bash":
		return []string{"bash", "sh"}
	case strings.HasPrefix(name, "python"):
		return append([]string{name}, pythons()...)
	}
	return []string{name}
}
