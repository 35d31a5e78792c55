package past

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// format describes the files in which an agent keeps its sessions on the user's
// machine, and how tool calls are read from them (D80). These formats are not
// stable interfaces: unknown lines are skipped.
type format struct {
	agent string // its name
	dirs  []dir
	// aside is the name of a file next to the transcript, or in a folder above it,
	// that names the session's directory; "" if the transcript does.
	aside string

	// is reports whether a file is a transcript. path is slash-separated and
	// relative to the folder.
	is func(path string) bool
	// older ends the paths of files in a form that is not read; "" for none.
	older string
	// start reads what the path and the file aside say; nil if nothing is needed.
	start func(r *reader)
	// line reads one line, a JSON object.
	line func(r *reader, line object)
	// words are texts of which every line that line needs contains one, so that
	// others need not be parsed.
	words []string
}

// dir is a folder of transcripts.
type dir struct {
	path string // with / separators and a leading ~/ for the home directory
	home string // environment variable that replaces the path's first directory; "" for none
}

// formatOf returns the format of an agent's transcripts; nil if there is no reader for them.
func formatOf(a *agent.Agent) *format {
	i := slices.IndexFunc(formats[:], func(f format) bool { return f.agent == a.Name })
	if i < 0 {
		return nil
	}
	return &formats[i]
}

// Folders returns the folders of an agent's transcripts, with / separators and a leading ~/; none if
// they cannot be read.
func Folders(a *agent.Agent) (all []string) {
	if f := formatOf(a); f != nil {
		for _, d := range f.dirs {
			all = append(all, d.path)
		}
	}
	return all
}

// unread returns the reason why a file below one of the folders is not read, although
// it holds calls; "" for any other file. path is as in is.
func (f *format) unread(path string) string {
	if plain, ok := strings.CutSuffix(path, ".zst"); ok && f.is(plain) {
		return "compressed"
	}
	if f.older != "" && strings.HasSuffix(path, f.older) && strings.Contains(path, "/chats/") {
		return "in the whole-file form of earlier versions"
	}
	return ""
}

// pastCall is one tool call in a transcript.
type pastCall struct {
	id      string // unique only within the session
	session string // that made the call; a session that continues another has copies of its calls
	time    string // RFC 3339; "" if unknown
	tool    string // as hooks see it
	dir     string // the working directory
	// payload is what the agent's hook before a tool call received, as far as the
	// transcript says; nil if incomplete or unseen.
	payload []byte
	// incomplete is the reason why the call lacks what hooks need; "" if it does not.
	incomplete string
	// unseen means that the agent runs no hooks for the tool.
	unseen bool
}

// reader reads the calls of one transcript line by line, and calls yield for each, with copies of a
// call that the transcript repeats.
type reader struct {
	agent *agent.Agent
	*format
	path  string // absolute, with / separators
	aside []byte // content of the file that format.aside names; nil if there is none
	yield func(pastCall)

	// What earlier lines said.
	session, dir, mode, model, turn string
	begun                           bool
}

func newReader(a *agent.Agent, path string, aside []byte, yield func(pastCall)) *reader {
	r := &reader{agent: a, format: formatOf(a), path: path, aside: aside, yield: yield}
	if r.start != nil {
		r.start(r)
	}
	return r
}

// read reads one line. It returns rawjson.ErrUndecodable if the line is not a JSON object that has to
// be read. line is not kept.
func (r *reader) read(line []byte) error {
	if !slices.ContainsFunc(r.words, func(w string) bool { return bytes.Contains(line, []byte(w)) }) {
		if i := rawjson.SkipSpace(line, 0); i < len(line) && !rawjson.Valid(line) {
			return rawjson.ErrUndecodable
		}
		return nil
	}
	var o object
	if err := json.Unmarshal(line, &o); err != nil {
		return rawjson.ErrUndecodable
	}
	r.line(r, o)
	return nil
}

// member is a member of a payload; one with a text is written only if that is not "".
type member struct {
	key, text string
	value     []byte
}

// call reports a call. input is nil if the transcript does not have it.
func (r *reader) call(c pastCall, input []byte, more ...member) {
	if c.session == "" {
		c.session = r.session
	}
	switch {
	case c.unseen || c.incomplete != "":
	case c.tool == "":
		c.incomplete = "no tool's name"
	case input == nil:
		c.incomplete = "no input"
	case c.dir == "":
		c.incomplete = "no working directory"
	default:
		before := r.agent.EventFor(spec.PreToolCall).Name
		c.payload = payload(append([]member{{key: "session_id", text: r.session}, {key: "transcript_path", text: r.path}, {key: "cwd", text: c.dir},
			{key: r.agent.NameField(), text: before}}, append(more, member{key: "tool_name", text: c.tool}, member{key: "tool_input", value: input})...))
	}
	r.yield(c)
}

// payload returns an object.
func payload(members []member) []byte {
	b := bytes.NewBufferString("{")
	for _, m := range members {
		if m.text != "" {
			m.value = rawjson.AppendText(nil, m.text)
		}
		if m.value == nil {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(append(rawjson.AppendText(nil, m.key), ':'))
		_ = json.Compact(b, m.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// object has the values of an object's members. Of values of a repeated key, the last counts.
type object map[string]json.RawMessage

// in returns the object that is a value; nil for any other value.
func in(value []byte) (o object) {
	_ = json.Unmarshal(value, &o)
	return o
}

// objectIn returns the object in a value, which may be a string that contains it as JSON; nil for any
// other value.
func objectIn(value []byte) []byte {
	if s, ok := rawjson.Text(value); ok {
		value = []byte(s)
	}
	if in(value) == nil {
		return nil
	}
	return value
}

// at returns the value at a dotted path, nil if there is none.
func (o object) at(path string) []byte {
	key, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		return o[key]
	}
	return in(o[key]).at(rest)
}

// text returns the string at a dotted path, "" if there is none.
func (o object) text(path string) string {
	s, _ := rawjson.Text(o.at(path))
	return s
}

// each calls visit with each object in the array at a dotted path.
func (o object) each(path string, visit func(object)) {
	var list []json.RawMessage
	_ = json.Unmarshal(o.at(path), &list)
	for _, value := range list {
		if e := in(value); e != nil {
			visit(e)
		}
	}
}

// Events stands for the agent of Options.Files, whose lines are events of the format (SPEC.md 8).
var Events = &agent.Agent{Name: "events", Title: "a file of events"}

// readEvent reads one line of a file of events, and calls yield if it is about a tool call to come.
// An event without an event_type counts as one. The line is not kept.
func readEvent(line []byte, yield func(pastCall)) error {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte(rawjson.ByteOrderMark)))
	if len(line) == 0 {
		return nil
	}
	var e struct {
		Type    any `json:"event_type"`
		Session any `json:"session_id"`
		Time    any `json:"timestamp"`
		Tool    any `json:"tool_name"`
		Dir     any `json:"cwd"`
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return rawjson.ErrUndecodable
	}
	c := pastCall{session: text(e.Session), time: text(e.Time), tool: text(e.Tool), dir: text(e.Dir), payload: bytes.Clone(line)}
	switch event := spec.EventType(text(e.Type)); {
	case event != "" && event != spec.PreToolCall:
		return nil
	case c.tool == "":
		c.incomplete = "no tool"
	}
	yield(c)
	return nil
}

// text returns a value if it is a text, otherwise "".
func text(value any) string {
	s, _ := value.(string)
	return s
}

// maxLine limits a line of a transcript. A longer one is skipped and counted.
const maxLine = 16 << 20

// open opens a transcript, if it is still the file that was found.
func (f *file) open() (*os.File, error) {
	opened, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	if info, err := opened.Stat(); err != nil || !os.SameFile(info, f.info) || !info.Mode().IsRegular() {
		opened.Close()
		return nil, errors.New("the file has changed")
	}
	return opened, nil
}

// eachLine calls line for each line, without its end, until line returns false, and
// tooLong for each line above the limit. It keeps at most one line in memory.
func eachLine(r io.Reader, limit int, line func([]byte) bool, tooLong func()) error {
	in := bufio.NewReaderSize(r, 64<<10)
	for {
		part, err := in.ReadSlice('\n')
		var whole []byte
		for errors.Is(err, bufio.ErrBufferFull) {
			if len(whole) <= limit {
				whole = append(whole, part...)
			}
			part, err = in.ReadSlice('\n')
		}
		if whole != nil {
			part = append(whole, part...)
		}
		switch {
		case len(part) > limit:
			tooLong()
		case len(part) > 0 && !line(part):
			return nil
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// counted counts the bytes that are read.
type counted struct {
	io.Reader
	bytes *atomic.Int64
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.bytes.Add(int64(n))
	return n, err
}
