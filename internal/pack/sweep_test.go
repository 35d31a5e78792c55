package pack

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestSweep(t *testing.T) {
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
	Git{Temp: temp}.sweep()
	if all, _ := os.ReadDir(temp); len(all) != 2 || all[0].Name() != filepath.Base(fresh) {
		t.Errorf("%v is left", all)
	}
}
