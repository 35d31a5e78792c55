package install

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	posixshell "mvdan.cc/sh/v3/shell"

	"github.com/agent-hooks/agent-hooks/agent"
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
	s := machine(t)
	s.GOOS, s.ConfigDir, s.StateHome = "windows", "", ""
	target := s.Target(c)
	for _, p := range c.Places {
		if p.Scope() != "user" || p.whole() || p.WindowsEntry != nil {
			continue // a file of its own, or words without a shell
		}
		for _, part := range p.Entry {
			for _, e := range target.known(userOptions()) {
				v := target.values(p, Options{Scope: "user", Program: program}, e)
				words := slices.Clone(v.words)
				switch part.Var {
				case agent.CommandLine:
					if target.shellOf(c) == posix {
						words[0] = strings.ReplaceAll(words[0], `\`, "/")
					}
					visit(agent.Shell(target.shellOf(c)), e.Name, v.command, words)
				case agent.ShellLine:
					words[0] = strings.ReplaceAll(words[0], `\`, "/")
					visit(agent.Posix, e.Name, v.bash, words)
				case agent.PowerShellLine:
					visit(agent.PowerShell, e.Name, v.power, words)
				case agent.CmdLine:
					visit(agent.CmdExe, e.Name, v.cmd, words)
				}
			}
		}
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
	rest, called := strings.CutPrefix(line, "& ")
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
