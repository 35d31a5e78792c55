package examples_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/examples"
)

// TestEmbedded compares the embedded examples with the folders.
func TestEmbedded(t *testing.T) {
	t.Parallel()
	names := examples.Names()
	if len(names) == 0 || !slices.IsSorted(names) {
		t.Fatalf("names %q", names)
	}
	for _, name := range names {
		hook, ok := examples.Find(name)
		if family, _ := hook.Metadata["family"].(string); !ok || hook.Name != name || hook.Description == "" || !hook.Trigger.Valid() || family == "" {
			t.Errorf("%s: found %v, name %q, description %q, trigger %q, family %q", name, ok, hook.Name, hook.Description, hook.Trigger, family)
		}
		var paths []string
		for _, f := range examples.Files(name) {
			paths = append(paths, f.Path)
			onDisk := filepath.Join(hooksDir, name, filepath.FromSlash(f.Path))
			if !bytes.Equal(f.Data, read(t, onDisk)) {
				t.Errorf("%s differs from what is embedded", onDisk)
			}
			info, err := os.Stat(onDisk)
			if err != nil || runtime.GOOS != "windows" && f.Executable != (info.Mode()&0o100 != 0) {
				t.Errorf("%s: executable %v, on disk %v (%v)", onDisk, f.Executable, info.Mode(), err)
			}
		}
		if want := onDisk(t, name); !slices.Equal(paths, want) {
			t.Errorf("%s: files %q, want %q", name, paths, want)
		}
	}
}

// onDisk lists an example's files except those that running it creates.
func onDisk(t *testing.T, name string) []string {
	t.Helper()
	var paths []string
	folder := filepath.Join(hooksDir, name)
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if hidden := strings.HasPrefix(entry.Name(), "_") || strings.HasPrefix(entry.Name(), "."); hidden && entry.IsDir() {
			return filepath.SkipDir
		} else if hidden || entry.IsDir() {
			return nil
		}
		rel, err := filepath.Rel(folder, path)
		paths = append(paths, filepath.ToSlash(rel))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func TestNoSuchExample(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", ".", "..", "no-such", "notify/scripts"} {
		if _, ok := examples.Find(name); ok || examples.Files(name) != nil {
			t.Errorf("there is an example %q", name)
		}
	}
}
