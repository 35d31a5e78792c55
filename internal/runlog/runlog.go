// Package runlog writes, reads, selects and counts the lines of the run log: one JSON line per hook execution, and the last
// output of each async hook, for debugging (D33, D36, D90). It never writes payloads there. If the
// user asked for it, it also keeps the events themselves (D80). Callers may ignore its errors, which
// should not make a run fail.
package runlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/state"
)

const (
	fileName    = "runs.jsonl"
	rotatedName = "runs.1.jsonl"
	lockName    = "runs.lock"

	maxFile = 5 << 20 // bytes above which the log is rotated
	maxLine = 4 << 10 // bytes of a line, including the newline
	maxText = 240     // bytes of each text in a line that would be too long; halved until it is not
)

// Canary begins the names of the hooks that doctor --live runs once (D50). They are not hooks of
// the user: statistics leave them out.
const Canary = "agent-hooks-canary-"

// Entry is one hook execution, one line of the log (D33).
type Entry struct {
	Time    time.Time `json:"time"`
	Hook    string    `json:"hook"`
	Scope   string    `json:"scope,omitempty"`
	Event   string    `json:"event"`
	Agent   string    `json:"agent,omitempty"`
	Outcome string    `json:"outcome"` // allow, deny, ask, none (no opinion), not-enforced, failure, timeout, canceled
	// Decision is the effect on the operation if Outcome does not imply it: allow, ask or deny
	// for a sync hook's failure (D27), allow for a deny without effect (D30), none for an async
	// hook. A failure with allow is a fail-open.
	Decision string `json:"decision,omitempty"`
	// Would is the decision that an observed hook would have made: allow, ask, deny, change or
	// none (D76); "" for other hooks.
	Would string `json:"would,omitempty"`
	// Gave lists the other parts of the hook's answer, joined by "+": input, prompt, output
	// (each changed), context, message, stop.
	Gave       string  `json:"gave,omitempty"`
	DurationMS float64 `json:"duration_ms"`
	Cause      string  `json:"cause,omitempty"`  // of a failure, without any text written by the hook
	Reason     string  `json:"reason,omitempty"` // that the hook gave for a block or a question (D90): the result of Reason
	Project    string  `json:"project,omitempty"`
	Session    string  `json:"session,omitempty"`
	Tool       string  `json:"tool,omitempty"` // as the agent calls it
	// Call, User, Host, Digest and Source are missing if the hook ran and had no opinion.
	Call   string `json:"call,omitempty"` // the agent's identifier of the tool call
	User   string `json:"user,omitempty"`
	Host   string `json:"host,omitempty"`
	Digest string `json:"digest,omitempty"` // of the hook's folder, as in hooks.lock
	Source string `json:"source,omitempty"` // in hooks.lock; the hook's folder if it is from no pack
}

// maxReason is the maximum length of Entry.Reason in bytes (D90).
const maxReason = 500

// Reason returns a hook's reason as the log has it: one line of at most 500 bytes, with
// characters escaped that a terminal would interpret or not show (D90), and without most of what
// has the shape of a credential.
func Reason(text string) string {
	text = masked(shown.Text(strings.Join(strings.Fields(text), " ")))
	if len(text) <= maxReason {
		return text
	}
	end := maxReason - len("…")
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// Append adds one line per entry to dir/runs.jsonl. Each line is appended with one write, so
// that any number of processes may append at the same time. A file above 5 MiB is first renamed
// to dir/runs.1.jsonl; if that fails, the log grows to at most twice that size. Append never
// blocks, not even on a FIFO.
func Append(dir string, entries ...Entry) error {
	if len(entries) == 0 {
		return nil
	}
	f, err := openLog(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.MkdirAll(dir, 0o700)
		if err == nil {
			f, err = openLog(dir)
		}
	}
	if err != nil {
		return fmt.Errorf("run log: %w", err)
	}
	defer f.Close()
	defer exclude(dir)()
	for _, e := range entries {
		line, err := encode(e)
		if err != nil {
			return fmt.Errorf("run log: %w", err)
		}
		if _, err := f.Write(line); err != nil {
			return fmt.Errorf("run log: %w", err)
		}
	}
	return nil
}

// openLog opens the log for appending, after rotating it if it is large.
func openLog(dir string) (*os.File, error) {
	f, size, err := openFile(dir, Path(dir))
	if err != nil || size <= maxFile {
		return f, err
	}
	f.Close() // on Windows an open file cannot be renamed
	rotate(dir)
	f, size, err = openFile(dir, Path(dir))
	if err == nil && size > 2*maxFile {
		f.Close()
		return nil, fmt.Errorf("%s cannot be moved aside and is full", fileName)
	}
	return f, err
}

// rotate renames a large log in the process that gets the lock. Other processes continue to
// append to either file, and none blocks. On an error, the log is not changed.
func rotate(dir string) {
	f, err := openLock(dir)
	if err != nil {
		return
	}
	defer f.Close() // unlocks
	got, _ := state.LockFile(f, false)
	if info, err := os.Lstat(Path(dir)); got && err == nil && info.Size() > maxFile { // otherwise another process rotates, or has just done so
		moveOver(Path(dir), filepath.Join(dir, rotatedName))
	}
}

// openFile opens a file in dir and returns its size. Opening or writing to a FIFO would block.
func openFile(dir, path string) (*os.File, int64, error) {
	if err := paths.CheckDirectory(dir); err != nil {
		return nil, 0, err
	}
	f, err := openAppend(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// cut shortens text so that its JSON encoding, which may take six bytes per byte, fits in its
// share of a line.
func cut(text string, limit int) string {
	quoted, _ := json.Marshal(text)
	for len(quoted) > 2*limit {
		runes := []rune(text)
		text = string(runes[:min(len(runes)/2, limit)]) + "…"
		quoted, _ = json.Marshal(text)
	}
	return text
}
