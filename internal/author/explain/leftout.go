package explain

import (
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/reading"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/matcher"
)

// AllowLeavesOut says what an allow for commands does not cover of the programs that its pattern names,
// and about which programs only the pattern decides (D126): a sentence for each command. It is nil for
// any other hook.
func AllowLeavesOut(h *discovery.Hook) []string {
	if h.Answer == nil || h.Answer.Decision != manifest.Allow || h.Match != manifest.Commands || h.Pattern == "" {
		return nil
	}
	return PatternLeavesOut(h.Pattern)
}

// PatternLeavesOut is AllowLeavesOut for the pattern of an allow.
func PatternLeavesOut(pattern string) (all []string) {
	const most = 8
	for _, left := range reading.LeftOutOf(pattern, func(line matcher.Line) bool { return matcher.WholeLine(pattern, line) }) {
		options := left.Options
		more := ""
		if len(options) > most {
			options, more = options[:most], " …"
		}
		list := "`" + strings.Join(options, "` `") + "`" + more
		switch {
		case left.Options == nil:
			all = append(all, "of `"+left.Command+"`, it covers every option that the pattern matches: no table has them all")
		case left.Alone:
			all = append(all, "of `"+left.Command+"`, it does not cover "+list+", which write or run something; every other option that the pattern matches is covered, because no table has them all")
		default:
			all = append(all, "of `"+left.Command+"`, it does not cover "+list+", which write or run something, and no option that agent-hooks does not know; name them in the pattern to allow them")
		}
	}
	return all
}
