package discovery

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// maxShebang is longer than any #! line that a system reads.
const maxShebang = 4 << 10

// head returns the beginning of the script.
func (s script) head() ([]byte, error) {
	var anywhere *directory
	file, size, err := anywhere.openRegular(s.path)
	if err != nil {
		return nil, entryProblem("entry-point", s.path, ": %v", shown.Cause(err))
	}
	defer file.Close()
	head := make([]byte, min(size, maxShebang))
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, entryProblem("entry-point", s.path, ": %v", shown.Cause(err))
	}
	return head[:n], nil
}

// shebang returns the script's #! line without the #! and the newline, but
// including a carriage return; "" if there is none. The system decides whether a
// binary can be started.
func (s script) shebang() (line string, binary bool, err error) {
	head, err := s.head()
	return shebangOf(head), isBinary(head), err
}

// shebangOf returns the #! line of the beginning of a script.
func shebangOf(head []byte) string {
	rest, ok := bytes.CutPrefix(head, []byte("#!"))
	if !ok {
		return ""
	}
	first, _, _ := bytes.Cut(rest, []byte("\n"))
	return strings.TrimLeft(string(first), " \t")
}

func isBinary(head []byte) bool { return bytes.IndexByte(head, 0) >= 0 }

// checkNewlines rejects a script that a system or a shell takes otherwise than it reads because its lines
// end in CRLF: `exit 0` ends with 2, which blocks.
func (s script) checkNewlines(head []byte) error {
	if !hasExecuteBit || isBinary(head) {
		return nil
	}
	line, name := "", filepath.Base(s.path)
	if s.executable || name == "run" {
		line = shebangOf(head)
	}
	program, _ := interpreter(line)
	split := strings.Contains(line, " -S") || strings.Contains(line, " --split-string") // by env, which splits at a CR, too
	switch {
	case strings.HasSuffix(line, "\r") && !split:
		return entryProblem("entry-crlf", s.path, ": its #! line ends with a carriage return (CRLF); %s", saveLF)
	case (isShell(program) || line == "" && name != "run.py") && isCRLF(head):
		return entryProblem("entry-crlf", s.path, ": its lines end with a carriage return (CRLF), which a shell takes as a part of each command; %s", saveLF)
	}
	return nil
}

const saveLF = "save the script with LF line endings"

// isCRLF reports whether at least half of the lines of a text end in CRLF.
func isCRLF(text []byte) bool {
	lines := bytes.Count(text, []byte("\n"))
	if !bytes.HasSuffix(text, []byte("\n")) {
		lines++
	}
	crs := bytes.Count(text, []byte("\r\n"))
	if bytes.HasSuffix(text, []byte("\r")) {
		crs++
	}
	return crs > 0 && 2*crs >= lines
}

// splitShebang splits a #! line as Linux does: the program, and everything
// after it as one argument.
func splitShebang(line string) (program, argument string) {
	line = strings.Trim(line, " \t\r")
	i := strings.IndexAny(line, " \t")
	if i < 0 {
		return line, ""
	}
	return line[:i], strings.Trim(line[i:], " \t")
}

// interpreter returns the program that a #! line finally runs, and its
// arguments. It skips env with its options and variables.
func interpreter(line string) (program string, arguments []string) {
	program, argument := splitShebang(line)
	arguments = strings.Fields(argument)
	if filepath.Base(program) != "env" {
		return program, arguments
	}
	for len(arguments) > 0 {
		word := arguments[0]
		word = strings.TrimPrefix(word, "--split-string=")
		if !strings.HasPrefix(word, "--") {
			word = strings.TrimPrefix(word, "-S")
		}
		arguments = arguments[1:]
		if word != "" && word[0] != '-' && !strings.Contains(word, "=") {
			return word, arguments
		}
	}
	return program, nil
}

// byShebang returns the command line of a script without the execute permission: that of the system
// or, on Windows, one with a program of this system for the one that the #! line names.
func (s script) byShebang(path string) ([]string, error) {
	line, _, err := s.shebang()
	switch {
	case err != nil:
		return nil, err
	case line == "" && hasExecuteBit:
		return nil, entryProblem("entry-point", s.path, " has neither an execute permission nor a #! line")
	case line == "":
		return nil, entryProblem("entry-point", s.path, " has no #! line")
	case !hasExecuteBit:
		name, arguments := interpreter(line)
		program, err := findProgram(path, s.path, alike(filepath.Base(filepath.FromSlash(name))))
		return slices.Concat([]string{program}, arguments, []string{s.path}), err
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

// alike lists the programs that can replace an interpreter.
func alike(name string) []string {
	name = strings.TrimSuffix(name, ".exe")
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

func pythons() []string {
	if hasExecuteBit {
		return []string{"python3", "python"}
	}
	return []string{"python3", "python", "py"}
}

// interpreted reports whether the programs that a #! line names exist.
func (s script) interpreted(line, path string) bool {
	first, _ := splitShebang(line)
	if !filepath.IsAbs(first) || !isProgram(first) {
		return false
	}
	program, _ := interpreter(line)
	if filepath.IsAbs(program) {
		return isProgram(program)
	}
	_, err := findProgram(path, s.path, []string{program})
	return err == nil
}

// findProgram searches for the first of names in the folders of path, the PATH
// variable. script is the script that needs it.
func findProgram(path, script string, names []string) (string, error) {
	folders := programFolders(path)
	for _, name := range names {
		for _, folder := range folders {
			file := filepath.Join(folder, name)
			if !hasExecuteBit {
				file += ".exe"
			}
			if isProgram(file) {
				return file, nil
			}
		}
	}
	return "", entryProblem("entry-interpreter", script, " needs %s, which is not in PATH", strings.Join(names, " or "))
}

// programFolders returns the absolute entries of path: a relative entry would let the working
// directory choose the program. On Windows, it omits the folders whose bash belongs to another
// system and whose python is a store placeholder, and adds the shells of Git, which its installer
// does not add to PATH.
func programFolders(path string) []string {
	var folders []string
	for _, folder := range filepath.SplitList(path) {
		name := strings.ToLower(filepath.Base(folder))
		if filepath.IsAbs(folder) && (hasExecuteBit || name != "system32" && name != "windowsapps") {
			folders = append(folders, folder)
		}
	}
	for _, folder := range folders {
		if !hasExecuteBit && isProgram(filepath.Join(folder, "git.exe")) {
			git := filepath.Dir(folder)
			return append(folders, filepath.Join(git, "bin"), filepath.Join(git, "usr", "bin"))
		}
	}
	return folders
}

// hasExecuteBit reports whether the system has an execute permission, and executes #! lines.
const hasExecuteBit = runtime.GOOS != "windows"

func isProgram(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular() && (!hasExecuteBit || info.Mode()&0o111 != 0)
}
