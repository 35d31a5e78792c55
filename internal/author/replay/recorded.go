package replay

import (
	"path/filepath"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/record"
)

// Recorded is one line of the list of events.
type Recorded struct {
	File     string    `json:"file"`
	Time     time.Time `json:"time"`
	Event    string    `json:"event"`
	Tool     string    `json:"tool,omitempty"`
	Text     string    `json:"text,omitempty"`
	Decision string    `json:"decision"`
	Modified bool      `json:"modified_input,omitempty"`
	Gave     string    `json:"gave,omitempty"` // the other parts of the answer
	Altered  int       `json:"altered,omitempty"`
	Broken   string    `json:"broken,omitempty"`
}

// ReadRecorded reads a recorded event.
func ReadRecorded(dir string, f record.File) Recorded {
	e := Recorded{File: f.Name, Time: f.Time}
	text, err := record.ReadFile(filepath.Join(dir, f.Name))
	var kept *record.Record
	if err == nil {
		kept, _, err = record.Decode(text)
	}
	if err != nil {
		e.Broken = err.Error()
		return e
	}
	e.Time, e.Event, e.Altered = kept.Time, string(kept.Trigger), len(kept.Altered)
	e.Tool, e.Text = Describe(kept.Event)
	e.Decision, e.Modified, e.Gave = DecisionThen(kept), kept.Modified, kept.Gave
	return e
}
