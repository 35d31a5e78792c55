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

// exception returns how the user lets the call of an event pass about which a hook
// asks, for callers that cannot ask; "" if no exception of hooks.toml does (6.15).
func (p *Plan) exception(row *Row, event *protocol.Event) string {
	if !row.Runs || row.matcher == nil || isManaged(row.Hook) || p.hooks.config.ignored {
		return ""
	}
	c := p.callOf(event, row.Hook)
	if c == nil {
		return ""
	}
	s := p.searchedBy(row.Hook, c)
	unless := row.matcher.Exceptions(s)
	if len(unless) == 0 || newMatcherExcept(row.Hook, unless).Match(s).Failed != "pattern" {
		return ""
	}
	for i, e := range unless {
		unless[i] = "'" + e + "'"
		if strings.ContainsAny(e, "'\n\r\t\x7f") {
			unless[i] = string(rawjson.AppendText(nil, e))
		}
	}
	list := "unless = [" + strings.Join(slices.Compact(unless), ", ") + "]"
	if len(list) > maxException {
		return ""
	}
	if at := p.hooks.config.Override(row.Hook); at != "" {
		if below, ok := strings.CutPrefix(at, p.hooks.home+"/"); ok {
			at = "~/" + below
		}
		return fmt.Sprintf("the user can run it, or let it pass from now on by adding this to the override at %s:\n%s", at, list)
	}
	return fmt.Sprintf("the user can run it, or let it pass from now on by adding this to hooks.toml:\n[[hooks.override]]\nname = %q\n%s", row.Hook.Folder, list)
}
