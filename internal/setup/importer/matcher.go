package importer

import (
	"cmp"
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

const wordChars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

// subjectField returns the field that a matcher is matched against on an event;
// "" for the tool's name, or if the agent ignores the matcher there.
func subjectField(row *agent.NativeEvent) string {
	name := strings.ToLower(cmp.Or(row.Setting, row.Name))
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

// convertMatcher sets the tool and the conditions that correspond to the entry's matcher (D63).
func (b *builder) convertMatcher() {
	if filter, ok := b.entry.handler["filter"].(map[string]any); ok {
		b.filter(filter)
		return
	}
	text, ok := b.entry.matcher.(string)
	if b.entry.matcher != nil && !ok {
		b.reason = "its matcher is not a string"
		return
	}
	rules := b.agent.MatcherOn(b.row)
	if text == "" || slices.Contains(rules.All, text) {
		return
	}
	field := subjectField(b.row)
	if field == "" && !b.row.Spec()[0].IsTool() {
		b.warnf("its matcher %q is ignored on %s, as in the agent", text, b.row.Name)
		return
	}
	if slices.ContainsFunc(b.agent.Fields, func(f agent.Field) bool { return f.Name == field && f.Kind == agent.Startup }) {
		text = regexp.MustCompile(`\bnew\b`).ReplaceAllString(text, "startup")
	}
	expression := b.expression(text, rules)
	if field == "" {
		b.tool = expression
		b.checkTools(text)
	} else {
		b.when = append(b.when, [2]string{field, expression})
	}
}

// expression returns the expression of the format that is equivalent to a
// matcher.
func (b *builder) expression(text string, rules agent.Matcher) string {
	switch {
	case rules.Literal:
		if strings.ContainsAny(text, "|*") {
			b.warnf("%s compares the matcher %q letter for letter on this event", b.agent.Title, text)
		}
		return "^" + regexp.QuoteMeta(text) + "$"
	case rules.Split != "" && strings.Trim(text, wordChars+rules.List) == "":
		return b.names(text, rules.Split)
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
		b.warnf("the matcher %q is not an expression, so %s compares it letter for letter", text, b.agent.Title)
		return "^" + regexp.QuoteMeta(text) + "$"
	case strings.Contains(text, "(?<") || strings.Contains(text, `\p{`) || strings.Contains(text, "[^]") || strings.Contains(text, `\u{`):
		b.reason = fmt.Sprintf("its matcher %q cannot be converted exactly: %v", text, err)
		return ""
	}
	b.warnf("the matcher %q is not an expression, so it matches nothing in %s, and nothing here", text, b.agent.Title)
	return never
}

// names returns an expression for a list of exact names.
func (b *builder) names(text, split string) string {
	var names []string
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(split, r) }) {
		name = strings.TrimSpace(name)
		if name != "" {
			names = append(names, regexp.QuoteMeta(name))
		}
	}
	if strings.Contains(text, ",") && strings.Contains(split, ",") {
		b.warnf("older versions of %s take the comma in %q literally, so that it matches nothing there; here it separates names", b.agent.Title, text)
	}
	if len(names) == 1 {
		return "^" + names[0] + "$"
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

// checkTools warns about a matcher that matches no tool, such as the name of a server where the name
// of a tool is required.
func (b *builder) checkTools(text string) {
	if b.tool == never || strings.Contains(text, "mcp") || strings.Contains(text, "MCP") {
		if b.tool != "" && strings.Trim(text, wordChars+"|, -") != "" {
			return
		}
		for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '|' || r == ',' || r == ' ' }) {
			if rest, ok := strings.CutPrefix(name, "mcp__"); ok && !strings.Contains(rest, "__") {
				b.warnf("%q matches no tool, here and in the agent: the tools of a server are %s", name, name+"__.*")
			}
		}
		return
	}
	deadline := time.Now().Add(time.Second)
	matches := func(name string) bool { return matcher.Finds(b.tool, name, deadline) }
	switch native := func(t agent.Tool) bool { return matches(t.Native) }; {
	case slices.ContainsFunc(b.agent.Tools, native), b.agent.MatcherOn(b.row).Portable && slices.ContainsFunc(spec.PortableTools(), matches):
	case slices.ContainsFunc(spec.KnownTools(), matches):
		if b.agent.Setup.Flaws.Tried == "" {
			return // its names for matchers were not tried
		}
		b.warnf("the matcher %q matches no known tool of %s, where the entry then never runs; here the hook runs for tools that others call so", text, b.agent.Title)
	default:
		b.warnf("the matcher %q matches no tool of %s, and none here: the hook never runs", text, b.agent.Title)
	}
}

// filter converts conditions on several fields.
func (b *builder) filter(filter map[string]any) {
	text := func(key string) string { s, _ := filter[key].(string); return s }
	switch {
	case text("tool_name") != "":
		b.tool = "^" + regexp.QuoteMeta(text("tool_name")) + "$"
	case text("tool_matcher") != "":
		b.tool = b.names(text("tool_matcher"), "|")
	}
	b.checkTools(text("tool_name") + text("tool_matcher"))
	if prefix := text("model_prefix"); prefix != "" {
		b.when = append(b.when, [2]string{"model", "^" + regexp.QuoteMeta(prefix)})
	}
	for _, key := range sorted(filter) {
		if !slices.Contains([]string{"tool_name", "tool_matcher", "model_prefix"}, key) {
			b.reason = fmt.Sprintf("its filter %q has no counterpart", key)
		}
	}
}
