package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Severity states whether a diagnostic makes validate fail.
type Severity string

// The two severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Diagnostic is one problem in a file: what was found, and what to do (D9).
type Diagnostic struct {
	Path     string   `json:"path"`
	Line     int      `json:"line,omitempty"`   // from 1; 0 means the whole file
	Column   int      `json:"column,omitempty"` // from 1, in characters
	Severity Severity `json:"severity"`
	Code     string   `json:"code"` // stable, see Codes
	Message  string   `json:"message"`
	Source   string   `json:"-"` // the source line, for printing a caret
	Key      string   `json:"-"` // the front-matter key that it concerns, such as "trigger"; "" for none
}

// String formats d as "path:line:col: message [code]". It omits unknown parts:
// the position if d concerns the whole file, the path if there is none.
func (d Diagnostic) String() string {
	var at []string
	if d.Path != "" {
		at = append(at, d.Path)
	}
	if d.Line > 0 {
		at = append(at, strconv.Itoa(d.Line))
		if d.Column > 0 {
			at = append(at, strconv.Itoa(d.Column))
		}
	}
	if len(at) > 0 {
		return fmt.Sprintf("%s: %s [%s]", strings.Join(at, ":"), d.Message, d.Code)
	}
	return fmt.Sprintf("%s [%s]", d.Message, d.Code)
}

// Fatal reports whether a hook with this problem cannot run (D5). An error
// whose code is not in the table is fatal.
func (d Diagnostic) Fatal() bool {
	for i := range codes {
		if codes[i].Code == d.Code {
			return codes[i].Fatal
		}
	}
	return d.Severity == Error
}

// SortDiagnostics sorts by path, line, column, code and message.
func SortDiagnostics(ds []Diagnostic) {
	slices.SortStableFunc(ds, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message))
	})
}

// Code documents one stable diagnostic code.
type Code struct {
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	Fatal    bool     `json:"fatal"` // a hook with this problem does not run: a failure on its event (D5, D27)
	Meaning  string   `json:"meaning"`
	Fix      string   `json:"fix"`
}

var codes = [...]Code{
	{"front-matter-missing", Error, true, "the file does not begin with front matter", "begin the file with a line `---`, the keys, and a line `---`"},
	{"front-matter-unclosed", Error, true, "the front matter has no closing fence", "add a line that is exactly `---` after the last key"},
	{"front-matter-fence", Error, true, "an indented `---` stands inside the front matter", "spell it differently: other readers end the front matter there"},
	{"front-matter-size", Error, true, "the front matter is above 64 KiB", "move text into the body"},
	{"file-size", Error, true, "the file is above 1 MiB", "move text into other files of the folder"},
	{"encoding", Error, true, "the front matter is not valid UTF-8", "save the file as UTF-8"},
	{"yaml", Error, true, "the front matter is not a YAML mapping", "fix the line that is named"},
	{"yaml-size", Error, true, "the front matter expands to too much data", "write values out instead of nesting aliases"},
	{"unknown-key", Error, false, "the format has no such key", "correct its spelling, or move it under `metadata`"},
	{"duplicate-key", Error, true, "a key appears twice", "keep one of them"},
	{"wrong-type", Error, true, "a value has a type that its key does not take", "write a value of the type that is named"},
	{"missing-key", Error, true, "a required key is not there", "add it"},
	{"name", Error, true, "the name has characters or a length that are not allowed", "1-64 lower-case letters, digits and single hyphens, none at an end"},
	{"name-mismatch", Error, true, "the name is not the folder's", "make the two equal"},
	{"name-taken", Error, true, "two folders of one scope have one name", "rename one of them"},
	{"description", Error, true, "the description is empty or above 1024 characters", "1-1024 characters"},
	{"trigger", Error, true, "the trigger is not an event of the format", "use one of the events that `agent-hooks events` lists"},
	{"trigger-extension", Warning, false, "the trigger is an extension event, which not every agent fires", "use one of the format's thirteen events if one of them will do"},
	{"timeout", Error, false, "the timeout is not an integer from 100 to 600000", "milliseconds, 100-600000; the default is 30000"},
	{"priority", Error, false, "the priority is not an integer from 0 to 1000", "0-1000, the default is 100; higher runs first"},
	{"async", Error, true, "async is neither true nor false", "true or false"},
	{"matcher-ignored", Warning, false, "the trigger is not a tool event, so the matcher is ignored", "remove the matcher or use a tool event"},
	{"matcher-indent", Warning, false, "tool or pattern is not indented below an empty matcher", "indent it; it counts as the matcher's"},
	{"tool-star", Warning, false, "matcher.tool is `*`, which counts as every tool", "leave the key out"},
	{"pattern", Error, true, "a regular expression does not compile", "fix the expression at the place that is named"},
	{"pattern-dialect", Warning, false, "a regular expression means something else in Python's re", "use a spelling that means the same in both"},
	{"pattern-never", Warning, false, "a regular expression, or a branch of it, can never match", "remove what is named, or what stands in its way"},
	{"pattern-everything", Warning, false, "a regular expression matches everything", "leave its key out, or say what it is to match"},
	{"pattern-slip", Warning, false, "a regular expression matches something else than was surely meant", "use the spelling that is named"},
	{"tool-unknown", Warning, false, "a name in matcher.tool is that of no known agent's tool", "correct its spelling; a tool of your own or of a server is fine"},
	{"tool-case", Warning, false, "a name in matcher.tool has the case that no agent, or only some, give it", "use the spelling that is named"},
	{"tool-some", Warning, false, "a name in matcher.tool is what only some agents call a tool that all have", "use the name that is named"},
	{"on-failure", Error, true, "metadata.on-failure has an unknown value", "allow, deny or ask"},
	{"async-on-failure", Warning, false, "an async hook has an on-failure other than allow, which cannot hold anything up", "leave async or on-failure out"},
	{"retry", Error, true, "metadata.retry is not an integer from 0 to 5", "0-5"},
	{"pure", Error, false, "metadata.pure is neither true nor false", "true or false; until then the hook runs by itself"},
	{"protocol", Error, true, "metadata.protocol names a hook system that is not known", "use a known name, or remove the key: the script then speaks this format's language"},
	{"protocol-missing", Warning, false, "the script answers in another hook system's language, and metadata.protocol does not say so", "add the metadata.protocol that is named"},
	{"metadata-key", Warning, false, "a metadata key is nearly one of agent-hooks' own", "correct its spelling, or rename it"},
	{"entry-point", Error, true, "the folder has no entry point that can be run", "add an executable scripts/run, or scripts/run.sh or scripts/run.py"},
	{"entry-bit", Warning, false, "the entry point has lost its execute permission", "chmod +x"},
	{"entry-crlf", Error, true, "the entry point's #! line ends with a carriage return", "save the script with LF line ends"},
	{"entry-interpreter", Error, true, "the entry point's interpreter is not installed", "install it or change the #! line"},
	{"entry-shebang", Warning, false, "the entry point has no #! line", "begin it with #!/bin/sh or the like"},
	{"entry-isolation", Warning, false, "a script runs `python3 -c`, `-m` or `-` without -I, or another interpreter with the working directory in its search path, which imports the project's modules", "write python3 -I, or leave the option out"},
	{"entry-syntax", Error, false, "bash rejects the entry point's syntax", "fix the line that is named"},
	{"not-regular", Error, true, "the HOOK.md is not a regular file", "replace it by a regular file"},
	{"unreadable", Error, true, "the file or folder cannot be read", "fix its permissions"},
	{"link", Error, true, "a symbolic link leads nowhere or in a loop", "fix or remove the link"},
	{"two-files", Warning, false, "HOOK.md and hook.md are both there; HOOK.md is read", "remove one of them"},
	{"permissions", Error, true, "others can change the hook", "chmod or chown the path that is named"},
	{"many-files", Warning, false, "the folder has more files than a run checks for who can change them", "remove files, or keep them elsewhere"},
	{"empty", Warning, false, "the folder has no HOOK.md, so it is no hook", "add a HOOK.md or remove the folder"},
	{"config-file", Error, false, "a hooks.toml cannot be used", "fix what is named; until then a user's file counts as the strictest"},
	{"config-key", Error, false, "a hooks.toml has a key that is not known there, or lacks one", "correct its spelling, or move it where it belongs"},
	{"config-value", Error, false, "a hooks.toml has a value that its key does not take", "write a value of the type and range that are named"},
	{"config-name", Warning, false, "a hooks.toml names a hook that is not there", "correct the name, or remove the entry"},
	{"scope-size", Error, false, "a directory of hooks has more folders than are read", "remove folders that are not hooks, or trust those that are"},
	{"left-out", Warning, false, "a file has more problems than are listed", "fix those that are listed"},
	{"case-file", Error, false, "a test case cannot be read", "fix what is named"},
	{"case-key", Error, false, "a test case has a key that is not known there, or twice", "correct its spelling, or move it where it belongs"},
	{"case-value", Error, false, "a test case has a value that its key does not take", "write a value of the type that is named"},
	{"case-hook", Error, false, "the cases of a hook do not run", "fix or trust the hook"},
}

// Codes returns the table of diagnostic codes.
func Codes() []Code { return slices.Clone(codes[:]) }

// SeverityOf returns the severity of a diagnostic code. An unknown code is an
// error.
func SeverityOf(code string) Severity {
	for i := range codes {
		if codes[i].Code == code {
			return codes[i].Severity
		}
	}
	return Error
}
