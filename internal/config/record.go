package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
)

// maxKept is the maximum number of events that [record] may keep.
const maxKept = 100_000

// Recording contains the settings in [record] of the user's file.
type Recording struct {
	Enabled bool
	Dir     string // absolute; "": the default
	Keep    int    // number of events; 0: the default
	Place   string // path:line of enabled; "" if it is not set
}

// Recording returns the user's settings for recording events. Those in a project's file are
// ignored.
func (c Config) Recording() Recording {
	if c.User == nil {
		return Recording{}
	}
	r := c.User.recording
	said := Recording{Enabled: r.enabled.value, Dir: r.dir, Keep: r.keep}
	if r.enabled.line > 0 {
		said.Place = c.User.at(r.enabled.line)
	}
	return said
}

// recordVar names the directory for recorded events. It takes precedence over hooks.toml.
const recordVar = "AGENT_HOOKS_RECORD"

// Recorder specifies whether and where events are recorded.
type Recorder struct {
	On      bool
	By      string // the setting that enabled or disabled it; "" if there is none
	Dir     string // absolute; "" if there is not a directory
	Keep    int    // number of events; 0: the default
	Warning string // why a setting that enables recording is ignored, or ""
}

// Asked reports whether any setting may enable recording. It is cheap.
func (r Recording) Asked(getenv func(string) string) bool {
	return r.Enabled || getenv(recordVar) != ""
}

// Recorder returns where events are recorded, according to the settings, the environment and
// the state directory. state is called only if needed.
func (r Recording) Recorder(getenv func(string) string, state func() string) Recorder {
	to := Recorder{Dir: r.Dir, Keep: r.Keep, By: r.Place, On: r.Enabled}
	if dir := getenv(recordVar); filepath.IsAbs(dir) {
		to.Dir, to.On, to.By = filepath.Clean(dir), true, recordVar
		return to
	} else if dir != "" {
		to.Warning = fmt.Sprintf("%s is %q, which is not an absolute path; it is ignored", recordVar, dir)
	}
	if to.Dir != "" {
		return to
	}
	if dir := state(); dir != "" {
		to.Dir = filepath.Join(dir, "events")
	} else if to.On {
		to.On, to.Warning = false, "events cannot be recorded: neither XDG_STATE_HOME nor HOME is an absolute path, and hooks.toml names no dir"
	}
	return to
}

// recording is [record] as it was read.
type recording struct {
	enabled setting[bool]
	dir     string
	keep    int
	broken  bool // it is not a table
}

func (r *reader) record(path string, value any) {
	if !r.usersOnly(path, "record") {
		return
	}
	to, lost := &r.file.recording, false
	_, table := value.(map[string]any)
	to.broken = !table
	r.table(path, "record", value, map[string]func(string, any){
		"enabled": func(path string, v any) { to.enabled = boolean(r, path, "enabled", v) },
		"dir": func(path string, v any) {
			dir, ok := v.(string)
			if !ok || !filepath.IsAbs(dir) {
				r.bad(path, "dir", v, "an absolute path")
				lost = true
				return
			}
			to.dir = filepath.Clean(dir)
		},
		"keep": func(path string, v any) {
			n, ok := v.(int64)
			if !ok || n < 1 || n > maxKept {
				r.bad(path, "keep (events)", v, fmt.Sprintf("an integer from 1 to %d", maxKept))
				return
			}
			to.keep = int(n)
		},
	})
	if lost {
		to.enabled.value = false // record only in the directory that the user specified
	}
}

// errByHand is the error of SetRecording for a file that it cannot change.
var errByHand = errors.New("it cannot be changed here; fix the problem that agent-hooks validate reports in [record], or write `enabled = …` there yourself")

// SetRecording returns the text of a user's file with recording enabled or disabled, and the
// line of the setting. All other bytes are preserved. On an error, the file has to be changed
// manually.
func SetRecording(source []byte, path string, on bool) (changed []byte, line int, err error) {
	before := Parse(source, path, discovery.UserScope)
	if d := before.unusable(); d != "" {
		return nil, 0, errors.New(d)
	}
	if before.recording.broken {
		return nil, 0, errByHand
	}
	changed = []byte(withRecording(string(source), on))
	after := Parse(changed, path, discovery.UserScope)
	if after.unusable() != "" || after.recording.enabled.value != on || after.recording.enabled.line == 0 {
		return nil, 0, errByHand
	}
	return changed, after.recording.enabled.line, nil
}

// unusable returns why no part of the file can be used, or "".
func (f *File) unusable() string {
	for _, d := range f.Diagnostics {
		if d.Code == "config-file" {
			return d.String()
		}
	}
	return ""
}

func withRecording(text string, on bool) string {
	bom := ""
	if rest, ok := strings.CutPrefix(text, "\ufeff"); ok {
		bom, text = "\ufeff", rest
	}
	o := scan(text)
	value := strconv.FormatBool(on)
	eol := "\n"
	if strings.Contains(text, "\r\n") {
		eol = "\r\n"
	}
	insert := func(at int, what string) string { return bom + text[:at] + what + text[at:] }
	if at, ok := o.values[join("record", "enabled")]; ok {
		end := at + strings.IndexAny(text[at:]+"\n", " \t\r\n,}#")
		return bom + text[:at] + value + text[end:]
	}
	at, ok := o.keys["record"]
	begin := strings.LastIndexByte(text[:at], '\n') + 1
	switch {
	case !ok:
		gap := ""
		if text != "" {
			gap = eol
			if !strings.HasSuffix(text, "\n") {
				gap += eol
			}
		}
		return insert(len(text), gap+"[record]"+eol+"enabled = "+value+eol)
	case strings.HasPrefix(strings.TrimLeft(text[begin:], " \t"), "["):
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			return insert(len(text), eol+"enabled = "+value+eol)
		}
		return insert(at+end+1, "enabled = "+value+eol)
	case strings.HasPrefix(text[o.values["record"]:], "{"):
		return insert(o.values["record"]+1, " enabled = "+value+separator(text[o.values["record"]+1:]))
	}
	return insert(begin, "record.enabled = "+value+eol)
}

// separator returns the text between an inserted first entry and the rest of an inline table.
func separator(rest string) string {
	if strings.HasPrefix(strings.TrimLeft(rest, " \t"), "}") {
		return ""
	}
	return ","
}
