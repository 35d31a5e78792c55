package state

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

// Limits on stored data.
const (
	maxSessions = 200
	maxAge      = 7 * 24 * time.Hour
	maxCount    = 1 << 10
)

// reasonFile contains the digest of the last reason. Other names contain only hexadecimal
// digits.
const reasonFile = "reason"

// errUncounted means that blocks cannot be counted: the session is unknown, or there is no
// state directory owned by the user.
var errUncounted = errors.New("blocks cannot be counted")

// Counter counts how often in a row hooks have prevented one agent in one session from stopping,
// so that a quality gate cannot loop forever (D30). The zero Counter cannot count.
//
// Each hook's count is the size of one file, to which each block appends one byte: appending is
// atomic, so that concurrent runs count correctly without locks. The files of a session are in
// one directory.
type Counter struct{ root, session, agent string }

// NewCounter returns the counter of a session and an agent in it; agent is "" for the main one. dir
// is the state directory of agent-hooks.
func NewCounter(dir, session, agent string) Counter {
	if dir == "" || session == "" || paths.CheckDirectory(dir) != nil {
		return Counter{}
	}
	root := filepath.Join(dir, "stops")
	c := Counter{root, filepath.Join(root, nameOf(session)), nameOf(agent)}
	for _, folder := range []string{c.root, c.session} {
		if info, err := os.Lstat(folder); err == nil && !info.IsDir() { // sweep would remove what a link leads to, and a FIFO blocks
			return Counter{}
		}
	}
	return c
}

func nameOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// Add counts one block by hook and returns the number of blocks in a row, including this one.
func (c Counter) Add(hook string) (int, error) {
	if c.root == "" {
		return 0, errUncounted
	}
	f, err := c.open(nameOf(hook))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() >= maxCount {
		return maxCount, err
	}
	if _, err := f.Write([]byte{'.'}); err != nil {
		return 0, err
	}
	end, err := f.Seek(0, io.SeekCurrent) // after this byte, even if other processes append
	return int(end), err
}

func (c Counter) open(file string) (*os.File, error) {
	dir := filepath.Join(c.session, c.agent)
	path := filepath.Join(dir, file)
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, paths.ErrNotRegular
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if !errors.Is(err, os.ErrNotExist) {
		return f, err
	}
	c.sweep()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
}

// sweep removes sessions that are no longer in use.
func (c Counter) sweep() {
	entries, err := os.ReadDir(c.root)
	if err != nil {
		return
	}
	type session struct {
		path string
		used time.Time
	}
	var all []session
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			all = append(all, session{filepath.Join(c.root, e.Name()), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b session) int { return b.used.Compare(a.used) })
	for i, s := range all {
		if i >= maxSessions || time.Since(s.used) > maxAge {
			_ = os.RemoveAll(s.path)
		}
	}
}

// Returned records the reason that the agent gets, for Repeats.
func (c Counter) Returned(reason string) {
	if c.root == "" {
		return
	}
	path := filepath.Join(c.session, reasonFile)
	_ = os.Remove(path) // it may be a link
	if f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		_, _ = f.WriteString(nameOf(strings.TrimSpace(reason)))
		_ = f.Close()
	}
}

// Repeats reports whether a prompt is the last reason: some agents fire the
// prompt event when they continue.
func (c Counter) Repeats(prompt func() string) bool {
	if c.root == "" {
		return false
	}
	last, _, err := paths.Read(filepath.Join(c.session, reasonFile), 2*sha256.Size)
	return err == nil && string(last) == nameOf(strings.TrimSpace(prompt()))
}

// Reset clears the count, because the stop was allowed.
func (c Counter) Reset() {
	if c.root != "" {
		_ = os.RemoveAll(filepath.Join(c.session, c.agent))
	}
}

// ResetSession clears the counts of all agents of the session, because the user has sent a new
// prompt.
func (c Counter) ResetSession() {
	if c.root != "" {
		_ = os.RemoveAll(c.session)
	}
}
