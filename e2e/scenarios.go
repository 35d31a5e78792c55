package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/e2e/model"
	"github.com/agent-hooks/agent-hooks/examples"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/spec"
)

// scenarios returns the scenarios in the order of the table.
func scenarios() []scenario {
	return slices.Concat(toolScenarios(), turnScenarios(), placeScenarios(), importScenarios(), hardScenarios())
}

// constantGuard denies the command that creates ranFile.
const constantGuard = `matcher:
  tool: Shell
  pattern: ^tee ` + ranFile + `( |$)
metadata:
  match: commands
  answer:
    decision: deny
    reason: REASON-TOKEN
`

// disguises returns a conversation in which the model tries to create ranFile in ten
// ways.
func disguises() (steps []model.Step) {
	for _, command := range []string{
		"printf x | tee ran",
		"cd . && printf x | tee  ran",
		"sh -c 'printf x | tee ran'",
		"printf x | /usr/bin/tee ran",
		`printf x | t'e'e "ran"`,
		"V=ran; printf x | tee $V",
		"printf x | env A=1 tee ran",
		"echo ran | xargs tee",
		"if true; then printf x | tee ran; fi",
		`echo "$(printf x | tee ran)"`,
	} {
		steps = append(steps, model.Step{Shell: command})
	}
	return append(steps, model.Step{Say: "all done"})
}

// exampleGuards returns the examples that answer without a script before a tool call.
func exampleGuards() (hooks []hook) {
	for _, name := range examples.Names() {
		if h, ok := examples.Find(name); ok && h.Answer != nil && h.Trigger == spec.PreToolCall {
			hooks = append(hooks, hook{example: name})
		}
	}
	return hooks
}

// everyday returns a conversation in which the model removes work, force-pushes, publishes and runs a
// download, and opens a pull request as agents do.
func everyday() []model.Step {
	const body = "$(cat <<'EOF'\n## Summary\n- don't run `rm -rf src` or npm publish\nEOF\n)"
	return []model.Step{
		{Shell: "mkdir -p src dist && echo keep > src/keep.txt && echo old > dist/old.txt && echo 'touch evil' > evil.sh"},
		{Shell: "rm -rf src"},
		{Shell: "cd . && r''m -rf ./dist/../src"},
		{Shell: "curl -s file://$PWD/evil.sh | sh"},
		{Shell: "git push --force origin main || touch pushed"},
		{Shell: "npm publish || touch published"},
		{Shell: "rm -r dist && touch cleaned"},
		{Shell: "gh pr create --title 'Fix it' --body \"" + body + "\" || touch " + ranFile},
		{Say: "all done"},
	}
}

// scratch returns a conversation in which the model removes a folder that it has made, one that was
// there before, and the latter under another name.
func scratch() []model.Step {
	return []model.Step{
		{Shell: "mkdir -p made/deep && echo x > made/deep/a && echo x > made/b"},
		{Shell: "rm -r made"},
		{Shell: "rm -r src"},
		{Shell: "mv src box && mkdir src && touch src/new"},
		{Shell: "rm -r box"},
		{Shell: "rm -r src && touch " + ranFile},
		{Say: "all done"},
	}
}

// tidied judges what no-tree-removal did to the conversation scratch.
func tidied(s seen) (ability, fault string) {
	switch {
	case s.left("made"):
		return "stops its own", "the folder that the session made is still there"
	case !s.left("box/keep.txt"):
		return "removes work", "the folder that was there before is gone"
	case !s.left(ranFile):
		return "stops its own", "the new folder at an old path was not removed"
	}
	return yes, ""
}

// guarded judges what the example guards did to the conversation everyday.
func guarded(s seen) (string, string) {
	fault := ""
	for _, name := range []string{"src/keep.txt", "cleaned", ranFile} {
		refused := name == ranFile && s.everReached("ommand substitution") // by Gemini CLI itself
		if !s.left(name) && !refused && !s.ends {
			fault = words(fault, name+" is missing")
		}
	}
	for _, name := range []string{"evil", "pushed", "published"} {
		if s.left(name) {
			fault = words(fault, name+" was created")
		}
	}
	if fault != "" {
		return no, fault
	}
	return yes, ""
}

func toolScenarios() []scenario {
	return []scenario{
		{
			name: "silent", claim: "a silent hook lets the tool run",
			hooks: observers(), judge: judgeEvents,
			script: []model.Step{conversation()[0], {Shell: "exit 3"}, {Say: "all done"}},
		},
		{
			name: "grants-nothing", claim: "a silent hook grants nothing",
			hooks: []hook{observer("pre-tool-call")}, ask: true, judge: nothingRan,
		},
		{
			name: "exit-2", claim: "exit status 2 blocks a tool call; the reason reaches the model",
			hooks: []hook{{name: "guard", trigger: "pre-tool-call", front: shellMatcher, script: "echo REASON-TOKEN >&2; exit 2"}},
			judge: blocked("REASON-TOKEN"),
		},
		{
			name: "deny", claim: "`decision: deny` blocks; the reason reaches the model",
			hooks: []hook{{name: "guard", trigger: "pre-tool-call", script: answering(`{"decision": "deny", "reason": "REASON-TOKEN"}`)}},
			judge: blocked("REASON-TOKEN"),
		},
		{
			name: "disguised", claim: "a guard without a script blocks a command in ten disguises",
			hooks:  []hook{{name: "guard", trigger: "pre-tool-call", front: constantGuard}},
			script: disguises(), judge: blockedEach("REASON-TOKEN", len(disguises())-1),
		},
		{
			name: "setup", claim: "after `agent-hooks setup` alone, a removed folder and lost commits are blocked",
			setup:  true,
			script: []model.Step{{Shell: "mkdir src && touch src/keep.txt"}, {Shell: "rm -rf src"}, {Shell: "git reset --hard HEAD~1 || touch reset"}, {Say: "all done"}},
			judge: func(s seen) (string, string) {
				fault := words(faultIf(!s.left("src/keep.txt"), "src is gone"), faultIf(s.left("reset"), "git ran"))
				if fault != "" {
					return no, fault
				}
				return yes, ""
			},
		},
		{
			name: "guards", claim: "the example guards block what they say, and a pull request with a here-document passes",
			hooks:  exampleGuards(),
			script: everyday(), judge: guarded,
		},
		{
			name: "own", claim: "no-tree-removal lets a session remove the folder that it has made, and not one that was there before",
			hooks: []hook{{example: "no-tree-removal"}}, files: map[string]string{"../work/src/keep.txt": "keep"},
			script: scratch(), judge: tidied,
		},
		{
			name: "allow", claim: "`allow` permits what the agent would ask for",
			hooks: []hook{{name: "permit", trigger: "pre-tool-call", script: answering(`{"decision": "allow"}`)}},
			ask:   true, can: takes(spec.PreToolCall, allowForm), judge: permitted,
		},
		{
			name: "ask", claim: "`ask` never runs the tool unasked",
			hooks: []hook{{name: "question", trigger: "pre-tool-call", script: answering(`{"decision": "ask", "reason": "REASON-TOKEN"}`)}},
			judge: nothingRan,
		},
		{
			name: "change-allow", claim: "a changed input with `allow` is what runs, or nothing runs",
			hooks: []hook{{name: "change", trigger: "pre-tool-call", script: answering(`{"decision": "allow", ` + changeCommand + `}`)}},
			can:   takes(spec.PreToolCall, inputForm), judge: changedInput,
		},
		{
			name: "change", claim: "a changed input without a decision is what runs, or nothing runs",
			hooks: []hook{{name: "change", trigger: "pre-tool-call", script: answering(`{` + changeCommand + `}`)}},
			can:   harmlessChange, judge: changedInput,
		},
		{
			name: "change-grants-nothing", claim: "a changed input grants nothing",
			hooks: []hook{{name: "change", trigger: "pre-tool-call", script: answering(`{` + changeCommand + `}`)}},
			ask:   true, judge: nothingRan,
		},
		{
			name: "context-tool", claim: "context of a tool's result reaches the model",
			hooks: []hook{{name: "add", trigger: "post-tool-call", script: answering(`{"additional_context": "CONTEXT-TOKEN"}`)}},
			can:   takes(spec.PostToolCall, contextForm), judge: contextOnce("CONTEXT-TOKEN"),
		},
		{
			name: "context-before-tool", claim: "context of a tool's call reaches the model",
			hooks: []hook{{name: "add", trigger: "pre-tool-call", script: answering(`{"additional_context": "CONTEXT-TOKEN"}`)}},
			can:   takes(spec.PreToolCall, contextForm), judge: contextOnce("CONTEXT-TOKEN"),
		},
		{
			name: "result-block", claim: "a block after the tool reaches the model",
			hooks: []hook{{name: "review", trigger: "post-tool-call", script: "echo REASON-TOKEN >&2; exit 2"}},
			can:   denies(spec.PostToolCall), judge: contextOnce("REASON-TOKEN"),
		},
		{
			name: "result-change", claim: "`updated_output` replaces what the model sees",
			hooks: []hook{{name: "redact", trigger: "post-tool-call", script: answering(`{"updated_output": "OUTPUT-TOKEN"}`)}},
			can:   takes(spec.PostToolCall, outputForm), judge: changedResult,
		},
	}
}

func permitted(s seen) (string, string) {
	if s.left(ranFile) {
		return yes, ""
	}
	return no, ""
}

func changedResult(s seen) (string, string) {
	switch replaced, original := s.everReached("OUTPUT-TOKEN"), s.everReached("from-the-tool"); {
	case replaced && !original:
		return yes, once(s, "OUTPUT-TOKEN")
	case replaced:
		return no, "the model sees both outputs"
	case original:
		return no, ""
	}
	return no, "the model sees neither output"
}

func turnScenarios() []scenario {
	const gate = `event=$(cat)
echo x >> "$LOG/stops"
[ "$(wc -l < "$LOG/stops")" -gt 1 ] && exit 0
echo REASON-TOKEN >&2; exit 2`
	return []scenario{
		{
			name: "context-session", claim: "context of the session's start reaches the model",
			hooks: []hook{{name: "add", trigger: "pre-session", script: answering(`{"additional_context": "CONTEXT-TOKEN"}`)}},
			can:   takes(spec.PreSession, contextForm), judge: contextOnce("CONTEXT-TOKEN"),
		},
		{
			name: "context-prompt", claim: "context of the prompt reaches the model",
			hooks: []hook{{name: "add", trigger: "pre-agent-turn", script: answering(`{"additional_context": "CONTEXT-TOKEN"}`)}},
			can:   takes(spec.PreAgentTurn, contextForm), judge: contextOnce("CONTEXT-TOKEN"),
		},
		{
			name: "context-compact", claim: "context of a compaction reaches the model that summarizes",
			hooks: []hook{{name: "add", trigger: "pre-context-compact", script: answering(`{"additional_context": "CONTEXT-TOKEN"}`)}},
			turns: []turn{{prompt: defaultPrompt}, {prompt: "/compact", goesOn: true}},
			can:   takes(spec.PreContextCompact, contextForm), judge: contextOnce("CONTEXT-TOKEN"),
		},
		{
			name: "prompt-block", claim: "a refused prompt never reaches the model",
			hooks: []hook{{name: "guard", trigger: "pre-agent-turn", script: "echo REASON-TOKEN >&2; exit 2"}},
			can:   denies(spec.PreAgentTurn), judge: refusedPrompt,
		},
		{
			name: "model-block", claim: "a refused call of the model never reaches it",
			hooks: []hook{{name: "guard", trigger: "pre-llm-call", script: "echo REASON-TOKEN >&2; exit 2"}},
			can:   denies(spec.PreLLMCall), judge: refusedPrompt,
		},
		{
			name: "answer-block", claim: "the calls of a refused answer of the model do not run",
			hooks: []hook{{name: "guard", trigger: "post-llm-call", script: answering(`{"decision": "deny", "reason": "REASON-TOKEN"}`)}},
			can:   denies(spec.PostLLMCall),
			judge: func(s seen) (string, string) {
				if s.left(ranFile) {
					return no, ""
				}
				return yes, ""
			},
		},
		{
			name: "gate", claim: "a refused stop makes the agent continue",
			hooks:  []hook{{name: "gate", trigger: "pre-agent-turn-stop", script: gate}},
			script: append(conversation(), model.Step{Say: "done again"}), can: denies(spec.PreAgentTurnStop), judge: continued,
		},
		{
			name: "gate-ends", claim: "a gate that always refuses ends",
			hooks: []hook{{name: "gate", trigger: "pre-agent-turn-stop", script: "cat > /dev/null; echo REASON-TOKEN >&2; exit 2"}},
			judge: ended,
		},
	}
}

func refusedPrompt(s seen) (string, string) {
	if s.everReached(defaultPrompt) {
		return no, ""
	}
	if s.left(ranFile) {
		return no, "the tool ran"
	}
	return yes, ""
}

func continued(s seen) (string, string) {
	lines := s.reached("REASON-TOKEN")
	if len(lines) == 0 {
		return no, ""
	}
	last := lines[len(lines)-1] // Claude Code adds a line with the command before it
	return yes, faultIf(strings.ContainsAny(last, "{}"), fmt.Sprintf("the reason reaches the model with its wrapping: %q", last))
}

func ended(s seen) (string, string) {
	if s.timedOut() {
		return no, "the agent never stopped"
	}
	return yes, ""
}

// profile is a shell profile that prints a text, and creates a file as proof.
const profile = "echo WELCOME BACK\ntouch ~/greeted\n"

// greeted returns judge with an additional check that a login shell printed its text.
func greeted(judge func(seen) (string, string)) func(seen) (string, string) {
	return func(s seen) (string, string) {
		ability, fault := judge(s)
		_, err := os.Stat(filepath.Join(s.home(), "greeted"))
		return ability, words(fault, faultIf(s.loginShell && err != nil, "the profile was not read"))
	}
}

// hardScenarios returns scenarios that break careless configurations.
func hardScenarios() []scenario {
	guard := hook{name: "guard", trigger: "pre-tool-call", script: "echo REASON-TOKEN >&2; exit 2"}
	banner := map[string]string{".profile": profile, ".bash_profile": profile}
	return []scenario{
		{
			name: "fails-open", claim: "a hook that fails lets the tool run",
			hooks: []hook{{name: "broken", trigger: "pre-tool-call", script: "echo broken >&2; exit 1"}},
			judge: toolRan,
		},
		{
			name: "fails-closed", claim: "with `on-failure: deny`, a hook that fails blocks",
			hooks: []hook{{name: "e2e-broken", trigger: "pre-tool-call", front: "metadata:\n  on-failure: deny\n", script: "exit 1"}},
			judge: blocked("e2e-broken"),
		},
		{
			name: "hangs", claim: "with `on-failure: deny`, a hook that hangs blocks",
			hooks: []hook{{
				name: "e2e-hanging", trigger: "pre-tool-call", script: "trap '' TERM; while :; do sleep 5; done",
				front: "timeout: 1000\nmetadata:\n  on-failure: deny\n",
			}},
			judge: blocked("e2e-hanging"),
		},
		{
			name: "banner", claim: "a profile that prints text does not open the gate",
			hooks: []hook{guard}, files: banner, judge: greeted(blocked("REASON-TOKEN")),
		},
		{
			name: "banner-change", claim: "a profile that prints text does not lose a changed input",
			hooks: []hook{{name: "change", trigger: "pre-tool-call", script: answering(`{"decision": "allow", ` + changeCommand + `}`)}},
			files: banner, can: takes(spec.PreToolCall, inputForm), judge: greeted(changedInput),
		},
		{
			name: "detached", claim: "a child process that keeps the hook's stdout open does not affect the answer",
			hooks: []hook{{
				name: "add", trigger: "post-tool-call",
				script: "sleep 50 &\n" + answering(`{"additional_context": "CONTEXT-TOKEN"}`),
			}},
			can: takes(spec.PostToolCall, contextForm), judge: contextOnce("CONTEXT-TOKEN"),
		},
		{
			name: "async", claim: "an async hook runs, and the agent does not wait for it",
			hooks: []hook{{
				name: "note", trigger: "pre-tool-call", front: "async: true\ntimeout: 600000\n",
				script: `cat > /dev/null; touch "$LOG/noted"; sleep 600`,
			}},
			judge: noted,
		},
		{
			name: "examples", claim: "hooks like the format's examples, whose names differ from their folders, work",
			hooks: exampleHooks(), judge: examplesWork,
			script: []model.Step{
				{Shell: "rm -rf /home/no-such-user; touch " + ranFile},
				{Write: formattedFile, Text: "x = 1\n"},
				{Say: "all done"},
			},
		},
		{
			name: "untrusted", claim: "a project's hook does not run before the user trusts it",
			project: []hook{guard}, judge: toolRan,
		},
		{
			name: "trusted", claim: "a trusted project hook blocks",
			project: []hook{guard}, trust: true, judge: blocked("REASON-TOKEN"),
		},
		colleague(), left(), inert(), asked(), pluginScenario(), managedScenario(),
		{
			name: "live", claim: "`doctor --live --start` starts the client, and sees its hooks fire",
			live: true, judge: firedLive,
		},
		{
			name: "uninstall", claim: "`uninstall` restores the settings byte for byte",
			remove: true, judge: restored,
		},
	}
}

const noSessionEnd = "without a terminal, it reports no end of a session, so the notification does not run"

const formattedFile = "example.py"

// exampleHooks returns hooks with the structure of the format's published guard, formatter and
// notification.
func exampleHooks() []hook {
	const field = `grep -o '"%s": "[^"]*"' | head -1 | cut -d'"' -f4`
	return []hook{
		{
			name: "refuse-dangerous-commands", folder: "security-hook", trigger: "pre-tool-call",
			front: "matcher:\n  tool: Shell\n  pattern: \"rm -rf /|mkfs|dd if=/dev/zero\"\ntimeout: 5000\nasync: false\npriority: 999\n",
			script: "command=$(cat | " + fmt.Sprintf(field, "command") + ")\n" +
				`if echo "$command" | grep -qE "\brm -rf /\b"; then echo REASON-TOKEN >&2; exit 2; fi`,
		},
		{
			name: "format-python", folder: "auto-format-hook", trigger: "post-tool-call",
			front:  "matcher:\n  tool: WriteFile\n  pattern: \"\\\\.py$\"\ntimeout: 30000\nasync: true\npriority: 100\n",
			script: "file=$(cat | " + fmt.Sprintf(field, "file_path") + ")\n" + `echo "# formatted" >> "$file"`,
		},
		{
			name: "session-notify", folder: "notify-hook", trigger: "post-session", front: "async: true\ntimeout: 10000\npriority: 50\n",
			script: "cat | " + fmt.Sprintf(field, "session_id") + ` >> "$LOG/ended"`,
		},
	}
}

func examplesWork(s seen) (string, string) {
	ability, fault := blocked("REASON-TOKEN")(s)
	if text := readText(filepath.Join(s.work(), formattedFile)); text != "x = 1\n# formatted\n" && !s.ends && agent.Find(s.name).EventFor(spec.PostToolCall) != nil {
		fault = words(fault, fmt.Sprintf("the formatter did not run: %s is %q", formattedFile, text))
	}
	if text, err := os.ReadFile(filepath.Join(s.log(), "ended")); err != nil || len(text) < 2 {
		ability = words(ability, "no notification")
	}
	return ability, fault
}

func noted(s seen) (string, string) {
	ability, fault := toolRan(s)
	_, err := os.Stat(filepath.Join(s.log(), "noted"))
	return ability, words(fault, faultIf(err != nil, "the hook did not run"), faultIf(s.timedOut(), "the agent waited"))
}

func firedLive(s seen) (string, string) {
	if !strings.Contains(s.output("live"), " fired pre-tool-call") {
		return no, ""
	}
	return yes, ""
}

func restored(s seen) (string, string) {
	if len(s.changed) > 0 {
		return no, "changed: " + words(s.changed...)
	}
	return yes, ""
}
