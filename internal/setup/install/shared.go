package install

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

// A project's settings are shared with people who may not have agent-hooks. Its entries run the
// program if it can be found, and otherwise give the agent's answer without an opinion (D84).

// programFolders are the usual folders of an installed program, and of the copy that install makes
// of one that npm may remove. ~ is the home directory.
func programFolders() []string {
	return []string{"~/.local/bin", "~/go/bin", "/opt/homebrew/bin", "/usr/local/bin", "~/.local/share/agent-hooks/bin"}
}

// sharedScript returns a script that runs the command in its arguments. A login shell or a
// desktop may lack the PATH of an installed program, so programFolders are searched, too; a file
// there that cannot be executed is an error. The script has no apostrophe and no backslash,
// because some agents and settings files treat them in their own way, and Grok Build refuses a plain
// variable that its environment lacks. It reads its input to the end: agents report a closed pipe as an error.
func sharedScript() string {
	var paths strings.Builder
	for _, folder := range programFolders() {
		paths.WriteString(` "` + strings.Replace(folder, "~", "$HOME", 1) + `/$1"`)
	}
	return `export ` + opened + `; ` + `if command -v "$1" >/dev/null 2>&1; then exec "$@"; fi; for agent_hooks in` + paths.String() +
		`; do if [ -f "${agent_hooks-}" ]; then shift; exec "${agent_hooks-}" "$@"; fi; done; cat >/dev/null`
}

// absence is what an entry gives the agent if the program is missing.
type absence struct {
	answer string // on stdout: the agent's answer without an opinion; "" if that is silence
	note   string // on stderr, for agents whose answer cannot contain it
	only   string // the event with which the note is given; "" if the entry has only one
	blocks bool   // it blocks the operation
}

// The parts of guarded around the program and its call.
const (
	guardStart, guardEnd = "[ -f ", " ] && "
	unread               = "cat >/dev/null"
	gone                 = "your hooks do not run, because "
)

// givenWithout are how the commands after unread begin.
var givenWithout = [...]string{"echo '" + gone, "echo '{"}

// guarded returns a command line that runs call, which replaces the shell, if the program is there.
// Its shell is the one that the agent starts anyway.
func guarded(program, call string, without absence) string {
	return guardStart + posix.quote(program) + guardEnd + call + "; " + without.line()
}

// line returns the commands that give what the agent gets without the program. They read the input
// to the end, because agents report a closed pipe as an error.
func (a absence) line() string {
	note, read := "echo "+posix.quote(a.note)+" >&2", unread
	switch {
	case a.note != "" && a.only != "":
		read = "case $(cat) in *" + a.only + "*) " + note + ";; esac"
	case a.note != "":
		read += "; " + note
	}
	if a.answer != "" {
		read += "; echo " + posix.quote(a.answer)
	}
	return read
}

// unguarded replaces what guarded has written in a line by the call alone.
func unguarded(line string) string {
	before, rest, _ := strings.Cut(line, guardStart)
	_, rest, _ = strings.Cut(rest, guardEnd)
	call, rest, ok := strings.Cut(rest, "; "+unread)
	if !ok {
		return line
	}
	parts := splitAtOperators(rest)
	for len(parts) > 2 && parts[0] == "" && parts[1] == ";" && slices.ContainsFunc(givenWithout[:], func(start string) bool { return strings.HasPrefix(parts[2], start) }) {
		parts = slices.Concat([]string{""}, parts[3:])
	}
	return strings.TrimSpace(before + call + " " + strings.Join(parts, " "))
}

// sharedWords returns the command that runs words if their program exists.
func sharedWords(words []string, without absence) []string {
	script, zero := sharedScript(), "sh"
	if without.note != "" {
		script += `; echo "` + without.note + `" >&2`
	}
	if without.answer != "" {
		script, zero = script+`; echo "$0"`, without.answer
	}
	if without.blocks {
		script += "; exit 2"
	}
	return append([]string{"sh", "-c", script, zero}, words...)
}

// unshared returns the command that sharedWords or closedWords, or both, contain, or words if it is
// another command. The variables may be cleared in either, or in none.
func unshared(words []string) []string {
	for _, start := range [][]string{strings.Fields(opened), strings.Fields(cleared)} {
		if len(words) > len(start) && slices.Equal(words[:len(start)], start) {
			words = words[len(start):]
		}
	}
	if len(words) > 0 && words[0] == "exec" {
		words = words[1:]
	}
	if len(words) > 2 && words[0] == closedEnv[0] && words[1] == closedEnv[1] {
		words = words[2:]
	}
	if len(words) < 5 || words[1] != "-c" {
		return words
	}
	if words[0] == "sh" && strings.HasPrefix(exported(words[2]), exported(sharedScript())) || words[0] == closedShell && strings.HasPrefix(words[2], closedStart) {
		return unshared(words[4:])
	}
	return words
}

// exported returns a script without the variables with which it may begin.
func exported(script string) string {
	for _, start := range []string{opened, cleared} {
		script = strings.TrimPrefix(script, "export "+start+"; ")
	}
	return script
}

// start returns the variables with which a command line begins.
func (o Options) start(closes bool) string {
	if closes || o.Scope == managed {
		return cleared
	}
	return opened
}

// closedShell runs closedScript. If it is bash, SHELLOPTS would keep it from running anything.
const closedShell = "/bin/sh"

var closedEnv = [...]string{"/usr/bin/env", "SHELLOPTS="}

// closedScript runs the command in its arguments and blocks if it ends with any status but 0: the
// program may be missing, and a limit that a user sets can kill it with a status that agents ignore
// (D49, D99). It passes signals on, and names no variable, because some agents replace variables in
// their settings. A shell's own kill, wait and echo may be functions of the environment. Some agents
// need a reason.
const closedScript = closedStart + "unset -f kill wait echo; f() { kill -TERM $!; }; trap f HUP INT TERM; exec 3<&0; " + cleared +
	` "$@" <&3 3<&- & exec 3<&-; wait $!; case $? in 0) trap - EXIT; exit 0;; 2) exit 2;; esac; echo "` + notDecided + `" >&2; exit 2`

// closedStart is how closedScript begins, in earlier entries, too.
const closedStart = `trap "exit 2" EXIT; `

// notDecided is the reason for a block by an entry that fails closed.
const notDecided = "agent-hooks did not run or failed, so this is blocked"

// closedWords returns the command that runs words and blocks if that fails.
func closedWords(words []string) []string {
	return slices.Concat(closedEnv[:], []string{closedShell, "-c", closedScript, "sh"}, words)
}

// closedStatus and closedCmd do the same in PowerShell and in cmd.exe.
const (
	closedStatus = "; if ($LASTEXITCODE -ne 0) { exit 2 }"
	closedCmd    = " || exit 2"
)

// closes reports whether the entry of an event blocks by its own text if the program fails. Not at
// the end of the agent's work, where a block keeps it working: it would never stop.
func (t Target) closes(o Options, e Event) bool {
	return o.Scope == managed || o.FailClosed && !t.Agent.Converses && t.Agent.ReadsStatus2() && e.Spec != spec.PreAgentTurnStop && e.Spec != spec.PostSubagent
}

// exitStatus makes PowerShell exit with the status of the program instead of 0 or 1.
const exitStatus = "; exit $LASTEXITCODE"

// sharedPowerShell is sharedWords for PowerShell. line runs the program.
func sharedPowerShell(program, line string, without absence) string {
	text := "if (Get-Command " + powerShell.quote(program) + " -ErrorAction SilentlyContinue) { " + line + " }"
	if without.blocks {
		text += " else { exit 2 }"
	}
	if without.answer != "" {
		text += " else { Write-Output " + powerShell.quote(without.answer) + " }"
	}
	return text
}

// sharedCmd is sharedWords for cmd.exe, which has no way to quote every answer: the program's
// absence is silent. Both where and cmd.exe would take a program of this name in the current
// directory, which is the project's, before those on PATH.
func sharedCmd(program, line string, without absence) string {
	status := "0"
	if without.blocks {
		status = "2"
	}
	return "set NoDefaultCurrentDirectoryInExePath=1& where /q $PATH:" + program + " & if errorlevel 1 (exit " + status + ") else " + line
}

// shares reports whether the entries of a scope are for several people, who may not have the program.
func (o Options) shares() bool { return o.Scope != "user" && o.Scope != managed }

// howToInstall is shown at the start of a session without the program. It contains no address
// with "://", for which an agent may reject the command.
func (s System) howToInstall() string {
	return "this project has guards for coding agents, and they do not run here: agent-hooks is not installed, or not in the PATH of this agent. How to install it: " + cmp.Or(s.Hint, "github.com/agent-hooks/agent-hooks")
}

// missing returns what the user reads without the program.
func (t Target) missing(o Options) string {
	switch {
	case o.Scope == inAPlugin:
		return pluginMissing
	case o.shares():
		return t.howToInstall()
	}
	return gone + o.Program + " is gone. Install agent-hooks again, then run: agent-hooks install " + t.Name
}

// absent returns what the entry of an event gives if the program is missing. At the start of a
// session, else with a prompt, it says how to install the program.
func (t Target) absent(o Options, e Event) absence {
	message := ""
	if t.closes(o, e) {
		return absence{note: t.howToInstall(), blocks: true}
	}
	if e.Name == t.firstEvent(o) {
		message = t.missing(o)
	}
	without := absence{answer: strings.TrimSpace(string(t.Agent.Without(e.Name, message)))}
	if strings.ContainsAny(without.answer, "'\\\n") {
		without.answer = ""
	}
	if !strings.Contains(without.answer, message) {
		without.note = message
	}
	return without
}

// firstEvent returns the event that begins a session; otherwise that of a prompt; "" if there
// is neither.
func (t Target) firstEvent(o Options) string {
	events := t.known(o)
	for _, first := range []spec.EventType{spec.PreSession, spec.PreAgentTurn} {
		if i := slices.IndexFunc(events, func(e Event) bool { return e.Spec == first }); i >= 0 {
			return events[i].Name
		}
	}
	return ""
}

// program returns the path of a program that a project's entries name; "" if it is missing.
func (s System) program(name string) string {
	if path, err := s.LookPath(name); err == nil && !forOneCommand(path) {
		return path
	}
	for _, folder := range programFolders() {
		path := filepath.Join(s.Expand(folder, ""), name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

// isUsers reports whether a project's file is the user's own: the project is the home directory.
func (t Target) isUsers(path string) bool {
	info, statErr := os.Stat(path)
	return slices.ContainsFunc(t.Places, func(p Place) bool {
		if p.Scope() != "user" {
			return false
		}
		users := t.Expand(p.Path, p.Home)
		other, err := os.Stat(users)
		return users == path || statErr == nil && err == nil && os.SameFile(info, other)
	})
}
