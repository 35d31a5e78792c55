package manifest

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/agent-hooks/agent-hooks/internal/advice"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// lintPart warns about an expression that compiles but contains a clear
// mistake. It ignores events without a tool, on which the expression has no
// effect.
func (r *reader) lintPart(part string, n *tree.Node) {
	if !r.hook.Trigger.IsTool() {
		return
	}
	for _, f := range advice.Check(part, n.Text) {
		if f.Code == advice.Everything && part == "pattern" && r.hook.Match != "" { // of what metadata.match lists
			continue
		}
		r.source.report(f.Code, r.source.within(n, f.Offset), "matcher."+part+" "+f.Message())
	}
}

// lintAsync warns about an async hook that is meant to block when it fails:
// async hooks cannot block (D36).
func (r *reader) lintAsync() {
	e := r.root.Member("metadata").Member("on-failure")
	if r.hook.Async && r.hook.OnFailure != Allow && e != nil && e.Tag == tree.String {
		r.source.report("async-on-failure", e.Begin, fmt.Sprintf(
			"on-failure %q of an async hook, which cannot block anything; remove async or on-failure", r.hook.OnFailure))
	}
}

// lintMatch warns about what says in what a pattern is searched without anything
// to search.
func (r *reader) lintMatch() {
	for _, e := range r.metadata {
		switch {
		case e.Key != "match" && e.Key != "access" && e.Key != "unless" || e.Tag == tree.Null:
		case !r.hook.Trigger.IsTool() && r.hook.Trigger != "":
			r.source.report("match-ignored", e.Begin, fmt.Sprintf("metadata.%s on %q, where it has no effect; remove it or use a tool event", e.Key, r.hook.Trigger))
		case r.hook.Pattern == "":
			r.source.report("match-ignored", e.Begin, fmt.Sprintf("metadata.%s without matcher.pattern has no effect; add a pattern, or remove it", e.Key))
		case e.Key == "access" && r.hook.Match != Paths:
			r.source.report("match-ignored", e.Begin, "metadata.access without metadata.match: paths has no effect; add match: paths, or remove it")
		}
	}
}

// lintNames warns about exceptions that match no name of a path, and about a pattern for
// what is removed that no folder above it matches.
func (r *reader) lintNames() {
	if r.hook.Match != Paths || r.hook.Access == 0 {
		return
	}
	if folder := folderIn(r.hook.Pattern); folder != "" && r.hook.Access&(Read|Write) == 0 {
		access := r.root.Member("metadata").Member("access")
		r.source.report("access-below", access.Begin, fmt.Sprintf("what is below a removed folder is not listed: a call that removes %s does not match; add a branch for the folders above, or say in the hook's page that they are not guarded", folder))
	}
	for _, e := range r.unless {
		text := strings.TrimPrefix(e.Text, "^")
		if len(text) < 2 || strings.Contains(text, "|") || strings.IndexByte("?*{:+", text[1]) >= 0 {
			continue
		}
		if c := text[0]; c == '$' || c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' {
			r.source.report("match-ignored", e.Begin, "an expression in metadata.unless has no effect: with metadata.access, paths begin with $PROJECT/, $HOME/, $TMPDIR/ or /; write \\$PROJECT/ before it")
		}
	}
}

// folderIn returns the folder with which an expression for a path begins, if it has a name
// and something follows it; "" if there is none.
func folderIn(pattern string) string {
	pattern = strings.TrimPrefix(pattern, "^")
	root := ""
	for _, begin := range [...]string{`\$PROJECT/`, `\$HOME/`, `(^|/)`, "/"} {
		if rest, ok := strings.CutPrefix(pattern, begin); ok && root == "" {
			root, pattern = strings.Trim(begin, `\(^|)`), rest
		}
	}
	isOther := func(c rune) bool {
		return c != '-' && c != '_' && c != '.' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	}
	name, rest, _ := strings.Cut(strings.ReplaceAll(pattern, `\.`, "."), "/")
	rest = strings.TrimLeft(rest, "(?:")
	if name == "" || rest == "" || strings.ContainsFunc(name, isOther) || isOther(rune(rest[0])) {
		return ""
	}
	return strings.TrimPrefix(root, "/") + name
}

// lintWhen warns about a condition on a command or a path of the input: it is
// searched as the agent wrote it, in which another spelling or another tool's key
// switches a guard off.
func (r *reader) lintWhen() {
	if r.hook.Answer != nil && r.hook.Answer.Decision == Allow {
		return
	}
	for i, c := range r.hook.When {
		key, isField := strings.CutPrefix(c.Field, "tool_input.")
		if c.Field == "tool_input" || isField && spec.KeyOf(key) != nil {
			r.source.report("when-input", r.when[i].Begin, fmt.Sprintf(
				"metadata.when.%s is searched in the input as it was written: another spelling (r''m), another tool or another key does not match, and the hook does not run; put it into matcher.pattern, with metadata.match: commands or paths", c.Field))
		}
	}
}

// lintAllow warns about a constant allow that never counts (D78).
func (r *reader) lintAllow() {
	if r.hook.Answer == nil || r.hook.Answer.Decision != Allow {
		return
	}
	why := ""
	switch {
	case r.hook.Trigger != "" && !r.hook.Trigger.IsTool():
		why = fmt.Sprintf("on %q there is no call to allow; use pre-tool-call", r.hook.Trigger)
	case r.hook.Match == Commands && r.hook.Pattern == "":
		why = "it needs a matcher.pattern that every command of the call matches as a whole"
	case r.hook.Match != Commands && r.hook.Tool == "":
		why = "it needs metadata.match: commands, or a matcher.tool that matches the whole name of a tool without commands"
	default:
		why = r.hook.covers()
		if why == "" {
			return
		}
	}
	r.source.report("answer-allow", r.root.Member("metadata").Member("answer").Begin, "this allow never counts: "+why)
}

// covers returns why the pattern of an allow never matches a whole path or URL (D96),
// with the form that would; "" if it may.
func (h *Hook) covers() string {
	form := strings.TrimPrefix(h.Pattern, "^")
	if form == "" || h.Match == Commands {
		return ""
	}
	if strings.HasSuffix(form, "/") {
		form += ".*"
	}
	files := h.Match == "" || h.Match == Values
	for _, tool := range [...]string{"FetchURL", "SearchWeb"} {
		files = files && !matcher.WholeName(h.Tool, spec.ToolNames(tool))
	}
	files = files && slices.ContainsFunc([]string{"ReadFile", "WriteFile", "EditFile", "Delete"}, func(tool string) bool { return matcher.WholeName(h.Tool, spec.ToolNames(tool)) })
	relative := strings.HasPrefix(form, `\.`) || form[0] == '_' || form[0] < 0x80 && (unicode.IsLetter(rune(form[0])) || unicode.IsDigit(rune(form[0]))) && !strings.HasPrefix(form[1:], ":")
	switch {
	case (files || h.Match == Paths) && relative:
		form = `\$PROJECT/` + form
	case !files && form == strings.TrimPrefix(h.Pattern, "^"):
		return ""
	}
	if files {
		return "a path is covered only with metadata.match: paths, by its whole name: pattern: '" + form + "'"
	}
	return "the pattern must match a whole path or URL, and a path begins with $PROJECT/, $HOME/, $TMPDIR/ or /: pattern: '" + form + "'"
}
