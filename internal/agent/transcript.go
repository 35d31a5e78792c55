package agent

import (
	"bytes"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Transcripts describes the files in which an agent keeps its sessions on the
// user's machine, and how tool calls are read from them (D80). These formats
// are not stable interfaces: unknown lines are skipped.
type Transcripts struct {
	Dirs []TranscriptDir
	// Aside is the name of a file next to the transcript, or in a folder above it,
	// that names the session's directory; "" if the transcript does.
	Aside string

	// is reports whether a file is a transcript. path is slash-separated and
	// relative to the folder.
	is func(path string) bool
	// unread returns why a file that holds calls is not read; "" for any other file.
	// nil: there are none.
	unread func(path string) string
	// start reads what the path and the file aside say; nil if nothing is needed.
	start func(r *TranscriptReader)
	// line reads one line, a JSON object.
	line func(r *TranscriptReader, members []member)
	// words are texts of which every line that line needs contains one, so that
	// others need not be parsed.
	words [][]byte
}

// TranscriptDir is a folder of transcripts.
type TranscriptDir struct {
	Path string // with / separators and a leading ~/ for the home directory
	Home string // environment variable that replaces the path's first directory; "" for none
}

// Is reports whether a file below one of the folders is a transcript. path is
// slash-separated and relative to the folder.
func (t *Transcripts) Is(path string) bool { return t.is(path) }

// Unread returns the reason why a file below one of the folders is not read, although
// it holds calls; "" for any other file. path is as in Is.
func (t *Transcripts) Unread(path string) string {
	if plain, ok := strings.CutSuffix(path, ".zst"); ok && t.is(plain) {
		return "compressed"
	}
	if t.unread == nil {
		return ""
	}
	return t.unread(path)
}

// TranscriptFile is one transcript.
type TranscriptFile struct {
	Path  string // absolute, with / separators
	Aside []byte // content of the file that Transcripts.Aside names; nil if there is none
}

// PastCall is one tool call in a transcript.
type PastCall struct {
	ID      string // unique only within the session
	Session string // that made the call; a session that continues another has copies of its calls
	Time    string // RFC 3339; "" if unknown
	Tool    string // as hooks see it
	Dir     string // the working directory
	// Payload is what the agent's hook before a tool call received, as far as the
	// transcript says; nil if Incomplete or Unseen.
	Payload []byte
	// Incomplete is the reason why the call lacks what hooks need; "" if it does not.
	Incomplete string
	// Unseen means that the agent runs no hooks for the tool.
	Unseen bool
}

// TranscriptReader reads the calls of one transcript line by line. Not safe for
// concurrent use.
type TranscriptReader struct {
	agent *Agent
	file  TranscriptFile
	yield func(PastCall)

	// What earlier lines said.
	session, dir, mode, model, turn string
	begun                           bool
}

// Transcript returns a reader that calls yield for each call, with copies of a call
// that the transcript repeats; nil if the agent has no readable transcripts.
func (a *Agent) Transcript(file TranscriptFile, yield func(PastCall)) *TranscriptReader {
	if a.Transcripts == nil {
		return nil
	}
	r := &TranscriptReader{agent: a, file: file, yield: yield}
	if a.Transcripts.start != nil {
		a.Transcripts.start(r)
	}
	return r
}

// Line reads one line. It returns rawjson.ErrUndecodable if the line is not a
// JSON object. line is not kept.
func (r *TranscriptReader) Line(line []byte) error {
	t := r.agent.Transcripts
	if !containsAny(line, t.words) {
		if i := rawjson.SkipSpace(line, 0); i < len(line) && !rawjson.Valid(line) {
			return rawjson.ErrUndecodable
		}
		return nil
	}
	members, err := lineMembers(line)
	if err != nil {
		return err
	}
	t.line(r, members)
	return nil
}

func containsAny(line []byte, words [][]byte) bool {
	for _, w := range words {
		if bytes.Contains(line, w) {
			return true
		}
	}
	return false
}

// lineMembers returns the members of a line's object.
func lineMembers(line []byte) ([]member, error) {
	if !rawjson.Valid(line) {
		return nil, rawjson.ErrUndecodable
	}
	line = bytes.TrimSpace(line)
	if !isObject(line) {
		return nil, rawjson.ErrUndecodable
	}
	return latest(line), nil
}

// call reports a call. input is nil if the transcript does not have it.
func (r *TranscriptReader) call(c PastCall, input []byte, more ...member) {
	if c.Session == "" {
		c.Session = r.session
	}
	switch {
	case c.Unseen || c.Incomplete != "":
	case c.Tool == "":
		c.Incomplete = "no tool's name"
	case input == nil:
		c.Incomplete = "no input"
	case c.Dir == "":
		c.Incomplete = "no working directory"
	default:
		c.Payload = r.payload(c, input, more)
	}
	r.yield(c)
}

// payload returns the payload of the event before the call.
func (r *TranscriptReader) payload(c PastCall, input []byte, more []member) []byte {
	var o object
	text := func(key, value string) {
		if value != "" {
			o.set(key, rawjson.AppendText(nil, value))
		}
	}
	text("session_id", r.session)
	text("transcript_path", r.file.Path)
	text("cwd", c.Dir)
	text(r.agent.NameField(), r.agent.EventFor(spec.PreToolCall).Name)
	for _, m := range more {
		if m.value != nil {
			o.set(m.key, m.value)
		}
	}
	text("tool_name", c.Tool)
	o.set("tool_input", compact(input))
	return o.append(nil)
}

// quoted returns a member with a text; without a value if that is "".
func quoted(key, text string) member {
	if text == "" {
		return member{key: key}
	}
	return member{key, rawjson.AppendText(nil, text)}
}

// textAt returns the string at a dotted path of members, "" if there is none.
func textAt(members []member, path string) string {
	s, _ := rawjson.Text(memberAt(members, path))
	return s
}

// memberAt returns the value at a dotted path of members, nil if there is none. Of
// values of a repeated key, the last counts.
func memberAt(members []member, path string) []byte {
	key, rest, deeper := strings.Cut(path, ".")
	value := lookup(members, key)
	if !deeper || value == nil {
		return value
	}
	return memberAt(latest(value), rest)
}

// elementsAt calls visit with the members of each object in the array at a dotted path.
func elementsAt(members []member, path string, visit func([]member)) {
	_ = rawjson.Elements(memberAt(members, path), func(value []byte) bool {
		if isObject(value) {
			visit(latest(value))
		}
		return true
	})
}

// objectIn returns the object in a value, which may be a string that contains it as JSON.
func objectIn(value []byte) []byte {
	if s, ok := rawjson.Text(value); ok {
		value = bytes.TrimSpace([]byte(s))
	}
	if !isObject(value) || !rawjson.Valid(value) {
		return nil
	}
	return value
}
