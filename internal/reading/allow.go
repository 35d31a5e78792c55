package reading

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Covered lists what an allow for a tool without commands must match (D96): each of
// its paths by its names, or its URLs. why is the reason why an allow cannot cover the
// call; "" if it can.
func (c *Call) Covered(paths bool) (texts []string, why string) {
	v := coverer{call: c, paths: paths, names: c.roots()}
	v.files = slices.ContainsFunc(c.Tools, func(name string) bool {
		return slices.Contains([]string{"ReadFile", "WriteFile", "EditFile", "Delete", "Glob", "Grep", "LS"}, name)
	})
	for _, input := range c.Inputs {
		v.key = ""
		w := rawjson.Walker{Buf: input, Visit: v.visit}
		if begin := rawjson.SkipSpace(input, 0); w.Value(begin) < 0 {
			v.refuse("the input cannot be read")
		}
	}
	if len(v.texts) == 0 {
		v.refuse("the input has no %s that the pattern could match", map[bool]string{true: "path", false: "URL"}[paths])
	}
	return v.texts, v.why
}

// coverer reads the members of an input.
type coverer struct {
	call  *Call
	names roots
	paths bool
	files bool // the tool is known to use files
	links paths.Resolver
	key   string
	texts []string
	why   string
}

func (v *coverer) refuse(format string, args ...any) {
	if v.why == "" {
		v.why = fmt.Sprintf(format, args...)
	}
}

func (v *coverer) visit(t rawjson.Token, raw []byte) bool {
	switch t {
	case rawjson.TokenKey:
		v.key = string(rawjson.Unquote(raw))
	case rawjson.TokenScalar:
		if rawjson.KindOf(raw) == rawjson.String {
			v.text(string(rawjson.Unquote(raw)))
		} else if value := string(raw); value != "null" && value != "false" && value != "0" && !spec.IsPlainKey(v.key) {
			v.refuse("an allow does not cover the member %q of the input", short(v.key))
		}
	}
	return true
}

// text reads a string.
func (v *coverer) text(text string) {
	row := spec.KeyOf(v.key)
	switch {
	case text == "":
	case v.files && spec.IsPatch(text):
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			switch file, _ := spec.PatchHeader(line); {
			case file != "":
				v.path(file)
			case strings.HasPrefix(line, "***") && line != "*** Begin Patch" && line != "*** End Patch" && line != "*** End of File":
				v.refuse("the line %q of the patch may be a header", short(line))
			}
		}
	case row != nil && row.Canonical == "file_path", isDirectory(v.key):
		v.path(text)
	case row != nil:
		v.refuse("an allow does not cover the member %q of the input", short(v.key))
	case spec.IsURLKey(v.key):
		v.url(text)
	case spec.IsPlainKey(v.key) && (spec.IsTextKey(v.key) || isWord(text)), v.files && spec.IsTextKey(v.key):
	case slices.Contains(v.call.Tools, "Grep") && (spec.IsSearchKey(v.key) || isPattern(v.key)):
	case v.files:
		v.path(text)
	default:
		v.refuse("an allow does not cover the member %q of the input", short(v.key))
	}
}

// isWord reports whether a text is the word of a mode, or a number.
func isWord(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-,.", r)
	})
}

// path adds the names of a path from each directory of the call.
func (v *coverer) path(text string) {
	bare, odd := v.call.plain(text)
	isPlain := !odd
	if path, ok := pathOf(bare); ok {
		text = path
	}
	separators := "/"
	if v.call.GOOS == "windows" {
		separators = `/\`
	}
	switch {
	case !v.paths:
		v.refuse("the input has a path, which an allow covers only with metadata.match: paths")
		return
	case len(text) > paths.MaxPath, strings.TrimSpace(text) != text, strings.ContainsFunc(text, unicode.IsControl):
		v.refuse("a path has characters that not every program reads alike")
		return
	case !isPlain:
		v.refuse("the path %q is not plain: programs read it in different ways", short(text))
		return
	case slices.Contains(splitAny(text, separators), ".."):
		v.refuse("the path %q has a ..", short(text))
		return
	case strings.ContainsAny(text, "*?[]{}$`") || text[0] == '~' || v.call.GOOS == "windows" && strings.Contains(text, "%") || v.call.GOOS != "windows" && strings.Contains(text, `\`):
		v.refuse("the path %q may be a glob or an expansion", short(text))
		return
	}
	p := pather{call: v.call, seen: map[string]bool{}}
	p.enter(v.call.Dir)
	for _, dir := range v.call.reading().Dirs {
		p.enter(dir)
	}
	file := p.file(text)
	for _, dir := range p.dirs {
		raw := file
		if !filepath.IsAbs(file) {
			raw = dir + "/" + file
		}
		if !filepath.IsAbs(raw) || p.isRemote(raw) {
			v.refuse("the path %q is not one of this computer", short(text))
			return
		}
		raw = filepath.Clean(raw)
		if v.links.Physical(raw) == "" {
			v.refuse("only the program that opens the path %q knows where it leads", short(text))
			return
		}
		v.texts = append(v.texts, v.names.nameOf(paths.Opened(raw)))
		if own := filepath.Join(paths.Opened(filepath.Dir(raw)), filepath.Base(raw)); own != paths.Opened(raw) { // a link, which the tool may replace
			v.texts = append(v.texts, v.names.nameOf(own))
		}
	}
}

// url adds a URL that every program reads alike.
func (v *coverer) url(text string) {
	scheme, rest, found := strings.Cut(strings.ToLower(text), "://")
	host, path, _ := strings.Cut(rest, "/")
	path, _, _ = strings.Cut(path, "?")
	switch {
	case !found, !isWord(scheme), host == "", !isWord(strings.Replace(host, ":", "", 1)), strings.ContainsAny(rest, "\\ ") || strings.ContainsFunc(rest, unicode.IsControl):
		v.refuse("%q is not a plain URL", short(text))
	case strings.Contains(rest, "://"), strings.Contains(rest, "%3a"), strings.Contains(rest, "%2f"), strings.Contains(rest, "%5c"), strings.Contains(rest, "=//"):
		v.refuse("the URL %q may contain another one", short(text))
	case strings.Contains(rest, "%2e"), slices.Contains(strings.Split(path, "/"), ".."):
		v.refuse("the URL %q has a ..", short(text))
	case v.paths:
		v.refuse("the input has a URL, which an allow covers only with metadata.match: values")
	}
	v.texts = append(v.texts, text)
}

// short returns the beginning of a text, for a message.
func short(text string) string {
	const most = 80
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
