package importer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/agent-hooks/agent-hooks/internal/agent"
)

// word is one word of a command line.
type word struct {
	text  string // without quotes; expansions are kept as written
	first bool   // it names a program
}

// wordsOf returns the words of the simple commands in a command line, in order, and the files that
// are assigned to variables; nil if it cannot be parsed.
func wordsOf(line string) []word {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return nil
	}
	var words []word
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok {
			for _, assigned := range call.Assigns {
				if assigned.Value == nil {
					continue
				}
				var text strings.Builder
				writeParts(&text, assigned.Value.Parts)
				if w := (word{text.String(), false}); looksLikeFile(w) {
					words = append(words, w)
				}
			}
			for i, arg := range call.Args {
				var text strings.Builder
				writeParts(&text, arg.Parts)
				words = append(words, word{text.String(), i == 0})
			}
		}
		return true
	})
	return words
}

// writeParts writes the parts of a word without its quotes.
func writeParts(s *strings.Builder, parts []syntax.WordPart) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			s.WriteString(p.Value)
		case *syntax.SglQuoted:
			s.WriteString(p.Value)
		case *syntax.DblQuoted:
			writeParts(s, p.Parts)
		case *syntax.ParamExp:
			if p.Param != nil {
				s.WriteString("${" + p.Param.Value + "}")
			}
		case *syntax.CmdSubst:
			_ = syntax.NewPrinter().Print(s, p)
		}
	}
}

// path returns the file that a word names, as the agent would find it; "" if
// the word does not name a file, or the file is known only during a run.
func (b *builder) path(text string) string {
	dir := b.hookDir()
	if dir == "" && b.entry.part == nil {
		dir = b.Project
	} else if dir != "" && !filepath.IsAbs(dir) {
		dir = filepath.Join(b.Project, dir)
	}
	replace := func(name, path string) {
		if path != "" {
			text = strings.Replace(text, name, path, 1)
		}
	}
	for _, a := range agent.All() {
		for _, name := range a.Variables {
			replace("${"+name+"}", b.Project)
		}
	}
	shared, others := agent.PluginRoots()
	for _, name := range slices.Concat(shared, others) {
		replace("${"+name+"}", b.entry.source.plugin)
	}
	replace("${HOME}", b.Home)
	replace("${PWD}", b.Project)
	replace(toplevel, b.Project)
	if rest, ok := strings.CutPrefix(text, "~/"); ok {
		text = filepath.Join(b.Home, rest)
	}
	switch {
	case strings.Contains(text, "$") || strings.HasPrefix(text, "-"):
		return ""
	case filepath.IsAbs(text):
		return filepath.Clean(text)
	case dir == "":
		return "" // not known before a run
	}
	return filepath.Join(dir, text)
}

// toplevel is the project in command lines of its repository.
const toplevel = "$(git rev-parse --show-toplevel)"

// looksLikeFile reports whether a word is clearly meant as a file.
func looksLikeFile(w word) bool {
	w.text = strings.Replace(w.text, toplevel, ".", 1)
	switch filepath.Ext(w.text) {
	case ".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".ps1":
		return !strings.ContainsAny(w.text, " \n*?")
	}
	return w.first && strings.Contains(w.text, "/")
}

// source text of a script.
type code struct {
	text  string
	shell bool // it may be one for a shell, where $NAME reads a variable
}

// scripts returns the contents of the scripts that the command line names, and warns about those that
// do not exist.
func (b *builder) scripts() (texts []code) {
	var seen []string
	for _, w := range b.words {
		path, isFile := b.path(w.text), looksLikeFile(w)
		if path == "" || !isFile && !w.first {
			continue
		}
		if slices.Contains(seen, path) {
			continue
		}
		seen = append(seen, path)
		if _, err := os.Stat(path); isFile && os.IsNotExist(err) {
			b.warnf("%s does not exist", b.shown(path))
		}
		text, _, err := readRegular(path)
		if err == nil && !strings.Contains(string(text[:min(len(text), 512)]), "\x00") {
			texts = append(texts, code{string(text), isShell(path, string(text))})
		}
	}
	return texts
}

// isShell reports whether a script may be one for a shell: by its first line, otherwise by its name.
func isShell(path, text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	if program, ok := strings.CutPrefix(line, "#!"); ok {
		return strings.HasSuffix(strings.TrimSpace(program), "sh") || strings.Contains(program, "sh ")
	}
	switch filepath.Ext(path) {
	case "", ".sh", ".bash", ".zsh", ".ksh":
		return true
	}
	return false
}

// commandLine returns the entry's command line from the settings. It quotes
// only variables that the agent itself replaces, because the shell would split
// a path with spaces.
func (b *builder) commandLine() string {
	line := b.hook.Command
	if b.entry.part != nil {
		return "exec " + line // replaces the shell
	}
	substituted := strings.Fields(b.agent.Setup.Substitutes)
	if len(substituted) == 0 {
		return line
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return line
	}
	var at []int // positions of quotes to insert
	quote := func(w *syntax.Word) {
		for _, part := range w.Parts {
			if p, ok := part.(*syntax.ParamExp); ok && p.Param != nil && slices.Contains(substituted, p.Param.Value) {
				at = append(at, int(p.Pos().Offset()), int(p.End().Offset()))
			}
		}
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			for _, w := range n.Args {
				quote(w)
			}
		case *syntax.Redirect:
			quote(n.Word)
		}
		return true
	})
	slices.Sort(at)
	for _, i := range slices.Backward(at) {
		line = line[:i] + `"` + line[i:]
	}
	return line
}
