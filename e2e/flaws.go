package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// flaw is a way in which a file of hooks differs from what its client documents. In the texts,
// H(word) is a handler that logs the word.
type flaw struct {
	name    string
	handler string // in the first group of the event of tools, after the handler "sibling"
	group   string // in the list of that event, after that group
	event   string // among the events, before the others
	top     string // among the top-level members
	change  func(text string) string
}

// flaws are tried one at a time. A client of hookForms without groups skips the flaws of groups.
func flaws() []flaw {
	return []flaw{
		{name: "none"},
		{name: "line comment", change: func(s string) string { return "// a comment\n" + s }},
		{name: "block comment", change: func(s string) string { return strings.Replace(s, "{", "{/* a comment */", 1) }},
		{name: "trailing comma", change: func(s string) string { return s[:strings.LastIndex(s, "}")] + ",}" }},
		{name: "byte-order mark", change: func(s string) string { return "\ufeff" + s }},
		{name: "broken JSON", change: func(s string) string { return s[:strings.LastIndex(s, "}")] }},
		{name: "repeated event", event: `"TOOLEVENT": [GROUP(H(flawed))]`},
		{name: "hooks twice", top: `"hooks": {}`},
		{name: "unknown top-level key", top: `"frobnicate": 1`},
		{name: "$schema", top: `"$schema": "https://example.com/hooks.json"`},
		{name: "description", top: `"description": "x"`},
		{name: "unknown event", event: `"Frobnicate": [GROUP(H(flawed))]`},
		{name: "event in another case", event: `"EVENTCASE": [GROUP(H(flawed))]`},
		{name: "event is an object", event: `"STOP": GROUP(H(flawed))`},
		{name: "event is a text", event: `"STOP": "true"`},
		{name: "event is null", event: `"STOP": null`},
		{name: "event is empty", event: `"STOP": []`},
		{name: "unknown key of a handler", handler: `H(flawed, "frobnicate": 1)`},
		{name: "unknown type", handler: `{"type": "frobnicate", "command": "C(flawed)"}`},
		{name: "type in another case", handler: `{"type": "Command", "command": "C(flawed)"}`},
		{name: "no type", handler: `{"command": "C(flawed)"}`},
		{name: "type is a number", handler: `{"type": 1, "command": "C(flawed)"}`},
		{name: "no command", handler: `{"type": "command"}`},
		{name: "empty command", handler: `{"type": "command", "command": ""}`},
		{name: "command is a list", handler: `{"type": "command", "command": ["sh", "-c", "C(flawed)"]}`},
		{name: "prompt without a prompt", handler: `{"type": "prompt"}`},
		{name: "prompt", handler: `{"type": "prompt", "prompt": "x"}`},
		{name: "agent", handler: `{"type": "agent", "prompt": "x"}`},
		{name: "http", handler: `{"type": "http", "url": "http://127.0.0.1:1/x"}`},
		{name: "mcp_tool", handler: `{"type": "mcp_tool", "server": "x", "tool": "y"}`},
		{name: "mcp", handler: `{"type": "mcp", "server": "x", "tool": "y"}`},
		{name: "function", handler: `{"type": "function"}`},
		{name: "http without a url", handler: `{"type": "http"}`},
		{name: "handler is a text", handler: `"C(flawed)"`},
		{name: "handler is a list", handler: `[]`},
		{name: "handler is null", handler: `null`},
		{name: "handler is empty", handler: `{}`},
		{name: "timeout is a text", handler: `H(flawed, "timeout": "5000")`},
		{name: "timeout is negative", handler: `H(flawed, "timeout": -1)`},
		{name: "timeout is 0", handler: `H(flawed, "timeout": 0)`},
		{name: "timeout is a fraction", handler: `H(flawed, "timeout": 5000.5)`},
		{name: "matcher of a handler", handler: `H(flawed, "matcher": "NoSuchTool")`},
		{name: "flat entry", group: `H(flawed)`},
		{name: "grouped entry", group: `{"hooks": [H(flawed)]}`},
		{name: "group is a text", group: `"C(flawed)"`},
		{name: "group without hooks", group: `{"matcher": ".*"}`},
		{name: "group with no handlers", group: `{"hooks": []}`},
		{name: "hooks of a group is an object", group: `{"hooks": H(flawed)}`},
		{name: "unknown key of a group", group: `{"frobnicate": 1, "hooks": [H(flawed)]}`},
		{name: "matcher is a list", group: `{"matcher": ["TOOL"], "hooks": [H(flawed)]}`},
		{name: "matcher is null", group: `{"matcher": null, "hooks": [H(flawed)]}`},
		{name: "matcher is an object", group: `{"matcher": {"tools": ["TOOL"]}, "hooks": [H(flawed)]}`},
		{name: "matcher bash", group: `{"matcher": "bash", "hooks": [H(flawed)]}`},
		{name: "matcher Bash", group: `{"matcher": "Bash", "hooks": [H(flawed)]}`},
		{name: "matcher Shell", group: `{"matcher": "Shell", "hooks": [H(flawed)]}`},
		{name: "matcher is no expression", group: `{"matcher": "[", "hooks": [H(flawed)]}`},
		{name: "hooks is a list", change: func(s string) string {
			start, end := strings.Index(s, `"hooks": {`)+len(`"hooks": `), strings.LastIndex(s, "}")
			return s[:start] + "[" + s[start:strings.LastIndex(s[:end], "}")+1] + "]" + s[end:]
		}},
	}
}

// hookForm is how a client writes its hooks.
type hookForm struct {
	file        string // in the run's folder
	tool, other string // events of a tool call, and one before it
	stop        string
	shell       string // the native name of the shell tool
	flat        bool
	first       string // first member of the document
}

// hookForms are the clients whose reading of flawed files is tried.
var hookForms = map[string]hookForm{
	"claude-code": {file: "home/.claude/settings.json", tool: "PreToolUse", other: "UserPromptSubmit", stop: "Stop", shell: "Bash"},
	"codex":       {file: "home/.codex/hooks.json", tool: "PreToolUse", other: "UserPromptSubmit", stop: "Stop", shell: "Bash"},
	"gemini-cli":  {file: "work/.gemini/settings.json", tool: "BeforeTool", other: "BeforeAgent", stop: "AfterAgent", shell: "run_shell_command"},
	"qwen-code":   {file: "work/.qwen/settings.json", tool: "PreToolUse", other: "UserPromptSubmit", stop: "Stop", shell: "run_shell_command"},
	"copilot":     {file: "home/.copilot/hooks/raw.json", tool: "preToolUse", other: "userPromptSubmitted", stop: "agentStop", shell: "bash", flat: true, first: `"version": 1`},
}

// text returns the file with a flaw. LOG in it is the log folder.
func (f hookForm) text(fl flaw) string {
	var events []string
	elements := present(`H(sibling)`, fl.handler, fl.group, `H(beside)`)
	if !f.flat {
		elements = present("GROUP("+strings.Join(present(`H(sibling)`, fl.handler), ", ")+")", fl.group, `GROUP(H(beside))`)
	}
	if fl.event != "" {
		events = append(events, fl.event)
	}
	events = append(events, fmt.Sprintf(`%q: [%s]`, f.tool, strings.Join(elements, ", ")), fmt.Sprintf(`%q: [GROUP(H(other))]`, f.other))
	members := present(f.first, fl.top, `"hooks": {`+strings.Join(events, ", ")+`}`)
	text := "{" + strings.Join(members, ", ") + "}"
	text = strings.NewReplacer("EVENTCASE", strings.ToLower(f.other), "STOP", f.stop, "TOOLEVENT", f.tool, "TOOL", f.shell).Replace(text)
	text = f.expand(text)
	if fl.change != nil {
		text = fl.change(text)
	}
	return text + "\n"
}

// expand replaces GROUP, H and C.
func (f hookForm) expand(text string) string {
	for {
		i := strings.LastIndex(text, "C(")
		if i < 0 {
			break
		}
		end := i + strings.Index(text[i:], ")")
		text = text[:i] + "echo " + text[i+2:end] + " >> LOG/words" + text[end+1:]
	}
	for {
		i := strings.LastIndex(text, "H(")
		if i < 0 {
			break
		}
		end := i + strings.Index(text[i:], ")")
		word, more, _ := strings.Cut(text[i+2:end], ",")
		if more != "" {
			more = "," + more
		}
		text = text[:i] + `{"type": "command", "command": "echo ` + word + ` >> LOG/words"` + more + "}" + text[end+1:]
	}
	for {
		i := strings.Index(text, "GROUP(")
		if i < 0 {
			return text
		}
		end := i + strings.Index(text[i:], ")")
		if f.flat {
			text = text[:i] + text[i+6:end] + text[end+1:]
		} else {
			text = text[:i] + `{"hooks": [` + text[i+6:end] + `]}` + text[end+1:]
		}
	}
}

// present returns the strings that are not empty.
func present(list ...string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// tryFlaws runs one conversation for each flaw and client, and prints a row for each: the client, its
// version, the flaw, the handlers that ran, and the file. internal/setup/install tests with the rows.
func (o options) tryFlaws(ctx context.Context, cache string, list []client) error {
	slots := make(chan struct{}, max(o.parallel, 1))
	var group sync.WaitGroup
	for _, c := range list {
		form, ok := hookForms[c.name]
		if !ok {
			continue
		}
		for n, fl := range chosen(flaws(), o.scenarios, func(f flaw) string { return f.name }) {
			if form.flat && fl.group != "" && fl.name != "grouped entry" || !form.flat && fl.name == "grouped entry" {
				continue
			}
			slots <- struct{}{}
			group.Go(func() {
				defer func() { <-slots }()
				folder := filepath.Join(cache, "runs", c.name, fmt.Sprintf("flaw-%d", n))
				r := newRun(cache, c, scenario{}, folder)
				text := form.text(fl)
				r.flawed = map[string]string{form.file: strings.ReplaceAll(text, "LOG", r.log())}
				s, err := conduct(ctx, r, scenario{native: native{event: form.tool}})
				if err != nil {
					fmt.Fprintf(os.Stderr, "e2e: %s: %s: %v\n", c.name, fl.name, err)
					return
				}
				ran := strings.Fields(readText(filepath.Join(s.log(), "words")))
				slices.Sort(ran)
				fmt.Printf("%s\t%s\t%s\t%s\t%q\n", c.name, c.version(), fl.name, strings.Join(slices.Compact(ran), " "), text)
				if !o.keep {
					os.RemoveAll(folder)
				}
			})
		}
	}
	group.Wait()
	return nil
}
