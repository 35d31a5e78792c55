package reading

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/shell"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

// isTyped reports whether one of a call's tools types text into a program that
// runs, such as write_stdin. Such a text may continue an earlier one.
func isTyped(tools []string) bool {
	return slices.ContainsFunc(tools, func(tool string) bool {
		name := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(tool))
		for _, part := range [...]string{"writestdin", "writebash", "writepowershell", "sendkeys", "sendinput", "sendtext", "terminalinput", "typetext"} {
			if strings.Contains(name, part) {
				return true
			}
		}
		return false
	})
}

// typed returns the texts in the inputs of a tool that types. They are certain
// only as whole lines without the names of keys.
func (r *reading) typed() (texts []string, err error) {
	if r.Unreadable || r.notObject {
		err = &shell.Unreadable{Cause: "the tool's input cannot be read"}
	}
	for _, s := range r.texts {
		text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s.text)
		for _, key := range [...]string{"{enter}", "<enter>", "<cr>"} {
			if end := len(text) - len(key); end >= 0 && strings.EqualFold(text[end:], key) {
				text = text[:end] + "\n"
			}
		}
		switch {
		case text == "" || namesProcess(s.key):
			continue
		case !strings.HasSuffix(text, "\n"):
			err = &shell.Unreadable{Cause: "a part of a line is typed: " + "`" + shown.Cut(text, 60) + "`"}
		case hasKeyName(text):
			err = &shell.Unreadable{Cause: "the name of a key is typed: " + "`" + shown.Cut(text, 60) + "`"}
		}
		texts = append(texts, text)
	}
	return texts, err
}

// namesProcess reports whether a member names what reads the text.
func namesProcess(key string) bool {
	key = strings.ToLower(key)
	return strings.HasSuffix(key, "id") || isProse(key) || slices.Contains([]string{"target", "pane", "session", "window", "terminal", "shell", "name"}, key)
}

// hasKeyName reports whether a text may have the name of a key, such as {up},
// <C-c>, C-m or Enter.
func hasKeyName(text string) bool {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n{}<>[]", r) }) {
		name := strings.ToLower(word)
		if len(name) == 3 && name[1] == '-' && strings.ContainsRune("cms", rune(name[0])) {
			return true
		}
		switch name {
		case "enter", "return", "escape", "esc", "backspace", "bspace", "delete", "dc", "up", "down", "left", "right", "home", "end", "tab", "space", "pageup", "pagedown", "cr", "lf", "kpenter":
			if name == strings.TrimSpace(strings.ToLower(text)) || strings.ContainsAny(text, "{<[") {
				return true
			}
		}
	}
	return false
}

// isProse reports whether a member of a shell tool's input says something about
// the call, and is neither an argument of the command nor its input.
func isProse(key string) bool {
	switch strings.ToLower(key) {
	case "description", "explanation", "justification", "reason", "summary", "title", "purpose", "intent", "comment", "toolcall_description", "tooltip",
		"workdir", "work_dir", "cwd", "working_directory", "dir_path", "directory", "dir", "shell", "mode", "sandbox", "sandbox_permissions", "prefix_rule", "timeout", "restart":
		return true
	}
	return false
}

// withOthers returns a shell tool's commands, and each with the other strings of
// the inputs as its arguments, and as its input.
func (r *reading) withOthers(commands []string) []string {
	var others []string
	for _, s := range r.texts {
		row := spec.KeyOf(s.key)
		if row == nil && s.text != "" && !isProse(s.key) && !strings.HasSuffix(strings.ToLower(s.key), "id") && !slices.Contains(commands, s.text) {
			others = append(others, s.text)
		}
	}
	if len(others) == 0 {
		return commands
	}
	for _, c := range slices.Clone(commands) {
		commands = append(commands, c+" "+quotedWords(others), "{ "+c+"\n} <<'AGENT_HOOKS_INPUT'\n"+strings.Join(others, "\n")+"\nAGENT_HOOKS_INPUT")
	}
	return commands
}

// maxRotated is the number of strings of which each may be the program.
const maxRotated = 16

// rotated returns the texts, and each with the others as its arguments.
func rotated(members []member) (texts []string, err error) {
	for _, m := range members {
		texts = append(texts, m.text)
	}
	if len(texts) > maxRotated {
		return texts, &shell.Unreadable{Cause: "the input has too many strings"}
	}
	all := slices.Clone(texts)
	for i, program := range texts {
		rest := slices.Concat(texts[:i], texts[i+1:])
		if len(rest) > 0 && !strings.ContainsAny(program, " \n") {
			all = append(all, quotedWords(append([]string{program}, rest...)))
		}
	}
	return all, nil
}
