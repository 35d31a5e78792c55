package importer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// never is an expression that matches nothing.
const never = "(?!)"

// condition is a converted matcher (D63).
type condition struct {
	tool     string
	when     [][2]string // fields and expressions
	warnings []string
	reason   string // why it cannot be converted
}

func (c *condition) warnf(format string, args ...any) {
	c.warnings = append(c.warnings, fmt.Sprintf(format, args...))
}

const wordChars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

// subjectField returns the field that a matcher is matched against on an event;
// "" for the tool's name, or if the agent ignores the matcher there.
func subjectField(row *agent.NativeEvent) string {
	name := strings.ToLower(row.Name)
	switch {
	case row.Subject != "":
		return strings.TrimPrefix(row.Subject, "-")
	case strings.HasSuffix(name, "compact"), name == "precompress", name == "compaction", name == "postcompaction":
		return "trigger"
	case name == "sessionstart":
		return "source"
	case name == "sessionend":
		return "reason"
	case strings.HasPrefix(name, "subagent"):
		return "agent_type"
	case name == "notification":
		return "notification_type"
	case name == "stopfailure":
		return "error"
	}
	return ""
}

// matcher converts a matcher.
func (c *converter) matcher(e *entry, row *agent.NativeEvent) condition {
	var out condition
	if filter, ok := e.handler["filter"].(map[string]any); ok {
		c.filter(&out, filter)
		return out
	}
	text, ok := e.matcher.(string)
	if e.matcher != nil && !ok {
		out.reason = "its matcher is not a string"
		return out
	}
	rules := c.agent.MatcherOn(row)
	if text == "" || slices.Contains(rules.All, text) {
		return out
	}
	field := subjectField(row)
	if field == "" && !row.Spec()[0].IsTool() {
		out.warnf("its matcher %q is ignored on %s, as in the agent", text, row.Name)
		return out
	}
	if slices.ContainsFunc(c.agent.Fields, func(f agent.Field) bool { return f.Name == field && f.Kind == agent.Startup }) {
		text = regexp.MustCompile(`\bnew\b`).ReplaceAllString(text, "startup")
	}
	expression := c.expression(&out, text, rules)
	if out.reason != "" {
		return out
	}
	if field == "" {
		out.tool = expression
		c.checkTools(&out, text)
	} else {
		out.when = append(out.when, [2]string{field, expression})
	}
	return out
}

// expression returns the expression of the format that is equivalent to a
// matcher.
func (c *converter) expression(out *condition, text string, rules agent.Matcher) string {
	switch {
	case rules.Literal:
		if strings.ContainsAny(text, "|*") {
			out.warnf("%s compares the matcher %q letter for letter on this event", c.agent.Title, text)
		}
		return "^" + regexp.QuoteMeta(text) + "$"
	case rules.Split != "" && strings.Trim(text, wordChars+rules.List) == "":
		return c.names(out, text, rules.Split)
	}
	expression := text
	if rules.Whole {
		expression = "^(?:" + text + ")$"
	}
	_, err := matcher.Compile(expression, "")
	switch {
	case err == nil:
		return expression
	case rules.Invalid:
		out.warnf("the matcher %q is not an expression, so %s compares it letter for letter", text, c.agent.Title)
		return "^" + regexp.QuoteMeta(text) + "$"
	case strings.Contains(text, "(?<") || strings.Contains(text, `\p{`) || strings.Contains(text, "[^]") || strings.Contains(text, `\u{`):
		out.reason = fmt.Sprintf("its matcher %q cannot be converted exactly: %v", text, err)
		return ""
	}
	out.warnf("the matcher %q is not an expression, so it matches nothing in %s, and nothing here", text, c.agent.Title)
	return never
}

// names returns an expression for a list of exact names.
func (c *converter) names(out *condition, text, split string) string {
	var names []string
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(split, r) }) {
		name = strings.TrimSpace(name)
		if name != "" {
			names = append(names, regexp.QuoteMeta(name))
		}
	}
	if strings.Contains(text, ",") && strings.Contains(split, ",") {
		out.warnf("older versions of %s take the comma in %q literally, so that it matches nothing there; here it separates names", c.agent.Title, text)
	}
	if len(names) == 1 {
		return "^" + names[0] + "$"
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

// checkTools warns about a matcher that matches no tool.
func (c *converter) checkTools(out *condition, text string) {
	if out.tool == never || strings.Contains(text, "mcp") || strings.Contains(text, "MCP") {
		c.checkMCP(out, text)
		return
	}
	names := spec.KnownTools()
	for _, t := range c.agent.Tools {
		names = append(names, t.Native)
	}
	deadline := time.Now().Add(time.Second)
	if !slices.ContainsFunc(names, func(name string) bool { return matcher.Finds(out.tool, name, deadline) }) {
		out.warnf("the matcher %q matches no tool of %s, and none here: the hook never runs", text, c.agent.Title)
	}
}

// checkMCP warns about the name of a server where the name of a tool is
// required.
func (c *converter) checkMCP(out *condition, text string) {
	if out.tool != "" && strings.Trim(text, wordChars+"|, -") != "" {
		return
	}
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '|' || r == ',' || r == ' ' }) {
		if rest, ok := strings.CutPrefix(name, "mcp__"); ok && !strings.Contains(rest, "__") {
			out.warnf("%q matches no tool, here and in the agent: the tools of a server are %s", name, name+"__.*")
		}
	}
}

// filter converts conditions on several fields.
func (c *converter) filter(out *condition, filter map[string]any) {
	text := func(key string) string { s, _ := filter[key].(string); return s }
	switch {
	case text("tool_name") != "":
		out.tool = "^" + regexp.QuoteMeta(text("tool_name")) + "$"
	case text("tool_matcher") != "":
		out.tool = c.names(out, text("tool_matcher"), "|")
	}
	c.checkTools(out, text("tool_name")+text("tool_matcher"))
	if prefix := text("model_prefix"); prefix != "" {
		out.when = append(out.when, [2]string{"model", "^" + regexp.QuoteMeta(prefix)})
	}
	for _, key := range sorted(filter) {
		if !slices.Contains([]string{"tool_name", "tool_matcher", "model_prefix"}, key) {
			out.reason = fmt.Sprintf("its filter %q has no counterpart", key)
		}
	}
}
