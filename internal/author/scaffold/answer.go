package scaffold

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/advice"
	"github.com/agent-hooks/agent-hooks/internal/yamltext"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// AnswerOptions specifies a hook whose HOOK.md is its answer (D77). NewAnswer checks
// it.
type AnswerOptions struct {
	Name     string
	Trigger  spec.EventType // pre-tool-call or permission-request
	Decision string         // deny, ask or allow
	Pattern  string         // in Match; what an allow permits, as a whole
	Match    string         // commands, paths or values; "" means paths for tools that use files, otherwise commands
	Tool     string         // "" means Shell for commands, otherwise every tool
	Reason   string         // "" means one that names the hook
	Example  string         // a command or path that Pattern matches
}

// commanders are programs that have options before their subcommand.
var commanders = [...]string{"aws", "az", "cargo", "docker", "gcloud", "gh", "git", "helm", "hg", "kubectl", "podman", "svn", "systemctl", "terraform", "tofu"}

// NewAnswer returns the files of the hook, HOOK.md first. The error is a *Problem.
func NewAnswer(o AnswerOptions) ([]File, error) {
	if err := CheckName(o.Name); err != nil {
		return nil, err
	}
	if o.Trigger != spec.PreToolCall && o.Trigger != spec.PermissionRequest {
		return nil, &Problem{Option: "trigger", Message: "--deny, --ask and --allow are for calls of tools, and " + quote(string(o.Trigger)) + " is not one", Instead: string(spec.PreToolCall)}
	}
	if err := o.settle(); err != nil {
		return nil, err
	}
	if err := o.findExample(); err != nil {
		return nil, err
	}
	return []File{
		{"HOOK.md", []byte(o.manifest()), false},
		{"tests/fires.yaml", []byte(o.positive()), false},
		{"tests/passes.yaml", []byte(o.negative()), false},
	}, nil
}

// settle fills in the options that depend on others.
func (o *AnswerOptions) settle() error {
	if o.Match == "" {
		o.Match = "commands"
		if o.Tool != "" && subjectOf(o.Tool).key == "file_path" {
			o.Match = "paths"
		}
	}
	if !slices.Contains([]string{"commands", "paths", "values"}, o.Match) {
		return &Problem{Option: "match", Message: "unknown --match " + quote(o.Match) + "; commands, paths or values", Instead: "commands"}
	}
	if o.Tool == "" && o.Match == "commands" {
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
	if o.Match == "commands" && o.Decision != "allow" {
		o.Pattern = ofCommand(o.Pattern)
	}
	if o.Reason == "" {
		o.Reason = map[string]string{"deny": o.Name + ": this call is not for agents; ask the user", "ask": o.Name + ": may the agent do this?", "allow": o.Name + ": this command is known"}[o.Decision]
	}
	return nil
}

// ofCommand returns the expression for a program and its subcommands that are
// given as plain words: git push means a line with that subcommand, whatever
// options are before it. Any other expression is kept.
func ofCommand(pattern string) string {
	words := strings.Split(strings.TrimSuffix(strings.TrimPrefix(pattern, "^"), "$"), " ")
	for _, w := range words {
		if w == "" || strings.HasPrefix(w, "-") || strings.ContainsFunc(w, func(r rune) bool { return !isWord(r) && r != '-' }) {
			return pattern
		}
	}
	text := "^" + words[0]
	if len(words) > 1 && slices.Contains(commanders[:], words[0]) {
		text += "( .*)?"
	}
	for _, w := range words[1:] {
		text += " " + w
	}
	return text + "( |$)"
}

// findExample finds a command or path that the pattern matches.
func (o *AnswerOptions) findExample() error {
	if o.Example != "" {
		if !o.matches(o.Example) {
			return &Problem{Option: "example", Message: "the pattern " + quote(o.Pattern) + " is not found in the example " + quote(o.Example)}
		}
		return nil
	}
	for _, text := range []string{sample(o.Pattern), "npm publish", "secrets.txt", ".env", "git status", "rm -rf build", o.Pattern} {
		if o.matches(text) {
			o.Example = text
			return nil
		}
	}
	if found := advice.Check("pattern", o.Pattern); advice.CanNeverMatch(found) {
		return &Problem{Option: o.Decision, Message: "the pattern " + quote(o.Pattern) + " " + found[0].Message()}
	}
	return &Problem{Option: "example", Message: "a test case needs a text that the pattern " + quote(o.Pattern) + " matches; give one with --example"}
}

// sample returns a text that an expression of words, groups and sets may match.
func sample(pattern string) string {
	text := strings.NewReplacer("( .*)?", "", "( |$)", "", "(^|/)", "", `\b`, "", `\s+`, " ", `\s`, " ", ".*", "", "^", "", "$", "", "(?:", "(", ")?", ")").Replace(pattern)
	var b strings.Builder
	skip, depth := false, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			if i++; !skip {
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
func (o *AnswerOptions) matches(text string) bool {
	if text == "" || strings.ContainsAny(text, "\n\r\x00") {
		return false
	}
	if o.Decision == "allow" {
		return matcher.Whole(o.Pattern, text)
	}
	m, err := matcher.Compile("", o.Pattern)
	return err == nil && m.Match(matcher.Subject{Values: []string{text}, Text: "{}"}).Matched
}

func (o *AnswerOptions) manifest() string {
	var b strings.Builder
	about := map[string]string{"deny": "Blocks", "ask": "Asks before", "allow": "Allows"}[o.Decision]
	what := map[string]string{"commands": "commands", "paths": "calls with paths", "values": "calls"}[o.Match]
	fmt.Fprintf(&b, "---\nname: %s\ndescription: %s\ntrigger: %s\nmatcher:\n", yamltext.Scalar(o.Name), yamltext.Scalar(fmt.Sprintf("%s %s like %s.", about, what, o.Example)), o.Trigger)
	if o.Tool != "" {
		fmt.Fprintf(&b, "  tool: %s\n", yamltext.Scalar(o.Tool))
	}
	fmt.Fprintf(&b, "  pattern: %s\nmetadata:\n", yamltext.Scalar(o.Pattern))
	if o.Match != "values" {
		fmt.Fprintf(&b, "  # What the pattern is searched in: the commands that a shell would run,\n  # the paths that the call names, or (the default) the values of the input.\n  match: %s\n", o.Match)
	}
	fmt.Fprintf(&b, "  answer:\n    decision: %s\n    reason: %s\n---\n\n# %s\n\n", o.Decision, yamltext.Scalar(o.Reason), o.Name)
	if o.Decision == "allow" {
		b.WriteString("The pattern must match every command of the call as a whole. It vouches for the\ntext only: what the program does depends on PATH, its settings and its files.\n")
	}
	fmt.Fprintf(&b, "There is no script. The test cases are in `tests`: `agent-hooks test %s`.\n\n## What it cannot do\n\nList what gets past this hook, for people who rely on it.\n", o.Name)
	return b.String()
}

func (o *AnswerOptions) positive() string {
	return fmt.Sprintf("# `agent-hooks test %s` checks the answer to this event.\n", o.Name) + o.event(o.Example) +
		"expect:\n  decision: " + o.Decision + "\n"
}

func (o *AnswerOptions) negative() string {
	text := "# An event that must pass. Add a case for each event that the hook gets wrong.\n"
	if o.Decision == "allow" {
		return text + o.event(o.Example+"; rm -rf build") + "expect:\n  decision: none\n"
	}
	for _, harmless := range []string{"npm test", "ls", "README.md", "something else"} {
		if !o.matches(harmless) {
			return text + o.event(harmless) + "expect:\n  fires: false\n"
		}
	}
	return text + "event:\n  tool_name: AskUser\n  tool_input: {}\nexpect:\n  decision: none\n"
}

// event returns a call with a command or a path.
func (o *AnswerOptions) event(text string) string {
	tool, key := "ReadFile", "file_path"
	if o.Match == "commands" {
		tool, key = "Shell", "command"
	}
	if name, err := toolFor(o.Tool); err == nil && o.Tool != "" {
		tool, key = name, subjectOf(name).key
	}
	return fmt.Sprintf("event:\n  tool_name: %s\n  tool_input:\n    %s: %s\n", yamltext.Scalar(tool), key, yamltext.Scalar(text))
}
