package state

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.toml")
	for _, text := range []string{"one", "", "two"} {
		if err := Write(path, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
			t.Errorf("%v, %v", info, err)
		}
	}
	if err := Write(filepath.Join(dir, "none", "a"), nil, 0o600); err == nil {
		t.Error("wrote into a folder that does not exist")
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(dir, "folder"), nil, 0o600); err == nil {
		t.Error("replaced a folder")
	}
	if all, _ := os.ReadDir(dir); len(all) != 2 {
		t.Errorf("%v is left", all)
	}
}
