package state

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

const (
	callsDir   = "calls"
	callsEvery = time.Minute // at most, an agent's call is noted
	maxVersion = 64          // bytes
)

// Call is the last call of an agent (D150): when it was, accurate to a minute, and by which version
// of the agent, "" if it did not say.
type Call struct {
	Time    time.Time
	Version string
}

// NoteCall notes in a state directory that an agent has called, in a file whose time is the call's.
// No decision depends on it, so what cannot be written is not noted.
func NoteCall(dir, agent, version string) {
	path := filepath.Join(dir, callsDir, agent)
	info, err := os.Lstat(path)
	switch {
	case dir == "" || agent == "":
		return
	case err == nil && (!info.Mode().IsRegular() || time.Since(info.ModTime()).Abs() < callsEvery):
		return
	case err != nil && os.MkdirAll(filepath.Dir(path), 0o700) != nil, paths.CheckDirectory(dir) != nil, paths.CheckDirectory(filepath.Dir(path)) != nil:
		return
	}
	_ = os.WriteFile(path, []byte(version[:min(len(version), maxVersion)]), 0o600)
	_ = os.Chtimes(path, time.Time{}, time.Now()) // where the text is the same, and a file server has another time
}

// ForgetCalls removes the note of an agent's last call.
func ForgetCalls(dir, agent string) {
	if dir != "" {
		_ = os.Remove(filepath.Join(dir, callsDir, agent))
	}
}

// LastCall returns the last call of an agent, and whether there was one.
func LastCall(dir, agent string) (Call, bool) {
	path := filepath.Join(dir, callsDir, agent)
	info, err := os.Lstat(path)
	if dir == "" || err != nil || !info.Mode().IsRegular() {
		return Call{}, false
	}
	text, _, _ := paths.Read(path, maxVersion)
	return Call{info.ModTime(), strings.ToValidUTF8(string(text), "")}, true
}
