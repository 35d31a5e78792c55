package reading

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/reading/internal/shell"
	"github.com/agent-hooks/agent-hooks/internal/reading/passage"
)

// Limits above which the paths of a call are not determined.
const (
	maxNames    = 1000   // names that globs expand to
	maxEntries  = 50_000 // directory entries that globs read
	maxResolved = 5000   // paths, each in each directory
	maxDirs     = 20     // directories in which the call could be
	maxPieces   = 64     // pieces of one word
)

// everyPath lists the paths that the call names (D78), in every form in which a
// pattern is searched.
func (c *Call) everyPath() (lines []passage.Passage, unknown string) {
	commands, reading := c.Commands(), c.reading()
	p := pather{call: c, seen: map[string]bool{}, unknown: commands.Unknown}
	p.enter(c.Dir)
	for _, dir := range reading.Dirs {
		p.enter(dir)
	}
	for _, m := range c.named() {
		p.odd = m.odd
		p.add(m.text, m.glob)
	}
	p.odd = false
	if reading.Unreadable {
		p.fail("the tool's input cannot be read")
	}
	for _, r := range commands.read {
		p.commands(r.Commands)
		p.texts(r.Reader)
	}
	if commands.Searched {
		for _, text := range commands.Texts {
			p.searched(text)
		}
	}
	return p.passages, p.unknown
}

// pather collects paths.
type pather struct {
	call     *Call
	dirs     []string // in which the call could be, absolute
	passages []passage.Passage
	seen     map[string]bool
	resolved int
	names    int // that globs expanded to
	entries  int // that globs read
	unknown  string
	odd      bool // the path is not plain (D125)
}

func (p *pather) fail(why string) {
	if p.unknown == "" {
		p.unknown = why
	}
}

// enter adds a directory in which the call could be: dir itself, and relative to
// each known one.
func (p *pather) enter(dir string) {
	dir = p.file(dir)
	if filepath.IsAbs(dir) || len(p.dirs) == 0 {
		p.enterOne(dir)
		return
	}
	for _, d := range slices.Clone(p.dirs) {
		p.enterOne(d + "/" + dir)
	}
}

func (p *pather) enterOne(dir string) {
	if dir == "" || len(dir) > paths.MaxPath || slices.Contains(p.dirs, dir) {
		return
	}
	if len(p.dirs) >= maxDirs {
		p.fail(fmt.Sprintf("it changes to more than %d directories", maxDirs))
		return
	}
	p.dirs = append(p.dirs, dir)
}

// commands adds the paths of the simple commands of a shell text.
func (p *pather) commands(all []shell.Command) {
	for i := range all {
		c := &all[i]
		for _, r := range c.Redirects {
			if !strings.HasPrefix(r.Op, "<<") {
				p.word(r.Target, r.Unknown && !strings.ContainsAny(r.Target, "$`"), r.Unknown)
			}
		}
		for _, a := range c.Assigns {
			_, value, _ := strings.Cut(a, "=")
			p.word(strings.Trim(value, `"'`), false, strings.ContainsAny(value, "$`"))
		}
		p.words(c)
	}
}

// words adds the paths in the words of a command.
func (p *pather) words(c *shell.Command) {
	if len(c.Words) == 0 {
		return
	}
	if strings.ContainsAny(c.Words[0], `/\`) {
		p.add(c.Words[0], false)
	}
	name := shell.Program(c.Words[0])
	for i, w := range c.Words[1:] {
		unknown, glob := slices.Contains(c.Unknown, i+1), slices.Contains(c.Globs, i+1)
		p.word(w, glob, unknown)
		switch {
		case unknown:
		case name == "cd" || name == "pushd" || name == "chdir":
			p.enter(w)
		case c.Words[i] == "-C":
			p.enter(w)
		case strings.HasPrefix(w, "-C") && len(w) > 2:
			p.enter(w[2:])
		case strings.HasPrefix(w, "--directory=") || strings.HasPrefix(w, "--chdir="):
			_, dir, _ := strings.Cut(w, "=")
			p.enter(dir)
		}
	}
}

// file resolves a tilde, and what Windows and its shells call a path.
func (p *pather) file(text string) string {
	if text == "~" || strings.HasPrefix(text, "~/") || p.onWindows() && strings.HasPrefix(text, `~\`) {
		text = p.call.Home + text[1:]
	}
	if p.onWindows() {
		return paths.OnDrive(text, p.call.Dir)
	}
	return text
}

func (p *pather) onWindows() bool { return p.call.GOOS == "windows" }

// word adds the paths that a word may contain: itself, what follows = : @ , or a
// one-letter option, and what is between them. Of a word that only the shell
// knows, only its source.
func (p *pather) word(w string, glob, unknown bool) {
	if unknown && !glob {
		for _, piece := range pieces(w) {
			p.passage(piece)
		}
		return
	}
	for _, piece := range pieces(w) {
		p.add(piece, glob)
	}
	p.uri(w)
}

// pieces returns a word, what follows each separator, and what is between two.
func pieces(w string) (all []string) {
	add := func(text string) {
		if text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	add(w)
	if len(w) > 2 && w[0] == '-' && w[1] != '-' {
		add(w[2:])
	}
	begin := 0
	for i := 0; i < len(w) && len(all) < maxPieces; i++ {
		if strings.IndexByte("=:@,", w[i]) >= 0 {
			add(w[begin:i])
			add(w[:i])
			add(w[i+1:])
			begin = i + 1
		}
	}
	add(w[begin:])
	return all
}

// searched adds the words of a text that is not parsed.
func (p *pather) searched(text string) {
	const separators = " \t\r\n;|&(){}<>"
	bare := strings.NewReplacer(`"`, "", "'", "", "`", "", "^", "").Replace(text)
	words := append(splitAny(text, separators+"\"'`"), splitAny(bare, separators)...)
	changes := false
	for _, w := range words {
		switch strings.ToLower(w) {
		case "cd", "chdir", "pushd", "sl", "set-location", "push-location":
			changes = true
			continue
		case "/d", "-path", "-literalpath":
			continue
		}
		if changes {
			p.enter(w)
		}
		changes = false
	}
	for _, w := range words {
		p.word(w, strings.ContainsAny(w, "*?["), strings.Contains(w, "$"))
	}
}

func splitAny(text, separators string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(separators, r) })
}

// add adds a path in each form, and the names that a glob expands to.
func (p *pather) add(text string, glob bool) {
	file := p.file(text)
	switch {
	case len(p.dirs) == 1 && !filepath.IsAbs(file):
		p.passage(text, p.namesOf(filepath.Clean(p.dirs[0]+"/"+file))...)
	case filepath.IsAbs(file):
		p.passage(text, p.namesOf(filepath.Clean(file))...)
	default:
		p.passage(text)
	}
	for _, dir := range p.dirs {
		raw := file
		if !filepath.IsAbs(file) {
			raw = dir + "/" + file
		}
		p.resolve(text, raw)
		if glob && !p.isRemote(raw) {
			for _, name := range p.expand(raw) {
				p.resolve(name, name)
			}
		}
		if filepath.IsAbs(file) {
			return
		}
	}
}

// passage adds one form of a path.
func (p *pather) passage(text string, names ...string) {
	text = filepath.ToSlash(text)
	if !p.seen[text] {
		p.seen[text] = true
		whole := []passage.Line{passage.KnownLine(text)}
		for _, name := range names {
			whole = append(whole, passage.KnownLine(name))
		}
		if p.odd {
			whole = []passage.Line{}
		}
		p.passages = append(p.passages, passage.Passage{Text: text, Whole: whole})
	}
}

// resolve adds the forms of an absolute path: cleaned, and without links, each
// also relative to the project.
func (p *pather) resolve(text, raw string) {
	p.resolved++
	if p.resolved > maxResolved {
		p.fail(fmt.Sprintf("it names more than %d paths", maxResolved))
		return
	}
	forms := []string{filepath.Clean(raw)}
	if len(raw) <= paths.MaxPath && !p.isRemote(raw) {
		forms = append(forms, paths.Opened(raw))
	}
	for _, form := range forms {
		names := p.namesOf(form)
		for _, name := range names {
			p.passage(name, names...)
		}
	}
}

// isRemote reports whether a path is on another computer than the directory of the call and the
// project. Windows would sign the user in there to look it up.
func (p *pather) isRemote(path string) bool {
	if !p.onWindows() || !strings.HasPrefix(filepath.ToSlash(path), "//") {
		return false
	}
	share := filepath.VolumeName(filepath.FromSlash(path))
	return !strings.EqualFold(share, filepath.VolumeName(p.call.Dir)) && !strings.EqualFold(share, filepath.VolumeName(p.call.Project))
}

// namesOf returns an absolute path, and the same relative to the project if it is in
// it.
func (p *pather) namesOf(path string) []string {
	names := []string{filepath.ToSlash(path)}
	if rel, err := filepath.Rel(p.call.Project, path); err == nil && p.call.Project != "" && filepath.IsLocal(rel) {
		names = append(names, filepath.ToSlash(rel))
	}
	return names
}

// expand returns the names that match an absolute pattern, as a shell would,
// including hidden ones.
func (p *pather) expand(pattern string) []string {
	volume := filepath.VolumeName(pattern)
	names := []string{volume + string(filepath.Separator)}
	for part := range strings.SplitSeq(filepath.ToSlash(pattern[len(volume):]), "/") {
		if part == "" || part == "." {
			continue
		}
		if !strings.ContainsAny(part, "*?[") {
			for i := range names {
				names[i] = names[i] + "/" + part
			}
			continue
		}
		names = p.matching(names, strings.ReplaceAll(part, "[!", "[^"))
		p.names += len(names)
		if p.names > maxNames {
			p.fail(fmt.Sprintf("its globs have more than %d names", maxNames))
			return nil
		}
	}
	return names
}

// matching returns the entries of directories that match a pattern. A pattern with
// a faulty set matches more: all that begins with the text before the set.
func (p *pather) matching(dirs []string, pattern string) (names []string) {
	if _, err := path.Match(pattern, ""); err != nil { // such as [--x]; shells differ
		known, _, _ := strings.Cut(pattern, "[")
		pattern = strings.TrimRight(known, `\`) + "*"
	}
	for _, dir := range dirs {
		f, err := os.Open(dir)
		if err != nil {
			continue
		}
		entries, _ := f.Readdirnames(maxEntries - p.entries + 1)
		f.Close()
		p.entries += len(entries)
		if p.entries > maxEntries {
			p.fail(fmt.Sprintf("its globs read more than %d names", maxEntries))
			return nil
		}
		for _, name := range entries {
			matched, err := p.matches(pattern, name)
			if err != nil {
				p.fail("a glob cannot be read: " + pattern)
				return nil
			}
			if matched {
				names = append(names, filepath.Join(dir, name))
			}
		}
	}
	return names
}

// matches is path.Match, without case on Windows, whose shells ignore it.
func (p *pather) matches(pattern, name string) (bool, error) {
	if p.onWindows() {
		pattern, name = strings.ToLower(pattern), strings.ToLower(name)
	}
	return path.Match(pattern, name)
}
