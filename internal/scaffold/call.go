package scaffold

import (
	"encoding/json"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/lint"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// subject is one kind of tool, with inputs for the test cases.
type subject struct {
	tool, key           string
	forbidden, harmless string
}

// subjects are tools that a hook can be tried on. The last stands for any
// other.
var subjects = [...]subject{
	{"Shell", "command", "npm publish", "npm test"},
	{"WriteFile", "file_path", "secrets.txt", "README.md"},
	{"EditFile", "file_path", "secrets.txt", "README.md"},
	{"ReadFile", "file_path", "secrets.txt", "README.md"},
	{"Delete", "file_path", "secrets.txt", "notes.txt"},
	{"FetchURL", "url", "https://intranet.example.com", "https://example.com"},
	{"SearchWeb", "query", "our project", "go testing"},
	{"Grep", "pattern", "password", "func main"},
	{"Glob", "pattern", "secrets", "docs"},
	{"Task", "prompt", "npm publish", "find the tests"},
	{"mcp__server__tool", "text", "npm publish", "npm test"},
}

// Tools returns the names of tools that a matcher is likely to want.
func Tools() []string {
	var names []string
	for _, s := range subjects[:len(subjects)-1] {
		names = append(names, s.tool)
	}
	return names
}

// subjectOf returns the kind of tool that name is of.
func subjectOf(name string) subject {
	for _, known := range spec.ToolNames(name) {
		for _, s := range subjects {
			if s.tool == known {
				return s
			}
		}
	}
	return subjects[len(subjects)-1]
}

// call is a call of a tool that the matcher chooses, and one that it passes
// over.
type call struct {
	subject
	tool, text string
	passedOver struct{ tool, text string } // the tool is "" if it passes none over
}

// newCall makes up calls for a matcher. For one whose pattern is too intricate
// the author has to give the text.
func newCall(o Options) (c call, err error) {
	if !o.Trigger.IsTool() {
		return c, noMatcher(o)
	}
	if err := checkText(o); err != nil {
		return c, err
	}
	if err := checkTool(o.Tool); err != nil {
		return c, err
	}
	m, err := compile(o.Tool, o.Pattern)
	if err != nil {
		return c, err
	}
	if c.tool, err = toolFor(o.Tool); err != nil {
		return c, err
	}
	c.subject = subjectOf(c.tool)
	if c.text, err = textFor(m, c.tool, o); err != nil {
		return c, err
	}
	if o.Pattern != "" {
		c.passOver(m)
	}
	return c, nil
}

func noMatcher(o Options) error {
	for _, option := range [][2]string{{"tool", o.Tool}, {"pattern", o.Pattern}, {"example", o.Example}} {
		if option[1] != "" {
			return &Problem{Option: option[0], Message: "only the tool events have a matcher, and " + string(o.Trigger) + " is none"}
		}
	}
	return nil
}

// checkText refuses what no file could hold as text.
func checkText(o Options) error {
	for _, option := range [][2]string{{"tool", o.Tool}, {"pattern", o.Pattern}, {"example", o.Example}} {
		if !utf8.ValidString(option[1]) {
			return &Problem{Option: option[0], Message: "--" + option[0] + " is not UTF-8"}
		}
	}
	return nil
}

// checkTool finds the slip in the name of a tool. What is no plain word is an
// expression of somebody who knows.
func checkTool(tool string) error {
	if tool == "" || spec.KnownTool(tool) || strings.ContainsFunc(tool, func(r rune) bool { return !isWord(r) }) {
		return nil
	}
	if near, ok := lint.NearTool(tool); ok && !strings.Contains(near, tool) {
		return &Problem{Option: "tool", Message: "no agent has a tool " + quote(tool) + "; write ^" + tool + "$ if yours has", Instead: near}
	}
	return nil
}

func isWord(r rune) bool {
	return r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// toolFor returns the name of a tool that the expression is found in.
func toolFor(tool string) (string, error) {
	m, err := compile(tool, "")
	if err != nil {
		return "", err
	}
	var names []string
	for _, s := range subjects {
		names = append(names, s.tool)
	}
	for _, name := range append(names, derived(tool, "")) {
		if name != "" && matches(m, name, "") {
			return name, nil
		}
	}
	return "", &Problem{Option: "tool", Message: "no name of a tool could be made up that --tool " + quote(tool) + " matches; write it more plainly and change it later in the HOOK.md"}
}

// textFor returns a text in a call of the tool that the matcher chooses.
func textFor(m *matcher.Matcher, tool string, o Options) (string, error) {
	switch {
	case o.Example != "" && matches(m, tool, o.Example):
		return o.Example, nil
	case o.Example != "":
		return "", &Problem{Option: "example", Message: "the pattern " + quote(o.Pattern) + " is not found in the example " + quote(o.Example)}
	case o.Pattern == "":
		return subjectOf(tool).harmless, nil
	}
	raw := derived(o.Pattern, anything(tool))
	tidy := strings.Join(strings.Fields(raw), " ")
	for _, text := range []string{subjectOf(tool).forbidden, tidy, raw, o.Pattern} {
		if text != "" && matches(m, tool, text) {
			return text, nil
		}
	}
	for _, f := range lint.Pattern(o.Pattern) {
		if f.Code == lint.Never && f.Whole() {
			return "", &Problem{Option: "pattern", Message: "the pattern " + quote(o.Pattern) + " " + f.Message}
		}
	}
	return "", &Problem{Option: "example", Message: "no text could be made up for a test case that the pattern " + quote(o.Pattern) + " matches; give one with --example"}
}

// anything reads well in a tool's input where an expression has .*
func anything(tool string) string {
	switch subjectOf(tool).key {
	case "file_path", "url", "pattern":
		return "x"
	}
	return " "
}

// passOver looks for a call that the matcher does not choose.
func (c *call) passOver(m *matcher.Matcher) {
	for _, text := range []string{c.harmless, "ls", "README.md", "something else"} {
		if !matches(m, c.tool, text) {
			c.passedOver.tool, c.passedOver.text = c.tool, text
			return
		}
	}
	for _, s := range subjects {
		if !matches(m, s.tool, c.text) {
			c.passedOver.tool, c.passedOver.text = s.tool, c.text
			return
		}
	}
}

// matches asks whether a matcher chooses a call of tool with one text.
func matches(m *matcher.Matcher, tool, text string) bool {
	return m.Match(matcher.Subject{
		Own: []string{tool}, Names: spec.ToolNames(tool), Values: []string{text},
		Text: `{"` + subjectOf(tool).key + `": ` + jsonText(text) + `}`,
	}).Matched
}

func jsonText(text string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text)
	return strings.TrimSuffix(b.String(), "\n")
}

// derived makes up a short text that an expression is found in, with anything
// for each .* in it; "" if it uses more than the usual. The text is not certain
// to match.
func derived(expression, anything string) string {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return ""
	}
	d := derivation{anything: anything}
	d.write(parsed, 0)
	return d.String()
}

type derivation struct {
	strings.Builder
	anything string
}

const (
	maxDerived = 200 // bytes
	maxDepth   = 100
)

func (d *derivation) write(re *syntax.Regexp, depth int) {
	if depth > maxDepth || d.Len() > maxDerived {
		return
	}
	times := 1
	switch re.Op {
	case syntax.OpLiteral:
		d.WriteString(literal(re))
		return
	case syntax.OpCharClass:
		d.WriteRune(oneOf(re.Rune))
		return
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		d.WriteByte('x')
		return
	case syntax.OpStar:
		if sub := re.Sub[0].Op; sub == syntax.OpAnyChar || sub == syntax.OpAnyCharNotNL {
			d.WriteString(d.anything)
		}
		return
	case syntax.OpQuest:
		return
	case syntax.OpRepeat:
		times = re.Min
	case syntax.OpAlternate:
		d.write(re.Sub[0], depth+1)
		return
	}
	for range times {
		for _, sub := range re.Sub {
			d.write(sub, depth+1)
		}
	}
}

// literal is the text of a literal: in lower case where its case does not
// matter, since the parser keeps the capitals.
func literal(re *syntax.Regexp) string {
	if re.Flags&syntax.FoldCase != 0 {
		return strings.ToLower(string(re.Rune))
	}
	return string(re.Rune)
}

// oneOf picks a character of a class, given as pairs of ends: one that reads
// well, if there is one.
func oneOf(ranges []rune) rune {
	for _, nice := range " ax1-_/." {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= nice && nice <= ranges[i+1] {
				return nice
			}
		}
	}
	if len(ranges) == 0 {
		return 'x'
	}
	return ranges[0]
}
