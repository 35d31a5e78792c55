package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/e2e/model"
)

// seen contains the observations of a run.
type seen struct {
	run
	outcomes []outcome
	requests []model.Request // of the conversation
	changed  []string        // files that install or uninstall changed by mistake
}

func observe(r run, outcomes []outcome, changed []string) (seen, error) {
	s := seen{run: r, outcomes: outcomes, changed: changed}
	return s, eachLine(filepath.Join(r.log(), requestsFile), func(line []byte) error {
		var q model.Request
		err := json.Unmarshal(line, &q)
		if q.Conversation {
			s.requests = append(s.requests, q)
		}
		return err
	})
}

func eachLine(path string, do func(line []byte) error) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<28)
	for lines.Scan() {
		if err := do(lines.Bytes()); err != nil {
			return err
		}
	}
	return lines.Err()
}

// left reports whether a tool's command created its file.
func (s seen) left(name string) bool {
	_, err := os.Stat(filepath.Join(s.work(), name))
	return err == nil
}

// reached returns the lines with a text in the last request to the model.
func (s seen) reached(text string) []string {
	if len(s.requests) == 0 {
		return nil
	}
	return linesWith(s.requests[len(s.requests)-1].Body, text)
}

// everReached reports whether any request of the conversation contains the text.
func (s seen) everReached(text string) bool {
	for _, q := range s.requests {
		if len(linesWith(q.Body, text)) > 0 {
			return true
		}
	}
	return false
}

func linesWith(body json.RawMessage, text string) []string {
	var value any
	if json.Unmarshal(body, &value) != nil {
		return nil
	}
	var found []string
	eachString(value, func(s string) {
		for _, line := range strings.Split(s, "\n") {
			if strings.Contains(line, text) {
				found = append(found, line)
			}
		}
	})
	return found
}

func eachString(value any, do func(string)) {
	switch v := value.(type) {
	case string:
		do(v)
	case []any:
		for _, e := range v {
			eachString(e, do)
		}
	case map[string]any:
		for _, e := range v {
			eachString(e, do)
		}
	}
}

// event is one line of the observers' log.
type event = map[string]any

func (s seen) events() []event {
	var list []event
	eachLine(filepath.Join(s.log(), "events.jsonl"), func(line []byte) error {
		var e event
		if len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
		if err := json.Unmarshal(line, &e); err != nil {
			e = event{"event_type": "unreadable: " + string(line)}
		}
		list = append(list, e)
		return nil
	})
	return list
}

// output returns the output of a command of the job.
func (s seen) output(name string) string {
	for _, o := range s.outcomes {
		if o.Name == name {
			return o.Stdout + o.Stderr
		}
	}
	return ""
}

func (s seen) timedOut() bool {
	for _, o := range s.outcomes {
		if o.TimedOut {
			return true
		}
	}
	return false
}
