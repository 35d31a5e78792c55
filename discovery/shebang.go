package discovery

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// maxShebang is longer than any #! line that a system reads.
const maxShebang = 4 << 10

// head returns the beginning of the script.
func (s script) head() ([]byte, error) {
	file, size, err := openRegular(s.path)
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

// openRegular opens a regular file in any directory.
func openRegular(path string) (io.ReadCloser, int64, error) {
	var none *directory
	return none.openRegular(path)
}

// shebang returns the script's #! line without the #! and the newline, but
// including a carriage return; "" if there is none. The system decides whether a
// binary can be started.
func (s script) shebang() (line string, binary bool, err error) {
	head, err := s.head()
	if rest, ok := bytes.CutPrefix(head, []byte("#!")); ok {
		first, _, _ := bytes.Cut(rest, []byte("\n"))
		line = strings.TrimLeft(string(first), " \t")
	}
	return line, bytes.IndexByte(head, 0) >= 0, err
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

// findProgram searches for the first of names in the folders of path, the PATH
// variable. script is the script that needs it.
func findProgram(path, script string, names []string) (string, error) {
	folders := programFolders(path)
	for _, name := range names {
		for _, folder := range folders {
			file := filepath.Join(folder, name+programSuffix)
			if isProgram(file) {
				return file, nil
			}
		}
	}
	return "", entryProblem("entry-interpreter", script, " needs %s, which is not in PATH", strings.Join(names, " or "))
}

// absoluteFolders returns the absolute entries of path. A relative entry would
// let the working directory choose the program.
func absoluteFolders(path string) []string {
	var folders []string
	for _, folder := range filepath.SplitList(path) {
		if filepath.IsAbs(folder) {
			folders = append(folders, folder)
		}
	}
	return folders
}

func isRegular(path string) (os.FileMode, bool) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, false
	}
	return info.Mode(), info.Mode().IsRegular()
}
