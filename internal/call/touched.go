package call

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shell"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Uses is what a call does with paths (D95). It is read once; each hook asks for the
// access that it limits. Safe for concurrent use.
type Uses struct {
	call    *Call
	all     []operation
	unknown string
	bases   []string // the directories in which the call works
	roots   roots
	made    map[string]bool // the files that the text writes anew

	mu     sync.Mutex
	named  map[manifest.Access]named
	opened map[string]string // by path, the file that it opens
}

// named are the paths that count for an access.
type named struct {
	lines   []matcher.Passage
	unknown string
}

// Uses reads what the call does with paths.
func (c *Call) Uses(commands *Commands) *Uses {
	files := pather{call: c, unknown: commands.Unknown}
	u := &Uses{call: c, roots: c.roots(), made: map[string]bool{}, named: map[manifest.Access]named{}, opened: map[string]string{}}
	for _, dir := range c.directories() {
		u.bases = append(u.bases, files.inDir(c.Dir, dir))
	}
	if len(u.bases) == 0 {
		u.bases = []string{c.Dir}
	}
	u.values(&files)
	for _, r := range commands.read {
		u.commands(r)
	}
	if commands.Searched {
		for _, text := range commands.Texts {
			u.searched(text)
		}
	}
	for i := range u.all {
		op := &u.all[i]
		for _, dir := range op.dirs {
			if file, known := u.single(dir, op.path); known && op.made {
				u.made[file] = true
			}
		}
	}
	u.unknown = files.unknown
	return u
}

// Passages lists the paths that the call uses in one of the ways of want, each under
// one name. unknown is the reason why there may be others; "" if there are none.
func (u *Uses) Passages(want manifest.Access) (lines []matcher.Passage, unknown string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if n, ok := u.named[want]; ok {
		return n.lines, n.unknown
	}
	t := toucher{Uses: u, want: want, seen: map[string]bool{}, files: pather{call: u.call, unknown: u.unknown}}
	for i := range u.all {
		t.touch(&u.all[i])
	}
	u.named[want] = named{t.passages, t.files.unknown}
	return t.passages, t.files.unknown
}

// physical returns the file that an absolute path opens.
func (u *Uses) physical(path string) string {
	file, ok := u.opened[path]
	if !ok {
		file = paths.Opened(path)
		u.opened[path] = file
	}
	return file
}

// inDir returns a path, which may be relative to dir.
func (p *pather) inDir(dir, text string) string {
	file := p.file(text)
	if filepath.IsAbs(file) {
		return file
	}
	return dir + "/" + file
}

// root is a directory that names begin with.
type root struct{ dir, name string }

// temporary are the directories for temporary files.
var temporary = [...]string{"/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp"}

// roots are the directories that names begin with.
type roots []root

func (c *Call) roots() (all roots) {
	if c.Project != "" {
		all = append(all, root{paths.Physical(c.Project), "$PROJECT"})
	}
	if filepath.IsAbs(c.Home) {
		all = append(all, root{paths.Physical(c.Home), "$HOME"})
	}
	if c.GOOS != "windows" {
		for _, dir := range temporary {
			all = append(all, root{dir, "$TMPDIR"}, root{paths.Physical(dir), "$TMPDIR"})
		}
	}
	return all
}

// toucher collects the paths that count for an access.
type toucher struct {
	*Uses
	want     manifest.Access
	files    pather
	passages []matcher.Passage
	seen     map[string]bool
}

// readers are words in the names of tools that only read, and changers those that
// do not.
var (
	readers  = [...]string{"read", "get", "list", "search", "view", "find", "show", "stat", "glob", "grep", "fetch"}
	changers = [...]string{"write", "edit", "delete", "remove", "move", "create", "update", "set", "clean", "rename", "replace", "insert", "append", "put", "exec", "run"}
)

// toolAccess returns what the tool does with its paths.
func (c *Call) toolAccess() (used shell.Use) {
	for _, tool := range c.Tools {
		switch tool {
		case "ReadFile", "Glob", "Grep", "LS":
			used |= read
		case "WriteFile", "EditFile":
			used |= write
		case "Delete":
			used |= remove
		}
	}
	if used != 0 || len(c.Tools) == 0 {
		return max(used, 1)
	}
	has := func(words []string) bool {
		return slices.ContainsFunc(c.Own, func(name string) bool {
			return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(name), w) })
		})
	}
	switch {
	case slices.ContainsFunc(c.Own, func(name string) bool { return spec.KnownTool(name) && !spec.IsMCP(name) }):
		return change
	case has(readers[:]) && !has(changers[:]):
		return read
	}
	return shell.Use(manifest.AnyAccess)
}

// values adds the paths of other tools.
func (u *Uses) values(files *pather) {
	c := u.call
	reading := readInput(c.Inputs, false)
	if reading.Unreadable {
		files.fail("the tool's input cannot be read")
	}
	used := c.toolAccess()
	for _, v := range reading.Values {
		one := used
		switch {
		case v.IsCommand():
			continue
		case v.Patch && v.Removes:
			one = remove | write
		case v.Patch:
			one = write
		}
		u.all = append(u.all, operation{path: []shell.Piece{{Text: v.Text}}, used: one, dirs: [][]shell.Piece{nil}})
	}
}

// commands adds the paths of the commands of a shell text.
func (u *Uses) commands(r *shell.Reader) {
	callers := map[int]bool{}
	for i := range r.Commands {
		callers[r.Commands[i].Caller()] = true
	}
	lines, _ := r.Invocations()
	byLine := map[int]shell.Invocation{}
	for _, l := range lines {
		byLine[l.Command+1] = l
	}
	for i := range r.Commands {
		c := &r.Commands[i]
		o := operations{dirs: r.Dirs(i)}
		o.redirects(c)
		l, ok := byLine[i+1]
		if ok && !callers[i+1] {
			o.environment(r, c, byLine)
			o.command(o.handed(r, c, byLine, argsOf(l)))
		} else if ok && slices.Contains([]string{"find", "gfind"}, shell.Program(l.Words[0])) {
			o.find(argsOf(l)[1:])
		}
		u.all = append(u.all, o.all...)
	}
	handed, _ := r.Handed()
	for _, l := range handed {
		o := operations{dirs: r.Dirs(l.Command)}
		o.command(argsOf(l))
		u.all = append(u.all, o.all...)
	}
}

// redirects adds the targets of redirections, and the programs in here-documents.
func (o *operations) redirects(c *shell.Command) {
	for i := range c.Redirects {
		r := &c.Redirects[i]
		target := arg{r.Target, r.Pieces()}
		switch {
		case strings.HasPrefix(r.Op, "<<"):
			if len(c.Words) > 0 && shell.IsInterpreter(shell.Program(c.Words[0])) {
				o.program(r.Text)
			}
		case strings.HasSuffix(r.Op, "&") && strings.Trim(r.Target, "0123456789-") == "":
		case r.Op == "<":
			o.add(target, read)
		case r.Op == "<>":
			o.add(target, change)
		default:
			before := len(o.all)
			if o.add(target, write); len(o.all) > before {
				o.all[before].made = !strings.Contains(r.Op, ">>")
			}
		}
	}
	for _, a := range c.Assigns {
		_, value, _ := strings.Cut(a, "=")
		if value = strings.Trim(value, `"'`); len(c.Words) > 0 && !strings.ContainsAny(value, "$`") {
			o.add(arg{value, []shell.Piece{{Text: value}}}, change)
		}
	}
}

// environment changes the directories as the program does that runs a command.
func (o *operations) environment(r *shell.Reader, c *shell.Command, lines map[int]shell.Invocation) {
	for line, steps := c.Caller(), 0; line > 0 && steps < 50; line, steps = r.Commands[line-1].Caller(), steps+1 {
		args := argsOf(lines[line])
		if len(args) == 0 || !strings.Contains(" env sudo doas genv nsenter ", " "+shell.Program(args[0].text)+" ") {
			continue
		}
		for i, a := range args[1:] {
			switch option, _, attached := strings.Cut(a.text, "="); {
			case (option == "-C" || option == "-D" || option == "--chdir") && !attached && i+2 < len(args):
				o.enter(args[i+2].pieces)
			case option == "--chdir" && a.isOption():
				o.enter(a.from(len("--chdir=")).pieces)
			}
		}
	}
}

// filters are programs that print some of the lines that they read.
const filters = " grep egrep fgrep rg head tail sort uniq "

// handed returns the words of a command, and adds what find hands on to it in place
// of {} or at the end.
func (o *operations) handed(r *shell.Reader, c *shell.Command, lines map[int]shell.Invocation, args []arg) []arg {
	var from []operation
	if caller := lines[c.Caller()]; c.Caller() > 0 {
		name := shell.Program(caller.Words[0])
		switch {
		case name == "find" || name == "gfind":
			f := operations{dirs: r.Dirs(c.Caller() - 1)}
			from, _ = f.found(argsOf(caller)[1:])
		case name == "xargs" || name == "gxargs":
			for _, line := range c.Reads {
				l, ok := lines[line]
				if !ok || strings.Contains(filters, " "+shell.Program(l.Words[0])+" ") {
					continue
				}
				if shell.Program(l.Words[0]) != "find" {
					return args
				}
				f := operations{dirs: r.Dirs(line - 1)}
				found, _ := f.found(argsOf(l)[1:])
				from = append(from, found...)
			}
		}
	}
	if len(from) == 0 {
		return args
	}
	rest := slices.DeleteFunc(slices.Clone(args), func(a arg) bool { return !a.known() && (a.text == "{}" || a.text == "...") })
	if len(rest) == len(args) {
		return args
	}
	one := operations{dirs: o.dirs}
	one.command(append(slices.Clone(rest), arg{"x", []shell.Piece{{Text: "x"}}}))
	for _, op := range one.all {
		if len(op.path) != 1 || op.path[0].Text != "x" {
			continue
		}
		for _, f := range from {
			f.used = op.used
			o.all = append(o.all, f)
		}
	}
	return rest
}

// searched adds the paths of a text that is not parsed.
func (u *Uses) searched(text string) {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(";|&\r\n{}()", r) }) {
		words := strings.Fields(strings.NewReplacer(`"`, "", "'", "", "`", "", "^", "").Replace(part))
		if len(words) == 0 {
			continue
		}
		o := operations{dirs: [][]shell.Piece{nil}}
		used := shell.Use(0)
		switch strings.ToLower(words[0]) {
		case "remove-item", "ri", "rm", "del", "erase", "rd", "rmdir":
			used = remove
		}
		for _, w := range words[1:] {
			if lower := strings.ToLower(w); lower == "/s" || strings.HasPrefix(lower, "-r") {
				used |= tree
			}
		}
		if used&remove == 0 {
			used = 0
		}
		for _, w := range words[1:] {
			kind := shell.Literal
			if strings.Contains(w, "$") || strings.Contains(w, "%") {
				kind = shell.Quoted
			}
			switch {
			case strings.HasPrefix(w, "-"), used&remove != 0 && len(w) == 2 && w[0] == '/':
			case used != 0:
				o.add(arg{w, []shell.Piece{{Text: w, Kind: kind}}}, used)
			default:
				o.add(arg{w, []shell.Piece{{Text: w, Kind: kind}}}, change)
			}
		}
		u.all = append(u.all, o.all...)
	}
}

// touch adds the names of a path that counts.
func (t *toucher) touch(op *operation) {
	if !t.want.Covers(manifest.Access(op.used)) {
		return
	}
	removes := t.want.Covers(manifest.Access(op.used&(remove|tree))) && op.used&(remove|tree) != 0
	if t.isNew(op) {
		return
	}
	dirs := op.dirs
	for _, dir := range dirs {
		path := op.path
		if isPWD(path[0]) && len(dir) == 0 {
			path = slices.Concat([]shell.Piece{{Text: "."}}, path[1:])
		} else if isPWD(path[0]) {
			path = slices.Concat(dir, path[1:])
		} else {
			path = shell.Below(dir, path)
		}
		for _, base := range t.bases {
			if t.files.resolved++; t.files.resolved > maxResolved {
				t.files.fail(fmt.Sprintf("it names more than %d paths", maxResolved))
				return
			}
			t.name(op, base, path, removes)
		}
	}
}

// isNew reports whether all that counts of an operation is that it reads or removes a file
// that is not there, and that the text writes: it has only the text's own content.
func (t *toucher) isNew(op *operation) bool {
	if len(t.made) == 0 || op.below || op.used&tree != 0 || op.used&write != 0 && t.want.Covers(manifest.Write) {
		return false
	}
	for _, dir := range op.dirs {
		file, known := t.single(dir, op.path)
		if !known || !t.made[file] {
			return false
		}
		if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

// single returns the absolute path of an operand in a directory, if it is known.
func (u *Uses) single(dir, path []shell.Piece) (file string, known bool) {
	if len(u.bases) != 1 || len(path) == 0 || isPWD(path[0]) {
		return "", false
	}
	line := merge(partsOf(shell.Below(dir, path)))
	if len(line) != 1 || line[0].Hole != matcher.Known {
		return "", false
	}
	files := pather{call: u.call}
	return filepath.Clean(files.inDir(u.bases[0], line[0].Text)), true
}

// isPWD reports whether a part is the directory of the shell.
func isPWD(p shell.Piece) bool {
	return p.Kind != shell.Literal && (p.Text == "$PWD" || p.Text == "${PWD}" || p.Text == "$(pwd)" || p.Text == "`pwd`")
}

// name adds the names of a path from one directory.
func (t *toucher) name(op *operation, base string, pieces []shell.Piece, removes bool) {
	line := partsOf(pieces)
	if op.below {
		line = append(line, matcher.Part{Text: "/"}, matcher.Part{Text: "…", Hole: matcher.Below})
		if op.name != nil {
			line = append(append(line, matcher.Part{Text: "/"}), partsOf(op.name)...)
		}
	}
	line = merge(line)
	if line[0].Hole != matcher.Known {
		if line[0].Hole != matcher.Name && line[0].Hole != matcher.Filename {
			t.open(op, line, removes)
			return
		}
		line = slices.Insert(line, 0, matcher.Part{Text: "./"})
	}
	made := strings.HasPrefix(line[0].Text, "$TMPDIR/")
	if !made {
		line[0].Text = t.files.inDir(base, line[0].Text)
	}
	if len(line) == 1 && !made {
		t.known(op, line[0].Text, removes)
		return
	}
	at := strings.LastIndexByte(line[0].Text, '/')
	dir, rest := line[0].Text[:at], line[0].Text[at+1:]
	protected := false
	if !made {
		if t.expands(op, pieces) {
			raw := ""
			for _, p := range line {
				raw += p.Text
			}
			for _, name := range t.files.expand(raw) {
				t.known(op, name, removes)
			}
		}
		physical := t.physical(dir + "/")
		protected = t.mayHold(physical, rest)
		dir = t.roots.nameOf(physical)
	}
	line = slices.Clone(line)
	if line[0].Text = strings.TrimSuffix(dir, "/") + "/" + rest; line[0].Text == "" {
		line = line[1:]
	}
	for i, p := range line {
		up := i > 0 && p.Hole == matcher.Known && slices.Contains(strings.Split(p.Text, "/"), "..")
		protected = protected || up || p.Hole == matcher.Any
	}
	t.passage(op, line, protected, removes)
}

// expands reports whether only globs are unknown in a path, so that the file system
// has its names.
func (t *toucher) expands(op *operation, pieces []shell.Piece) bool {
	return !op.below && op.name == nil && !slices.ContainsFunc(pieces, func(p shell.Piece) bool { return p.Kind != shell.Literal && p.Kind != shell.Glob })
}

// partsOf returns the parts of a path.
func partsOf(pieces []shell.Piece) (line matcher.Line) {
	for i, p := range pieces {
		part := matcher.Part{Text: p.Text}
		switch {
		case p.Kind == shell.Literal:
		case p.Is == shell.TemporaryDir && i == 0 && isMissingAtRoot(pieces[1:]):
			part.Text = "$TMPDIR"
		case p.Is == shell.Temporary && i == 0:
			line = append(line, matcher.Part{Text: "$TMPDIR/"})
			part.Hole = matcher.Filename
		case p.Is == shell.Number, p.Kind == shell.Glob && (i == 0 || strings.HasSuffix(pieces[i-1].Text, "/")):
			part.Hole = matcher.Filename
		case p.Kind == shell.Glob:
			part.Hole = matcher.Name
		case i == 0 && (p.Text == "${TMPDIR:-/tmp}" || p.Text == "${TMPDIR-/tmp}"):
			part.Text = "/tmp"
		default:
			part.Hole = matcher.Any
		}
		line = append(line, part)
	}
	return line
}

// isMissingAtRoot reports whether a path after a variable begins with a name that is not
// in the root directory: if the variable is empty, nothing is there.
func isMissingAtRoot(pieces []shell.Piece) bool {
	if len(pieces) == 0 || pieces[0].Kind != shell.Literal || pieces[0].Text[0] != '/' || slices.ContainsFunc(pieces, func(p shell.Piece) bool { return strings.Contains(p.Text, "..") }) {
		return false
	}
	name, _, more := strings.Cut(strings.TrimLeft(pieces[0].Text, "/"), "/")
	if name == "" || !more && len(pieces) > 1 {
		return false
	}
	_, err := os.Lstat("/" + name)
	return errors.Is(err, fs.ErrNotExist)
}

// merge joins known parts that follow each other.
func merge(line matcher.Line) (merged matcher.Line) {
	for _, p := range line {
		last := len(merged) - 1
		if last >= 0 && p.Hole == matcher.Known && merged[last].Hole == matcher.Known {
			merged[last].Text += p.Text
		} else {
			merged = append(merged, p)
		}
	}
	return merged
}

// open adds a path whose beginning is unknown.
func (t *toucher) open(op *operation, line matcher.Line, removes bool) {
	whole := !slices.ContainsFunc(line, func(p matcher.Part) bool { return p.Hole == matcher.Known && strings.Trim(p.Text, "/.") != "" })
	if whole && t.want&manifest.RemoveTree != 0 && op.used&tree != 0 {
		text := lineText(line)
		t.add(matcher.Passage{Text: text, Whole: []matcher.Line{}, Counts: "only the shell knows what " + text + " is, which is removed with all that is in it"})
		return
	}
	t.passage(op, line, true, removes)
}

func lineText(line matcher.Line) (text string) {
	for _, p := range line {
		text += p.Text
	}
	return text
}

// known adds an absolute path.
func (t *toucher) known(op *operation, file string, removes bool) {
	physical := file
	if len(file) <= paths.MaxPath && !t.files.isRemote(file) {
		physical = t.Uses.physical(file)
		last := path.Base(filepath.ToSlash(file))
		if removes && !strings.HasSuffix(file, "/") && last != "." && last != ".." {
			physical = filepath.Join(t.Uses.physical(strings.TrimSuffix(file, last)), last)
		}
	}
	moved := ""
	if to, known := t.single(op.dirs[0], op.moved); known && len(op.dirs) == 1 && op.used&tree == 0 && t.want == manifest.Remove {
		if info, err := os.Stat(to); err == nil && info.IsDir() || strings.HasSuffix(op.moved[len(op.moved)-1].Text, "/") {
			to = filepath.Join(to, filepath.Base(file))
		}
		moved = t.roots.nameOf(t.Uses.physical(to))
	}
	line := matcher.KnownLine(t.roots.nameOf(filepath.Clean(physical)))
	p := matcher.Passage{Text: lineText(line), Lines: []matcher.Line{line}, Whole: []matcher.Line{line}, Moved: moved, Shallow: !removes}
	if t.holds(physical) || t.isRoot(physical) {
		p.Whole = []matcher.Line{}
	}
	t.add(p)
}

// holds reports whether a directory contains the project or the home directory.
func (t *toucher) holds(dir string) bool {
	return slices.ContainsFunc(t.roots, func(r root) bool { return r.name != "$TMPDIR" && r.dir != dir && paths.Contains(dir, r.dir) })
}

// mayHold reports whether a path in a directory that begins with a text may be one that
// contains the project or the home directory, or one of these.
func (t *toucher) mayHold(dir, begin string) bool {
	return slices.ContainsFunc(t.roots, func(r root) bool {
		rel, err := filepath.Rel(dir, r.dir)
		return r.name != "$TMPDIR" && err == nil && rel != "." && filepath.IsLocal(rel) && strings.HasPrefix(rel, begin)
	})
}

// isRoot reports whether a directory is the project or the home directory.
func (t *toucher) isRoot(dir string) bool {
	return slices.ContainsFunc(t.roots, func(r root) bool { return r.name != "$TMPDIR" && r.dir == dir })
}

// nameOf returns the name of a physical path.
func (all roots) nameOf(file string) string {
	best := root{}
	for _, r := range all {
		if len(r.dir) > len(best.dir) && paths.Contains(r.dir, file) {
			best = r
		}
	}
	slashed := filepath.ToSlash(file)
	if rest, ok := strings.CutPrefix(strings.TrimPrefix(slashed, "/private"), "/var/folders/"); ok {
		if parts := strings.SplitN(rest, "/", 4); len(parts) > 2 && parts[2] == "T" {
			dir := strings.TrimSuffix(slashed[:len(slashed)-len(strings.Join(parts[3:], "/"))], "/")
			if len(dir) > len(best.dir) {
				best = root{dir, "$TMPDIR"}
			}
		}
	}
	if best.dir == "" {
		return slashed
	}
	if rel, err := filepath.Rel(best.dir, file); err == nil && rel != "." {
		return best.name + "/" + filepath.ToSlash(rel)
	}
	return best.name
}

// passage adds a name in which a pattern is searched. A protected one has no
// exceptions.
func (t *toucher) passage(op *operation, line matcher.Line, protected, removes bool) {
	p := matcher.Passage{Text: lineText(line), Lines: []matcher.Line{line}, Whole: []matcher.Line{line}, Shallow: !removes}
	if protected {
		p.Whole = []matcher.Line{}
	}
	t.add(p)
}

func (t *toucher) add(p matcher.Passage) {
	key := fmt.Sprint(p.Text, p.Lines, len(p.Whole), p.Moved, p.Shallow)
	if !t.seen[key] {
		t.seen[key] = true
		t.passages = append(t.passages, p)
	}
}
