// Package environ decides which part of the caller's environment hooks inherit
// (D89): a variable with which a program would run code of the project, or would
// not do its work, is not passed on. It does not read the environment, and reads
// files only if a variable names a path.
package environ

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

// Where describes where hooks run. Its functions are called only if a variable
// names a path.
type Where struct {
	Project func() []string // the project, the repositories around it, and the working directory
	Homes   func() []string // the account's home directory, "" if it is unknown, and the one in use
	Keep    []string        // names that the user passes on untested
	Sets    []string        // names that agent-hooks or the calling agent sets, which may lead into the project
	Root    bool            // root runs the hooks
}

// Cleaned is the environment that hooks inherit.
type Cleaned struct {
	Dropped   []string // the names of variables that are not passed on
	Led       []string // the names of those whose value leads into the project, which only its own hooks get
	Shortened []List   // the search lists that lack entries
	Moved     []string // the entries of PATH that come last for the user's hooks
	Home      string   // the account's home directory, if it replaces HOME

	user, project []string
	path          string
	projectPath   string
	outsidePath   string // path without Moved
}

// List is a search list with the entries that it lacks.
type List struct {
	Name    string
	Entries []string
}

// Path returns PATH for the project's or for other hooks.
func (c *Cleaned) Path(project bool) string {
	if project {
		return c.projectPath
	}
	return c.path
}

// Outside returns the environment for programs that are not hooks: that of the
// user's hooks, with a PATH without entries in the project.
func (c *Cleaned) Outside() []string {
	environ := slices.Clone(c.user)
	for i, kv := range environ {
		if name, value, _ := strings.Cut(kv, "="); kindOf(name) == path && value == c.path {
			environ[i] = name + "=" + c.outsidePath
		}
	}
	return environ
}

// Environ returns the environment for the project's or for other hooks. It must
// not be modified.
func (c *Cleaned) Environ(project bool) []string {
	if project {
		return c.project
	}
	return c.user
}

// Clean cleans environ, in the form KEY=value.
func Clean(environ []string, where Where) *Cleaned {
	c := &cleaner{Cleaned: &Cleaned{}, Where: where, environ: environ}
	c.user = make([]string, 0, len(environ)+1)
	for i, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		if kind := kindOf(name); c.keeps(name) {
			if kind == path {
				c.path, c.projectPath, c.outsidePath = value, value, value
			}
			c.user = append(c.user, kv)
		} else if kind == plain {
			if slices.Contains(where.Sets, name) || !c.leadsIn(value) && !(namesPath(name) && c.isHere(value)) {
				c.user = append(c.user, kv)
			} else {
				c.Led, c.led = append(c.Led, name), append(c.led, kv)
			}
		} else if kept, pass := c.clean(kind, name, value); pass {
			if len(kept) != len(value) || kept != value {
				kv = environ[i][:len(name)] + "=" + kept
			}
			c.user = append(c.user, kv)
		}
	}
	c.user = slices.Clip(c.user)
	c.project = c.user
	if c.projectPath != c.path || len(c.led) > 0 {
		c.project = slices.Concat(c.user, c.led)
		for i, kv := range c.project {
			if name, _, _ := strings.Cut(kv, "="); kindOf(name) == path {
				c.project[i] = name + "=" + c.projectPath
			}
		}
	}
	return c.Cleaned
}

type cleaner struct {
	*Cleaned
	Where
	environ            []string
	led                []string // the variables in Led
	resolver           paths.Resolver
	last, lastPhysical string
	roots              []string // the directories of Project that bound paths; found on first use
	bounds             []string // the same, physical
	bounded            bool     // both are known
	shared             []string // the temporary directories, found on first use
}

// keeps reports whether the user's hooks.toml names the variable.
func (c *cleaner) keeps(name string) bool {
	for _, keep := range c.Keep {
		if keep == name || runtime.GOOS == "windows" && strings.EqualFold(keep, name) {
			return true
		}
	}
	return false
}

// clean returns the value with which a variable is passed on, and whether it is.
func (c *cleaner) clean(kind kind, name, value string) (kept string, pass bool) {
	switch kind {
	case path:
		return c.cleanPath(name, value), true
	case list:
		kept = c.cleanList(name, value)
		return kept, kept != ""
	case directory:
		return c.cleanDirectory(name, value)
	case temporaryFiles:
		pass = value == "" || filepath.IsAbs(value) && !c.inProject(value) && isWritable(value)
	case onePath:
		pass = value == "" || c.outside(value)
	case exact:
		key := strings.ToUpper(name)
		pass = slices.Contains(exactOf(key), value) || isSorted(singles[:], key) && c.outside(value)
	case options:
		pass = isKnownOptions(value)
	}
	if !pass {
		c.drop(name)
	}
	return value, pass
}

func (c *cleaner) drop(name string) { c.Dropped = append(c.Dropped, name) }

func (c *cleaner) cleanList(name, value string) string {
	if value == "" {
		return ""
	}
	var kept, lost []string
	for _, entry := range strings.Split(value, string(os.PathListSeparator)) {
		if c.outside(entry) {
			kept = append(kept, entry)
		} else {
			lost = append(lost, entry)
		}
	}
	c.shorten(name, lost)
	return strings.Join(kept, string(os.PathListSeparator))
}

func (c *cleaner) shorten(name string, lost []string) {
	if len(lost) > 0 {
		c.Shortened = append(c.Shortened, List{name, lost})
	}
}

// cleanPath sets path and projectPath, and returns path. It drops entries that
// are not absolute and literal. For hooks that are not the project's, it moves the
// project's entries to the end: a virtual environment there is everyday, but the
// project must not choose what cat is. The standard folders that are missing are
// added at the end, because most scripts read their input with cat and would
// otherwise find nothing in it.
func (c *cleaner) cleanPath(name, value string) string {
	separator := string(os.PathListSeparator)
	var all, first, last, lost []string
	for _, entry := range strings.Split(value, separator) {
		dir := entry
		if runtime.GOOS == "windows" {
			dir = strings.Trim(entry, `"`)
		}
		switch {
		case runtime.GOOS != "windows" && slices.Contains(systemFolders[:], dir):
			first = append(first, entry)
		case !isProgramFolder(dir) || c.physical(dir) == "":
			lost = append(lost, entry)
			continue
		case c.inProject(dir) && !c.isSystems(dir):
			last = append(last, entry)
		default:
			first = append(first, entry)
		}
		all = append(all, entry)
	}
	c.shorten(name, lost)
	added := missingFolders(all)
	c.projectPath = strings.Join(append(all, added...), separator)
	c.path = c.projectPath
	c.outsidePath = strings.Join(first, separator)
	if len(last) > 0 {
		c.path = strings.Join(slices.Concat(first, added, last), separator)
	}
	c.Moved = nil
	if c.path != c.projectPath {
		c.Moved = last
	}
	return c.path
}

// isSystems reports whether a directory keeps its place in PATH although it is in
// the project: only root can change it. If root runs the hooks, that is true of
// every directory, so only the known ones count.
func (c *cleaner) isSystems(dir string) bool {
	return runtime.GOOS != "windows" && !c.Root && paths.CheckRoot(c.physical(dir)) == nil // systemFolders were found before
}

// cleanDirectory passes on one of the user's directories unless it is in the
// project. A HOME that is, or that names no directory, becomes the account's.
func (c *cleaner) cleanDirectory(name, value string) (string, bool) {
	isHome := name == "HOME" || runtime.GOOS == "windows" && strings.EqualFold(name, "USERPROFILE")
	switch {
	case value == "" && !isHome, filepath.IsAbs(value) && (slices.Contains(c.Homes(), value) || !c.inProject(value)):
		return value, true
	case isHome && len(c.Homes()) > 0 && filepath.IsAbs(c.Homes()[0]):
		c.Home = c.Homes()[0]
		return c.Home, true
	}
	c.drop(name)
	return "", false
}

// physical returns the physical form of a path; "" if it leads through /proc or
// /dev. It remembers the last path, because calls in a row often have the same one.
func (c *cleaner) physical(dir string) string {
	if dir != c.last || dir == "" {
		c.last, c.lastPhysical = dir, c.resolver.Physical(dir)
	}
	return c.lastPhysical
}

// outside is the path test: a path passes if it is literal, absolute, and
// physically outside the project, the working directory, /proc, /dev and the
// temporary directories.
func (c *cleaner) outside(name string) bool {
	if !isLiteral(name) || c.inProject(name) {
		return false
	}
	physical := c.physical(name)
	return physical != "" && !c.isShared(filepath.Clean(name)) && !c.isShared(physical)
}

// inProject reports whether a path is in the project or the working directory.
func (c *cleaner) inProject(name string) bool {
	c.look()
	clean, physical := filepath.Clean(name), c.physical(name)
	for i := range c.bounds {
		if contains(c.roots[i], clean) || physical == "" || contains(c.bounds[i], physical) {
			return true
		}
	}
	return c.resolver.InBounds(physical)
}

// leadsIn reports whether a value, as a whole or between separators, is a path in
// the project or the working directory, or contains the path of one of them
// (D101). A relative path counts if its first element is there, and so does one with
// a variable, which many programs expand.
func (c *cleaner) leadsIn(value string) bool {
	decoded := unescape(value)
	return c.leads(value) || decoded != value && c.leads(decoded)
}

func (c *cleaner) leads(value string) bool {
	if !strings.ContainsAny(value, `/\.`) {
		return false
	}
	c.look()
	for i := range c.roots {
		if containsPath(value, c.roots[i]) || containsPath(value, c.bounds[i]) {
			return true
		}
	}
	return len(c.roots) > 0 && (c.pathIn(value) || slices.ContainsFunc(strings.FieldsFunc(value, separates), c.pathIn))
}

// namesPath reports whether a variable's name says that its value is a path, so that even one word
// may be a file (GNUPGHOME=keys).
func namesPath(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc(pathWords[:], func(word string) bool { return strings.Contains(name, word) })
}

var pathWords = [...]string{"BUNDLE", "CERT", "CONF", "DIR", "FILE", "HOME", "PATH", "ROOT"}

// unescape returns a value without the escapes of URIs and of D-Bus.
func unescape(value string) string {
	if !strings.Contains(value, "%") {
		return value
	}
	decoded := make([]byte, 0, len(value))
	for i := 0; i < len(value); i++ {
		if value[i] == '%' && i+2 < len(value) {
			if b, err := strconv.ParseUint(value[i+1:i+3], 16, 8); err == nil {
				decoded = append(decoded, byte(b))
				i += 2
				continue
			}
		}
		decoded = append(decoded, value[i])
	}
	return string(decoded)
}

// separates reports whether a character may separate paths in a value. On Windows,
// a colon follows a drive.
func separates(r rune) bool {
	return r == os.PathListSeparator || r == ',' || r == '=' || r == ';' || unicode.IsSpace(r)
}

// pathIn reports whether a text is a path in the project.
func (c *cleaner) pathIn(text string) bool {
	switch {
	case !strings.ContainsAny(text, `/\.`):
		return false
	case strings.ContainsRune(text, '$') && strings.ContainsAny(text, `/\`):
		return true
	case strings.HasPrefix(text, "~/"):
		return slices.ContainsFunc(c.Homes(), func(home string) bool { return filepath.IsAbs(home) && c.inProject(home+text[1:]) })
	case !filepath.IsAbs(text):
		first := text
		if i := strings.IndexFunc(text, func(r rune) bool { return r < utf8.RuneSelf && os.IsPathSeparator(uint8(r)) }); i > 0 {
			first = text[:i]
		}
		return c.isHere(first)
	case paths.IsSpecial(filepath.Clean(text)): // a terminal is not in the project, and a process's directory may be
		return !strings.HasPrefix(filepath.Clean(text), "/dev/") || strings.HasPrefix(filepath.Clean(text), "/dev/fd") || strings.HasPrefix(filepath.Clean(text), "/dev/std")
	}
	return c.inProject(text)
}

// isHere reports whether there is a file of this name in the project or the working directory.
func (c *cleaner) isHere(name string) bool {
	c.look()
	return name != "" && slices.ContainsFunc(c.roots, func(root string) bool {
		_, err := os.Lstat(filepath.Join(root, name))
		return err == nil
	})
}

// containsPath reports whether a value contains the path of a directory, whatever
// is in front of it.
func containsPath(value, dir string) bool {
	for {
		_, rest, found := strings.Cut(value, dir)
		if !found {
			return false
		}
		if rest == "" || os.IsPathSeparator(rest[0]) || separates(rune(rest[0])) || strings.IndexByte(`"')];`, rest[0]) >= 0 {
			return true
		}
		value = rest
	}
}

// look finds the directories that bound paths.
func (c *cleaner) look() {
	if c.bounded {
		return
	}
	c.bounded = true
	for _, dir := range c.Project() {
		if dir == "" || slices.Contains(c.roots, dir) {
			continue
		}
		if physical := c.physical(dir); physical != "" && !c.isWide(physical) {
			c.roots, c.bounds = append(c.roots, filepath.Clean(dir)), append(c.bounds, physical)
			c.resolver.Bound(physical)
		}
	}
}

// isWide reports whether a directory contains a home or a system directory. It is
// no boundary, because nearly everything is inside it.
func (c *cleaner) isWide(physical string) bool {
	for _, home := range c.Homes() {
		if filepath.IsAbs(home) && contains(physical, c.physical(home)) {
			return true
		}
	}
	return slices.ContainsFunc(systemRoots[:], func(root string) bool { return contains(physical, root) })
}

// isShared reports whether a path is in a temporary directory.
func (c *cleaner) isShared(name string) bool {
	if c.shared == nil {
		c.shared = append(c.shared, temporary[:]...)
		for _, kv := range c.environ {
			key, dir, _ := strings.Cut(kv, "=")
			if key != "TMPDIR" && key != "TMP" && key != "TEMP" || !filepath.IsAbs(dir) {
				continue
			}
			if physical := c.physical(dir); physical != "" && !c.isWide(physical) {
				c.shared = append(c.shared, filepath.Clean(dir), physical)
			}
		}
	}
	return slices.ContainsFunc(c.shared, func(dir string) bool { return contains(dir, name) })
}

// contains reports whether name is dir or below it. Both are absolute and clean.
func contains(dir, name string) bool {
	return name == dir || len(name) > len(dir) && strings.HasPrefix(name, dir) && (os.IsPathSeparator(name[len(dir)]) || os.IsPathSeparator(dir[len(dir)-1]))
}
