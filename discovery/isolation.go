package discovery

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

// checkIsolation finds Python programs inside the entry point that are run from
// a string, a module's name or standard input. Without -I, Python then imports
// modules from the working directory, which is the project's: its json.py
// would run in place of Python's.
func (s script) checkIsolation() []spec.Diagnostic {
	const most = 1 << 20
	f, err := os.Open(s.path)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, most))
	var found []spec.Diagnostic
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		words, ok := unisolated(line)
		if !ok {
			continue
		}
		d := problem(s.path, "entry-isolation", fmt.Sprintf("%s imports the project's modules; write %s", shown(words), shown(isolated(words))))
		d.Line, d.Column = number, strings.Index(line, strings.Fields(words)[0])+1
		found = append(found, d)
	}
	return found
}

// unisolated returns the words of a call of Python in a line of a script that
// reads code from elsewhere than a file, without -I.
func unisolated(line string) (words string, found bool) {
	if strings.HasPrefix(strings.TrimSpace(line), "#") {
		return "", false
	}
	all := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"',;()[]{}`$|&", r) })
	for i, name := range all {
		if !isPython(name) {
			continue
		}
		if n := unsafeOptions(all[i+1:]); n > 0 {
			return strings.Join(all[i:i+1+n], " "), true
		}
	}
	return "", false
}

// isPython reports whether a program is some version of Python.
func isPython(word string) bool {
	name := filepath.Base(word)
	for _, begin := range []string{"python", "pypy"} {
		if rest, ok := strings.CutPrefix(name, begin); ok && strings.Trim(rest, "0123456789.") == "" {
			return true
		}
	}
	return false
}

// unsafeOptions returns how many words of Python's options lead to code that
// is in no file, without -I; 0 if there is none.
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

// beforeCode returns a cluster of options up to the one that takes the rest.
func beforeCode(option string) string {
	if at := strings.IndexAny(option, "cmWX"); at >= 0 {
		return option[:at]
	}
	return option
}

// isolated puts -I into a call.
func isolated(words string) string {
	name, rest, _ := strings.Cut(words, " ")
	return name + " -I " + rest
}
