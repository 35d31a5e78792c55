package reading

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/shell"
	"github.com/agent-hooks/agent-hooks/spec"
)

// strings adds the paths among the strings of an input that have no path's key: those
// of a tool for files, and of a tool in no table. Of every other tool, only URIs of
// files.
func (p *pather) strings(all []member) {
	row := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(p.call.Tools, name) })
	}
	searches := row("Grep")
	files := searches || row("ReadFile", "WriteFile", "EditFile", "Delete", "Glob", "LS")
	unknown := !files && !slices.ContainsFunc(p.call.Own, func(name string) bool { return spec.KnownTool(name) && !spec.IsMCP(name) })
	for _, m := range all {
		isURI := len(m.text) > 5 && strings.EqualFold(m.text[:5], "file:")
		if spec.IsTextKey(m.key) || !isURI && (!files && !unknown || !row("Glob") && spec.IsSearchKey(m.key) || searches && isPattern(m.key)) {
			continue
		}
		if files || isURI || !strings.ContainsAny(m.text, " \t") || strings.IndexAny(m.text, "/~.") == 0 {
			p.member(m.text)
		}
	}
}

// isPattern reports whether a key of a tool that searches in files names an expression.
func isPattern(key string) bool { return strings.HasPrefix(strings.ToLower(key), "pattern") }

// member adds a path or a glob of a tool, whose ** may stand for no folder. A last
// part that is only a wildcard names no path.
func (p *pather) member(text string) {
	for _, text := range braces(text) {
		file, last := strings.ReplaceAll(text, "**/", ""), text[strings.LastIndexAny(text, `/\`)+1:]
		glob := strings.ContainsAny(file, "*?[") && strings.Trim(last, "*") != ""
		p.add(text, glob && file == text)
		if file != text {
			p.add(file, glob)
		}
		p.uri(text)
	}
}

// uri adds the path of a URI of a file.
func (p *pather) uri(text string) {
	if path, ok := pathOf(text); ok {
		p.add(path, false)
	}
}

// pathOf returns the path of a URI of a file.
func pathOf(text string) (path string, ok bool) {
	const scheme = "file:"
	if len(text) < len(scheme) || !strings.EqualFold(text[:len(scheme)], scheme) {
		return "", false
	}
	path = text[len(scheme):]
	if end := strings.IndexAny(path, "?#"); end >= 0 {
		path = path[:end]
	}
	if rest, hasHost := strings.CutPrefix(path, "//"); hasHost {
		_, below, _ := strings.Cut(rest, "/")
		path = "/" + below
	}
	return unescaped(path), true
}

// unescaped decodes the %XX of a URI's path. Package net/url would be initialized in each run.
func unescaped(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] == '%' && i+2 < len(path) {
			if c, err := strconv.ParseUint(path[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(path[i])
	}
	return b.String()
}

// braces returns the alternatives of {a,b} in a glob.
func braces(text string) []string {
	all := []string{text}
	for i := 0; i < len(all) && len(all) < maxPieces; i++ {
		for {
			before, rest, opened := strings.Cut(all[i], "{")
			inner, after, closed := strings.Cut(rest, "}")
			if !opened || !closed || !strings.Contains(inner, ",") || len(all) >= maxPieces {
				break
			}
			choices := strings.Split(inner, ",")
			for _, choice := range choices[1:] {
				all = append(all, before+choice+after)
			}
			all[i] = before + choices[0] + after
		}
	}
	return all
}

// texts adds the paths in the texts that commands read: here-strings, unified diffs
// in here-documents, and programs for interpreters.
func (p *pather) texts(r *shell.Reader) {
	for _, w := range r.Items {
		p.word(w.Text, w.Glob, w.Unknown)
	}
	for i := range r.Commands {
		for _, redirect := range r.Commands[i].Redirects {
			if redirect.Op == "<<<" {
				for _, w := range strings.Fields(redirect.Target) {
					p.word(w, false, strings.ContainsAny(w, "$`"))
				}
			}
			for _, path := range diffPaths(redirect.Text) {
				p.add(path, false)
			}
		}
	}
	for _, text := range r.Programs() {
		for _, literal := range literals(text) {
			p.add(literal, false)
		}
	}
}

// literals returns the string literals of a program that may be paths: those of the
// characters of a path, among them a dot or a slash.
func literals(program string) (all []string) {
	for line := range strings.Lines(program) {
		for at := strings.IndexAny(line, "\"'`"); at >= 0; at = strings.IndexAny(line, "\"'`") {
			quote := line[at]
			line = line[at+1:]
			end := strings.IndexByte(line, quote)
			if end < 0 {
				continue
			}
			text := strings.TrimLeft(line[:end], "<>+ ") // of open in Perl
			if strings.ContainsAny(text, "./~") && !strings.ContainsAny(text, " \t\\\"'`$(){}<>;|") {
				all = append(all, text)
				line = line[end+1:]
			}
		}
	}
	return all
}
