package reading

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/shell"
	"github.com/agent-hooks/agent-hooks/spec"
)

// named is a path that an input names, other than in its commands: the list is the same with and
// without an access (D124).
type named struct {
	text string
	used shell.Use
	glob bool // it may be a pattern of names
	odd  bool // it is not plain (D125): an exception does not cover it
}

// named returns the paths of the members of the inputs.
func (c *Call) named() (all []named) {
	used := c.toolAccess()
	for _, v := range c.reading().Values {
		one := used
		switch {
		case v.IsCommand():
			continue
		case v.Patch && v.Removes:
			one = remove | write
		case v.Patch:
			one = write
		}
		all = append(all, c.forms(v.Text, one, false)...)
	}
	row := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(c.Tools, name) })
	}
	searches := row("Grep")
	files := searches || row("ReadFile", "WriteFile", "EditFile", "Delete", "Glob", "LS")
	unknown := !files && !slices.ContainsFunc(c.Own, func(name string) bool { return spec.KnownTool(name) && !spec.IsMCP(name) })
	for _, m := range c.reading().Others {
		_, isURI := pathOf(m.text)
		if spec.IsTextKey(m.key) || !isURI && (!files && !unknown || !row("Glob") && spec.IsSearchKey(m.key) || searches && isPattern(m.key)) {
			continue
		}
		if files || isURI || !strings.ContainsAny(m.text, " \t") || strings.IndexAny(m.text, "/~.") == 0 {
			for _, text := range braces(m.text) {
				all = append(all, c.forms(text, used, true)...)
			}
		}
	}
	return all
}

// forms returns the paths that a text may be. Of a glob whose ** may stand for no folder, also the one
// without it. A last part that is only a wildcard names no path.
func (c *Call) forms(text string, used shell.Use, glob bool) (all []named) {
	bare, odd := text, false
	if !glob {
		bare, odd = c.plain(text)
	}
	if path, ok := pathOf(bare); ok {
		bare = path
	}
	if odd {
		all = append(all, named{text: text, used: used, odd: odd})
	}
	file, last := strings.ReplaceAll(bare, "**/", ""), bare[strings.LastIndexAny(bare, `/\`)+1:]
	hasGlobs := glob && strings.ContainsAny(bare, "*?[")
	glob = hasGlobs && strings.Trim(last, "*") != ""
	all = append(all, named{bare, used, glob && file == bare, odd})
	if hasGlobs && file != bare {
		all = append(all, named{file, used, glob, odd})
	}
	return all
}

// plain returns a path without what a program may take away before it opens the path (D125): a scheme
// other than file:, quotes, a leading @, and invisible characters. odd is false if it has none of them.
func (c *Call) plain(text string) (bare string, odd bool) {
	const most = 8
	bare = text
	for range most {
		before := bare
		for bare != "" {
			r, size := utf8.DecodeRuneInString(bare)
			if !unicode.Is(unicode.Cf, r) {
				break
			}
			bare = bare[size:]
		}
		bare = strings.Trim(bare, `"'`+"`")
		if rest, ok := strings.CutPrefix(bare, "@"); ok && !c.exists(bare) {
			bare = rest
		}
		if _, isFile := pathOf(bare); !isFile {
			bare = bare[schemeOf(bare):]
		}
		if bare == before {
			break
		}
		odd = true
	}
	return bare, odd
}

// exists reports whether a path of the call exists as it is written.
func (c *Call) exists(path string) bool {
	p := pather{call: c}
	_, err := os.Lstat(filepath.Clean(p.inDir(c.Dir, path)))
	return err == nil
}

// schemeOf returns the length of the scheme of two or more letters that a text begins with, with the
// slashes of an authority but the last; 0 if there is none.
func schemeOf(text string) int {
	at := strings.IndexByte(text, ':')
	if at < 2 || strings.ContainsFunc(text[:at], func(r rune) bool {
		return r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+-.", r)
	}) || !unicode.IsLetter(rune(text[0])) {
		return 0
	}
	at++
	for strings.HasPrefix(text[at:], "//") {
		at++
	}
	return at
}
