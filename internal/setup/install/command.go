package install

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/reading"
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
)

// shell is the program that interprets a command line.
type shell agent.Shell

const (
	posix      = shell(agent.Posix)
	cmdExe     = shell(agent.CmdExe)
	powerShell = shell(agent.PowerShell)
)

// deadline returns the time within which run must answer: the agent's timeout
// minus 3 s, or half of the timeout if it is under 6 s (D49).
func deadline(timeout time.Duration) time.Duration {
	if timeout < 6*time.Second {
		return timeout / 2
	}
	return timeout - 3*time.Second
}

// cleared begins a command line of a POSIX shell: Go's runtime reads these variables before a program
// can do anything, and a repository's .env may contain them (D99).
const cleared = "GOMAXPROCS= GODEBUG= GOGC= GOMEMLIMIT="

// opened is cleared for an entry that fails open: where the runtime cannot create a thread, it ends
// by SIGABRT instead of status 2, which blocks (D99).
const opened = cleared + " GOTRACEBACK=crash"

// line joins words to a command line.
func (s shell) line(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = s.quote(w)
	}
	line := strings.Join(quoted, " ")
	if s == powerShell && strings.HasPrefix(line, "'") {
		line = "& " + line // PowerShell would print a string without &
	}
	return line
}

// withoutQuotes replaces paths that cmd.exe needs in quotes by the short names that Windows has for
// most of them: agents in Rust and Go start cmd.exe with quotes that are escaped with backslashes,
// which it does not undo. The program keeps its name.
func withoutQuotes(words []string) []string {
	short := slices.Clone(words)
	for i, word := range short {
		if dir, base := filepath.Split(word); cmdExe.quote(word) != word && filepath.IsAbs(word) {
			if i > 0 {
				dir, base = word, ""
			}
			if name := filepath.Join(shortPath(dir), base); cmdExe.quote(name) == name {
				short[i] = name
			}
		}
	}
	return short
}

// Characters that need no quotes.
const (
	plainEverywhere = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=+"
	plainPosix      = plainEverywhere + ",@%"
	plainCmd        = plainEverywhere + `,@\`
	plainPowerShell = plainEverywhere + `\`
)

// Quote quotes a word for a POSIX shell, which then expands nothing in it.
func Quote(word string) string { return posix.quote(word) }

// Line joins words to a command line of a POSIX shell, which then expands nothing in it.
func Line(words []string) string { return posix.line(words) }

func (s shell) quote(word string) string {
	safe := plainPosix
	switch s {
	case cmdExe:
		safe = plainCmd
	case powerShell:
		safe = plainPowerShell
	}
	if word != "" && strings.Trim(word, safe) == "" {
		return word
	}
	switch s {
	case cmdExe:
		// A path cannot contain a double quote on Windows. Variables are expanded in
		// quotes, too; with a caret in its name, there is none.
		if strings.Count(word, "%") > 1 {
			word = strings.ReplaceAll(word, "%", `"^%"`)
		}
		return `"` + word + `"`
	case powerShell:
		return "'" + strings.ReplaceAll(word, "'", "''") + "'"
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// splitLine returns the words of a command line in the syntax of any of the
// shells; nil if it is not one simple command.
func splitLine(line string) []string {
	line = strings.TrimPrefix(strings.TrimSpace(line), "& ")
	var words []string
	var word strings.Builder
	begun := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			if begun {
				words = append(words, word.String())
				word.Reset()
			}
			begun = false
			continue
		case c == '\'' || c == '"':
			end := strings.IndexByte(line[i+1:], c)
			if end < 0 {
				return nil
			}
			word.WriteString(line[i+1 : i+1+end])
			i += end + 1
		case c == '\\' && i+1 < len(line) && strings.IndexByte(`'" \`, line[i+1]) >= 0:
			i++
			word.WriteByte(line[i])
		case strings.IndexByte("|&;<>()`\n$", c) >= 0:
			return nil
		default:
			word.WriteByte(c)
		}
		begun = true
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}

// call is a command line of agent-hooks found in an agent's settings.
type call struct {
	program string
	args    []string
	wrapped bool // somebody added other commands to the command line
}

// option returns the value of an option of the call.
func (c call) option(name string) string {
	for i, a := range c.args {
		if value, ok := strings.CutPrefix(a, name+"="); ok {
			return value
		}
		if a == name && i+1 < len(c.args) {
			return c.args[i+1]
		}
	}
	return ""
}

// callOf parses a handler as a call of agent-hooks. ok is false if it is not
// one. It recognizes every layout that was ever written: any program named
// agent-hooks that runs hooks, and a renamed one by the options that only
// install writes.
func callOf(handler any, agents []string) (c call, ok bool) {
	for _, line := range commandLines(handler) {
		commands, whole := commandsOf(line)
		for _, words := range commands {
			if c, ok := callIn(words, agents); ok && (whole || c.option("--agent") != "") {
				c.wrapped = !whole
				return c, true
			}
		}
	}
	return call{}, false
}

func callIn(words, agents []string) (c call, ok bool) {
	if len(words) < 2 || words[1] != "run" && words[1] != "serve" {
		return call{}, false
	}
	c = call{program: words[0], args: words[1:]}
	named, agent := isProgramName(words[0]), c.option("--agent")
	if !named && (agent == "" || c.option("--deadline") == "") {
		return call{}, false
	}
	return c, agent == "" || slices.Contains(agents, agent)
}

// commandsOf returns the commands of a command line: one, as install writes it, or all commands
// of a line that somebody wrapped around it, which is then not whole.
func commandsOf(line string) (commands [][]string, whole bool) {
	plain := unguarded(line)
	for _, ending := range []string{exitStatus, closedStatus, closedCmd} {
		plain = strings.TrimSuffix(plain, ending)
	}
	if words := unshared(splitLine(plain)); words != nil {
		return [][]string{words}, true
	}
	if !strings.Contains(line, "agent-hooks") && !strings.Contains(line, "--deadline") {
		return nil, false
	}
	commands, _ = reading.CommandsIn(line)
	return commands, false
}

func isProgramName(program string) bool {
	base := path.Base(strings.ReplaceAll(program, `\`, "/"))
	return strings.TrimSuffix(strings.ToLower(base), ".exe") == "agent-hooks"
}

// commandLines returns the command lines in a handler.
func commandLines(handler any) []string {
	var lines []string
	args, _ := settings.At(handler, "args") // of a program that runs without a shell
	list, _ := args.([]any)
	for _, keys := range [][]string{{"command"}, {"action", "command"}, {"bash"}, {"powershell"}, {"windows"}, {"commandWindows"}} {
		value, _ := settings.At(handler, keys...)
		switch v := value.(type) {
		case string:
			if len(list) > 0 {
				v += " " + posix.line(texts(list))
			}
			lines = append(lines, v)
		case []any: // a program with its arguments
			lines = append(lines, posix.line(texts(v)))
		}
	}
	return lines
}

func texts(list []any) []string {
	var words []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			words = append(words, s)
		}
	}
	return words
}

// withoutCall returns a command line without the call of agent-hooks that somebody put among other
// commands, and without what runs only if the call fails. It is "" if nothing else is in it. ok is
// false if the call cannot be taken out.
func withoutCall(line string, agents []string) (rest string, ok bool) {
	if c, ok := callOf(map[string]any{"command": line}, agents); !ok || !c.wrapped {
		return line, true
	}
	parts := splitAtOperators(unguarded(line))
	i := slices.IndexFunc(parts, func(part string) bool { // also if it sends the output elsewhere
		commands, complete := reading.CommandsIn(part)
		if !complete || len(commands) == 0 {
			return false
		}
		_, ok := callIn(unshared(commands[0]), agents)
		return ok
	})
	if i < 0 {
		return "", false
	}
	end := i + 1
	for end+1 < len(parts) && parts[end] == "||" {
		end += 2
	}
	if i == 0 {
		end++ // the operator
	}
	rest = strings.TrimSpace(strings.Join(slices.Concat(parts[:max(i-1, 0)], parts[min(end, len(parts)):]), " "))
	_, ok = reading.CommandsIn(rest)
	return rest, ok
}

// splitAtOperators returns the parts of a line with the operators ; && || and newline between them.
func splitAtOperators(line string) []string {
	var parts []string
	from, quote := 0, byte(0)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote != '\'' && c == '\\':
			i++
		case quote != 0:
		case c == ';' || c == '\n':
			parts = append(parts, strings.TrimSpace(line[from:i]), string(c))
			from = i + 1
		case strings.HasPrefix(line[i:], "&&"), strings.HasPrefix(line[i:], "||"):
			parts = append(parts, strings.TrimSpace(line[from:i]), line[i:i+2])
			i++
			from = i + 1
		}
	}
	return append(parts, strings.TrimSpace(line[from:]))
}
