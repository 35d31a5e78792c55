package own

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Where a file's birth is not known, or is not certain, it is not own.
func TestUncertain(t *testing.T) {
	start := time.Now().Add(-time.Minute)
	good := file{born: start.Add(time.Second), device: 1, mine: true}
	for name, test := range map[string]struct {
		change func(f *file) (ok bool)
		want   bool
	}{
		"made since":                {func(f *file) bool { return true }, true},
		"in the tick before":        {func(f *file) bool { f.born = start.Add(-time.Millisecond); return true }, false},
		"made before":               {func(f *file) bool { f.born = start.Add(-time.Second); return true }, false},
		"no time of birth":          {func(f *file) bool { return false }, false},
		"of a clock that was ahead": {func(f *file) bool { f.born = time.Now().Add(time.Hour); return true }, false},
		"of another user":           {func(f *file) bool { f.mine = false; return true }, false},
		"on another device":         {func(f *file) bool { f.device = 2; return true }, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			inner := filepath.Join(dir, "inner")
			if err := os.WriteFile(inner, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			files := Since(start)
			files.keeps = func(string) bool { return true }
			files.stat = func(path string) (f file, ok bool) {
				f, ok = good, true
				f.folder = path == dir
				if path == inner {
					ok = test.change(&f)
				}
				return f, ok
			}
			if got := files.Has(dir); got != test.want {
				t.Errorf("%t", got)
			}
		})
	}
	files := Since(start)
	files.stat = func(string) (file, bool) { return good, true }
	files.keeps = func(string) bool { return false }
	if files.Has(t.TempDir()) {
		t.Error("on a file system whose times of birth do not count")
	}
}
