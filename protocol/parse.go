package protocol

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// ParseEvent parses the object raw, from its opening to its closing brace, as
// an event of type t. If t is not an event of the format, which no hook can
// have as its trigger, a run on the event is refused. It returns no error: an undecodable part leaves the event
// undecided, which counts as matched, and is reported in the warnings (D20). An
// empty raw is the empty object. raw must not be changed afterwards. now is the
// RFC 3339 time in UTC for an event without a timestamp.
func ParseEvent(t spec.EventType, raw []byte, now string) (*Event, []string) {
	if len(raw) == 0 {
		raw = []byte("{}")
	}
	e := &Event{Type: t, raw: raw}
	return e, e.parse(rawjson.KindOf(raw) == rawjson.Object, now)
}

// ParseMembers is ParseEvent for an object of members, which need not be copied into one
// text. Package agent uses it.
func ParseMembers(t spec.EventType, members []Member, now string) (*Event, []string) {
	e := &Event{Type: t, members: members}
	return e, e.parse(true, now)
}

// parse reads the caller's object, and returns warnings.
func (e *Event) parse(isObject bool, now string) (warnings []string) {
	p := eventParser{Event: e, now: now}
	e.decodable = isObject && e.each(p.member) == nil && !p.badKey
	if !e.decodable {
		p.warnf("the event cannot be decoded as JSON; every matcher counts as matched")
		e.noTool = "the event cannot be decoded"
	}
	if !e.Type.Valid() {
		p.warnf("%q is not an event of the format; a run on it is refused", e.Type)
	}
	p.finish()
	return p.warnings
}

type eventParser struct {
	*Event
	now      string
	warnings []string

	eventType, timestamp, sessionID, workDir, cwd, projectDir, root member
	context                                                         bool // it is an object
	otherType                                                       bool // event_type names another event
	stop, noStop                                                    bool // stop_hook_active is true; it is something else
	badTool, badKey                                                 bool // cannot be decoded
}

// member is the caller's value for a key that requires a string.
type member struct {
	value string // the last one
	found bool
	wrong bool // the key also occurs with a value that is not a string
}

func (m *member) read(value []byte) {
	s, ok := rawjson.Text(value)
	if !ok {
		m.wrong = true
		return
	}
	m.value, m.found = s, true
}

func (p *eventParser) warnf(format string, args ...any) {
	p.warnings = append(p.warnings, fmt.Sprintf(format, args...))
}

func (p *eventParser) member(keyText, value []byte) bool {
	key := rawjson.KeyName(keyText)
	switch string(key) {
	case "event_type":
		p.eventType.read(value)
		if sent, ok := rawjson.Text(value); ok && sent != string(p.Type) && !p.otherType {
			p.otherType = true
			p.warnf("the event has the event_type %q; hooks get %q, from the command line", clip(sent, 80), p.Type)
		}
	case "timestamp":
		p.timestamp.read(value)
	case "session_id":
		p.sessionID.read(value)
	case "work_dir":
		p.directory("work_dir", value, &p.workDir)
	case "cwd":
		p.directory("cwd", value, &p.cwd)
	case "project_dir": // Blade's name for it
		p.directory("project_dir", value, &p.projectDir)
	case "workspace_roots":
		p.directory("workspace_roots[0]", firstElement(value), &p.root)
		p.Workspace = workspace(value)
	case "context":
		p.context = rawjson.KindOf(value) == rawjson.Object
	case "stop_hook_active":
		yes := string(value) == "true"
		p.stop, p.noStop = p.stop || yes, p.noStop || !yes
	case "tool_name":
		name, ok := rawjson.Text(value)
		if ok && name != "" && rawjson.Exact(value) {
			p.tools = append(p.tools, name)
		} else {
			p.badTool = true
		}
	case "native_tool_name":
		name, ok := rawjson.Text(value)
		p.badTool = p.badTool || !ok || !rawjson.Exact(value)
		if name != "" {
			p.natives = append(p.natives, name)
		}
	case "tool_input":
		p.inputs = append(p.inputs, value)
	case "tool_output", "tool_response", "tool_result":
		if !slices.Contains(p.outputKeys, string(key)) {
			p.outputKeys = append(p.outputKeys, string(key))
		}
	}
	p.badKey = p.badKey || key == nil
	if !rawjson.Exact(keyText) {
		p.unclear = "the event has a key that is not valid Unicode"
	}
	return true
}

// directory warns about a value that is not a string, because skipping a
// directory can lose the project's hooks (D2).
func (p *eventParser) directory(key string, value []byte, to *member) {
	if _, ok := rawjson.Text(value); !ok && len(value) > 0 && rawjson.KindOf(value) != rawjson.Null && !to.wrong {
		p.warnf("%s is not a string; it is skipped", key)
	}
	to.read(value)
}

// finish handles what depends on the whole event.
func (p *eventParser) finish() {
	p.StopHookActive = p.stop && !p.noStop
	p.SessionID = p.sessionID.value
	p.Timestamp = cmp.Or(p.timestamp.value, p.now)
	sources := make([]NamedDir, 0, 4)
	for _, s := range []struct {
		key  string
		from member
	}{{"workspace_roots[0]", p.root}, {"work_dir", p.workDir}, {"cwd", p.cwd}, {"project_dir", p.projectDir}} {
		if s.from.found {
			sources = append(sources, NamedDir{s.key, s.from.value})
		}
	}
	p.Roots, p.WorkDirs = sources, sources
	if p.root.found {
		p.WorkDirs = sources[1:]
	}
	if p.Type.IsTool() && p.noTool == "" {
		switch {
		case p.badTool:
			p.noTool = "tool_name is not a name"
		case len(p.tools) == 0:
			p.noTool = "the event has no tool_name"
		default:
			p.noTool = p.unclear
		}
	}
	p.addBase()
}

// addBase adds the base fields that the caller omitted (D21). A work_dir of
// only white space counts as omitted.
func (p *eventParser) addBase() {
	eventType, workDir := string(p.Type), p.workDir.value
	p.replaced = make([]field, 0, 5)
	empty := strings.TrimSpace(workDir) == ""
	if empty {
		workDir = p.cwd.value
	}
	p.base("event_type", &p.eventType, p.otherType, eventType)
	p.base("timestamp", &p.timestamp, false, p.Timestamp)
	p.base("session_id", &p.sessionID, false, p.SessionID)
	p.base("work_dir", &p.workDir, empty, workDir)
	if !p.context {
		p.replaced = append(p.replaced, field{"context", []byte("{}"), true})
	}
}

func (p *eventParser) base(key string, sent *member, replace bool, value string) {
	if added := !sent.found || sent.wrong; added || replace {
		quoted := rawjson.AppendQuoted(make([]byte, 0, len(value)+2), rawjson.ToValid(value))
		p.replaced = append(p.replaced, field{key, quoted, added})
	}
}

// maxRoots limits the roots of a workspace.
const maxRoots = 64

// workspace returns the roots of a workspace, nil if there are fewer than two.
func workspace(value []byte) (roots []NamedDir) {
	if rawjson.KindOf(value) != rawjson.Array {
		return nil
	}
	n := 0
	_ = rawjson.Each(value, func(_, element []byte) bool {
		if dir, ok := rawjson.Text(element); ok {
			roots = append(roots, NamedDir{fmt.Sprintf("workspace_roots[%d]", n), dir})
		}
		n++
		return n < maxRoots
	})
	if n < 2 {
		return nil
	}
	return roots
}

// firstElement returns the first element of a JSON array, nil if the array is
// empty. It returns any other value unchanged.
func firstElement(value []byte) (first []byte) {
	if rawjson.KindOf(value) != rawjson.Array {
		return value
	}
	_ = rawjson.Each(value, func(_, element []byte) bool {
		first = element
		return false
	})
	return first
}
