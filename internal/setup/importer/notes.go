package importer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/protocol"
)

// variable matches the syntaxes in which scripts read a variable, and shellVariable that of shells,
// which is a template in other languages.
const (
	shellVariable = `\$\{?([A-Z][A-Z0-9_]+)`
	variable      = `(?:environ(?:\.get\(|\[)|getenv\(|ENV(?:\[|\.fetch\())\s*['"]([A-Z][A-Z0-9_]+)['"]|process\.env(?:\.|\[['"])([A-Z][A-Z0-9_]+)`
)

const (
	exitOne      = `\bexit\s*\(?\s*1\b|exitCode\s*=\s*1\b`
	exitTwo      = `\bexit\s*\(?\s*2\b|exitCode\s*=\s*2\b`
	answers      = `permissionDecision|["']?(?:decision|permission)["']?\s*:|"continue"|\bcancel\b|\bdeny\b|\bblock"`
	toStderr     = `>&\s*2|/dev/stderr|sys\.stderr|console\.(?:error|warn)|process\.stderr|STDERR|\$stderr|eprint|SystemExit\(\s*["']|\bwarn\b`
	toStdout     = `\becho\b|\bprintf\b|\bprint\b|console\.log|stdout|\bcat\b\s*<<`
	argumentsKey = `\.arguments\b|\[\s*["']arguments["']\s*\]|get\(\s*["']arguments["']`
)

// guardNotes reports parts of the hook's scripts that can never have worked in
// its agent. It reads the scripts and does not run them.
func (b *builder) guardNotes() {
	var all, shell strings.Builder // without the lines that are comments
	for _, script := range append([]code{{b.hook.Command + "\n", true}}, b.scripts()...) {
		for line := range strings.Lines(script.text) {
			if t := strings.TrimSpace(line); !strings.HasPrefix(t, "#") && !strings.HasPrefix(t, "//") {
				all.WriteString(line)
				if script.shell {
					shell.WriteString(line)
				}
			}
		}
		all.WriteByte('\n')
	}
	env, _ := b.entry.handler["env"].(map[string]any)
	for name := range env {
		all.WriteString("\n" + name + "=") // the entry sets it
	}
	text := all.String()
	has := func(expression string) bool { return regexp.MustCompile(expression).MatchString(text) }
	note := func(format string, args ...any) { b.hook.Notes = append(b.hook.Notes, fmt.Sprintf(format, args...)) }

	var unset []string // the variables that a script expects from the agent but nothing sets
	read := append(regexp.MustCompile(variable).FindAllStringSubmatch(text, -1), regexp.MustCompile(shellVariable).FindAllStringSubmatch(shell.String(), -1)...)
	for _, m := range read {
		name := strings.Join(m[1:], "")
		if b.agent.Unset(name) && !slices.Contains(unset, name) &&
			!has(`(?m)(?:^|[\s;&|("'])`+name+`=|(?:read|for|mapfile|readarray)\s[^\n;]*\b`+name+`\b|\$\{`+name+`:=`) {
			unset = append(unset, name)
		}
	}
	if unset != nil {
		note("it reads %s, which %s never sets: the payload is on stdin", strings.Join(unset, ", "), b.agent.Title)
	}

	for _, name := range b.agent.EnvFiles() {
		if strings.Contains(text, name) {
			note("it uses %s, which only %s sets: the commands of other agents get none of the variables that it leaves there", name, b.agent.Title)
		}
	}

	rules := &b.agent.Judging
	blocks := b.row.Exit2 || slices.Contains(strings.Fields(rules.Status2), b.row.Name)
	judged, _, _ := b.agent.Judge(b.row, "", protocol.Exit{Status: 1, Stderr: []byte("no")}, true)
	closed := judged.Decision == protocol.Deny || b.failsClosed() // it also blocks at exit status 1
	if blocks && has(exitOne) && !has(exitTwo) && !has(answers) && !closed {
		note("it exits with 1, which %s treats as a failure, so the operation continues; 2 blocks", b.agent.Title)
	}
	if blocks && rules.NeedsReason && has(exitTwo) && !has(toStderr) && !(rules.OneStream && has(toStdout)) {
		note("it exits with 2 and writes no reason to stderr: %s then lets the operation continue", b.agent.Title)
	}
	if !blocks && has(exitTwo) && b.row.Deny == nil {
		note("it exits with 2, which blocks nothing on %s", b.row.Name)
	}

	keys := []string{"tool_input"} // that the agent's payload has
	for _, f := range b.agent.Fields {
		if f.Name == "tool_input" {
			keys = append(keys, f.Path)
		}
	}
	if b.row.Spec()[0].IsTool() && has(argumentsKey) && !slices.ContainsFunc(keys, func(key string) bool { return strings.Contains(text, key) }) {
		note("it reads .arguments, which the payload of %s does not have; the input is .%s", b.agent.Title, keys[len(keys)-1])
	}
}
