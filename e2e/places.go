package main

import (
	"strings"

	"github.com/agent-hooks/agent-hooks/e2e/model"
	"github.com/agent-hooks/agent-hooks/internal/agent"
)

// The modes of a turn (see client.modes).
const (
	planMode  = "plan"
	autoMode  = "auto"
	judgeMode = "judge"
	textMode  = "text" // slash commands whose text runs commands
)

// placeScenarios returns the scenarios that show that a guard holds wherever a tool is called.
func placeScenarios() []scenario {
	const guarded = "printf x | tee " + ranFile
	inSubagent := []model.Step{{Shell: guarded}, {Say: "the subagent is done"}}
	end := []model.Step{{Shell: "sleep 4"}, {Say: "all done"}}
	guard := []hook{{name: "guard", trigger: "pre-tool-call", front: constantGuard}}
	const readGuard = "matcher:\n  tool: ReadFile\nmetadata:\n  answer:\n    decision: deny\n    reason: REASON-TOKEN\n"
	shellGuard := strings.Replace(readGuard, "ReadFile", "Shell", 1)
	return []scenario{
		{
			name: "subagent", claim: "a guard blocks the calls of subagents, also in the background",
			hooks:  append([]hook{observer("pre-subagent"), observer("post-subagent")}, guard...),
			script: append([]model.Step{{Subagent: inSubagent}, {Subagent: inSubagent, Background: true}}, end...), judge: heldInSubagent,
			can: func(a *agent.Agent) bool { return !strings.Contains(a.Setup.Unguarded, "subagents") },
		},
		{
			name: "skill", claim: "a guard blocks a shell command in the text of a slash command", hooks: guard,
			files: map[string]string{"../work/.claude/commands/start.md": "---\nallowed-tools: Bash(printf:*), Bash(tee:*), Bash(touch:*)\n---\nFirst: !`touch harmless` and !`" + guarded + "`\n"},
			turns: []turn{{prompt: "/start", mode: textMode}},
			judge: func(s seen) (string, string) {
				ability, fault := held(s)
				return ability, words(fault, faultIf(!s.left("harmless"), "a command that no hook refuses did not run"))
			},
		},
		{
			name: "background", claim: "a guard blocks a command in the background", hooks: guard,
			script: append([]model.Step{{Shell: guarded, Background: true}}, end...), judge: held,
		},
		{
			name: "typed", claim: "a guard blocks what the model types into a running shell", hooks: guard,
			script: append([]model.Step{{Shell: "bash", Background: true}, {Use: model.TypeKind, Text: guarded + "\n"}}, end...),
			judge: func(s seen) (string, string) {
				ability, _ := held(s)
				return ability, ""
			},
			can: func(a *agent.Agent) bool { return !strings.Contains(a.Setup.Unguarded, "types") },
		},
		{
			name: "plan", claim: "a guard blocks a read in plan mode",
			hooks:  []hook{{name: "guard", trigger: "pre-tool-call", front: readGuard}, {name: "shell", trigger: "pre-tool-call", front: shellGuard}},
			script: []model.Step{{Use: model.PlanKind}, {Use: model.ReadKind, Write: "notes.txt"}, {Shell: "cat notes.txt"}, {Say: "all done"}},
			files:  map[string]string{"../work/notes.txt": "from-the-tool\n"},
			turns:  []turn{{prompt: defaultPrompt, mode: planMode}}, judge: held,
		},
		{
			name: "auto", claim: "a guard blocks in the mode that approves everything", hooks: guard,
			turns: []turn{{prompt: defaultPrompt, mode: autoMode}}, judge: held,
		},
		{
			name: "judge", claim: "a guard blocks in the mode in which a model approves", hooks: guard,
			turns: []turn{{prompt: defaultPrompt, mode: judgeMode}}, judge: held,
		},
	}
}

// held judges a guard that blocks a call which the agent might also refuse itself.
func held(s seen) (string, string) {
	switch {
	case s.left(ranFile) || s.everReached("from-the-tool"):
		return no, "the tool ran despite the block"
	case s.everReached("REASON-TOKEN"), s.ends:
		return yes, ""
	}
	return "no such tool", ""
}

// heldInSubagent judges a guard by the conversation of the subagent.
func heldInSubagent(s seen) (string, string) {
	ability, fault := held(s)
	all := s.requests
	s.requests = nil
	for _, q := range all {
		if q.Subagent {
			s.requests = append(s.requests, q)
		}
	}
	switch {
	case fault != "":
		return ability, fault
	case len(s.requests) == 0:
		return "no subagent", ""
	case !s.everReached("REASON-TOKEN") && !s.ends:
		return no, ""
	}
	return yes, ""
}
