//go:build unix

package discovery

import (
	"path/filepath"
	"strings"
)

const programSuffix = ""

func pythons() []string { return []string{"python3", "python"} }

func programFolders(path string) []string { return absoluteFolders(path) }

func isProgram(file string) bool {
	mode, ok := isRegular(file)
	return ok && mode&0o111 != 0
}

// byShebang emulates the system's handling of #! for a script without the
// execute permission.
func (s script) byShebang(string) ([]string, error) {
	line, _, err := s.shebang()
	switch {
	case err != nil:
		return nil, err
	case line == "":
		return nil, entryProblem("entry-point", s.path, " has neither an execute permission nor a #! line")
	case strings.HasSuffix(line, "\r"):
		return nil, entryProblem("entry-crlf", s.path, ": the #! line ends with a carriage return")
	}
	program, argument := splitShebang(line)
	if !filepath.IsAbs(program) || !isProgram(program) {
		return nil, entryProblem("entry-interpreter", s.path, ": the interpreter %q is not an installed program", program)
	}
	if argument == "" {
		return []string{program, s.path}, nil
	}
	return []string{program, argument, s.path}, nil
}
