package trust

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestScratch(t *testing.T) {
	temp := t.TempDir()
	old, fresh, other := filepath.Join(temp, "agent-hooks-pack-1"), filepath.Join(temp, "agent-hooks-pack-2"), filepath.Join(temp, "other")
	for _, dir := range []string{old, fresh, other} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	before := time.Now().Add(-25 * time.Hour)
	for _, dir := range []string{old, other} {
		if err := os.Chtimes(dir, before, before); err != nil {
			t.Fatal(err)
		}
	}
	sealed := filepath.Join(old, "sealed")
	if err := errors.Join(os.Mkdir(sealed, 0o700), os.WriteFile(filepath.Join(sealed, "f"), nil, 0o400), os.Chmod(sealed, 0o500), os.Chtimes(old, before, before)); err != nil {
		t.Fatal(err)
	}
	made, err := Scratch(temp)
	if err != nil {
		t.Fatal(err)
	}
	if all, _ := filepath.Glob(filepath.Join(temp, "*")); len(all) != 3 || !slices.Contains(all, fresh) || !slices.Contains(all, other) || !slices.Contains(all, made) {
		t.Errorf("%v is left", all)
	}
}
