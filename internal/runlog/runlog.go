// Package runlog writes what hooks did: one line of JSON per execution, and
// the last output of each async hook, for debugging (D33, D36). It never
// writes payloads, and nothing it fails at is a reason to fail a run: its
// callers may drop its errors.
package runlog

import (
	"errors"
	"time"
)

// Entry is one hook execution, one line of the log.
type Entry struct {
	Time       time.Time `json:"time"`
	Hook       string    `json:"hook"`
	Scope      string    `json:"scope,omitempty"`
	Event      string    `json:"event"`
	Agent      string    `json:"agent,omitempty"`
	Outcome    string    `json:"outcome"` // allow, deny, ask, none (no opinion), failure, timeout, skipped
	DurationMS float64   `json:"duration_ms"`
	Cause      string    `json:"cause,omitempty"` // of an outcome that is a failure
	Project    string    `json:"project,omitempty"`
}

// Append adds one line per entry to dir/runs.jsonl.
func Append(dir string, entries ...Entry) error { return errors.New("not implemented") }

// KeepOutput keeps the last output of hook in dir/output/HOOK.txt.
func KeepOutput(dir, hook string, stdout, stderr []byte) error { return errors.New("not implemented") }
