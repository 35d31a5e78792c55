package scaffold

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/advice"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// subject is one kind of tool, with inputs for the test cases.
type subject struct {
	tool, key           string
	forbidden, harmless string
}

// subjects are the tools used in test cases. The last one is used for any other tool.
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

// Tools returns the names of tools that matchers usually select.
func Tools() []string {
	var names []string
	for _, s := range subjects[:len(subjects)-1] {
		names = append(names, s.tool)
	}
	return names
}

// subjectOf returns the subject for the tool called name.
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

// call is a tool call that the matcher selects.
type call struct {
	subject
	tool, text string
	shellOnly  bool                        // the tool is Shell, and the matcher selects no other
	unselected struct{ tool, text string } // a call that the matcher does not select; tool is "" if none was found
}

// newCall constructs calls for a matcher. If the pattern is too complex, the author has to
// provide the text.
func newCall(o Options) (c call, err error) {
	if err := checkMatcher(o); err != nil || !o.Trigger.IsTool() {
		return c, err
	}
	if err := checkTool(o.Tool); err != nil {
		return c, err
	}
	m, err := compile(o.Tool, o.Pattern)
	if err != nil {
		return c, err
	}
	c.tool, err = toolFor(o.Tool)
	if err != nil {
		return c, err
	}
	c.subject = subjectOf(c.tool)
	c.shellOnly = c.subject.tool == "Shell" && !slices.ContainsFunc(subjects[1:], func(s subject) bool { return matches(m, s.tool, "") })
	c.text = c.harmless
	if o.Pattern == "" && o.Example == "" {
		return c, nil
	}
	c.text, err = findExample(o, []string{c.forbidden, sample(o.Pattern), o.Pattern}, func(text string) bool { return text != "" && matches(m, c.tool, text) })
	if err == nil && o.Pattern != "" {
		c.findUnselected(m)
	}
	return c, err
}

// checkMatcher rejects a matcher for other events, and text that cannot be written to a file.
func checkMatcher(o Options) error {
	for _, option := range [][2]string{{"tool", o.Tool}, {"pattern", o.Pattern}, {"example", o.Example}} {
		switch name, text := option[0], option[1]; {
		case text != "" && !o.Trigger.IsTool():
			return &Problem{Option: name, Message: "only tool events have a matcher, and " + string(o.Trigger) + " is not one"}
		case !utf8.ValidString(text):
			return &Problem{Option: name, Message: "--" + name + " is not UTF-8"}
		}
	}
	return nil
}

// checkTool finds a misspelled tool name. Anything except a plain word is an expression, which is
// not checked.
func checkTool(tool string) error {
	if tool == "" || spec.KnownTool(tool) || strings.ContainsFunc(tool, func(r rune) bool { return !isWord(r) }) {
		return nil
	}
	if near, ok := advice.NearTool(tool); ok && !strings.Contains(near, tool) {
		return &Problem{Option: "tool", Message: "no agent has a tool " + quote(tool) + "; write ^" + tool + "$ if yours has", Instead: near}
	}
	return nil
}

func isWord(r rune) bool {
	return r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// toolFor returns the name of a tool that the expression matches.
func toolFor(tool string) (string, error) {
	m, err := compile(tool, "")
	if err != nil {
		return "", err
	}
	var names []string
	for _, s := range subjects {
		names = append(names, s.tool)
	}
	for _, name := range append(names, strings.TrimSuffix(strings.TrimPrefix(tool, "^"), "$")) {
		if name != "" && matches(m, name, "") {
			return name, nil
		}
	}
	return "", &Problem{Option: "tool", Message: "no tool name is known that --tool " + quote(tool) + " matches; write a simpler one and change it later in the HOOK.md"}
}

// findExample returns the example, or otherwise the first of the candidates that matches.
func findExample(o Options, candidates []string, matches func(string) bool) (string, error) {
	if o.Example != "" {
		if !matches(o.Example) {
			return "", &Problem{Option: "example", Message: "the pattern " + quote(o.Pattern) + " is not found in the example " + quote(o.Example)}
		}
		return o.Example, nil
	}
	if i := slices.IndexFunc(candidates, matches); i >= 0 {
		return candidates[i], nil
	}
	return "", &Problem{Option: "example", Message: "a test case needs a text that the pattern " + quote(o.Pattern) + " matches; give one with --example"}
}

// findUnselected finds a call that the matcher does not select.
func (c *call) findUnselected(m *matcher.Matcher) {
	for _, text := range []string{c.harmless, "ls", "README.md", "something else"} {
		if !matches(m, c.tool, text) {
			c.unselected.tool, c.unselected.text = c.tool, text
			return
		}
	}
	for _, s := range subjects {
		if !matches(m, s.tool, c.text) {
			c.unselected.tool, c.unselected.text = s.tool, c.text
			return
		}
	}
}

// matches reports whether a matcher selects a call of tool with one text.
func matches(m *matcher.Matcher, tool, text string) bool {
	return m.Match(matcher.Subject{
		Own: []string{tool}, Names: spec.ToolNames(tool), Values: []string{text},
		Text: `{"` + subjectOf(tool).key + `": ` + tree.JSON(text) + `}`,
	}).Matched
}

// toolEvent returns an event of a test case: a call of tool with text in its input.
func toolEvent(tool, text string) string {
	return "event:\n" + property("tool_name", tool) + "  tool_input:\n  " + property(subjectOf(tool).key, text)
}

func property(key, value string) string { return "  " + key + ": " + tree.YAML(value) + "\n" }
