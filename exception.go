package agenthooks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// maxException limits the length of the exceptions that a reason offers.
const maxException = 1000

// Exception returns how the user lets the call of an event pass that a hook stops;
// "" if no exception of hooks.toml does (6.15).
func (p *Plan) Exception(row *Row, event *protocol.Event) string {
	if !row.Runs || row.matcher == nil || isManaged(row.Hook) || p.hooks.config.ignored {
		return ""
	}
	c := p.callOf(event, row.Hook)
	if c == nil {
		return ""
	}
	s := p.searchedBy(row.Hook, c)
	unless := row.matcher.Exceptions(s)
	if len(unless) == 0 || newMatcher(row.Hook, unless...).Match(s).Failed != "pattern" {
		return ""
	}
	for i, e := range unless {
		unless[i] = "'" + e + "'"
		if strings.ContainsAny(e, "'\n\r\t\x7f") {
			unless[i] = string(rawjson.AppendText(nil, e))
		}
	}
	list := strings.Join(slices.Compact(unless), ", ")
	if len(list) > maxException {
		return ""
	}
	at, has := p.hooks.config.Override(row.Hook)
	what := "the override at "
	switch {
	case has: // a second unless would be an error
		what = "the list unless of the override at "
	case at != "":
		list = "unless = [" + list + "]"
	default:
		at, what = p.hooks.config.file, ""
		list = fmt.Sprintf("[[hooks.override]]\nname = %q\nunless = [%s]", row.Hook.Folder, list)
	}
	if below, ok := strings.CutPrefix(at, p.hooks.in.Home+"/"); ok {
		at = "~/" + below
	}
	return fmt.Sprintf("the user can run it, or let it pass from now on by adding this to %s%s:\n%s", what, at, list)
}
