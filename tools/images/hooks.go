package main

import "path/filepath"

// hook is a folder of a project hook, with a script for sh.
type hook struct {
	name, trigger, tool, pattern string
	script                       string
	cases                        map[string]string // by name
}

// noPublish has a pattern that is too narrow.
func noPublish() hook {
	return hook{
		name: "no-publish", trigger: "trigger", tool: "Shell", pattern: "^npm publish",
		script: `echo "publishing is for people: ask the user" >&2
exit 2
`,
		cases: map[string]string{
			"publish": "event: {tool_name: Bash, tool_input: {command: npm publish}}\nexpect: {decision: deny, reason: ask the user}\n",
			"tests":   "event: {tool_name: Bash, tool_input: {command: npm test}}\nexpect: {fires: false}\n",
		},
	}
}

// commitMessage requires the number of an issue in each message, and so blocks an amended
// commit.
func commitMessage() hook {
	return hook{
		name: "commit-issue", trigger: "trigger", tool: "Shell", pattern: "git commit",
		script: `if grep -q '#[0-9]'; then exit 0; fi
echo "name the issue in the commit message, such as #12" >&2
exit 2
`,
		cases: map[string]string{
			"amend":       "description: the message stays\nevent: {tool_name: Bash, tool_input: {command: git commit --amend --no-edit}}\nexpect: {decision: none}\n",
			"names-issue": "description: names an issue\nevent: {tool_name: Bash, tool_input: {command: 'git commit -m \"fix #12\"'}}\nexpect: {decision: none}\n",
			"names-none":  "description: names none\nevent: {tool_name: Bash, tool_input: {command: git commit -m fix}}\nexpect: {decision: deny}\n",
		},
	}
}

// misspelled cannot run.
func misspelled() hook {
	return hook{name: "ask-before-push", trigger: "triger", tool: "Shell", pattern: "git push", script: "exit 2\n"}
}

// file returns the path of the hook's HOOK.md, relative to the folder of all hooks, and its
// text with another pattern.
func (h hook) file(pattern string) (path, text string) {
	front := "---\nname: " + h.name + "\ndescription: A hook of the project.\n" + h.trigger + ": pre-tool-call\nmatcher:\n  tool: " + h.tool + "\n  pattern: " + pattern + "\n---\n"
	return filepath.Join(h.name, "HOOK.md"), front
}

// write writes the hook into the folder of all hooks.
func (h hook) write(hooks string) error {
	path, text := h.file(h.pattern)
	if err := writeFile(filepath.Join(hooks, path), []byte(text), false); err != nil {
		return err
	}
	for name, text := range h.cases {
		if err := writeFile(filepath.Join(hooks, h.name, "tests", name+".yaml"), []byte(text), false); err != nil {
			return err
		}
	}
	return writeFile(filepath.Join(hooks, h.name, "scripts", "run.sh"), []byte("#!/bin/sh\n"+h.script), true)
}
