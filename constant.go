package agenthooks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// constant returns the constant answer of a hook that runs. An allow is no opinion
// if it does not vouch for the whole call (D78).
func (t *attempt) constant() protocol.Answer {
	hook := t.row.Hook
	given := hook.Answer
	a := protocol.Answer{
		Decision: protocol.Decision(given.Decision), AdditionalContext: given.AdditionalContext, SystemMessage: given.SystemMessage,
	}
	if a.Decision != protocol.NoOpinion {
		a.Reason = cmp.Or(strings.TrimSpace(given.Reason), strings.TrimSpace(hook.Description))
	}
	t.report.Unvouched = t.row.Unvouched
	if a.Decision == protocol.Allow && t.row.Unvouched != "" {
		a.Decision, a.Reason = protocol.NoOpinion, ""
		if t.row.void {
			t.report.warnf("allows nothing: %s", shown.OneLine(t.row.Unvouched))
		}
	}
	if t.row.Passed != "" {
		a = protocol.Answer{}
	}
	a = protocol.Complement(t.current.Type, t.report.Hook, a)
	t.report.Outcome = outcomeOf(a.Decision)
	return a
}

// unknownExtension returns a key of the metadata that changes when a hook runs or
// what it says, and that this program does not know, or whose value it does not
// know; "" if there is none. Such a hook allows nothing (D141, CORE.md 19.1).
func unknownExtension(hook *discovery.Hook) string {
	for _, d := range hook.Diagnostics {
		switch d.Code {
		case "match", "access", "form", "unless", "undecided", "own":
			return "metadata." + d.Code
		}
	}
	return ""
}

// maxFound limits the text that is appended to a reason, in bytes.
const maxFound = 200

// found returns what matched, as one escaped line for the model; "" if the
// matcher has no pattern.
func (r *Row) found() string {
	switch {
	case r.Warning != "":
		return "it counts as matched: " + shown.Line(shown.Short(r.Warning))
	case r.Found != "":
		return "matched: " + shown.Line(shown.Cut(r.Found, maxFound))
	}
	return ""
}

// Unvouched returns why the constant allow of a hook counts for no call, such as a script
// in its folder (D78); "" if it may count, or the hook has no such answer.
func (h *Hooks) Unvouched(hook *discovery.Hook) string {
	if hook.Answer == nil || hook.Answer.Decision != manifest.Allow {
		return ""
	}
	return neverVouched(hook)
}

func neverVouched(hook *discovery.Hook) string {
	switch {
	case hasError(hook):
		return "its HOOK.md has an error"
	case slices.ContainsFunc(hook.Unless, func(e string) bool { _, err := matcher.Compile("", e); return err != nil }):
		return "an exception does not compile"
	case hook.HasScript():
		return "the folder has a script, too"
	}
	return ""
}

// vouch returns why a constant allow does not count for the event (D78); "" if
// it does. never is neverVouched.
func vouch(row *Row, c *facts, never string) string {
	hook := row.Hook
	switch {
	case never != "":
		return never
	case row.Warning != "":
		return "the match is not certain: " + row.Warning
	case row.Guessed != "":
		return row.Guessed
	case c == nil:
		return "the event has no call to allow"
	}
	if why := assumed(hook.When, c.event); why != "" {
		return why
	}
	if why := otherMembers(c.event); why != "" {
		return why
	}
	switch {
	case hook.Match == manifest.Commands && hook.Pattern != "":
		if len(c.Own) != 1 || !slices.Contains(c.Tools, "Shell") {
			return fmt.Sprintf("the tool %q is not known to be a shell", shown.Short(strings.Join(c.Tools, ", ")))
		}
		if err := c.Commands().Vouch(func(line matcher.Line) bool { return covers(hook, line) }); err != nil {
			return err.Error()
		}
		return ""
	case hook.Tool == "":
		return "without metadata.match: commands, it needs a matcher.tool that matches the tool's whole name"
	case c.Commands().Any():
		return "the tool runs commands, so it needs metadata.match: commands"
	case len(c.Own) != 1 || !matcher.WholeName(hook.Tool, c.Tools):
		return "matcher.tool does not match a whole name of the tool"
	case hook.Pattern == "":
		return ""
	}
	return vouchMembers(hook, c)
}

// vouchMembers checks the paths, or the URLs, of a call of a tool without commands
// (D96).
func vouchMembers(hook *discovery.Hook, c *facts) string {
	if hook.Match != "" && hook.Match != manifest.Values && hook.Match != manifest.Paths {
		return "an allow needs metadata.match: commands, paths or values"
	}
	texts, why := c.Covered(hook.Match == manifest.Paths)
	if unknown := c.event.Input().Unknown; unknown != "" {
		return unknown
	}
	for _, text := range texts {
		if why == "" && !covers(hook, matcher.KnownLine(text)) {
			why = fmt.Sprintf("the pattern does not match the whole of %q", shown.Short(text))
		}
	}
	return why
}

// covers reports whether a hook's pattern, without its exceptions, matches a whole
// line for every value of its unknown parts (D126).
func covers(hook *discovery.Hook, line matcher.Line) bool {
	if text, known := line.Known(); known {
		return matcher.Whole(hook.Pattern, text) && !slices.ContainsFunc(hook.Unless, func(e string) bool { return matcher.Whole(e, text) })
	}
	return len(hook.Unless) == 0 && matcher.WholeLine(hook.Pattern, line)
}

// assumed returns which condition on a field of the event was not decided, or does not
// match as a whole.
func assumed(when []manifest.Condition, event *protocol.Event) string {
	for _, c := range when {
		if values, undecided := event.Field(c.Field); len(values) == 0 || undecided != "" {
			return fmt.Sprintf("the event has no certain %s, which metadata.when needs", c.Field)
		} else if slices.ContainsFunc(values, func(v string) bool { return !matcher.Whole(c.Pattern, v) }) {
			return fmt.Sprintf("metadata.when.%s does not match the whole value", c.Field)
		}
	}
	return ""
}

// harmlessMembers are the members of a shell tool's input that change nothing
// about what its command does.
var harmlessMembers = [...]string{"description", "explanation", "timeout", "timeout_ms", "yield_time_ms", "max_output_tokens"}

// otherMembers returns which member of a shell tool's input an allow cannot
// vouch for, such as one that leaves a sandbox or changes the directory. Those
// that are false, null or empty say nothing.
func otherMembers(event *protocol.Event) (why string) {
	own, _ := event.ToolNames()
	if !slices.ContainsFunc(append(slices.Clip(own), event.OtherToolNames()...), func(name string) bool { return slices.Contains(spec.ToolNames(name), "Shell") }) {
		return ""
	}
	for _, input := range event.ToolInputs() {
		err := rawjson.Members(input, func(key string, value []byte) bool {
			row := spec.KeyOf(key)
			text, isText := rawjson.Text(value)
			quiet := string(value) == "null" || string(value) == "false" || string(value) == "0" || isText && text == ""
			if !quiet && !slices.Contains(harmlessMembers[:], key) && (row == nil || row.Canonical != "command") && why == "" {
				why = fmt.Sprintf("an allow vouches for a command only, and the input also has %q", shown.Short(key))
			}
			return true
		})
		if err != nil {
			return "the input cannot be read"
		}
	}
	return why
}
