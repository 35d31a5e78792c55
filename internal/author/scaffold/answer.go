package scaffold

import (
	"maps"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// newAnswer returns the files of a hook whose HOOK.md is its answer (D77).
func newAnswer(o Options) ([]state.File, error) {
	if o.Trigger != spec.PreToolCall && o.Trigger != spec.PermissionRequest {
		return nil, &Problem{Option: "trigger", Message: "--deny, --ask and --allow are for calls of tools, and " + quote(string(o.Trigger)) + " is not one", Instead: string(spec.PreToolCall)}
	}
	err := o.settle()
	if err != nil {
		return nil, err
	}
	usual := []string{sample(o.Pattern), "npm publish", "secrets.txt", ".env", "git status", "rm -rf build", o.Pattern}
	o.Example, err = findExample(o, usual, o.matches)
	if err != nil {
		return nil, err
	}
	about := map[string]string{"deny": "Blocks", "ask": "Asks before", "allow": "Allows"}[o.Decision]
	what := map[string]string{"commands": "commands", "pipelines": "commands", "paths": "calls with paths", "values": "calls"}[o.Match]
	passes, result := o.passes()
	d := newDraft(o)
	d.features = append(d.features, o.Decision, o.Match, result)
	d.mark("marked", o.marked)
	maps.Copy(d.values, map[string]string{
		"match": o.Match, "decision": o.Decision, "reason": o.Reason,
		"about": about + " " + what + " like " + o.Example + ".", "fires": o.event(o.Example), "passes": passes,
	})
	return []state.File{d.file("HOOK.md", "answer.md"), d.file("tests/fires.yaml", "fires.yaml"), d.file("tests/passes.yaml", "passes.yaml")}, nil
}

// settle fills in the options that depend on others.
func (o *Options) settle() error {
	if o.Match == "" {
		o.Match = "commands"
		if o.Tool != "" && subjectOf(o.Tool).key == "file_path" {
			o.Match = "paths"
		}
	}
	if !slices.Contains([]string{"commands", "pipelines", "paths", "values"}, o.Match) {
		return &Problem{Option: "match", Message: "unknown --match " + quote(o.Match) + "; commands, pipelines, paths or values", Instead: "commands"}
	}
	if o.Tool == "" && (o.Match == "commands" || o.Match == "pipelines") {
		o.Tool = "Shell"
	}
	if o.Decision == "allow" && o.Match != "commands" {
		return &Problem{Option: "match", Message: "an allow vouches for commands only", Instead: "commands"}
	}
	if o.Pattern == "" {
		return &Problem{Option: o.Decision, Message: "--" + o.Decision + " needs a regular expression"}
	}
	if err := checkTool(o.Tool); err != nil {
		return err
	}
	if _, err := compile(o.Tool, o.Pattern); err != nil {
		return err
	}
	if words := plainWords(o.Pattern); o.Match == "commands" && words != nil {
		given := o.Pattern
		if o.Decision == "allow" && strings.ContainsAny(given, "^$") {
			// the author's own
		} else if o.Decision == "allow" {
			o.Pattern = strings.Join(words, " ") + "( .*)?"
		} else {
			o.Pattern, o.marked = ofCommand(words), true
		}
		if o.Example == "" {
			o.Example = strings.Trim(given, "^$")
		}
	}
	if o.Reason == "" {
		o.Reason = map[string]string{"deny": "this call is not for agents; ask the user", "ask": "may the agent do this?", "allow": "this command is known"}[o.Decision]
	}
	return nil
}

// plainWords returns the words of an expression that is only words, such as git push; nil for any
// other.
func plainWords(pattern string) []string {
	words := strings.Split(strings.TrimSuffix(strings.TrimPrefix(pattern, "^"), "$"), " ")
	for _, w := range words {
		if w == "" || strings.ContainsFunc(w, func(r rune) bool { return !isWord(r) && r != '-' }) {
			return nil
		}
	}
	if strings.HasPrefix(words[0], "-") {
		return nil
	}
	return words
}

// ofCommand returns the expression for a program, its subcommands and options, in the marked form
// (D128, D129). git push means a command with that subcommand; the runner tries the command without
// the options before it. An option with the word after it means a command that has it anywhere.
func ofCommand(words []string) string {
	const more = "( \\S+)*"
	begin, subcommands, options := "^"+words[0], "", ""
	for i := 1; i < len(words); i++ {
		switch {
		case !strings.HasPrefix(words[i], "-"):
			if options != "" { // an option before a subcommand
				begin, options = begin+options, ""
				subcommands += more
			}
			subcommands += " " + words[i]
		case i+1 < len(words) && !strings.HasPrefix(words[i+1], "-"):
			options += "(?=" + more + " " + words[i] + "[ =]" + words[i+1] + "( |$))"
			i++
		default:
			options += "(?=" + more + " " + words[i] + "( |$))"
		}
	}
	return begin + subcommands + options + "( |$)"
}

// sample returns a text that an expression of words, groups and sets may match.
func sample(pattern string) string {
	text := strings.NewReplacer("( .*)?", "", "( |$)", "", "(^|/)", "", `\b`, "", `\s+`, " ", `\s`, " ", ".*", "", "^", "", "$", "", "(?:", "(", ")?", ")").Replace(pattern)
	var b strings.Builder
	skip, depth := false, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			if !skip {
				b.WriteByte(text[i])
			}
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
			skip = false
		case c == '|' && depth > 0:
			skip = true
		case c == '|':
			return b.String()
		case !skip:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// matches reports whether the pattern matches a command or path.
func (o *Options) matches(text string) bool {
	if text == "" || strings.ContainsAny(text, "\n\r\x00") {
		return false
	}
	if o.Decision == "allow" {
		return matcher.Whole(o.Pattern, text)
	}
	m, err := matcher.Compile("", o.Pattern)
	return err == nil && m.Match(matcher.Subject{Values: []string{text}, Text: "{}"}).Matched
}

// passes returns an event that must pass, and how: skipped by the matcher, or answered with no
// decision.
func (o *Options) passes() (event, result string) {
	if o.Decision == "allow" {
		return o.event(o.Example + "; rm -rf build"), "answered"
	}
	for _, harmless := range []string{"npm test", "ls", "README.md", "something else"} {
		if !o.matches(harmless) {
			return o.event(harmless), "skipped"
		}
	}
	return "event:\n  tool_name: AskUser\n  tool_input: {}\n", "answered"
}

// event returns a call with a command or a path.
func (o *Options) event(text string) string {
	tool := map[bool]string{true: "Shell", false: "ReadFile"}[o.Match == "commands"]
	if name, err := toolFor(o.Tool); err == nil && o.Tool != "" {
		tool = name
	}
	return toolEvent(tool, text)
}
