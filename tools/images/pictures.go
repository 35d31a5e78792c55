package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/tools/svg"
)

// picture is one terminal and the commands typed on it.
type picture struct {
	name        string // of its file
	description string // alternative text
	prepare     func(s scratch) error
	commands    []command
	page        int // height of the picture of the page that the commands write; 0: the terminal
}

// command is one line that is typed.
type command struct {
	typed string
	also  string // arguments that the picture leaves out
	timed bool   // its output has durations
	dated bool   // its output has dates of the last days
	acts  []act  // actions while it runs; none: it ends by itself
}

func pictures() []picture {
	return []picture{
		{
			name:        "setup",
			description: "agent-hooks setup: guards against data loss and for credentials with a line each, what they would have done in the sessions of the last 30 days, the settings that change, and one question; then the files that were written.",
			prepare: func(s scratch) error {
				return errors.Join(os.RemoveAll(filepath.Join(s.home, ".config")), s.writeTranscript())
			},
			commands: []command{{
				typed: "agent-hooks setup", also: ` --program "$(command -v agent-hooks)"`, dated: true, // it refuses a program in a temporary folder
				acts: []act{{after: `\[y/N\] `, do: func(scratch) (string, error) { return "y\n", nil }}},
			}},
		},
		{
			name:        "replay",
			description: "The page of agent-hooks replay: how many calls of the past sessions the installed hooks would have denied or asked about, and for each hook the most frequent ones, each with an ID.",
			prepare: func(s scratch) error {
				user := filepath.Join(s.home, ".config", "agents", "hooks")
				return errors.Join(s.writeTranscript(), copyExample(filepath.Join(user, "no-lost-git-work"), "no-lost-git-work"), copyExample(filepath.Join(user, "no-cloud-delete"), "no-cloud-delete"))
			},
			commands: []command{{typed: "agent-hooks replay --since 30d --html " + pageName, dated: true}},
			page:     640,
		},
		{
			name:        "list",
			description: "agent-hooks list: the hooks of each event in the order in which they run, and below them the one that is broken, and why.",
			prepare:     scratch.addBroken,
			commands:    []command{{typed: "agent-hooks list"}},
		},
		{
			name:        "why",
			description: "agent-hooks why: the hooks that run on an event; for each of the others what it failed at, and the pattern that would have matched.",
			prepare:     func(s scratch) error { return s.write("event.json", publishEvent) },
			commands: []command{
				{typed: "cat event.json"},
				{typed: "agent-hooks why pre-tool-call < event.json"},
			},
		},
		{
			name:        "watch",
			description: "agent-hooks watch: a hook is added; then its HOOK.md has an error, with a caret at its place; then it is fixed. Each time its test cases run.",
			prepare:     func(s scratch) error { return os.RemoveAll(filepath.Join(s.hooks(), noPublish().name)) },
			commands:    []command{{typed: "agent-hooks watch", timed: true, acts: breakAndFix()}},
		},
		{
			name:        "test",
			description: "agent-hooks test: the test cases of two hooks. One fails, with what was expected and what came.",
			commands:    []command{{typed: "agent-hooks test no-publish commit-issue", timed: true}},
		},
		{
			name:        "log-summary",
			description: "agent-hooks log --summary: for each hook how often it ran, blocked and failed, how long it took and when it last fired, and why hooks failed.",
			prepare:     scratch.writeLog,
			commands:    []command{{typed: "agent-hooks log --summary"}},
		},
	}
}

// publishEvent is an event that no-publish fails to match.
const publishEvent = `{"tool_name": "Bash", "tool_input": {"command": "cd web && npm publish"}}` + "\n"

// breakAndFix adds no-publish, edits its HOOK.md twice, and ends watch.
func breakAndFix() []act {
	const broken, fixed = `^npm (publish`, `\bnpm publish`
	edit := func(pattern string) func(s scratch) (typed string, err error) {
		return func(s scratch) (string, error) { return "", s.replace(noPublish().file(pattern)) }
	}
	const casesHaveRun = `tests +not run.*\n`
	return []act{
		{after: `\.config/agents/hooks\n`, do: func(s scratch) (string, error) { return "", s.add(noPublish()) }},
		{after: `press\s+Enter\n`, do: func(scratch) (string, error) { return "\r", nil }},
		{after: casesHaveRun, do: edit(broken)},
		{after: casesHaveRun, do: edit(fixed)},
		{after: casesHaveRun, do: func(scratch) (string, error) { return interrupt, nil }},
	}
}

// draw runs the picture's commands in a project below dir.
func (p picture) draw(dir, bin string) ([]byte, error) {
	s, err := newScratch(dir)
	if err != nil {
		return nil, err
	}
	if p.prepare != nil {
		if err := p.prepare(s); err != nil {
			return nil, err
		}
	}
	var shown strings.Builder
	description := p.description
	for _, c := range p.commands {
		if c.timed {
			description += " The times are examples."
		}
		stages, err := s.run(c, bin)
		if err != nil {
			return nil, fmt.Errorf("$ %s: %w", c.typed, err)
		}
		shown.WriteString(prompt(c.typed) + s.steady(stages, c))
	}
	if p.page > 0 {
		page, err := os.ReadFile(filepath.Join(s.project(), pageName))
		return p.drawPage(s.steady([]string{string(page)}, p.commands[0])), err
	}
	lines, err := readScreen(shown.String(), columns)
	if err != nil {
		return nil, err
	}
	return svg.Picture{Title: "agent-hooks " + p.name, Description: description, Columns: columns, Lines: lines, Looks: looks()}.Draw()
}

// looks returns the looks of agent-hooks' styles.
func looks() []svg.Look {
	return []svg.Look{
		{Style: "1", CSS: "fill: #fff; font-weight: 600"},
		{Style: "2", CSS: "fill: #8b95a1"},
		{Style: "32", CSS: "fill: #57d364"},
		{Style: "1;31", CSS: "fill: #ff8f87; font-weight: 600"},
		{Style: "1;33", CSS: "fill: #e9c04f; font-weight: 600"},
	}
}

func prompt(typed string) string { return "\x1b[32m$\x1b[0m \x1b[1m" + typed + "\x1b[0m\r\n" }
