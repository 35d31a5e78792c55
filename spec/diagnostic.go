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
	if c := find(d.Code); c != nil {
		return c.Fatal
	}
	return d.Severity == Error
}

// Harmless reports whether the hook runs as its author meant despite the
// problem, so that runs do not mention it (D85).
func (d Diagnostic) Harmless() bool {
	switch d.Code {
	case "name", "name-mismatch", "missing-key", "description", "value-type", "repeated-key", "file-size":
		return true
	}
	return d.Severity != Error
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
	{"front-matter-fence", Error, true, "the front matter contains an indented `---`", "write it differently: other readers end the front matter there"},
	{"front-matter-size", Error, true, "the front matter is above 64 KiB", "move text into the body"},
	{"file-size", Error, false, "the file is above 1 MiB", "move text into other files of the folder"},
	{"encoding", Error, true, "the front matter is not valid UTF-8", "save the file as UTF-8"},
	{"yaml", Error, true, "the front matter is not a YAML mapping", "fix the reported line"},
	{"yaml-size", Error, true, "the front matter expands to too much data", "write values out instead of nesting aliases"},
	{"unknown-key", Error, false, "the format has no such key", "correct its spelling, or move it under `metadata`"},
	{"duplicate-key", Error, true, "a key that affects the execution appears twice", "keep one of them"},
	{"repeated-key", Error, false, "a key that does not affect the execution appears twice; the first one counts", "keep one of them"},
	{"wrong-type", Error, true, "a value has the wrong type for its key and cannot be read", "write a value of the reported type"},
	{"value-type", Error, false, "a value has the wrong type for its key, but can be read or is not needed", "write a value of the reported type"},
	{"missing-key", Error, false, "the name or the description is missing", "add it"},
	{"name", Error, false, "the name has an invalid character or length", "1-64 lower-case letters, digits and single hyphens, none at an end"},
	{"name-mismatch", Error, false, "the name differs from the folder's name", "make both equal"},
	{"name-taken", Error, true, "two folders of a scope have the same name", "rename one of them"},
	{"name-same", Warning, false, "two hooks of a scope have the same name in their HOOK.md; both run", "remove one of them, or correct the name"},
	{"description", Error, false, "the description is empty or above 1024 characters", "1-1024 characters"},
	{"trigger", Error, true, "the trigger is missing, or not an event of the format", "use one of the events that `agent-hooks events` lists"},
	{"trigger-extension", Warning, false, "the trigger is an extension event, which not every agent fires", "use one of the format's thirteen events if possible"},
	{"timeout", Error, false, "the timeout is not an integer from 100 to 600000", "milliseconds, 100-600000; the default is 30000"},
	{"priority", Error, false, "the priority is not an integer from 0 to 1000", "0-1000, the default is 100; higher runs first"},
	{"async", Error, false, "async is neither true nor false", "true or false; until then the hook is sync"},
	{"matcher-ignored", Warning, false, "the trigger is not a tool event, so the matcher is ignored", "remove the matcher or use a tool event"},
	{"matcher-indent", Warning, false, "tool or pattern below an empty matcher is not indented", "indent it; it counts as the matcher's"},
	{"tool-star", Warning, false, "matcher.tool is `*`, which means every tool", "remove the key"},
	{"pattern", Error, true, "a regular expression does not compile", "fix the expression at the reported position"},
	{"pattern-dialect", Warning, false, "a regular expression has another meaning in Python's re", "use a form that has the same meaning in both"},
	{"pattern-everything", Warning, false, "a regular expression matches everything", "remove its key, or restrict the expression"},
	{"pattern-slip", Warning, false, "a regular expression matches something other than intended", "use the suggested spelling"},
	{"tool-unknown", Warning, false, "a name in matcher.tool is not a tool of any known agent", "correct its spelling; ignore this for your own tools and those of servers"},
	{"tool-case", Warning, false, "a name in matcher.tool has a case that no agent uses, or only some", "use the suggested spelling"},
	{"tool-some", Warning, false, "only some agents use a name in matcher.tool for a tool that all agents have", "use the suggested name"},
	{"on-failure", Error, false, "metadata.on-failure has an unknown value", "allow, deny or ask; until then it counts as ask"},
	{"async-on-failure", Warning, false, "an async hook has an on-failure other than allow, but an async hook cannot block", "remove async or on-failure"},
	{"retry", Error, false, "metadata.retry is not an integer from 0 to 5", "0-5; until then the hook is not restarted"},
	{"pure", Error, false, "metadata.pure is neither true nor false", "true or false; until then the hook does not run concurrently"},
	{"protocol", Error, true, "metadata.protocol names an unknown hook system", "use a known name, or remove the key if the script answers in this format"},
	{"protocol-missing", Warning, false, "the script answers in another hook system's format, but metadata.protocol is missing", "add the suggested metadata.protocol"},
	{"async-block", Warning, false, "the script of an async hook tries to block, but an async hook cannot block", "remove async"},
	{"stdin-twice", Warning, false, "the script reads stdin twice; the second time it is empty", "keep the event in a variable"},
	{"reason-stdout", Warning, false, "the script prints the reason of a block on stdout, where it is not read", "print it on stderr: >&2"},
	{"match", Error, false, "metadata.match has an unknown value", "values, commands, pipelines or paths; until then every input counts as matched"},
	{"access", Error, false, "metadata.access is not a list of read, show, write, remove and remove-tree", "write a list of these words; until then every path counts"},
	{"form", Error, false, "metadata.form has an unknown value", "marked, or remove the key; until then the pattern is searched in both forms"},
	{"unless", Error, false, "metadata.unless is not a list of regular expressions, or one does not compile", "fix what is reported; until then it excepts nothing"},
	{"undecided", Error, false, "metadata.undecided has an unknown value, or is pass without a constant deny or ask", "match or pass; until then what is undecided matches"},
	{"own", Error, false, "metadata.own has an unknown value, or is pass without a constant deny or ask with match: paths and an access that only removes", "pass, or remove the key; until then nothing is excepted"},
	{"access-below", Warning, false, "metadata.access is only for removing, and pattern names something below a folder", "match the folders above as well: removing them removes it"},
	{"match-ignored", Warning, false, "metadata.match, access, form or unless has no pattern, no match: paths, or an event without a tool, and no effect", "remove it, or add what is missing"},
	{"when-input", Warning, false, "metadata.when names the tool's input, or a command or path in it", "use matcher.pattern with metadata.match: another spelling of the same call does not match the condition, and the hook does not run"},
	{"answer", Error, false, "metadata.answer has an unknown key or value, or the hook also has what only a script needs", "fix or remove what is reported; until then a deny or an ask counts, and an allow does not"},
	{"answer-empty", Error, true, "metadata.answer says nothing", "add a decision, additional_context or system_message"},
	{"answer-allow", Warning, false, "a constant allow that never counts", "write what is reported: an allow vouches for a whole command or tool"},
	{"metadata-key", Warning, false, "a metadata key differs slightly from a key of agent-hooks", "correct its spelling, or rename it"},
	{"entry-point", Error, true, "the folder has no usable entry point", "add an executable scripts/run, or scripts/run.sh or scripts/run.py"},
	{"entry-bit", Warning, false, "the entry point has lost its execute permission", "chmod +x"},
	{"entry-crlf", Error, true, "the entry point's #! line, or each line of a shell script, ends with a carriage return", "save the script with LF line endings"},
	{"entry-interpreter", Error, true, "the entry point's interpreter is not installed", "install it or change the #! line"},
	{"entry-shebang", Warning, false, "the entry point has no #! line", "begin it with #!/bin/sh or similar"},
	{"entry-isolation", Warning, false, "a script runs `python3 -c`, `-m` or `-` without -I, or another interpreter with the working directory in its search path, which imports the project's modules", "write python3 -I, or remove the option"},
	{"entry-syntax", Error, false, "bash rejects the entry point's syntax", "fix the reported line"},
	{"not-regular", Error, true, "the HOOK.md is not a regular file", "replace it with a regular file"},
	{"unreadable", Error, true, "the file or folder cannot be read", "fix its permissions"},
	{"link", Error, true, "a symbolic link is dangling or part of a loop", "fix or remove the link"},
	{"two-files", Warning, false, "HOOK.md and hook.md both exist; HOOK.md is read", "remove one of them"},
	{"permissions", Error, true, "others can change the hook", "chmod or chown the reported path"},
	{"many-files", Warning, false, "the folder has more files than a run checks for permissions", "remove files, or move them elsewhere"},
	{"empty", Warning, false, "the folder has no HOOK.md, so it is not a hook", "add a HOOK.md or remove the folder"},
	{"config-file", Error, false, "a hooks.toml cannot be read", "fix the reported problem; until then a user's file counts as the strictest"},
	{"config-key", Error, false, "a hooks.toml has an unknown, misplaced or missing key", "correct its spelling, or move it to the right table"},
	{"config-value", Error, false, "a hooks.toml has an invalid value", "write a value of the reported type and range"},
	{"config-name", Warning, false, "a hooks.toml names a missing hook", "correct the name, or remove the entry"},
	{"scope-size", Error, false, "folders of a hooks directory are not read: it takes too long, or too many are untrusted", "remove folders that are not hooks, or trust the hooks"},
	{"left-out", Warning, false, "a file has more problems than are listed", "fix those that are listed"},
	{"case-file", Error, false, "a test case cannot be read", "fix the reported problem"},
	{"case-key", Error, false, "a test case has an unknown or duplicate key", "correct its spelling, or move it to the right table"},
	{"case-value", Error, false, "a test case has an invalid value", "write a value of the reported type"},
	{"case-hook", Error, false, "the cases of a hook do not run", "fix or trust the hook"},
}

// Codes returns the table of diagnostic codes.
func Codes() []Code { return slices.Clone(codes[:]) }

// SeverityOf returns the severity of a diagnostic code. An unknown code is an
// error.
func SeverityOf(code string) Severity {
	if c := find(code); c != nil {
		return c.Severity
	}
	return Error
}

// find returns the row of a code, nil if there is none.
func find(code string) *Code {
	for i := range codes {
		if codes[i].Code == code {
			return &codes[i]
		}
	}
	return nil
}
