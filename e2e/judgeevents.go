package main

import (
	"fmt"
	"slices"
	"strings"
)

// judgeEvents judges the events of an ordinary conversation whose hooks only log: the tool must
// run, and each event must have its fields.
func judgeEvents(s seen) (string, string) {
	ability, fault := toolRan(s)
	list := s.events()
	if len(list) == 0 {
		return ability, words(fault, "no hook saw an event")
	}
	for _, e := range list {
		fault = words(fault, faultOf(e, s))
	}
	return ability, fault
}

func faultOf(e event, s seen) string {
	name, _ := e["event_type"].(string)
	if !slices.Contains(events(), name) {
		return fmt.Sprintf("event_type is %q", name)
	}
	for _, key := range []string{"timestamp", "session_id", "work_dir"} {
		if text, _ := e[key].(string); text == "" {
			return name + " lacks " + key
		}
	}
	if e["work_dir"] != s.work() {
		return fmt.Sprintf("%s has work_dir %q", name, e["work_dir"])
	}
	if name == "pre-tool-call" || name == "post-tool-call" {
		return faultOfTool(e, name)
	}
	// OpenCode puts quotes around a prompt from its command line.
	if prompt, _ := e["prompt"].(string); name == "pre-agent-turn" && strings.Trim(prompt, `"`) != defaultPrompt {
		return fmt.Sprintf("pre-agent-turn has prompt %q", e["prompt"])
	}
	return ""
}

func faultOfTool(e event, name string) string {
	if e["tool_name"] != "Shell" {
		return fmt.Sprintf("%s has tool_name %q", name, e["tool_name"])
	}
	input, _ := e["tool_input"].(map[string]any)
	command := input["command"]
	if list, ok := command.([]any); ok && len(list) == 1 {
		command = list[0]
	}
	if command != conversation()[0].Shell && command != "exit 3" {
		return fmt.Sprintf("%s has command %q", name, input["command"])
	}
	return ""
}

// fired returns the format's events that hooks saw, in the format's order.
func (s seen) fired() []string {
	var names []string
	for _, e := range s.events() {
		name, _ := e["event_type"].(string)
		names = append(names, name)
	}
	return slices.DeleteFunc(events(), func(name string) bool { return !slices.Contains(names, name) })
}
