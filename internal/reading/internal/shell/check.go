package shell

import (
	"maps"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/parse"
)

// checkArithmetic notes texts in which an arithmetic expression may run a
// literal.
func (r *Reader) checkArithmetic() {
	for _, text := range slices.Sorted(maps.Keys(r.suspects)) {
		if r.evaluates && r.brackets {
			r.note("an arithmetic expression or a subscript may run what is in %s", excerpt(text))
		}
	}
}

// subscripts are builtins that evaluate array subscripts in their arguments, or
// arithmetic expressions.
var subscripts = [...]string{"declare", "typeset", "local", "export", "readonly", "let", "unset", "read", "printf", "test", "[", "mapfile", "readarray", "wait", "getopts", "[["}

// checkSubscripts records a builtin that may evaluate a subscript:
// declare 'a[$(x)]'.
func (r *Reader) checkSubscripts(name string, args []word) {
	evaluates := name == "let" || name == "getopts" || name == "read" || name == "mapfile" || name == "readarray"
	for i, a := range args {
		option := strings.HasPrefix(a.text, "-")
		switch name {
		case "printf", "wait":
			option = option && strings.ContainsAny(a.text, "vp")
			evaluates = evaluates || option || i == 0 && a.unknown
		case "test", "[":
			evaluates = evaluates || a.text == "-v" || a.text == "-R" || a.unknown && len(args)-i >= 2
		default:
			evaluates = evaluates || a.unknown || a.filled || option || strings.Contains(a.text, "[")
		}
	}
	r.evaluates = r.evaluates || evaluates
}

// integers are variables whose assigned values bash evaluates, or that have
// values of their own. Assigning to a read-only one is an error.
var integers = [...]string{"RANDOM", "SRANDOM", "SECONDS", "LINENO", "HISTCMD", "OPTIND", "EPOCHSECONDS", "EPOCHREALTIME", "UID", "EUID", "PPID", "SHELLOPTS", "FUNCNAME", "GROUPS", "DIRSTACK", "PIPESTATUS", "COMP_CWORD", "_"}

// prompts are variables whose values shells expand and so run.
var prompts = [...]string{"PS0", "PS1", "PS2", "PS3", "PS4", "ENV", "BASH_ENV", "PROMPT_COMMAND"}

// checkAssignment notes a value that the shell runs.
func (r *Reader) checkAssignment(name string, value word) {
	r.path = r.path || name == "PATH"
	switch {
	case slices.Contains(prompts[:], name):
		if parse.HasSubstitution(value.text) || strings.Contains(value.text, "<(") || name == "PROMPT_COMMAND" && value.text != "" {
			r.note("the shell may run the value of %s: %s", name, excerpt(value.text))
		}
	case strings.HasPrefix(name, "BASH_FUNC_"), name == "BASH_ALIASES", name == "BASH_CMDS":
		r.note("the shell may run the value of %s: %s", name, excerpt(value.text))
	}
	if slices.Contains(integers[:], name) || strings.HasPrefix(name, "BASH") {
		r.vars.taint(name)
		r.vars.lost = true
		r.evaluates = true
	}
	if name == "BASH_ENV" || name == "ENV" { // a file of functions for the shells that this one runs
		r.dark = true
	}
}
