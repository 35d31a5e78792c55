package manifest

import (
	"bytes"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

const triggerKey = "trigger: "

// Trigger returns the event that Parse would return as the hook's trigger,
// without parsing the file (D74); "" if it is only, or parsing is necessary. Package
// discovery uses it to skip the hooks of events other than only.
//
// The first line that begins with `trigger: EVENT` has the first `trigger` key if
// the lines before it are whole keys with their values, as the everyday parser
// reads them. If the file is not YAML, Parse searches the lines for the trigger and
// finds the same one.
func (p *Parser) Trigger(file []byte, only spec.EventType) spec.EventType {
	s := source{bytes: file}
	begin := s.mark()
	next := s.next(begin)
	if !fence(file[begin:next]) {
		return ""
	}
	at := next
	if !bytes.HasPrefix(file[at:], []byte(triggerKey)) {
		at = next + bytes.Index(file[next:], []byte("\n"+triggerKey)) + 1
		if at == next {
			return ""
		}
	}
	end := s.next(at)
	event := triggerEvent(strings.TrimRight(string(file[at+len(triggerKey):end]), "\r\n"), bytes.TrimLeft(file[end:], "\r\n"))
	if event == only || again(file[end:]) {
		return ""
	}
	if at > next && event != "" {
		p.everyday.skim = true
		before, ok := p.everyday.read(string(file[next:at]), next)
		p.everyday.skim = false
		if !ok || before.Member("trigger") != nil {
			return ""
		}
	}
	return event
}

// again reports whether the rest of a front matter may have another key `trigger`: it contains the
// word, an escape that can write a part of it, or a key that can continue on the next line.
func again(rest []byte) bool {
	at := 0
	for line := range bytes.Lines(rest) {
		if fence(line) {
			break
		}
		at += len(line)
	}
	rest = rest[:at]
	for _, sign := range [...]string{`\x`, `\u`, `\U`, "\n?", "\r?", "\u0085?", "\u2028?", "\u2029?"} {
		if bytes.Contains(rest, []byte(sign)) {
			return true
		}
	}
	for {
		before, after, found := bytes.Cut(rest, []byte("trigger"))
		if !found {
			return false
		}
		if n := len(before); n == 0 || !letter(before[n-1]) && before[n-1] != '-' { // otherwise it is a part of a word
			return true
		}
		rest = after
	}
}

// triggerEvent reads the value of the trigger. What follows must be another key, a
// comment or the end, because other lines may continue the value.
func triggerEvent(value string, rest []byte) spec.EventType {
	if !printable(value) || len(rest) == 0 || !letter(rest[0]) && rest[0] != '#' && !bytes.HasPrefix(rest, []byte("---")) {
		return ""
	}
	if at := strings.Index(value, " #"); at >= 0 {
		value = value[:at]
	}
	value = strings.Trim(value, " ")
	if n := len(value); n > 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		value = value[1 : n-1]
	}
	if e := spec.EventType(value); e.Valid() {
		return e
	}
	return ""
}
