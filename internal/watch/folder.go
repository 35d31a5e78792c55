package watch

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

// maxFiles is the maximum number of files and folders of one hook that are watched in addition
// to HOOK.md, scripts and tests.
const maxFiles = 200

// rest surveys the other files in a hook's folder, breadth first. It skips each folder whose
// entries would exceed the limit. Links to folders are not followed.
func (s *survey) rest(seen stamps, hook string, folders []string) {
	room := maxFiles
	for queue := append([]string{"."}, folders...); len(queue) > 0; queue = queue[1:] {
		folder := queue[0]
		dir := filepath.Join(hook, filepath.FromSlash(folder))
		s.listen(dir, notTemporary)
		entries, ok := listSome(dir, room)
		if !ok {
			s.skipped[hook] = append(s.skipped[hook], folder)
			continue
		}
		for _, entry := range entries {
			name := path.Join(folder, entry.Name())
			if temporary(entry.Name()) || apart(name) {
				continue
			}
			room--
			s.look(seen, name, filepath.Join(dir, entry.Name()))
			if entry.IsDir() {
				queue = append(queue, name)
			}
		}
	}
}

// apart reports whether a name next to HOOK.md is surveyed separately.
func apart(name string) bool {
	return strings.EqualFold(name, spec.HookFile) || name == "scripts" || name == "tests"
}

// listSome lists a directory, sorted by name. It returns false if there are more than limit
// entries.
func listSome(dir string, limit int) ([]fs.DirEntry, bool) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, true
	}
	defer f.Close()
	entries, err := f.ReadDir(limit + 1)
	if len(entries) > limit {
		return nil, false
	}
	if err == nil || err == io.EOF {
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return entries, true
}

// isSkipped reports whether a file of a hook is in one of the skipped folders.
func isSkipped(folders []string, file string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		if folder == "." {
			first, _, _ := strings.Cut(file, "/")
			return file != "." && !apart(first)
		}
		return strings.HasPrefix(file, folder+"/")
	})
}

// newlySkipped returns warnings about folders in which changes are no longer detected.
func (s survey) newlySkipped(before survey) (warnings []string) {
	for _, hook := range slices.Sorted(maps.Keys(s.skipped)) {
		for _, folder := range s.skipped[hook] {
			if slices.Contains(before.skipped[hook], folder) {
				continue
			}
			but := ""
			if folder == "." {
				but = ", except HOOK.md, scripts and tests"
			}
			warnings = append(warnings, fmt.Sprintf("the files in %s are not watched%s: the hook has more than %d", shown.Path(filepath.Join(hook, filepath.FromSlash(folder))), but, maxFiles))
		}
	}
	return warnings
}

// temporary reports whether a file with this name is an editor's temporary file or a tool's
// private file.
func temporary(name string) bool {
	switch name {
	case "node_modules", "__pycache__", "venv", "4913": // vim creates a file 4913
		return true
	}
	for _, ending := range []string{"~", ".tmp", "___jb_tmp___", "___jb_old___"} {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "#") || ofStream(name)
}

// ofStream reports whether a file with this name is a temporary file of sed -i (sed8ChKUx) or
// perl -i (XXD741LV).
func ofStream(name string) bool {
	random, found := strings.CutPrefix(name, "sed")
	if !found {
		random, found = strings.CutPrefix(name, "XX")
	}
	const notWords = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	return found && len(random) == 6 && strings.ContainsAny(random, notWords) && !strings.ContainsAny(random, "-_.")
}

// lasting removes diagnostics about folders that have lacked a HOOK.md only for a short time, and
// schedules another check.
func (w *watcher) lasting(diagnostics []spec.Diagnostic, now time.Time) (remaining []spec.Diagnostic) {
	before := w.empty
	w.empty, w.again = map[string]time.Time{}, nil
	for _, d := range diagnostics {
		if d.Code != "empty" {
			remaining = append(remaining, d)
			continue
		}
		since, ok := before[d.Path]
		if !ok && before != nil { // in the first survey, no folder is new
			since = now
		}
		w.empty[d.Path] = since
		if left := passing - now.Sub(since); left <= 0 {
			remaining = append(remaining, d)
		} else if w.again == nil {
			w.again = time.After(left)
		}
	}
	return remaining
}
