package watch

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

const folderA = "p/.agents/hooks/a/"

// TestWatchDeepFiles checks that all files of a hook are watched, also in folders that are
// created later.
func TestWatchDeepFiles(t *testing.T) {
	t.Parallel()
	for _, poll := range []bool{false, true} {
		t.Run(fmt.Sprintf("poll=%v", poll), func(t *testing.T) {
			root := oneHook(t)
			plantAll(t, root, folderA+"lib/rules.txt=x", folderA+"tests/fixtures/a.json={}")
			w, _ := start(t, root, poll)
			for _, file := range []string{"lib/rules.txt", "tests/fixtures/a.json", "words.txt", "scripts/sub/deeper/x.py"} {
				changed := func(c Change) bool {
					return len(c.Hooks) == 1 && strings.Contains(","+strings.Join(c.Hooks[0].Files, ",")+",", ","+file+",")
				}
				w.write(folderA+file, "one")
				w.until(changed)
				w.save(folderA+file, "another")
				if c := w.until(changed); summary(c) != "~a("+file+")" {
					t.Errorf("%s: %s", file, summary(c))
				}
				w.remove(folderA + file)
				w.until(changed)
			}
		})
	}
}

// TestWatchTooManyFiles checks that a folder with many files is skipped, that this is reported
// once, and that the rest is watched.
func TestWatchTooManyFiles(t *testing.T) {
	root := oneHook(t)
	plantAll(t, root, folderA+"lib/rules.txt=x", folderA+"data/0=x")
	w, _ := start(t, root, false)
	w.warned = true
	w.write("many/0", "")
	for i := range maxFiles {
		w.write(fmt.Sprintf("many/%d", i), "")
	}
	w.rename(folderA+"data", "few")
	w.until(func(c Change) bool { return strings.HasPrefix(summary(c), "~a(data,data/0)") })
	w.rename("many", folderA+"data")
	c := w.until(func(c Change) bool { return strings.Contains(summary(c), "~a(data)") })
	if len(c.Warnings) != 1 || !strings.HasPrefix(c.Warnings[0], "the files in "+w.path(folderA+"data")+" are not watched: the hook has more than 200") {
		t.Errorf("warnings %q", c.Warnings)
	}
	w.warned = false
	w.write(folderA+"data/0", "changed")
	w.save(folderA+"lib/rules.txt", "changed") // in one step, which is one change
	if c := <-w.changes; summary(c) != "~a(lib/rules.txt)" {
		t.Errorf("next to many files: %s", summary(c))
	}
	// After most are removed, the remaining files are not reported; later changes are.
	for i := range 100 {
		w.remove(fmt.Sprintf(folderA+"data/%d", i))
	}
	w.save(folderA+"lib/rules.txt", "again") // in one step
	w.until(func(c Change) bool { return summary(c) == "~a(lib/rules.txt)" })
	w.write(folderA+"data/150", "changed")
	w.until(func(c Change) bool { return summary(c) == "~a(data/150)" })
}

// TestWatchTooManyOtherFiles checks that HOOK.md, scripts and tests are watched regardless of other
// files.
func TestWatchTooManyOtherFiles(t *testing.T) {
	root := oneHook(t)
	for i := range maxFiles {
		plantAll(t, root, fmt.Sprintf(folderA+"%d=x", i))
	}
	plantAll(t, root, folderA+"scripts/sub/x.py=x", folderA+"tests/one.yaml=x")
	s := take([]string{filepath.Join(root, "p", ".agents", "hooks")})
	if got := s.newlySkipped(survey{}); len(got) != 1 || !strings.Contains(got[0], "not watched, except HOOK.md, scripts and tests: the hook has more than 200") {
		t.Errorf("reported: %q", got)
	}
	var files []string
	for file := range s.hooks[filepath.Join(root, "p", ".agents", "hooks", "a")] {
		files = append(files, file)
	}
	if len(files) != 8 || len(s.hooks[filepath.Join(root, "p", ".agents", "hooks", "a")]) != 8 {
		t.Errorf("watched: %q", files)
	}
}

func TestTemporary(t *testing.T) {
	for name, want := range map[string]bool{
		"run~": true, ".run.swp": true, "#run#": true, "run.tmp": true, "node_modules": true,
		"__pycache__": true, "venv": true,
		"sed8ChKUx": true, "XXD741LV": true,
		"sed": false, "sed.txt": false, "sedatives": false, "sed8ChKU": false, "sed8ChK-x": false,
		"XXL": false, "XXabcdef": false, "XX_READ_ME": false, "D741LV": false,
		"run": false, "run.sh": false, "tmp": false, "a#": false,
	} {
		if got := temporary(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
