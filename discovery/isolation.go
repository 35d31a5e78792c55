package discovery

import (
	"bytes"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

// checkIsolation finds calls in the folder's scripts with which an interpreter
// runs a program from a string, a module or stdin. It then loads modules from
// the working directory, the project, whose json.py would run instead of
// Python's.
func (h *Hook) checkIsolation() []spec.Diagnostic {
	const maxFiles = 64
	var found []spec.Diagnostic
	files := 0
	_ = filepath.WalkDir(h.Dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case entry.IsDir() && (entry.Name() == "tests" || entry.Name() == "node_modules" || entry.Name() == ".git"):
			return fs.SkipDir
		case !entry.Type().IsRegular() || strings.HasSuffix(entry.Name(), ".md"):
			return nil
		}
		files++
		if files > maxFiles {
			return fs.SkipAll
		}
		text, _, _ := paths.Read(path, 1<<20)
		if bytes.IndexByte(text, 0) >= 0 {
			return nil // not a script
		}
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			if words, fix, ok := unisolated(line); ok {
				d := problemAt(path, number, "entry-isolation", fmt.Sprintf("%s imports the project's modules; write %s", shown.Path(words), shown.Path(fix)))
				d.Column = strings.Index(line, strings.Fields(words)[0]) + 1
				found = append(found, d)
			}
		}
		return nil
	})
	return found
}

// unisolated finds a call in a line of a script that makes an interpreter load
// modules from the working directory. It returns the words of the call and
// their fix.
func unisolated(line string) (words, fix string, found bool) {
	if strings.HasPrefix(strings.TrimSpace(line), "#") {
		return "", "", false
	}
	all := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"',;()[]{}`$|&", r) })
	for i, name := range all {
		if isPython(name) {
			if n := unsafeOptions(all[i+1:]); n > 0 {
				words = strings.Join(all[i:i+1+n], " ")
				return words, strings.Replace(words, " ", " -I ", 1), true
			}
			continue
		}
		if n := currentFolder(filepath.Base(name), all[i+1:]); n > 0 {
			words = strings.Join(all[i:i+1+n], " ")
			return words, name + " without " + all[i+n], true
		}
	}
	return "", "", false
}

// currentFolder returns the number of words up to an option that makes perl or
// ruby load modules, or node load a file, from the working directory; 0 if
// there is none. Without such an option, perl and ruby search only their own
// folders.
func currentFolder(program string, words []string) int {
	for i, w := range words {
		if !strings.HasPrefix(w, "-") {
			return 0
		}
		switch program {
		case "perl", "ruby":
			if w == "-I." || w == "-I./" || w == "-I" && i+1 < len(words) && strings.HasPrefix(words[i+1], ".") {
				return i + 1
			}
		case "node", "bun":
			if rest, ok := strings.CutPrefix(w, "--require="); ok && strings.HasPrefix(rest, ".") {
				return i + 1
			}
			if (w == "-r" || w == "--require" || w == "--import") && i+1 < len(words) && strings.HasPrefix(words[i+1], ".") {
				return i + 1
			}
		default:
			return 0
		}
	}
	return 0
}

// isPython reports whether a program is a version of Python.
func isPython(word string) bool {
	name := filepath.Base(word)
	for _, begin := range []string{"python", "pypy"} {
		if rest, ok := strings.CutPrefix(name, begin); ok && strings.Trim(rest, "0123456789.") == "" {
			return true
		}
	}
	return false
}

// unsafeOptions returns the number of words of Python's options that precede
// code that is not in a file, without -I; 0 if there is none.
func unsafeOptions(words []string) int {
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "-":
			return i + 1
		case w == "-W" || w == "-X":
			i++
		case strings.HasPrefix(w, "--"):
		case !strings.HasPrefix(w, "-") || strings.Contains(beforeCode(w), "I"):
			return 0
		case strings.ContainsAny(w, "cm"):
			return i + 1
		}
	}
	return 0
}

// beforeCode returns a cluster of options up to the one that takes the rest as
// its value.
func beforeCode(option string) string {
	if at := strings.IndexAny(option, "cmWX"); at >= 0 {
		return option[:at]
	}
	return option
}
