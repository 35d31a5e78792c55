package reading

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/reading/internal/shell"
	"github.com/agent-hooks/agent-hooks/internal/reading/passage"
	"github.com/agent-hooks/agent-hooks/spec"
)

// names is what the names of a call's paths depend on.
type names struct {
	call   *Call
	roots  roots
	bases  []string          // the directories in which the call works
	made   map[string]bool   // the files that the text writes anew
	opened map[string]string // by path, the file that it opens
}

// namesOf returns what the names of some operations depend on.
func (c *Call) namesOf(all []operation) *names {
	n := &names{call: c, roots: c.roots(), made: map[string]bool{}, opened: map[string]string{}}
	files := pather{call: c}
	for _, dir := range c.reading().Dirs {
		n.bases = append(n.bases, files.inDir(c.Dir, dir))
	}
	if len(n.bases) == 0 {
		n.bases = []string{c.Dir}
	}
	for i := range all {
		op := &all[i]
		for _, dir := range op.dirs {
			if file, known := n.single(dir, op.path); known && op.made {
				n.made[file] = true
			}
		}
	}
	return n
}

// namer gives the paths that count for an access their one name (D95).
type namer struct {
	*names
	want     spec.Access
	moves    bool // the text moves something
	files    pather
	passages []passage.Passage
	seen     map[string]bool
}

// passages lists the paths that the call uses in one of the ways of want, each under
// one name.
func (u *uses) passages(want spec.Access) (lines []passage.Passage, unknown string) {
	moves := slices.ContainsFunc(u.all, func(op operation) bool { // a program's literals are written and removed if it renames
		return op.moved != nil || op.used&(write|remove|tree) == write|remove
	})
	t := namer{names: u.names, want: want, moves: moves, seen: map[string]bool{}, files: pather{call: u.call, unknown: u.unknown}}
	for i := range u.all {
		t.touch(&u.all[i])
	}
	return t.passages, t.files.unknown
}

// physical returns the file that an absolute path opens.
func (n *names) physical(path string) string {
	file, ok := n.opened[path]
	if !ok {
		file = paths.Opened(path)
		n.opened[path] = file
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

// touch adds the names of a path that counts.
func (t *namer) touch(op *operation) {
	used := op.used
	if used&read != 0 && !op.loaded {
		used |= spec.Show
	}
	if !t.want.Covers(used) {
		return
	}
	removes := t.want.Covers(spec.Access(op.used&(remove|tree))) && op.used&(remove|tree) != 0
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
			t.files.resolved++
			if t.files.resolved > maxResolved {
				t.files.fail(fmt.Sprintf("it names more than %d paths", maxResolved))
				return
			}
			t.name(op, base, path, removes)
		}
	}
}

// isNew reports whether all that counts of an operation is that it reads or removes a file
// that is not there, and that the text writes: it has only the text's own content.
func (t *namer) isNew(op *operation) bool {
	if len(t.made) == 0 || op.below || op.used&tree != 0 || op.used&write != 0 && t.want.Covers(spec.Write) {
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
func (n *names) single(dir, path []shell.Piece) (file string, known bool) {
	if len(n.bases) != 1 || len(path) == 0 || isPWD(path[0]) {
		return "", false
	}
	line := merge(partsOf(shell.Below(dir, path)))
	if len(line) != 1 || line[0].Hole != passage.Known {
		return "", false
	}
	files := pather{call: n.call}
	return filepath.Clean(files.inDir(n.bases[0], line[0].Text)), true
}

// isPWD reports whether a part is the directory of the shell.
func isPWD(p shell.Piece) bool {
	return p.Kind != shell.Literal && (p.Text == "$PWD" || p.Text == "${PWD}" || p.Text == "$(pwd)" || p.Text == "`pwd`")
}

// name adds the names of a path from one directory.
func (t *namer) name(op *operation, base string, pieces []shell.Piece, removes bool) {
	line := partsOf(pieces)
	if op.below {
		line = append(line, passage.Part{Text: "/"}, passage.Part{Text: "…", Hole: passage.Below})
		if op.name != nil {
			line = append(append(line, passage.Part{Text: "/"}), partsOf(op.name)...)
		}
	}
	line = merge(line)
	if line[0].Hole != passage.Known {
		if line[0].Hole != passage.Name && line[0].Hole != passage.Filename {
			t.open(op, line, removes)
			return
		}
		line = slices.Insert(line, 0, passage.Part{Text: "./"})
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
	protected, folder := op.odd, ""
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
		protected, folder = protected || t.mayHold(physical, rest), physical
		dir = t.roots.nameOf(physical)
	}
	line = slices.Clone(line)
	line[0].Text = strings.TrimSuffix(dir, "/") + "/" + rest
	if line[0].Text == "" {
		line = line[1:]
	}
	for i, p := range line {
		up := i > 0 && p.Hole == passage.Known && slices.Contains(strings.Split(p.Text, "/"), "..")
		protected = protected || up || p.Hole == passage.Any
	}
	t.passage(line, folder, protected, removes)
}

// expands reports whether only globs are unknown in a path, so that the file system
// has its names.
func (t *namer) expands(op *operation, pieces []shell.Piece) bool {
	return !op.below && op.name == nil && !slices.ContainsFunc(pieces, func(p shell.Piece) bool { return p.Kind != shell.Literal && p.Kind != shell.Glob })
}

// partsOf returns the parts of a path.
func partsOf(pieces []shell.Piece) (line passage.Line) {
	for i, p := range pieces {
		part := passage.Part{Text: p.Text}
		switch {
		case p.Kind == shell.Literal:
		case p.Is == shell.TemporaryDir && i == 0 && isMissingAtRoot(pieces[1:]):
			part.Text = "$TMPDIR"
		case p.Is == shell.Temporary && i == 0:
			line = append(line, passage.Part{Text: "$TMPDIR/"})
			part.Hole = passage.Filename
		case p.Is == shell.Number, p.Kind == shell.Glob && (i == 0 || strings.HasSuffix(pieces[i-1].Text, "/")):
			part.Hole = passage.Filename
		case p.Kind == shell.Glob:
			part.Hole = passage.Name
		case i == 0 && (p.Text == "${TMPDIR:-/tmp}" || p.Text == "${TMPDIR-/tmp}"):
			part.Text = "/tmp"
		default:
			part.Hole = passage.Any
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
func merge(line passage.Line) (merged passage.Line) {
	for _, p := range line {
		last := len(merged) - 1
		if last >= 0 && p.Hole == passage.Known && merged[last].Hole == passage.Known {
			merged[last].Text += p.Text
		} else {
			merged = append(merged, p)
		}
	}
	return merged
}

// open adds a path whose beginning is unknown.
func (t *namer) open(op *operation, line passage.Line, removes bool) {
	whole := !slices.ContainsFunc(line, func(p passage.Part) bool { return p.Hole == passage.Known && strings.Trim(p.Text, "/.") != "" })
	if whole && t.want&spec.RemoveTree != 0 && op.used&tree != 0 {
		text := lineText(line)
		t.add(passage.Passage{Text: text, Whole: []passage.Line{}, Counts: "only the shell knows what " + text + " is, which is removed with all that is in it"})
		return
	}
	t.passage(line, "", true, removes)
}

func lineText(line passage.Line) (text string) {
	for _, p := range line {
		text += p.Text
	}
	return text
}

// known adds an absolute path.
func (t *namer) known(op *operation, file string, removes bool) {
	physical, local := file, len(file) <= paths.MaxPath && !t.files.isRemote(file)
	if local {
		physical = t.names.physical(file)
		last := path.Base(filepath.ToSlash(file))
		if removes && !strings.HasSuffix(file, "/") && last != "." && last != ".." {
			physical = filepath.Join(t.names.physical(strings.TrimSuffix(file, last)), last)
		}
	}
	moved := ""
	if to, known := t.single(op.dirs[0], op.moved); known && len(op.dirs) == 1 && op.used&tree == 0 && t.want == spec.Remove {
		if info, err := os.Stat(to); err == nil && info.IsDir() || strings.HasSuffix(op.moved[len(op.moved)-1].Text, "/") {
			to = filepath.Join(to, filepath.Base(file))
		}
		moved = t.roots.nameOf(t.names.physical(to))
	}
	line := passage.KnownLine(t.roots.nameOf(filepath.Clean(physical)))
	p := passage.Passage{Text: lineText(line), Lines: []passage.Line{line}, Whole: []passage.Line{line}, Moved: moved, Shallow: !removes}
	if op.odd || t.holds(physical) || t.isRoot(physical) {
		p.Whole = []passage.Line{}
	}
	if local {
		t.own(&p, filepath.Clean(physical))
	}
	t.add(p)
}

// holds reports whether a directory contains the project or the home directory.
func (t *namer) holds(dir string) bool {
	return slices.ContainsFunc(t.roots, func(r root) bool { return r.name != "$TMPDIR" && r.dir != dir && paths.Contains(dir, r.dir) })
}

// mayHold reports whether a path in a directory that begins with a text may be one that
// contains the project or the home directory, or one of these.
func (t *namer) mayHold(dir, begin string) bool {
	return slices.ContainsFunc(t.roots, func(r root) bool {
		rel, err := filepath.Rel(dir, r.dir)
		return r.name != "$TMPDIR" && err == nil && rel != "." && filepath.IsLocal(rel) && strings.HasPrefix(rel, begin)
	})
}

// isRoot reports whether a directory is the project or the home directory.
func (t *namer) isRoot(dir string) bool {
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

// own sets the file that a passage removes, or a folder that contains it; "" if that is not known.
// What the text moves may be in it when it is removed.
func (t *namer) own(p *passage.Passage, file string) {
	if !p.Shallow && len(p.Whole) > 0 && !t.moves {
		p.File = file
	}
}

// passage adds a name in which a pattern is searched, in a folder that is "" if it is not known. A
// protected one has no exceptions.
func (t *namer) passage(line passage.Line, folder string, protected, removes bool) {
	p := passage.Passage{Text: lineText(line), Lines: []passage.Line{line}, Whole: []passage.Line{line}, Shallow: !removes}
	if protected {
		p.Whole = []passage.Line{}
	}
	t.own(&p, folder)
	t.add(p)
}

func (t *namer) add(p passage.Passage) {
	key := fmt.Sprint(p.Text, p.Lines, len(p.Whole), p.Moved, p.Shallow)
	if !t.seen[key] {
		t.seen[key] = true
		t.passages = append(t.passages, p)
	}
}
