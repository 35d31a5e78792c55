package watch

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/owners"
	"github.com/agent-hooks/agent-hooks/spec"
)

// survey is the state of the relevant files on disk at one time.
type survey struct {
	hooks   map[string]stamps   // by a hook's folder, then by path in it; "." is the folder
	around  stamps              // directories of hooks and the files above and next to them, by absolute path
	skipped map[string][]string // the skipped folders, by the hook's folder
	dirs    map[string]names    // the directories to watch for all of these, as physical paths
}

type stamps map[string]stamp

// stamp identifies a state of a file or directory.
type stamp struct {
	link string      // the target of a symbolic link
	info fs.FileInfo // of the resolved file; nil: it does not exist
}

func newSurvey() survey {
	return survey{hooks: map[string]stamps{}, around: stamps{}, skipped: map[string][]string{}, dirs: map[string]names{}}
}

// take surveys directories of hooks.
func take(roots []string) survey {
	s := newSurvey()
	for _, root := range roots {
		s.root(root)
	}
	return s
}

// root surveys one directory of hooks, its two parents (.agents and the project) and the
// hooks.toml next to it.
func (s *survey) root(dir string) {
	agents := filepath.Dir(dir)
	project := filepath.Dir(agents) // not watched: a home directory has many files
	s.look(s.around, project, project)
	for _, path := range []string{agents, dir, filepath.Join(agents, rulesFile)} {
		s.look(s.around, path, path)
		s.watchParent(path)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	s.listen(dir, notTemporary)
	for _, entry := range entries {
		// Names of hooks do not begin with a dot.
		if entry.Name()[0] != '.' && (entry.IsDir() || entry.Type()&fs.ModeSymlink != 0) {
			s.hook(filepath.Join(dir, entry.Name()))
		}
	}
}

const rulesFile = "hooks.toml"

// hook surveys the files of a hook: HOOK.md, the files in its folders scripts and tests, and
// those that rest surveys.
func (s *survey) hook(dir string) {
	seen := stamps{}
	s.hooks[dir] = seen
	if !s.look(seen, ".", dir).isDir() {
		return
	}
	upper := s.look(seen, spec.HookFile, filepath.Join(dir, spec.HookFile))
	lower := s.look(seen, spec.OtherHookFile, filepath.Join(dir, spec.OtherHookFile))
	if upper.link == "" && lower.link == "" && os.SameFile(upper.info, lower.info) {
		delete(seen, spec.OtherHookFile) // the file system ignores case
	}
	s.rest(seen, dir, append(s.files(seen, dir, "scripts"), s.files(seen, dir, "tests")...))
}

// files surveys one folder of a hook, if it exists, and returns the folders in it.
func (s *survey) files(seen stamps, hook, folder string) (folders []string) {
	dir := filepath.Join(hook, folder)
	if !s.look(seen, folder, dir).isDir() {
		return nil
	}
	s.listen(dir, notTemporary)
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		if temporary(entry.Name()) {
			continue
		}
		name := folder + "/" + entry.Name()
		s.look(seen, name, filepath.Join(dir, entry.Name()))
		if entry.IsDir() {
			folders = append(folders, name)
		}
	}
	return folders
}

// look stamps the file at path, if it exists, and also watches the target of a link.
func (s *survey) look(into stamps, key, path string) stamp {
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
	for range owners.MaxLinks {
		target, err := owners.Follow(path)
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
			s.listen(parent, strings.ToLower(filepath.Base(path)))
			return
		}
	}
}

// listen adds relevant names in a directory.
func (s *survey) listen(dir string, matter ...string) {
	physical, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return // removed meanwhile
	}
	if s.dirs[physical] == nil {
		s.dirs[physical] = names{}
	}
	for _, name := range matter {
		s.dirs[physical][name] = true
	}
}

func (s stamp) isDir() bool { return s.info != nil && s.info.IsDir() }

func (s survey) same(o survey) bool {
	return s.around.same(o.around) && maps.EqualFunc(s.hooks, o.hooks, stamps.same)
}

func (s stamps) same(o stamps) bool { return maps.EqualFunc(s, o, stamp.same) }

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
