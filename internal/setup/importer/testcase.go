package importer

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"regexp/syntax"

	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// CaseFile is the test case of an imported hook, relative to the hook's folder.
const CaseFile = "tests/runs.yaml"

// testCase returns a test case that runs the entry's scripts on an event that
// the hook matches. What they decide is not known, so it expects only that they
// do not fail. It returns "" if the entry names no script, a script cannot be
// found in the scratch directories of a test, or no event can be constructed.
func (b *builder) testCase() string {
	where, ok := b.scriptPlaces()
	if !ok {
		return ""
	}
	event, ok := b.caseEvent()
	if !ok {
		return ""
	}
	return "description: any decision, but no failure\n" +
		"# Add a case for each event that the hook must block (agent-hooks help test).\n" +
		event + where + "expect:\n  failure: null\n"
}

// scriptPlaces returns the lines of a case that put the entry's scripts where
// the entry finds them. A script that is missing then breaks the case.
func (b *builder) scriptPlaces() (lines string, ok bool) {
	var copied, setup []string
	moves := slices.ContainsFunc(b.words, func(w word) bool { return w.first && (w.text == "cd" || w.text == "pushd") })
	for _, w := range b.words {
		if !looksLikeFile(w) {
			continue
		}
		if strings.ContainsAny(w.text, "*?[\\") || strings.ContainsFunc(w.text, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return "", false
		}
		if moves && strings.Trim(w.text[:1], "/$~") != "" {
			return "", false
		}
		file := b.path(w.text)
		home := b.Home != "" && (strings.HasPrefix(w.text, "~/") || strings.HasPrefix(w.text, "${HOME}/"))
		switch user := b.hook.Scope == User; {
		case file == "":
			return "", false
		case user && home:
			setup = append(setup, b.homeSetup(file)...)
		case filepath.IsAbs(w.text), user && !install.Within(file, b.Project):
			setup = append(setup, "cat "+install.Quote(file)+" > /dev/null")
		case user || home:
			return "", false // a file of any project, or of anybody's home directory
		case isLink(file):
			return "", false // its target may be anywhere, as in node_modules/.bin
		default:
			copied = append(copied, b.copies(file)...)
		}
	}
	return caseList(copied) + caseSetup(setup), copied != nil || setup != nil
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// copies returns the script and the folder with the files that it may load, as
// paths in the project.
func (b *builder) copies(file string) []string {
	rel, err := filepath.Rel(b.Project, file)
	if err != nil || !filepath.IsLocal(rel) {
		return []string{filepath.Base(file)} // outside the project: the case fails
	}
	paths := []string{filepath.ToSlash(rel)}
	folder := filepath.Dir(file)
	if root := b.entry.source.plugin; root != "" && install.Within(file, root) {
		folder = root
	}
	if folder != b.Project && small(folder) {
		rel, _ = filepath.Rel(b.Project, folder)
		paths = append(paths, filepath.ToSlash(rel))
	}
	return paths
}

// homeSetup returns commands that copy a script of the user, and the folder with
// the files that it may load, into the scratch home directory.
func (b *builder) homeSetup(file string) []string {
	rel, err := filepath.Rel(b.Home, file)
	if err != nil || !filepath.IsLocal(rel) {
		return []string{"cat " + install.Quote(file) + " > /dev/null"}
	}
	folder := filepath.ToSlash(filepath.Dir(rel))
	to := `"$HOME"/` + install.Quote(folder)
	lines := []string{"mkdir -p " + to, "cp -p " + install.Quote(file) + " " + to}
	if folder != "." && small(filepath.Dir(file)) {
		lines = append(lines, "cp -Rp "+install.Quote(filepath.Dir(file))+"/. "+to)
	}
	return lines
}

// small reports whether a folder can be copied for each run of a test.
func small(dir string) bool {
	const maxFiles, maxBytes = 100, 1 << 20
	files, bytes := 0, int64(0)
	err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		if files++; files > maxFiles || bytes > maxBytes || entry.Type()&fs.ModeSymlink != 0 || entry.Name() == ".git" {
			return fs.ErrInvalid
		}
		return nil
	})
	return err == nil
}

func caseList(paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	var s strings.Builder
	s.WriteString("copy:\n")
	for i, path := range paths {
		if !slices.Contains(paths[:i], path) {
			fmt.Fprintf(&s, "  - %s\n", tree.YAML(escapeGlob(path)))
		}
	}
	return s.String()
}

// escapeGlob returns a pattern that matches only the path; `copy` does not
// accept a backslash.
func escapeGlob(name string) string {
	return strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]").Replace(path.Clean(name))
}

func caseSetup(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return "setup: |\n  " + strings.Join(lines, "\n  ") + "\n"
}

// caseEvent returns the lines of a case for an event that the hook matches.
func (b *builder) caseEvent() (lines string, ok bool) {
	var s strings.Builder
	if b.hook.Trigger.IsTool() {
		tool, input, ok := b.caseTool()
		if !ok {
			return "", false
		}
		fmt.Fprintf(&s, "  tool_name: %s\n  tool_input: %s\n", tree.YAML(tool), input)
	}
	if b.usesRow() && !b.agent.Performs(b.row.Name, "") {
		fmt.Fprintf(&s, "  %s: %s\n", b.agent.NameField(), tree.YAML(b.row.Name))
	}
	for _, w := range b.condition.when {
		value, ok := exampleOf(w[1])
		switch {
		case !ok:
			return "", false
		case !strings.Contains(w[0], "."): // fields in the input are in caseTool
			fmt.Fprintf(&s, "  %s: %s\n", w[0], tree.YAML(value))
		}
	}
	if s.Len() == 0 {
		return "", true // the sample event
	}
	return "patch:  # changes to the sample event\n" + s.String(), true
}

// caseTool returns the tool of an event that the hook matches, and its input.
func (b *builder) caseTool() (tool, input string, ok bool) {
	expression := cmp.Or(b.condition.tool, b.impliedTool())
	kinds := map[string]string{}
	names := spec.PortableTools()
	for _, t := range b.agent.Tools {
		names = append(names, t.Native)
		kinds[t.Native] = t.Canonical
	}
	deadline := time.Now().Add(time.Second)
	for _, name := range append(names, spec.KnownTools()...) {
		if expression == "" || matcher.Finds(expression, name, deadline) {
			if kinds[name] == "" {
				kinds[name] = spec.ToolNames(name)[min(1, len(spec.ToolNames(name))-1)]
			}
			if canonical, ok := spec.CanonicalTool(name); ok {
				kinds[name] = canonical
			}
			input, ok := b.caseInput(kinds[name])
			return name, input, ok
		}
	}
	tool, ok = exampleOf(expression)
	return tool, "{command: null}", ok
}

// caseInput returns the input of a harmless call of a tool.
func (b *builder) caseInput(tool string) (input string, ok bool) {
	command := "echo hello"
	for _, w := range b.condition.when {
		if w[0] == "tool_input.command" {
			if command, ok = exampleOf(w[1]); !ok {
				return "", false
			}
		}
	}
	switch tool {
	case "Shell":
		return "{command: " + tree.YAML(command) + "}", true
	case "ReadFile", "Delete":
		return "{command: null, file_path: '{{work_dir}}/notes.txt'}", true
	case "WriteFile":
		return "{command: null, file_path: '{{work_dir}}/notes.txt', content: hello}", true
	case "EditFile":
		return "{command: null, file_path: '{{work_dir}}/notes.txt', old_string: hello, new_string: good day}", true
	}
	return "{command: null}", true
}

// exampleOf returns a short text in which an expression is found.
func exampleOf(expression string) (text string, ok bool) {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return "", false
	}
	text = example(parsed.Simplify())
	if text == "" || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return "", false
	}
	ok = matcher.Finds(expression, text, time.Now().Add(time.Second))
	return text, ok && regexp.MustCompile(`\S`).MatchString(text)
}

func example(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		for _, r := range "xX1_ " {
			for i := 0; i+1 < len(re.Rune); i += 2 {
				if re.Rune[i] <= r && r <= re.Rune[i+1] {
					return string(r)
				}
			}
		}
		if len(re.Rune) > 0 {
			return string(re.Rune[0])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "x"
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpCapture, syntax.OpAlternate:
		return example(re.Sub[0])
	case syntax.OpConcat:
		var s strings.Builder
		for _, sub := range re.Sub {
			s.WriteString(example(sub))
		}
		return s.String()
	}
	return ""
}
