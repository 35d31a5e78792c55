package toolcall

import (
	"net/url"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/shell"
	"github.com/agent-hooks/agent-hooks/spec"
)

// names returns the one-line strings in the input of a tool that may use files,
// except content: each is a path or a glob, under whatever key.
func (c *Call) names() (all []string) {
	if !c.usesFiles() {
		return nil
	}
	for _, input := range c.Inputs {
		key := ""
		visit := func(t rawjson.Token, text []byte) bool {
			switch {
			case t == rawjson.TokenKey:
				key = string(rawjson.Unquote(text))
			case t == rawjson.TokenScalar && rawjson.KindOf(text) == rawjson.String:
				name := string(rawjson.Unquote(text))
				if name != "" && len(name) <= maxPath && !strings.Contains(name, "\n") && !c.isContent(key) {
					all = append(all, withoutScheme(name))
				}
			}
			return true
		}
		w := rawjson.Walker{Buf: input, Visit: visit}
		w.Value(rawjson.SkipSpace(input, 0))
	}
	return all
}

// usesFiles reports whether the tool is in a row of tools for files, or in no row.
func (c *Call) usesFiles() bool {
	for _, name := range c.Tools {
		switch name {
		case "ReadFile", "WriteFile", "EditFile", "Delete", "Glob", "Grep", "LS":
			return true
		}
	}
	return !slices.ContainsFunc(c.Own, func(name string) bool { return spec.KnownTool(name) && !spec.IsMCP(name) })
}

// isContent reports whether the value of a key is content or an expression.
func (c *Call) isContent(key string) bool {
	switch strings.ToLower(key) {
	case "content", "contents", "file_text", "text", "old_string", "new_string", "old_str", "new_str", "oldtext", "newtext", "new_source", "insert_text",
		"code_edit", "diff", "patch", "prompt", "description", "instruction", "instructions", "explanation", "message", "body", "title", "query", "regex", "command", "cmd":
		return true
	case "pattern":
		return slices.Contains(c.Tools, "Grep")
	}
	return false
}

// withoutScheme returns the path of a file: URI, and any other text as it is.
func withoutScheme(text string) string {
	if len(text) < len("file:") || !strings.EqualFold(text[:len("file:")], "file:") {
		return text
	}
	if u, err := url.Parse(text); err == nil && u.Path != "" {
		return u.Path
	}
	return strings.TrimPrefix(text[len("file:"):], "//")
}

// input adds the paths in a here-document: the files of a unified diff for a program
// that applies it, and the string literals of a program for an interpreter.
func (p *pather) input(c *shell.Command, text string) {
	if len(c.Words) == 0 {
		return
	}
	switch name := shell.Program(c.Words[0]); {
	case name == "patch", name == "git" && slices.Contains(c.Words, "apply"), name == "git" && slices.Contains(c.Words, "am"):
		for line := range strings.Lines(text) {
			for _, header := range [...]string{"--- ", "+++ ", "*** ", "rename from ", "rename to ", "copy from ", "copy to ", "Index: "} {
				if file, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), header); ok {
					file, _, _ = strings.Cut(file, "\t")
					p.add(file, false)
					if _, below, ok := strings.Cut(file, "/"); ok {
						p.add(below, false)
					}
				}
			}
		}
	case isInterpreter(name):
		p.literals(text)
	}
}

// isInterpreter reports whether a program takes a program as text, in whose string
// literals files are named.
func isInterpreter(name string) bool {
	name = strings.TrimRight(name, "0123456789.")
	switch name {
	case "python", "pypy", "node", "nodejs", "deno", "bun", "ruby", "perl", "php", "lua", "awk", "gawk", "mawk":
		return true
	}
	return false
}

// literals adds the one-line string literals of a program.
func (p *pather) literals(program string) {
	for _, quote := range [...]string{`"`, "'", "`"} {
		for i, literal := range strings.Split(program, quote) {
			if i > 0 && literal != "" && len(literal) <= maxPath && !strings.ContainsAny(literal, "\n,;(") {
				p.add(literal, false)
			}
		}
	}
}
