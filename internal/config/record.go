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
	var r Recording
	var enabled, dir int
	r.Enabled, enabled = get[bool](c.User.recording, "enabled")
	r.Dir, dir = get[string](c.User.recording, "dir")
	r.Keep, _ = get[int](c.User.recording, "keep")
	if enabled > 0 {
		r.Place = c.User.at(enabled)
	}
	if dir > 0 && r.Dir == "" { // record only in the directory that the user specified
		r.Enabled = false
	}
	return r
}

// recordVar is the variable for the directory of recorded events. It takes precedence over
// hooks.toml.
const recordVar = "AGENT_HOOKS_RECORD"

// Recorder specifies whether and where events are recorded.
type Recorder struct {
	On      bool
	By      string // the setting that enabled or disabled it; "" if there is none
	Dir     string // absolute; "" if there is no directory
	Keep    int    // number of events; 0: the default
	Warning string // why a setting that enables recording is ignored, or ""
}

// Asked reports whether a setting may enable recording. It is fast, because each run calls it.
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

// LogsReasons reports whether the run log contains the reasons that hooks give for blocks and
// questions (D90). It does, unless the user's file says, or might mean to say, otherwise.
func (c Config) LogsReasons() bool { return c.User == nil || !c.User.quiet }

func (r *reader) log(n *node) {
	if !r.usersOnly(n, "log") {
		return
	}
	var settings entry
	r.table(n, "log", r.settings(&settings, "reasons"))
	reasons, _ := get[bool](settings, "reasons")
	r.file.quiet = r.file.quiet || len(n.members) != 0 && !reasons || n.members == nil
}

func (r *reader) record(n *node) {
	if r.usersOnly(n, "record") {
		r.table(n, "record", r.settings(&r.file.recording, "enabled", "dir", "keep"))
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
	changed = []byte(withRecording(string(source), on))
	after := Parse(changed, path, discovery.UserScope)
	if _, line = get[bool](after.recording, "enabled"); line == 0 || after.unusable() != "" || (Config{User: after}).Recording().Enabled != on {
		return nil, 0, errByHand
	}
	return changed, line, nil
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

// withRecording returns the text with another value of enabled, or with an additional line in
// [record]. The result is not TOML if that table is written in another way.
func withRecording(text string, on bool) string {
	body := strings.TrimPrefix(text, "\ufeff")
	mark := text[:len(text)-len(body)]
	value, end := strconv.FormatBool(on), "\n"
	if strings.Contains(body, "\r\n") {
		end = "\r\n"
	}
	record := scan(body).root.members["record"]
	if record == nil {
		if body != "" && !strings.HasSuffix(body, "\n") {
			body += end
		}
		if body != "" {
			body += end
		}
		return mark + body + "[record]" + end + "enabled = " + value + end
	}
	if enabled := record.members["enabled"]; enabled != nil {
		rest := body[enabled.at:]
		return mark + body[:enabled.at] + value + rest[strings.IndexAny(rest+"\n", " \t\r\n,}#"):]
	}
	header, rest, _ := strings.Cut(body[record.key:], "\n")
	return mark + body[:record.key] + header + "\n" + "enabled = " + value + end + rest
}
