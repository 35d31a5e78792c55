package discovery

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/reading"
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
	CRLF        bool   // its lines end in CRLF
}

// Starts returns what happens when the entry point is started, as far as it is
// certain: an interpreter runs the entry point, which may only run another
// interpreter, and so on. The last one may do anything else. dir and environ are
// those of the hook's process.
func (e Entry) Starts(dir string, environ []string) (starts []Start) {
	l := &reading.Launch{Dir: dir, Variables: map[string]string{}}
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		l.Variables[name] = value
	}
	words := e.Argv
	if e.Argv[0] == e.Script {
		line, _, _ := script{path: e.Script}.shebang()
		program, arguments := interpreter(line)
		words = append(append([]string{program}, arguments...), e.Script)
	}
	const depth, maxLaunched = 4, 64 << 10 // scripts that start scripts, and bytes of each
	own := false
	for len(words) > 0 && len(starts) < depth {
		file, ok := scriptOf(l, words)
		if !ok {
			break
		}
		text, _, err := paths.Read(file, maxLaunched) // a FIFO in a project must not delay the run
		s := Start{Interpreter: words[0], Script: file, Shell: isShell(words[0]), Opens: err == nil || errors.Is(err, paths.ErrNotRegular), CRLF: hasExecuteBit && isCRLF(text)}
		if !filepath.IsAbs(s.Interpreter) {
			s.Interpreter, _ = findProgram(l.Variables["PATH"], file, words[:1])
		}
		starts = append(starts, s)
		words = nil
		if s.Shell && !own && err == nil && len(text) <= maxLaunched {
			words, own = l.Read(string(text), filepath.Dir(file))
		}
	}
	return starts
}

// scriptOf returns the script that an interpreter runs.
func scriptOf(l *reading.Launch, words []string) (file string, ok bool) {
	flags := flagsOf(words[0])
	for i, w := range words[1:] {
		if w == "--" && i+2 < len(words) {
			w = words[i+2]
		} else if strings.HasPrefix(w, "-") && w != "-" && strings.Trim(w[1:], flags) == "" {
			continue
		}
		searched := isShell(words[0]) && !strings.Contains(w, "/") // a shell also looks in PATH
		return l.Path(w), flags != "" && w != "" && w[0] != '-' && !searched
	}
	return "", false
}
