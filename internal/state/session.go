package state

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

const (
	sessionsDir = "sessions"
	maxPause    = time.Hour // without events, after which a session begins again
)

// Session is a session in a project, of which the program keeps when it began (D156). Its file has
// the time, in nanoseconds as eight bytes, or nothing if the session was resumed since; the file's
// own time is that of the last event. The zero Session keeps nothing.
type Session struct{ dir, project, name string }

// SessionIn returns a session in a project. dir is the state directory of agent-hooks.
func SessionIn(dir, project, session string) Session {
	if dir == "" || project == "" || session == "" {
		return Session{}
	}
	return Session{filepath.Join(dir, sessionsDir), nameOf(project) + "-", nameOf(session)}
}

func (s Session) path() string { return filepath.Join(s.dir, s.project+s.name) }

// Note notes an event of the session. What cannot be written is not noted, so that nothing is the
// session's own.
func (s Session) Note() {
	if s.dir == "" {
		return
	}
	now := time.Now()
	info, err := os.Lstat(s.path())
	switch {
	case err == nil && info.Mode().IsRegular() && info.Size() > 0 && now.Sub(info.ModTime()).Abs() < maxPause:
		_ = os.Chtimes(s.path(), time.Time{}, now)
		return
	case err == nil && !info.Mode().IsRegular(), err != nil && !errors.Is(err, fs.ErrNotExist):
		return
	case err != nil && !s.prepare():
		return
	}
	_ = os.WriteFile(s.path(), binary.BigEndian.AppendUint64(nil, uint64(now.UnixNano())), 0o600)
}

// prepare makes the folder of the sessions, and removes those that are no longer in use.
func (s Session) prepare() (ok bool) {
	if paths.CheckDirectory(filepath.Dir(s.dir)) != nil || os.MkdirAll(s.dir, 0o700) != nil || paths.CheckDirectory(s.dir) != nil {
		return false
	}
	entries, _ := os.ReadDir(s.dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > maxAge {
			_ = os.Remove(filepath.Join(s.dir, e.Name()))
		}
	}
	return true
}

// Resumed lets the session begin again with its next event: others may have worked in the project
// since the last one.
func (s Session) Resumed() {
	if s.dir != "" {
		_ = os.Truncate(s.path(), 0)
	}
}

// Began returns when the session began; ok is false if that is not known, or if another session
// had an event in the project since.
func (s Session) Began() (began time.Time, ok bool) {
	if s.dir == "" || paths.CheckDirectory(filepath.Dir(s.dir)) != nil || paths.CheckDirectory(s.dir) != nil {
		return time.Time{}, false
	}
	info, err := os.Lstat(s.path())
	if err != nil || time.Since(info.ModTime()).Abs() >= maxPause {
		return time.Time{}, false
	}
	text, _, err := paths.Read(s.path(), 8)
	if err != nil || len(text) != 8 {
		return time.Time{}, false
	}
	began = time.Unix(0, int64(binary.BigEndian.Uint64(text)))
	entries, err := os.ReadDir(s.dir)
	for _, e := range entries {
		name, here := strings.CutPrefix(e.Name(), s.project)
		if !here || name == s.name {
			continue
		}
		if info, err := e.Info(); err != nil || !info.ModTime().Before(began) {
			return time.Time{}, false
		}
	}
	return began, err == nil
}
