// Package runlog keeps what hooks did: one line of JSON per execution, and
// the last output of each async hook, for debugging (D33, D36). It never
// writes payloads, and nothing it fails at is a reason to fail a run: its
// callers may drop its errors. It also reads the log, for those who show it.
package runlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/private"
)

const (
	fileName    = "runs.jsonl"
	rotatedName = "runs.1.jsonl"
	lockName    = "runs.lock"

	maxFile = 5 << 20 // bytes above which the log is rotated
	maxLine = 4 << 10 // bytes of a line, its newline included
	maxText = 240     // bytes of each text of a line that would be longer
)

// Entry is one hook execution, one line of the log (D33).
type Entry struct {
	Time    time.Time `json:"time"`
	Hook    string    `json:"hook"`
	Scope   string    `json:"scope,omitempty"`
	Event   string    `json:"event"`
	Agent   string    `json:"agent,omitempty"`
	Outcome string    `json:"outcome"` // allow, deny, ask, none (no opinion), not-enforced, failure, timeout, canceled
	// Decision is what came of it for the operation where the outcome does
	// not say so: allow, ask or deny of a sync hook's failure (D27), allow of
	// a deny that did not count (D30), none of an async hook. A failure with
	// allow is a fail-open.
	Decision string `json:"decision,omitempty"`
	// Would is what a hook that is only observed would have decided: allow,
	// ask, deny, change or none (D76); "" for others.
	Would string `json:"would,omitempty"`
	// Gave names what else the hook's answer had, joined by "+": input, prompt,
	// output (each changed), context, message, stop.
	Gave       string  `json:"gave,omitempty"`
	DurationMS float64 `json:"duration_ms"`
	Cause      string  `json:"cause,omitempty"` // of a failure, without a word that the hook wrote
	Project    string  `json:"project,omitempty"`
}

// Append adds one line per entry to dir/runs.jsonl. Each line is one write
// to its end, so that any number of processes may append at once. A file
// above 5 MiB becomes dir/runs.1.jsonl first; where that fails, the log takes
// no more than twice that. It never waits, whatever lies in the file's place.
func Append(dir string, entries ...Entry) error {
	if len(entries) == 0 {
		return nil
	}
	f, err := openLog(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(dir, 0o700); err == nil {
			f, err = openLog(dir)
		}
	}
	if err != nil {
		return fmt.Errorf("run log: %w", err)
	}
	defer f.Close()
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

// openLog opens the log to append to it, after rotating it if it is large.
func openLog(dir string) (*os.File, error) {
	f, size, err := openFile(dir)
	if err != nil || size <= maxFile {
		return f, err
	}
	f.Close() // on Windows an open file cannot be moved
	rotate(dir)
	if f, size, err = openFile(dir); err == nil && size > 2*maxFile {
		f.Close()
		return nil, fmt.Errorf("%s cannot be moved aside and is full", fileName)
	}
	return f, err
}

// openFile opens the log and returns its size. Opening or writing to a FIFO
// would wait for a reader.
func openFile(dir string) (*os.File, int64, error) {
	if err := private.Check(dir); err != nil {
		return nil, 0, err
	}
	path := filepath.Join(dir, fileName)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|noFollow|noWait, 0o600)
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

// cut shortens text so far that JSON, which may take six bytes for one,
// keeps within its share of a line.
func cut(text string) string {
	quoted, _ := json.Marshal(text)
	for len(quoted) > 2*maxText {
		runes := []rune(text)
		text = string(runes[:min(len(runes)/2, maxText)]) + "…"
		quoted, _ = json.Marshal(text)
	}
	return text
}
