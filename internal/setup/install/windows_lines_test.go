package install

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	posixshell "mvdan.cc/sh/v3/shell"

	"github.com/agent-hooks/agent-hooks/internal/agent"
)

// windowsPrograms are places of the program that Windows allows.
var windowsPrograms = []string{
	`C:\tools\agent-hooks.exe`,
	`C:\Users\J. O'Neil\AppData\Local\Programs\agent-hooks.exe`,
	`C:\Program Files (x86)\Søn & Co, 100% ^good\%PATH%\!x!\a;b=c\agent-hooks.exe`,
}

// TestWindowsLines checks each command line that install writes on Windows, for every agent with one,
// against the rules of the shell that runs it. cmd_windows_test.go checks those of cmd.exe also with
// the real one.
func TestWindowsLines(t *testing.T) {
	lines := 0
	for _, c := range All() {
		for _, program := range windowsPrograms {
			eachWindowsLine(t, c, program, func(kind agent.Shell, event, line string, words []string) {
				lines++
				for start, got := range wordsOf(kind, line) {
					if !slices.Equal(got, words) {
						t.Errorf("%s, %s, %s:\n%s\nstarts %q\nwant   %q", c.Name, event, start, line, got, words)
					}
				}
			})
		}
	}
	if lines < 300 {
		t.Errorf("only %d lines", lines)
	}
}

// eachWindowsLine visits the command lines in the user's settings of an agent.
func eachWindowsLine(t *testing.T, c *Client, program string, visit func(kind agent.Shell, event, line string, words []string)) {
	t.Helper()
	target := windowsTarget(t, c)
	for _, p := range c.Places {
		if p.Scope() == "user" {
			target.eachLine(p, Options{Scope: "user", Program: program}, visit)
		}
	}
}

func windowsTarget(t *testing.T, c *Client) Target {
	s := machine(t)
	s.GOOS, s.ConfigDir, s.StateHome = "windows", "", ""
	return s.Target(c)
}

// eachLine visits the command lines in a settings file, or of a script. The words are the program's.
func (t Target) eachLine(p Place, o Options, visit func(kind agent.Shell, event, line string, words []string)) {
	for _, e := range t.known(userOptions()) {
		v := t.values(p, o, e)
		words := t.command(o, !p.Cloud, t.eventArg(e), e.Timeout)
		inBash := slices.Clone(words)
		inBash[0] = strings.ReplaceAll(inBash[0], `\`, "/")
		for _, part := range t.form(p) {
			switch part.Var {
			case agent.CommandLine:
				if t.shellOf(t.Client) == posix || o.Scope == "project" { // shared with other systems
					visit(agent.Posix, e.Name, v.command, inBash)
				} else {
					visit(agent.Shell(t.shellOf(t.Client)), e.Name, v.command, words)
				}
			case agent.ShellLine:
				visit(agent.Posix, e.Name, v.bash, inBash)
			case agent.PowerShellLine:
				visit(agent.PowerShell, e.Name, v.power, words)
			case agent.CmdLine:
				visit(agent.CmdExe, e.Name, v.cmd, words)
			}
		}
		if p.Script {
			_, line, _ := strings.Cut(t.script(o, words, t.absent(o, e), t.closes(o, e)), "\n")
			visit(agent.PowerShell, e.Name, strings.TrimSpace(line), words)
		}
	}
}

// form is an entry's on Windows.
func (t Target) form(p Place) agent.Form {
	if p.WindowsEntry != nil {
		return p.WindowsEntry
	}
	return p.Entry
}

// TestWindowsProjectLines checks the command lines of projects' settings, which run the program only if
// it is found (D84). cmd_windows_test.go runs those of cmd.exe.
func TestWindowsProjectLines(t *testing.T) {
	lines := 0
	for _, c := range All() {
		target := windowsTarget(t, c)
		for _, p := range c.Places {
			if p.Scope() != "project" {
				continue
			}
			target.eachLine(p, Options{Scope: "project", Program: "agent-hooks"}, func(kind agent.Shell, event, line string, words []string) {
				lines++
				var got []string
				switch kind {
				case agent.CmdExe:
					_, command, _ := strings.Cut(line, "& if errorlevel 1 (exit 0) else ")
					got = nativeWords(cmdCommand("/c " + command))
				case agent.PowerShell:
					_, command, _ := strings.Cut(line, "{ ")
					command, _, _ = strings.Cut(command, " }")
					got = powerShellWords(command)
				default:
					fields, _ := posixshell.Fields(line, func(string) string { return "expanded" })
					got = unshared(fields)
				}
				if !slices.Equal(got, words) {
					t.Errorf("%s, %s:\n%s\nstarts %q\nwant   %q", c.Name, event, line, got, words)
				}
			})
		}
	}
	if lines < 100 {
		t.Errorf("only %d lines", lines)
	}
}

// TestWindowsTable checks the table in docs/reference/windows.md of what starts the entries on Windows.
func TestWindowsTable(t *testing.T) {
	const noShell, both, wrong = "no shell: the program and its arguments, or a plugin", "PowerShell or Git Bash, a line for each", "cmd.exe or PowerShell, with a line for `sh`"
	names := map[agent.Shell]string{agent.CmdExe: "cmd.exe", agent.PowerShell: "PowerShell", agent.Posix: "Git Bash"}
	rows := map[string]map[string][]string{}
	for _, c := range All() {
		target := windowsTarget(t, c)
		for _, p := range c.Places {
			scope, row := p.Scope(), noShell
			if scope == managed || len(target.form(p)) == 0 && p.Settings.Plugin == nil && !p.Script {
				continue
			}
			kinds := map[string]bool{}
			target.eachLine(p, Options{Scope: scope, Program: "agent-hooks"}, func(kind agent.Shell, _, _ string, _ []string) {
				name := names[kind]
				if kind == agent.Posix && target.shellOf(c) != posix {
					name = wrong
				}
				kinds[name] = true
			})
			if slices.ContainsFunc(target.form(p), func(part agent.Part) bool { return part.Var == agent.ScriptPath }) {
				continue // the script is a place of its own
			}
			switch {
			case kinds["PowerShell"] && kinds["Git Bash"]:
				row = both
			case kinds["cmd.exe"]: // next to the line that other systems read
				row = "cmd.exe"
			default:
				for kind := range kinds {
					row = kind
				}
			}
			if rows[row] == nil {
				rows[row] = map[string][]string{}
			}
			if !slices.Contains(rows[row][scope], c.Name) {
				rows[row][scope] = append(rows[row][scope], c.Name)
			}
		}
	}
	var want strings.Builder
	want.WriteString("| started by | the user's entries | a project's entries | how the lines were tried |\n|---|---|---|---|\n")
	for _, row := range [][2]string{
		{"cmd.exe", "Wine's cmd.exe starts each, as Node, Python, Go and Rust call it"},
		{"PowerShell", "against the rules of about_Quoting_Rules and about_Parsing"},
		{"Git Bash", "a parser of bash splits each"},
		{both, "as above"},
		{noShell, "Node runs the plugins"},
		{wrong, "they do not run there, and `doctor` says so"},
	} {
		cell := func(scope string) string { return cmp.Or(strings.Join(rows[row[0]][scope], ", "), "-") }
		fmt.Fprintf(&want, "| %s | %s | %s | %s |\n", row[0], cell("user"), cell("project"), row[1])
	}
	const page = "../../../docs/reference/windows.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), "| started by |")
	_, after, _ := strings.Cut(rest, "\n\n")
	switch whole := before + want.String() + "\n" + after; {
	case whole == string(text):
	case *update:
		err = os.WriteFile(page, []byte(whole), 0o644)
	default:
		err = errors.New("docs/reference/windows.md has another table; write it with: go test ./internal/setup/install -run TestWindowsTable -update")
	}
	if err != nil {
		t.Error(err)
	}
}

// wordsOf returns the words of the program that a shell starts, for each way in which agents start
// the shell.
func wordsOf(kind agent.Shell, line string) map[string][]string {
	switch kind {
	case agent.CmdExe:
		all := map[string][]string{}
		for start, commandLine := range cmdStarts(line) {
			all[start] = nativeWords(cmdCommand(commandLine))
		}
		return all
	case agent.PowerShell:
		return map[string][]string{"powershell -Command": powerShellWords(line)}
	}
	words, err := posixshell.Fields(line, func(string) string { return "expanded" })
	if err != nil {
		words = []string{err.Error()}
	}
	return map[string][]string{"bash -c": words}
}

// cmdStarts returns the text after "cmd.exe " for the ways in which agents start it: Node's
// child_process with a shell, and programs that put the line as it is after /C, as Python does.
// Programs in Rust and Go escape quotes in a line with backslashes, which cmd.exe does not undo:
// for them a line must have none, for which install uses the short names of folders.
func cmdStarts(line string) map[string]string {
	starts := map[string]string{`cmd /d /s /c "…"`: `/d /s /c "` + line + `"`, `cmd /c "…"`: `/c "` + line + `"`}
	if !strings.Contains(line, `"`) {
		starts["cmd /c …"] = "/c " + line
		starts["cmd /c, an argument that is escaped"] = "/c " + escapedArgument(line)
	}
	return starts
}

// escapedArgument is syscall.EscapeArg of Windows: an argument as the C runtime reads it.
func escapedArgument(text string) string {
	if !strings.ContainsAny(text, " \t") {
		return strings.ReplaceAll(text, `"`, `\"`)
	}
	return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"`
}

// cmdCommand returns the command line that cmd.exe starts, by the rules of "cmd /?" and of its parser:
// quotes around the text after /C are removed unless it is one quoted path; variables are
// expanded even in quotes; a caret outside of quotes makes the next character ordinary.
func cmdCommand(commandLine string) string {
	_, text, _ := strings.Cut(commandLine, "/c ")
	quotes := strings.Count(text, `"`)
	keeps := !strings.Contains(commandLine, "/s ") && quotes == 2 && !strings.ContainsAny(text, "&<>()@^|") && strings.HasSuffix(text, `.exe"`)
	if last := strings.LastIndexByte(text, '"'); strings.HasPrefix(text, `"`) && !keeps && last > 0 {
		text = text[1:last] + text[last+1:]
	}
	text = strings.ReplaceAll(text, "%PATH%", "expanded") // a variable that exists
	var out strings.Builder
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
			out.WriteByte(c)
		case c == '^' && !quoted && i+1 < len(text):
			i++
			out.WriteByte(text[i])
		case strings.IndexByte("&|<>", c) >= 0 && !quoted:
			return out.String() + fmt.Sprintf(" (the line ends at %q)", text[i:])
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// nativeWords splits a command line as programs do (the C runtime, CommandLineToArgvW), for lines
// whose words contain no quote.
func nativeWords(line string) (words []string) {
	var word strings.Builder
	quoted, begun := false, false
	for _, c := range line + " " {
		switch {
		case c == '"':
			quoted, begun = !quoted, true
		case c == ' ' && !quoted:
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(c)
			begun = true
		}
	}
	return words
}

// powerShellWords returns the words of the command of a line, by about_Quoting_Rules and about_Parsing:
// in single quotes nothing is expanded and ” is a quote; a line that begins with a string is an
// expression unless & calls it; the statement ends at a semicolon.
func powerShellWords(line string) (words []string) {
	rest, called := strings.CutPrefix(strings.TrimPrefix(line, "$input | "), "& ")
	if !called && strings.HasPrefix(rest, "'") {
		return []string{"a string is printed"}
	}
	var word strings.Builder
	quoted, begun := false, false
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '\'' && quoted && i+1 < len(rest) && rest[i+1] == '\'':
			word.WriteByte(c)
			i++
		case c == '\'':
			quoted, begun = !quoted, true
		case (c == ' ' || c == ';') && !quoted:
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			if begun = false; c == ';' {
				return words
			}
		case strings.IndexByte("`$(){}|&<>@#,\"", c) >= 0 && !quoted:
			return append(words, fmt.Sprintf("%q is special", c))
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}
