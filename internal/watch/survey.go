package watch

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/spec"
)

// maxFiles is the maximum number of files and folders of one hook that are watched in addition
// to HOOK.md, scripts and tests.
const maxFiles = 200

// survey is the state of the relevant files on disk at one time.
type survey struct {
	hooks   map[string]Stamps   // by a hook's folder
	around  Stamps              // directories of hooks and the files above and next to them, by absolute path
	skipped map[string][]string // the skipped folders, by the hook's folder
	dirs    map[string]bool     // the directories to watch for all of these, as physical paths
}

// Stamps are the states of a hook's watched files by their paths in its folder, with slashes; "."
// is the folder.
type Stamps map[string]stamp

// stamp identifies a state of a file or directory.
type stamp struct {
	link string      // the target of a symbolic link
	info fs.FileInfo // of the resolved file; nil: it does not exist
}

func newSurvey() survey {
	return survey{hooks: map[string]Stamps{}, around: Stamps{}, skipped: map[string][]string{}, dirs: map[string]bool{}}
}

// take surveys directories of hooks.
func take(roots []string) survey {
	s := newSurvey()
	for _, root := range roots {
		s.root(root)
	}
	return s
}

// StampsOf returns the current states of a hook's watched files.
func StampsOf(h *discovery.Hook) Stamps {
	s := newSurvey()
	s.hook(Origin(h))
	return s.hooks[Origin(h)]
}

// root surveys one directory of hooks, its two parents (.agents and the project) and the
// hooks.toml next to it.
func (s *survey) root(dir string) {
	agents := filepath.Dir(dir)
	project := filepath.Dir(agents)
	s.look(s.around, project, project)
	for _, path := range []string{agents, dir, filepath.Join(agents, "hooks.toml")} {
		s.look(s.around, path, path)
		s.watchParent(path)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	s.listen(dir)
	for _, entry := range entries {
		// Names of hooks do not begin with a dot.
		if entry.Name()[0] != '.' && (entry.IsDir() || entry.Type()&fs.ModeSymlink != 0) {
			s.hook(filepath.Join(dir, entry.Name()))
		}
	}
}

// hook surveys the files of a hook, breadth first: HOOK.md, the files in its folders scripts and
// tests, and as many others as the limit allows. It skips each folder whose entries would exceed
// the limit. Links to folders are not followed.
func (s *survey) hook(dir string) {
	seen := Stamps{}
	s.hooks[dir] = seen
	if !s.look(seen, ".", dir).isDir() {
		return
	}
	room := maxFiles
	for queue := []string{"scripts", "tests", "."}; len(queue) > 0; queue = queue[1:] {
		folder, limit := queue[0], room
		within := filepath.Join(dir, filepath.FromSlash(folder))
		if always(folder) {
			limit = -1
			if !s.look(seen, folder, within).isDir() {
				continue
			}
		}
		s.listen(within)
		entries, ok := listSome(within, limit)
		if !ok {
			s.skipped[dir] = append(s.skipped[dir], folder)
		}
		if !ok && folder == "." {
			s.look(seen, spec.HookFile, filepath.Join(dir, spec.HookFile))
			s.look(seen, spec.OtherHookFile, filepath.Join(dir, spec.OtherHookFile))
		}
		for _, entry := range entries {
			name := path.Join(folder, entry.Name())
			if temporary(entry.Name()) || name == "scripts" || name == "tests" {
				continue
			}
			s.look(seen, name, filepath.Join(within, entry.Name()))
			if entry.IsDir() {
				queue = append(queue, name)
			}
			if !always(folder) && !always(name) {
				room--
			}
		}
	}
	upper, lower := seen[spec.HookFile], seen[spec.OtherHookFile]
	if upper.link == "" && lower.link == "" && os.SameFile(upper.info, lower.info) {
		delete(seen, spec.OtherHookFile) // one file, for example because the file system ignores case
	}
}

// Authored reports whether a file of a hook, relative to its folder, is its HOOK.md, a script or a
// test case, which its author writes, not its runs.
func Authored(file string) bool {
	first, _, _ := strings.Cut(file, "/")
	return always(first)
}

// always reports whether a name next to HOOK.md is watched regardless of the limit, with its
// entries.
func always(name string) bool {
	return strings.EqualFold(name, spec.HookFile) || name == "scripts" || name == "tests"
}

// listSome lists a directory, sorted by name. It returns false if there are more than limit
// entries; a negative limit is none.
func listSome(dir string, limit int) ([]fs.DirEntry, bool) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, true
	}
	defer f.Close()
	entries, _ := f.ReadDir(limit + 1)
	if limit >= 0 && len(entries) > limit {
		return nil, false
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, true
}

// temporary reports whether a file with this name is an editor's temporary file or a tool's
// private file.
func temporary(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "#") || strings.HasSuffix(name, "~") || strings.HasSuffix(name, ".tmp") ||
		name == "node_modules" || name == "__pycache__" || name == "venv" || ofStream(name)
}

// ofStream reports whether a file with this name is a temporary file of sed -i (sed8ChKUx) or
// perl -i (XXD741LV). On a busy machine, it exists for longer than a burst of notifications.
func ofStream(name string) bool {
	random, found := strings.CutPrefix(name, "sed")
	if !found {
		random, found = strings.CutPrefix(name, "XX")
	}
	const notWords = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	return found && len(random) == 6 && strings.ContainsAny(random, notWords) && !strings.ContainsAny(random, "-_.")
}

// look stamps the file at path, if it exists, and also watches the target of a link.
func (s *survey) look(into Stamps, key, path string) stamp {
	info, err := os.Lstat(path)
	if err != nil {
		return stamp{}
	}
	seen := stamp{info: info}
	if info.Mode()&fs.ModeSymlink != 0 {
		seen.link, _ = os.Readlink(path)
		seen.info, _ = os.Stat(path)
		s.follow(path)
	}
	into[key] = seen
	return seen
}

// follow watches each target in a chain of links.
func (s *survey) follow(path string) {
	for range paths.MaxLinks {
		target, err := paths.Follow(path)
		if err != nil {
			return // not a link, or a dangling one, which cannot be watched
		}
		s.watchParent(target)
		path = target
	}
}

// watchParent watches for changes of path in its nearest existing parent.
func (s *survey) watchParent(path string) {
	for parent := filepath.Dir(path); parent != path; path, parent = parent, filepath.Dir(parent) {
		if info, err := os.Stat(parent); err == nil && info.IsDir() {
			s.listen(parent)
			return
		}
	}
}

// listen adds a directory to watch.
func (s *survey) listen(dir string) {
	if physical, err := paths.Real(dir); err == nil { // else removed meanwhile
		s.dirs[physical] = true
	}
}

func (s stamp) isDir() bool { return s.info != nil && s.info.IsDir() }

func (s survey) same(o survey) bool {
	return s.around.same(o.around) && maps.EqualFunc(s.hooks, o.hooks, Stamps.same)
}

func (s Stamps) same(o Stamps) bool { return maps.EqualFunc(s, o, stamp.same) }

// Changed returns the files that differ from before, sorted.
func (s Stamps) Changed(before Stamps) (files []string) {
	for file, now := range s {
		if then, ok := before[file]; !ok || !now.same(then) {
			files = append(files, file)
		}
	}
	for file := range before {
		if _, ok := s[file]; !ok {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	return files
}

// same reports whether s and o are the same state. The time and size of a directory are
// ignored, because its entries are stamped separately.
func (s stamp) same(o stamp) bool {
	if s.link != o.link || s.info == nil || o.info == nil {
		return s.link == o.link && s.info == nil && o.info == nil
	}
	if s.info.Mode() != o.info.Mode() || !os.SameFile(s.info, o.info) {
		return false
	}
	return s.info.IsDir() || s.info.Size() == o.info.Size() && s.info.ModTime().Equal(o.info.ModTime())
}
