// Package events contains sample events: those of the format, and recorded events of agents.
// They are used to try hooks without an agent.
package events

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

//go:embed *.json agents/claude-*.json agents/codex-*.json agents/gemini-*.json
var files embed.FS

// Names returns the samples' names, sorted: "pre-tool-call" for an event of the format, "rm-rf"
// for a scenario, "claude/PreToolUse" for an agent's event.
//
// Events of plugins (OpenCode) are omitted, because hooks see them only after the plugin has
// converted them.
func Names() []string {
	var names []string
	for _, dir := range [...]string{".", "agents"} {
		entries, _ := files.ReadDir(dir)
		for _, e := range entries {
			base, ok := strings.CutSuffix(e.Name(), ".json")
			if dir == "agents" {
				base = strings.Replace(base, "-", "/", 1)
			}
			if ok && len(Events(base)) > 0 {
				names = append(names, base)
			}
		}
	}
	slices.Sort(names)
	return names
}

// Sample returns the JSON object of the named sample.
func Sample(name string) ([]byte, error) {
	path := name + ".json"
	if agent, event, ok := strings.Cut(name, "/"); ok {
		path = "agents/" + agent + "-" + event + ".json"
	}
	b, err := files.ReadFile(path)
	if err != nil || len(Events(name)) == 0 {
		return nil, fmt.Errorf("there is no sample event %q", name)
	}
	return b, nil
}

// Events returns the events of the named sample, best match first. If an agent has one event
// for several of the format, it returns all of them. For an unknown name it returns none.
func Events(name string) []spec.EventType {
	if event := spec.EventType(name); event.Valid() {
		return []spec.EventType{event}
	}
	switch name {
	case "echo-rm-rf", "npm-install", "read-env", "read-env-example", "rm-rf":
		return []spec.EventType{spec.PreToolCall}
	case "write-go":
		return []spec.EventType{spec.PostToolCall}
	}
	agent, event, _ := strings.Cut(name, "/")
	if agent == "claude" || agent == "codex" || agent == "gemini" {
		return spec.NativeEvents(event)
	}
	return nil
}
