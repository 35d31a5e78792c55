package reading

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/shell"
	"github.com/agent-hooks/agent-hooks/spec"
)

// isPattern reports whether a key of a tool that searches in files names an expression.
func isPattern(key string) bool { return strings.HasPrefix(strings.ToLower(key), "pattern") }

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
			for _, patch := range patched(redirect.Text) {
				p.add(patch.text, false)
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

// patched returns the paths that a patch changes.
func patched(text string) (all []named) {
	if !spec.IsPatch(text) {
		for _, path := range diffPaths(text) {
			all = append(all, named{text: path, used: write})
		}
		return all
	}
	for line := range strings.Lines(text) {
		switch path, header := spec.PatchHeader(line); {
		case path == "":
		case header == "*** Delete File:":
			all = append(all, named{text: path, used: write | remove})
		case header == "*** Move to:" && len(all) > 0:
			all[len(all)-1].used |= remove
			all = append(all, named{text: path, used: write})
		default:
			all = append(all, named{text: path, used: write})
		}
	}
	return all
}

// appliesPatches reports whether a program may apply the patch that it reads: git, or one in no row.
func appliesPatches(words []string) bool {
	return len(words) > 0 && (!shell.IsListed(words) || shell.Program(words[0]) == "git" && (slices.Contains(words, "apply") || slices.Contains(words, "am")))
}
