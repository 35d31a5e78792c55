package shell

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/parse"
)

// Launch is what is known about the process of a script: its directory and its
// variables.
type Launch struct {
	Dir       string
	Variables map[string]string
}

// Read returns the words of the only program that a script in a folder starts
// after settings of the shell, and changes l.Dir as the script does. It returns nil
// if the script may do anything else. own means that the program may have other
// variables.
func (l *Launch) Read(script, folder string) (words []string, own bool) {
	const here = "AGENT_HOOKS_SCRIPT_FOLDER"
	script = strings.NewReplacer("$(dirname \"$0\")", "${"+here+"}", "$(dirname -- \"$0\")", "${"+here+"}", "${0%/*}", "${"+here+"}").Replace(script)
	script = strings.ReplaceAll("\n"+script, "\nexport ", "\n")
	r := Reader{Variables: maps.Clone(l.Variables)}
	r.Variables[here] = folder
	for _, name := range parse.Names(script) {
		// The shell sets its own variables; others that are not set are empty.
		if _, set := r.Variables[name]; !set && strings.Contains(name, "_") && name == strings.ToUpper(name) && !strings.HasPrefix(name, "BASH") {
			r.Variables[name] = ""
		}
	}
	if r.Read(script) != nil || !parse.IsStraight(script) {
		return nil, false
	}
	for _, c := range r.Commands {
		if c.Inside > 0 || len(c.Words) == 0 || slices.Equal(c.Words, []string{"exit", "1"}) {
			continue
		}
		if n := len(c.Unknown); n > 0 && c.Unknown[n-1] == len(c.Words)-1 && c.Words[len(c.Words)-1] == "$@" { // a hook's process has no arguments
			c.Words, c.Unknown = c.Words[:len(c.Words)-1], c.Unknown[:n-1]
		}
		switch last := len(c.Words) - 1; {
		case words != nil || len(c.Unknown)+len(c.Globs) > 0:
			return nil, false
		case c.Words[0] == "set" && last > 0 && c.Words[1] != "--":
		case c.Words[0] == "cd" && (last == 1 || last == 2 && c.Words[1] == "--"):
			l.Dir = l.Path(c.Words[last])
		default:
			words = c.Words
		}
	}
	for len(words) > 1 && (words[0] == "exec" || filepath.Base(words[0]) == "env" || isAssignment(words[0])) {
		own, words = own || isAssignment(words[0]), words[1:]
	}
	for name := range r.vars.assigned {
		own = own || name != "PWD" && name != "OLDPWD"
	}
	return words, own
}

// Path returns a path as the process finds it.
func (l *Launch) Path(path string) string {
	if strings.HasPrefix(path, "~/") {
		path = l.Variables["HOME"] + path[1:]
	}
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(l.Dir, path)
}
