package discovery

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/atomicfile"
)

// An interpreter that cannot open its script exits with status 2, as a hook that
// blocks does. This file finds the script of an entry point that only starts an
// interpreter, as imported hooks do (D11). A line that it cannot read with
// certainty ends the search: exit status 2 is then a block.

// flagsOf returns the options without a value, one letter each, of an
// interpreter that exits with status 2 if it cannot open its script; "" for
// other programs.
func flagsOf(program string) string {
	switch name := filepath.Base(program); {
	case isShell(name):
		return "aefhuvxC"
	case strings.HasPrefix(name, "python"), strings.HasPrefix(name, "pypy"):
		return "bBdEiIOPqsSuvx"
	case strings.HasPrefix(name, "perl"):
		return "wWtTU"
	case name == "Rscript":
		return "-" // none
	}
	return ""
}

func isShell(program string) bool {
	switch filepath.Base(program) {
	case "sh", "bash", "dash", "ash", "ksh", "mksh", "zsh":
		return true
	}
	return false
}

// Start is an interpreter and the script that it was to run.
type Start struct {
	Interpreter string // "" if it is not found
	Script      string // absolute
	Shell       bool   // the interpreter is a shell
	Opens       bool   // the script can be opened
}

// Starts returns what happens when the entry point is started, as far as it is
// certain: an interpreter runs the entry point, which may only run another
// interpreter, and so on. The last one may do anything else. dir and environ are
// those of the hook's process.
func (e Entry) Starts(dir string, environ []string) (starts []Start) {
	l := launcher{dir: dir, values: map[string]string{}}
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		l.values[name] = value
	}
	words := e.Argv
	if e.Argv[0] == e.Script {
		line, _, _ := script{path: e.Script}.shebang()
		program, arguments := interpreter(line)
		words = append(append([]string{program}, arguments...), e.Script)
	}
	const depth = 4 // scripts that start scripts
	for len(words) > 0 && len(starts) < depth {
		file, ok := l.scriptOf(words)
		if !ok {
			break
		}
		s := Start{Interpreter: words[0], Script: file, Shell: isShell(words[0]), Opens: opens(file)}
		if !filepath.IsAbs(s.Interpreter) {
			s.Interpreter, _ = findProgram(l.values["PATH"], file, words[:1])
		}
		starts = append(starts, s)
		if words = nil; s.Opens && s.Shell {
			words = l.command(file)
		}
	}
	return starts
}

func opens(path string) bool {
	f, err := os.Open(path)
	return err == nil && f.Close() == nil
}

// launcher reads scripts that only start a program.
type launcher struct {
	dir    string
	values map[string]string // variables
}

// scriptOf returns the script that an interpreter runs.
func (l *launcher) scriptOf(words []string) (file string, ok bool) {
	flags := flagsOf(words[0])
	for i, w := range words[1:] {
		if w == "--" && i+2 < len(words) {
			w = words[i+2]
		} else if strings.HasPrefix(w, "-") && w != "-" && strings.Trim(w[1:], flags) == "" {
			continue
		}
		searched := isShell(words[0]) && !strings.Contains(w, "/") // a shell also looks in PATH
		return l.at(w), flags != "" && w != "" && w[0] != '-' && !searched
	}
	return "", false
}

// at returns a path as the process finds it.
func (l *launcher) at(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(l.dir, path)
}

// command returns the words of the only program that a shell script starts; nil
// if it may do anything else.
func (l *launcher) command(file string) []string {
	const limit = 64 << 10
	text, _, err := atomicfile.Read(file, limit)
	if err != nil || len(text) > limit {
		return nil
	}
	own := strings.NewReplacer("$(dirname \"$0\")", "${/}", "$(dirname -- \"$0\")", "${/}", "${0%/*}", "${/}")
	l.values["/"] = filepath.Dir(file)
	var found []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		words, ok := l.words(own.Replace(strings.TrimSuffix(line, " || exit 1")))
		if !ok || found != nil {
			return nil
		}
		if found, ok = l.step(words); !ok {
			return nil
		}
	}
	return found
}

// step applies one line of a script: a setting of the shell, or the program.
func (l *launcher) step(words []string) (program []string, ok bool) {
	if words[0] == "export" {
		words = words[1:]
	}
	for len(words) > 0 {
		name, value, assigns := strings.Cut(words[0], "=")
		if !assigns || strings.ContainsAny(name, "/+-.") {
			break
		}
		l.values[name] = value
		words = words[1:]
	}
	switch {
	case len(words) == 0:
		return nil, true
	case words[0] == "set":
		return nil, len(words) > 1 && words[1] != "--"
	case words[0] == "cd":
		l.dir = l.at(words[len(words)-1])
		l.values["PWD"] = l.dir
		return nil, len(words) == 2 || len(words) == 3 && words[1] == "--"
	}
	for len(words) > 1 && (words[0] == "exec" || filepath.Base(words[0]) == "env") {
		words = words[1:]
	}
	return words, true
}

// redirection matches redirections that leave the exit status unchanged.
const redirection = `\s(2>&1|1?>&2|[12]?> ?/dev/(null|stderr))(\s|$)`

// words splits a line as a shell does. It is not ok if the shell would do
// anything more than join quoted and known parts.
func (l *launcher) words(line string) (words []string, ok bool) {
	s := splitter{launcher: l, rest: regexp.MustCompile(redirection).ReplaceAllString(line, " ")}
	for s.rest != "" {
		if !s.next() {
			return nil, false
		}
	}
	s.end()
	return s.found, len(s.found) > 0
}

type splitter struct {
	*launcher
	rest   string
	word   strings.Builder
	inside bool // a word has begun
	found  []string
}

func (s *splitter) end() {
	if s.inside {
		s.found = append(s.found, s.word.String())
	}
	s.word.Reset()
	s.inside = false
}

// next reads the next part of a word.
func (s *splitter) next() bool {
	c := s.rest[0]
	switch {
	case c == ' ' || c == '\t':
		s.end()
		s.rest = s.rest[1:]
		return true
	case c == '~' && !s.inside && strings.HasPrefix(s.rest, "~/"):
		s.word.WriteString(s.values["HOME"])
		s.rest = s.rest[1:]
	case c == '\'':
		text, rest, closed := strings.Cut(s.rest[1:], "'")
		s.word.WriteString(text)
		s.rest = rest
		s.inside = true
		return closed
	case c == '"':
		s.inside = true
		return s.quoted()
	case c == '$':
		return s.variable(false)
	case strings.IndexByte("\\`;&|<>()*?[]{}#!~", c) >= 0:
		return false
	default:
		s.word.WriteByte(c)
		s.rest = s.rest[1:]
	}
	s.inside = true
	return true
}

// quoted reads a part in double quotes.
func (s *splitter) quoted() bool {
	for s.rest = s.rest[1:]; s.rest != ""; {
		switch c := s.rest[0]; c {
		case '"':
			s.rest = s.rest[1:]
			return true
		case '\\', '`':
			return false
		case '$':
			if !s.variable(true) {
				return false
			}
		default:
			s.word.WriteByte(c)
			s.rest = s.rest[1:]
		}
	}
	return false
}

// parameter matches a variable in a word. "/" is the folder of the script.
const parameter = `^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*|/)\})`

// variable reads a variable. "$@" adds no words, because a hook's process has no
// arguments.
func (s *splitter) variable(quoted bool) bool {
	if rest, ok := strings.CutPrefix(s.rest, `$@"`); ok && quoted && s.word.Len() == 0 {
		s.rest, s.inside = `"`+rest, false
		return true
	}
	m := regexp.MustCompile(parameter).FindStringSubmatch(s.rest)
	if m == nil {
		return false
	}
	name := m[1] + m[2]
	value, known := s.values[name]
	// The shell sets its own variables; others that are not set are empty.
	shells := !strings.Contains(name, "_") || strings.HasPrefix(name, "BASH") || name != strings.ToUpper(name)
	if !known && shells || !quoted && strings.ContainsAny(value, " \t\n*?[") {
		return false
	}
	s.word.WriteString(value)
	s.rest = s.rest[len(m[0]):]
	s.inside = true
	return true
}
